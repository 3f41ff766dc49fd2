// A game's file in the words of Fairy-Stockfish's variants.ini.
#include "rules/data/fairy_stockfish.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "base/quote.h"
#include "rules/data/fairy_pieces.h"
#include "rules/data/words.h"
#include "rules/data/zones.h"

namespace faultline::data {
namespace {

constexpr int kMostCustom = 25;
constexpr int kMostFiles = 12;
constexpr int kMostRanks = 10;

class Translator {
 public:
  explicit Translator(const GameFile& game) : game_(game), zones_(game.board) {}

  FairyStockfish run() {
    board();
    if (refused_.empty()) {
      pieces();
      promotions();
      hands();
      castling();
      rules();
      ends();
      start();
    }
    FairyStockfish result;
    result.refused = std::move(refused_);
    if (result.refused.empty()) {
      result.newer = std::move(newer_);
      result.text = "# " + printable(game_.title, 100) + "\n";
      if (!result.newer.empty())
        result.text +=
            "# Fairy-Stockfish 11.1 does not read: " + joined(result.newer, " and ") + "\n";
      result.text += "[faultline-" + game_.name + "]\n" + text_;
    }
    return result;
  }

 private:
  void refuse(const std::string& key, const std::string& why) {
    const std::string refusal = key + ": " + why;
    if (std::ranges::find(refused_, refusal) == refused_.end()) refused_.push_back(refusal);
  }
  void needs(const std::string& what) {
    if (std::ranges::find(newer_, what) == newer_.end()) newer_.push_back(what);
  }
  void say(std::string_view key, const std::string& value) {
    text_ += std::string(key) + " = " + value + "\n";
  }
  void say(std::string_view key, bool value) { say(key, std::string(value ? "true" : "false")); }

  const PieceType& piece(TypeIndex type) const { return game_.pieces[type]; }
  std::string letter(TypeIndex type) const {
    const auto found = letters_.find(type);
    return found == letters_.end() ? in_small_letters(piece(type).letter) : found->second;
  }
  std::string letters(TypeSet types) const {
    std::string text;
    for (std::size_t t = 0; t < game_.pieces.size(); ++t)
      if ((types >> t & 1U) != 0) text += letter(static_cast<TypeIndex>(t));
    return text;
  }
  TypeSet all_types() const { return (TypeSet{1} << game_.pieces.size()) - 1; }
  int count(TypeIndex type, Colour colour) const {
    return static_cast<int>(std::ranges::count_if(game_.starts[0].pieces, [&](const Placed& p) {
      return p.type == type && p.colour == colour;
    }));
  }

  SquareSet rank(int number) const {
    SquareSet squares;
    for (int file = 0; file < zones_.columns(); ++file)
      squares.set(zones_.at({.row = number - 1, .column = file}));
    return squares;
  }
  /// "*8", "d4 e4": whole ranks and squares.
  std::string region(const SquareSet& zone) const {
    std::string text;
    for (int r = 1; r <= zones_.rows(); ++r) {
      const SquareSet whole = rank(r);
      if ((zone & whole) == whole) {
        text += " *" + std::to_string(r);
        continue;
      }
      for (int file = 0; file < zones_.columns(); ++file)
        if (const Square s = zones_.at({.row = r - 1, .column = file}); zone[s])
          text += " " + zones_.name(s);
    }
    return text.empty() ? "-" : text.substr(1);
  }
  /// N if the zone is the ranks from N on, to the last or to N; else 0.
  int first_rank(const SquareSet& zone, bool to_the_last) const {
    for (int r = 1; r <= zones_.rows(); ++r) {
      if ((zone & rank(r)).none()) continue;
      SquareSet ranks = rank(r);
      for (int more = r + 1; to_the_last && more <= zones_.rows(); ++more)
        ranks |= rank(more);
      return zone == ranks ? r : 0;
    }
    return 0;
  }

  // ---------------------------------------------------------------------------------------------

  void board() {
    const Board& board = game_.board;
    if (!board.belts.empty()) refuse("board.belt", "its boards do not move");
    if (!board.parts.empty()) refuse("board.part", "its boards do not move");
    if (board.sectors) refuse("board.sectors", "its boards do not move");
    if (board.levels.count > 1) refuse("board.levels", "its boards have one level");
    if (board.wraps_files || board.wraps_ranks) refuse("board.wrap", "its boards have edges");
    if (!board.links.empty()) refuse("board.links", "its squares border on their neighbours");
    if (!board.cuts.empty()) refuse("board.cuts", "its squares border on their neighbours");
    const std::string rectangle = "its boards are full rectangles with squares from a1 on";
    for (std::size_t row = 0; row < board.rows.size(); ++row)
      for (const Cell& cell : board.rows[row])
        if (cell.kind != CellKind::Square || cell.foot != cell.column ||
            cell.name != static_cast<char>('a' + cell.column) + std::to_string(row + 1))
          refuse("board", rectangle);
    if (zones_.columns() > kMostFiles || zones_.rows() > kMostRanks)
      refuse("board", "its boards have at most 12 files and 10 ranks");
    say("maxFile", std::to_string(zones_.columns()));
    say("maxRank", std::to_string(zones_.rows()));
  }

  // ---------------------------------------------------------------------------------------------

  struct Moves {
    std::vector<Leg> legs;
    SquareSet onto;
  };

  /// The legs of a side but for that by which generals may not face each other.
  Moves moves_of(TypeIndex type, int side) {
    const PieceSide& one = piece(type).sides[at(side)];
    const std::string key = "pieces." + piece(type).letter + ".moves";
    Moves moves{.legs = {}, .onto = zones_.all()};
    bool first = true;
    for (const Leg& leg : one.legs) {
      if ((leg.takes & all_types()) != all_types()) {
        const Ways vertical = ways_of("vcR");
        Ways way;
        add_way(way, leg);
        if (one.royal == Royal::Yes && (leg.takes & all_types()) == TypeSet{1} << type &&
            leg.onto == zones_.all() && leg.from == zones_.all() &&
            vertical.contains(way.begin()->first) && way.begin()->second == 2)
          flying_general_ = true;
        else
          refuse(key, "its pieces take whatever they reach: takes");
        continue;
      }
      if (!first && leg.onto != moves.onto)
        refuse(key, "all moves of one of its pieces lead to the same squares: onto");
      moves.onto = leg.onto;
      first = false;
      moves.legs.push_back(leg);
    }
    return moves;
  }

  void pieces() {
    int customs = 0;
    std::string pawn_letters;
    for (std::size_t t = 0; t < game_.pieces.size(); ++t) {
      const auto type = static_cast<TypeIndex>(t);
      const PieceType& one = piece(type);
      const std::string key = "pieces." + one.letter;
      if (one.letter.size() > 1) continue;  // what is promoted: afterwards
      const Moves white = moves_of(type, 0);
      const Moves black = moves_of(type, 1);
      if (ways_of(white.legs) != ways_of(black.legs, true)) {
        refuse(key, "its pieces of both sides move alike, turned by half a turn");
        continue;
      }
      const std::string slot = slot_of(type, white, customs);
      if (slot.empty()) continue;
      if (white.onto != zones_.all() || black.onto != zones_.all()) {
        std::string name = slot;
        name[0] = static_cast<char>(name[0] - 'a' + 'A');
        say("mobilityRegionWhite" + name, region(white.onto));
        say("mobilityRegionBlack" + name, region(black.onto));
      }
      if (one.pawn) pawn_letters += letter(type);
    }
    for (std::size_t t = 0; t < game_.pieces.size(); ++t)
      if (game_.pieces[t].letter.size() > 1) promoted(static_cast<TypeIndex>(t), customs);
    if (!promoted_.empty()) say("promotedPieceType", promoted_.substr(1));
    if (slots_.contains("pawn") && double_step_ != pawn_leaps_)
      refuse("pieces", "if one of its pawns has moves with i, all have them");
    say("doubleStep", double_step_);
    if (flying_general_) say("flyingGeneral", true);
    if (game_.ends.plies && pawn_letters != letter_of("pawn"))
      needs("which pieces restart the plies");
    say("nMoveRuleTypes", pawn_letters.empty() ? "-" : pawn_letters);
    check_royals();
  }

  /// Of "+X": a pawn that has become X (crazyhouse), or X that has become better (shogi).
  void promoted(TypeIndex type, int& customs) {
    const std::string& name = piece(type).letter;
    const TypeIndex plain = game_.find_type(name.substr(1));
    const TypeIndex again = game_.hands ? game_.hands->becomes[type] : kNoType;
    const Moves moves = moves_of(type, 0);
    const Ways ways = ways_of(moves.legs);
    if (plain != kNoType && again != kNoType && again != plain &&
        ways == ways_of(moves_of(plain, 0).legs)) {
      letters_[type] = letter(plain);
      return;
    }
    const bool own = plain != kNoType && again == plain &&
                     std::ranges::all_of(piece(plain).sides, [&](const PieceSide& side) {
                       return side.promotions.size() == 1 && side.promotions[0].to.size() == 1 &&
                              side.promotions[0].to[0] == type;
                     });
    if (!own || ways_of(moves_of(type, 1).legs) != ways_of(moves.legs, true)) {
      refuse("pieces." + name,
             "+X is what X becomes, and X again in the hand; or a pawn that has "
             "become X, and a pawn again");
      return;
    }
    better_ |= TypeSet{1} << plain;
    for (std::size_t t = 0; t < game_.pieces.size(); ++t)
      if (const auto same = static_cast<TypeIndex>(t); game_.pieces[t].letter.size() == 1 &&
                                                       piece(same).sides[0].royal == Royal::No &&
                                                       ways == ways_of(moves_of(same, 0).legs))
        letters_[type] = letter(same);
    if (!letters_.contains(type)) {
      std::string free = "a";
      const auto is_taken = [&] {
        return game_.find_type(in_capitals(free)) != kNoType ||
               std::ranges::any_of(letters_, [&](const auto& one) { return one.second == free; });
      };
      while (is_taken() && free[0] < 'z')
        ++free[0];
      letters_[type] = free;
      slot_of(type, moves, customs);
    }
    promoted_ += " " + letter(plain) + ":" + letter(type);
  }

  void check_royals() {
    for (const Start& start : game_.starts)
      for (int side = 0; side < 2; ++side)
        if (std::ranges::count_if(start.pieces, [&](const Placed& placed) {
              return index(placed.colour) == side &&
                     piece(placed.type).sides[at(side)].royal != Royal::No;
            }) > 1)
          refuse("pieces", "a side has one royal piece");
  }

  /// Says which of its pieces a type is; "" if none.
  std::string slot_of(TypeIndex type, const Moves& white, int& customs) {
    const PieceType& one = piece(type);
    const std::string key = "pieces." + one.letter;
    const Ways ways = ways_of(white.legs);
    if (one.sides[0].royal != one.sides[1].royal || one.sides[0].royal == Royal::OneSafe) {
      refuse(key + ".royal", "its king must always be safe, White's as Black's");
      return "";
    }
    if (one.sides[0].royal == Royal::Yes) {
      if (king_ != kNoType) {
        refuse(key + ".royal", "a side has one royal piece");
        return "";
      }
      king_ = type;
      const std::string betza = ways == ways_of("K") ? "" : betza_of(type, white);
      if (!betza.empty()) needs("kings that move otherwise");
      if (is_free(type, white)) say("king", letter(type) + (betza.empty() ? "" : ":" + betza));
      return "king";
    }
    if (is_pawn(type, white, ways)) return take("pawn", type);
    if (is_soldier(type, white)) return take("soldier", type);
    if (!is_free(type, white)) return "";
    for (const auto& [name, betza] : fairy_pieces())
      if (!slots_.contains(name) && ways == ways_of(betza)) return take(name, type);
    const std::string betza = betza_of(type, white);
    if (++customs > kMostCustom) refuse(key, "it has 25 custom pieces");
    std::string name = "customPiece" + std::to_string(customs);
    needs("custom pieces");
    say(name, letter(type) + ":" + betza);
    return name;
  }

  std::string take(std::string_view name, TypeIndex type) {
    slots_[name] = letter(type);
    say(name, letter(type));
    return std::string(name);
  }

  /// Whether the moves can be made from everywhere.
  bool is_free(TypeIndex type, const Moves& moves) {
    for (const Leg& leg : moves.legs)
      if (leg.from != zones_.all() && !leg.initial) {
        refuse("pieces." + piece(type).letter + ".moves",
               "its pieces move alike from everywhere: from");
        return false;
      }
    return true;
  }

  /// The texts of the moves, for a piece of its own.
  std::string betza_of(TypeIndex type, const Moves& moves) {
    const PieceSide& one = piece(type).sides[0];
    std::string betza;
    std::set<std::uint16_t> used;
    const auto refuse_text = [&](const std::string& text, const std::string& why) {
      refuse("pieces." + piece(type).letter + ".moves", text + ": " + why);
    };
    for (const Leg& leg : moves.legs) {
      if (!used.insert(leg.text).second) continue;
      const std::string& text = one.texts[leg.text];
      if (const std::string why = why_no_custom_piece(text); !why.empty()) refuse_text(text, why);
      if (leg.leaves_passed && !leg.initial && takes_en_passant())
        refuse_text(text, "its moves that can be answered en passant have i");
      if (leg.initial) set_double_steps(type);
      betza += text;
    }
    return betza;
  }

  bool takes_en_passant() const {
    return std::ranges::any_of(game_.pieces, [](const PieceType& one) {
      return std::ranges::any_of(one.sides[0].legs, &Leg::en_passant);
    });
  }

  /// A pawn, which may have double steps that can be answered en passant.
  bool is_pawn(TypeIndex type, const Moves& moves, const Ways& ways) {
    if (slots_.contains("pawn") || moves.onto != zones_.all()) return false;
    const bool steps = ways == ways_of("fmWfceF") || ways == ways_of("fmWfcF");
    const bool leaps = ways == ways_of("fmWfceFifmnD");
    for (const Leg& leg : moves.legs)
      if (leg.from != zones_.all() && !leg.initial) return false;
    if (leaps) set_double_steps(type);
    pawn_leaps_ = leaps;
    return steps || leaps;
  }

  void set_double_steps(TypeIndex type) {
    const auto& [white, black] = piece(type).sides;
    if (double_step_ && double_steps_from_ != white.initial)
      refuse("pieces." + piece(type).letter + ".initial", "all its pawns have the same");
    if (std::exchange(double_step_, true)) return;
    double_steps_from_ = white.initial;
    const int only = first_rank(white.initial, false);
    if (only == 0 || black.initial != rank(zones_.rows() + 1 - only))
      needs("regions of double steps");
    else
      say("doubleStepRank", std::to_string(only));
    say("doubleStepRegionWhite", region(white.initial));
    say("doubleStepRegionBlack", region(black.initial));
  }

  /// One step forward, and from some rank on also sideways.
  bool is_soldier(TypeIndex type, const Moves& moves) {
    if (slots_.contains("soldier") || ways_of(moves.legs) != ways_of("fsW")) return false;
    SquareSet sideways = zones_.all();
    for (const Leg& leg : moves.legs)
      if (leg.stretches[0].step[0] != Direction::N)
        sideways = leg.from;
      else if (leg.from != zones_.all())
        return false;
    const int first = first_rank(sideways, true);
    const PieceSide& black = piece(type).sides[1];
    if (first == 0 || std::ranges::any_of(black.legs, [&](const Leg& leg) {
          return leg.stretches[0].step[0] != Direction::S && leg.from != zones_.mirrored(sideways);
        }))
      return false;
    say("soldierPromotionRank", std::to_string(first));
    return true;
  }

  // ---------------------------------------------------------------------------------------------

  void promotions() {
    TypeSet promoting = 0;
    BySide<const Promotion*> rule{};
    for (std::size_t t = 0; t < game_.pieces.size(); ++t)
      for (int side = 0; side < 2; ++side) {
        const auto type = static_cast<TypeIndex>(t);
        const std::string key = "pieces." + piece(type).letter + ".promotes";
        const auto& promotions = piece(type).sides[at(side)].promotions;
        if (promotions.empty() || (better_ >> t & 1U) != 0) continue;
        const Promotion& one = promotions[0];
        promoting |= TypeSet{1} << t;
        for (const TypeIndex to : one.to)
          if (piece(to).letter.size() > 1 && game_.hands && game_.hands->becomes[to] != type)
            refuse(key, "what has been a pawn is one again in the hand");
        if (promotions.size() > 1) refuse(key, "a side of its pawns has one zone");
        if (one.leaving) refuse(key + ".leaving", "its pawns promote where they arrive");
        const Promotion*& other = rule[at(side)];
        if (other != nullptr && (other->on != one.on || other->must != one.must ||
                                 other->to != one.to || other->stock != one.stock))
          refuse(key, "all its pawns promote alike");
        other = &one;
      }
    if (promoting != 0 && better_ != 0)
      refuse("pieces", "either pawns promote to other pieces, or each piece to its own");
    if (better_ != 0) {
      better_pieces();
      return;
    }
    if (promoting == 0) {
      if (slots_.contains("pawn")) say("promotionPieceTypes", std::string("-"));
      return;
    }
    if (letters(promoting) != letter_of("pawn")) needs("promotions of other pieces");
    say("promotionPawnTypes", letters(promoting));
    const auto& [white, black] = rule;
    std::array<std::string, 2> to;
    for (int side = 0; side < 2; ++side)
      if (rule[at(side)] != nullptr)
        for (const TypeIndex type : rule[at(side)]->to)
          to[at(side)] += letter(type);
    if (white != nullptr && black != nullptr && to[0] == to[1]) {
      say("promotionPieceTypes", to[0]);
    } else {
      needs("promotions that differ between the sides");
      for (int side = 0; side < 2; ++side)
        say(side == 0 ? "promotionPieceTypesWhite" : "promotionPieceTypesBlack",
            to[at(side)].empty() ? "-" : to[at(side)]);
    }
    const Promotion& one = white != nullptr ? *white : *black;
    const SquareSet on = white != nullptr ? one.on : zones_.mirrored(one.on);
    // Where they must promote on one rank, they never get to the next one.
    if (const int first =
            std::max(first_rank(on, true), one.must == one.on ? first_rank(on, false) : 0);
        first != 0 && (black == nullptr || black->on == zones_.mirrored(on)))
      say("promotionRank", std::to_string(first));
    else
      needs("regions of promotion");
    say("promotionRegionWhite", region(white != nullptr ? white->on : SquareSet{}));
    say("promotionRegionBlack", region(black != nullptr ? black->on : SquareSet{}));
    const SquareSet must = white != nullptr ? one.must : zones_.mirrored(one.must);
    const std::string key =
        "pieces." + piece(static_cast<TypeIndex>(std::countr_zero(promoting))).letter + ".promotes";
    if (white != nullptr && black != nullptr &&
        (zones_.mirrored(must) != black->must || black->stock != white->stock))
      refuse(key, "White's and Black's pawns promote alike");
    say("mandatoryPawnPromotion", must == on);
    if (must != on && must.any()) {
      if (must == rank(zones_.rows()) && only_pawns_get_stuck(promoting))
        immobility_ = true;
      else
        refuse(key + ".must", "its pawns must promote everywhere, nowhere or on the last rank");
    }
    if (one.stock) say_limits(one, key);
  }

  /// The squares from which no leg of White's leads anywhere.
  SquareSet stuck(TypeIndex type) const {
    SquareSet squares;
    for (int row = 0; row < zones_.rows(); ++row)
      for (int column = 0; column < zones_.columns(); ++column)
        if (std::ranges::none_of(piece(type).sides[0].legs, [&](const Leg& leg) {
              Zones::Place to{.row = row, .column = column};
              for (const Direction direction : leg.stretches[0].step) {
                to.column += kSteps[at(index(direction))][0];
                to.row += kSteps[at(index(direction))][1];
              }
              return to.row >= 0 && to.row < zones_.rows() && to.column >= 0 &&
                     to.column < zones_.columns();
            }))
          squares.set(zones_.at({.row = row, .column = column}));
    return squares;
  }

  /// Shogi's promotions.
  void better_pieces() {
    const Promotion* first = nullptr;
    bool all_must = true;
    for (std::size_t t = 0; t < game_.pieces.size(); ++t) {
      if ((better_ >> t & 1U) == 0) continue;
      const auto& [white, black] = game_.pieces[t].sides;
      const Promotion& one = white.promotions[0];
      const std::string key = "pieces." + game_.pieces[t].letter + ".promotes";
      if (first == nullptr) first = &one;
      if (one.on != first->on || !one.leaving || one.stock ||
          black.promotions[0].on != zones_.mirrored(one.on) ||
          black.promotions[0].must != zones_.mirrored(one.must))
        refuse(key, "all pieces promote in one zone, also leaving it");
      all_must = all_must && one.must == one.on;
      if (one.must != stuck(static_cast<TypeIndex>(t)) && one.must != one.on)
        refuse(key + ".must", "its pieces must promote where they are stuck");
    }
    if (const int rank = first_rank(first->on, true); rank != 0)
      say("promotionRank", std::to_string(rank));
    else
      needs("regions of promotion");
    say("promotionRegionWhite", region(first->on));
    say("promotionRegionBlack", region(zones_.mirrored(first->on)));
    say("mandatoryPiecePromotion", all_must);
  }

  void hands() {
    const bool has_hands = game_.hands.has_value();
    say("pieceDrops", has_hands);
    if (has_hands) drops(*game_.hands);
    say("immobilityIllegal", immobility_);
  }

  void drops(const Hands& hands) {
    bool to_hand = false;
    std::string once_a_file;
    for (std::size_t t = 0; t < game_.pieces.size(); ++t) {
      const auto type = static_cast<TypeIndex>(t);
      const PieceType& one = piece(type);
      if (hands.becomes[t] != kNoType) to_hand = true;
      if (one.letter.size() > 1 || type == king_) continue;
      const std::string key = "hands." + one.letter;
      if (hands.becomes[t] != type && hands.becomes[t] != kNoType)
        refuse("hands.as", "its pieces are the same in the hand");
      const Hands::Drop& drop = hands.drops[t];
      const bool is_pawn = letter(type) == letter_of("pawn");
      const bool is_shogi_pawn = letter(type) == letter_of("shogiPawn");
      SquareSet onto = zones_.all() & ~stuck(type);
      if (is_pawn) onto &= ~rank(1) & ~rank(zones_.rows());
      immobility_ = immobility_ || (!is_pawn && stuck(type).any());
      if (drop.onto[0] != onto || drop.onto[1] != zones_.mirrored(onto))
        refuse(key + ".onto",
               "its pieces are dropped wherever they can move from, and pawns not on "
               "the first and the last rank");
      if (drop.a_file == 1 && is_shogi_pawn)
        once_a_file = letter(type);
      else if (drop.a_file != kNoLimit)
        refuse(key + ".a_file", "only shogi's pawn has one a file");
      if (is_shogi_pawn) say("shogiPawnDropMateIllegal", !drop.mate);
      if (!is_shogi_pawn && !drop.mate) refuse(key + ".mate", "only shogi's pawn has it");
    }
    say("capturesToHand", to_hand);
    say("shogiDoubledPawn", once_a_file.empty());
    if (!once_a_file.empty()) say("dropNoDoubled", once_a_file);
  }

  std::string letter_of(std::string_view slot) const {
    const auto found = slots_.find(slot);
    return found == slots_.end() ? "" : found->second;
  }

  /// Whether these types cannot leave the last rank, and all others can.
  bool only_pawns_get_stuck(TypeSet types) const {
    for (std::size_t t = 0; t < game_.pieces.size(); ++t) {
      const bool forward = std::ranges::all_of(game_.pieces[t].sides[0].legs, [](const Leg& leg) {
        const Direction way = leg.stretches[0].step[0];
        return way == Direction::N || way == Direction::NE || way == Direction::NW;
      });
      if (forward != ((types >> t & 1U) != 0)) return false;
    }
    return true;
  }

  void say_limits(const Promotion& promotion, const std::string& key) {
    std::string limits;
    for (const TypeIndex type : promotion.to) {
      if (count(type, Colour::White) != count(type, Colour::Black))
        refuse(key + ".stock", "its limits are the same for both sides");
      limits += (limits.empty() ? "" : " ") + letter(type) + ":" +
                std::to_string(count(type, Colour::White));
    }
    say("promotionLimit", limits);
  }

  // ---------------------------------------------------------------------------------------------

  TypeIndex type_on(Square square) const {
    const auto found = std::ranges::find(game_.starts[0].pieces, square, &Placed::square);
    return found == game_.starts[0].pieces.end() ? kNoType : found->type;
  }

  void castling() {
    const Start& start = game_.starts[0];
    say("castling", !start.castles.empty());
    if (start.castles.empty()) return;
    const std::string key = "pieces." + piece(start.castles[0].king_type).letter + ".castle";
    const TypeIndex rook_type = type_on(start.castles[0].rook);
    bool chess960 = game_.starts.size() > 1;
    std::array<int, 2> files = {-1, -1};  // of the king, to the left and to the right
    int row = -1;
    for (const Castle& castle : start.castles) {
      if (castle.ways.size() != 1 || castle.king_type != king_ ||
          type_on(castle.rook) != rook_type) {
        refuse(key, "its king castles with a rook, and to one square on each side");
        return;
      }
      const Castle::Way& way = castle.ways[0];
      const Zones::Place king = zones_.place(castle.king);
      const Zones::Place rook = zones_.place(castle.rook);
      const Zones::Place king_to = zones_.place(way.king_to);
      const bool right = rook.column > king.column;
      const int from_own_side =
          castle.colour == Colour::White ? king.row : zones_.rows() - 1 - king.row;
      int& file = files[right ? 1 : 0];
      const bool outermost = std::ranges::none_of(start.pieces, [&](const Placed& placed) {
        const Zones::Place other = zones_.place(placed.square);
        return placed.type == rook_type && placed.colour == castle.colour &&
               other.row == rook.row &&
               (right ? other.column > rook.column : other.column < rook.column);
      });
      if (king_to.row != king.row || rook.row != king.row ||
          zones_.place(way.rook_to).column != king_to.column + (right ? -1 : 1) || !outermost ||
          (file >= 0 && file != king_to.column) || (row >= 0 && row != from_own_side)) {
        refuse(key,
               "its kings castle on one rank with the outermost rooks, which land beside them, "
               "White's as Black's");
        return;
      }
      file = king_to.column;
      row = from_own_side;
      if (king_to.column - king.column < 2 && king.column - king_to.column < 2) chess960 = true;
    }
    if (chess960) say("chess960", true);
    say("castlingRank", std::to_string(row + 1));
    if (files[1] >= 0)
      say("castlingKingsideFile", std::string(1, static_cast<char>('a' + files[1])));
    if (files[0] >= 0)
      say("castlingQueensideFile", std::string(1, static_cast<char>('a' + files[0])));
    say("castlingRookPieces", letter(rook_type));
    say("castlingRookPiece", letter(rook_type));
  }

  void rules() {
    if (game_.rules.explode) refuse("rules.explode", "what explodes there is no king");
    if (game_.rules.checks == ChecksForbidden::UnlessMate)
      refuse("rules.checks_forbidden", "checks are allowed or not, whether they mate or not");
    say("checking", game_.rules.checks == ChecksForbidden::No);
    say("mustCapture", game_.rules.capture_forced);
  }

  // ---------------------------------------------------------------------------------------------

  static std::string value(Result result) {
    return result == Result::Draw ? "draw" : result == Result::Win ? "win" : "loss";
  }

  void ends() {
    const Ends& ends = game_.ends;
    const auto& [white, black] = ends.sides;
    const std::string alike = "White's and Black's are the same";
    if (white.checkmate != black.checkmate) refuse("ends.checkmate", alike);
    if (white.stalemate != black.stalemate) refuse("ends.stalemate", alike);
    if (white.checks != black.checks) refuse("ends.checks", alike);
    say("checkmateValue", value(white.checkmate));
    say("stalemateValue", value(white.stalemate));
    if (white.checks > 0) say("checkCounting", true);
    extinctions();
    flags();
    if (ends.plies && (ends.plies->result != Result::Draw || ends.plies->count % 2 != 0))
      refuse("ends.plies", "it is a draw after whole moves of both sides");
    say("nMoveRule", std::to_string(ends.plies ? ends.plies->count / 2 : 0));
    say("nFoldRule", std::to_string(ends.repetition ? ends.repetition->count : 0));
    if (ends.repetition) say("nFoldValue", value(ends.repetition->result));
  }

  bool keeps_a_royal(int side) const {
    return std::ranges::any_of(game_.starts[0].pieces, [&](const Placed& placed) {
      return index(placed.colour) == side && placed.type == king_;
    });
  }

  /// One extinction for both sides, or for the one that has no king.
  void extinctions() {
    const auto& [white, black] = game_.ends.sides;
    const SideEnds& one = white.extinct.empty() ? black : white;
    const SideEnds& other = white.extinct.empty() ? white : black;
    const bool has_bare = white.bare_king || black.bare_king;
    if (!one.extinct.empty()) {
      const Extinct& extinct = one.extinct[0];
      const bool all = (extinct.types & all_types()) == all_types();
      const bool never_for_other = all && extinct.all && keeps_a_royal(&other == &white ? 0 : 1);
      const bool same = other.extinct.size() == 1 && other.extinct[0].types == extinct.types &&
                        other.extinct[0].all == extinct.all &&
                        other.extinct[0].result == extinct.result;
      if (one.extinct.size() > 1 || has_bare ||
          !(same || (other.extinct.empty() && never_for_other)) ||
          (extinct.all && !all && std::popcount(extinct.types & all_types()) > 1))
        refuse("ends.extinct",
               "it has one, for both sides: of any of some types, or of all pieces");
      say("extinctionValue", value(extinct.result));
      say("extinctionPieceTypes", extinct.all && all ? "*" : letters(extinct.types));
    }
    if (!has_bare) return;
    if (!white.bare_king || !black.bare_king || white.bare_king->reply != black.bare_king->reply ||
        white.bare_king->result != black.bare_king->result)
      refuse("ends.bare_king", "it is the same for both sides");
    const BareKing& bare = white.bare_king ? *white.bare_king : *black.bare_king;
    say("extinctionValue", value(bare.result));
    say("extinctionClaim", bare.reply);
    say("extinctionPieceTypes", std::string("*"));
    say("extinctionPieceCount", std::string("1"));
    say("extinctionOpponentPieceCount", std::string("2"));
  }

  void flags() {
    const auto& [white, black] = game_.ends.sides;
    if (white.reach.empty() && black.reach.empty()) return;
    const std::string key = "ends.reach";
    if (white.reach.size() > 1 || black.reach.size() > 1)
      refuse(key, "a side has one kind of piece and one zone");
    const Reach* const first = white.reach.empty() ? nullptr : white.reach.data();
    const Reach* const second = black.reach.empty() ? nullptr : black.reach.data();
    const TypeSet types = (first != nullptr ? *first : *second).types & all_types();
    for (const Reach* reach : {first, second}) {
      if (reach == nullptr) continue;
      if (reach->result != Result::Win) refuse(key, "who gets there wins");
      if ((reach->types & all_types()) != types ||
          (types != all_types() && std::popcount(types) != 1))
        refuse(key, "both sides have the same kind of piece");
    }
    const bool white_waits = first != nullptr && first->reply;
    if (second != nullptr && second->reply) refuse(key + ".reply", "only Black can reply");
    if (types != all_types()) say("flagPiece", letters(types));
    for (const char* name : {"whiteFlag", "flagRegionWhite"})
      say(name, first != nullptr ? region(first->zone) : "-");
    for (const char* name : {"blackFlag", "flagRegionBlack"})
      say(name, second != nullptr ? region(second->zone) : "-");
    say("flagMove", white_waits);
  }

  void start() {
    std::string fen = game_.starts[0].fen;
    if (const int checks = game_.ends.sides[0].checks; checks > 0) {
      std::size_t at = 0;  // after four fields
      for (int field = 0; field < 4 && at != std::string::npos; ++field)
        at = fen.find(' ', at + 1);
      const std::string left = std::to_string(checks);
      if (at != std::string::npos) fen.insert(at, " " + left + "+" + left);
    }
    say("startFen", fen);
    for (std::size_t other = 1; other < game_.starts.size(); ++other)
      text_ += "# or from: " + game_.starts[other].fen + "\n";
    if (game_.ends.most_plies > 0)
      text_ += "# without the end after " + std::to_string(game_.ends.most_plies) + " plies\n";
  }

  const GameFile& game_;
  Zones zones_;
  std::string text_;
  std::vector<std::string> refused_;
  std::vector<std::string> newer_;
  std::map<std::string_view, std::string> slots_;  // what it has: their letters
  std::map<TypeIndex, std::string> letters_;       // of promoted types
  std::string promoted_;                           // " p:g"
  TypeSet better_ = 0;                             // types that become better ones of their own
  TypeIndex king_ = kNoType;
  bool flying_general_ = false;
  bool immobility_ = false;
  bool double_step_ = false;
  bool pawn_leaps_ = false;
  SquareSet double_steps_from_;
};

}  // namespace

FairyStockfish to_fairy_stockfish(const GameFile& game) {
  return Translator(game).run();
}

}  // namespace faultline::data
