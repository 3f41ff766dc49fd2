// [pieces], [hands], [rules] and [ends] of a game's file: everything that names pieces.
#include "rules/data/piece_reader.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/quote.h"
#include "rules/data/betza.h"

namespace faultline::data {
namespace {

TypeSet type_bit(TypeIndex type) {
  return TypeSet{1} << type;
}

/// A key's value for one side.
struct SideValue {
  const TomlValue* value = nullptr;
  bool absolute = false;  // from white = { … } or black = { … }: its zones are not mirrored
};
SideValue side_value(const TomlValue& table, std::string_view key, Colour colour) {
  const TomlValue* own = table.find(name(colour));
  if (own != nullptr && own->is_table())
    if (const TomlValue* value = own->find(key)) return {value, true};
  return {table.find(key), false};
}

/// Zones of a side: White's as they are written, Black's mirrored, unless they are absolute.
class SideZones {
 public:
  SideZones(const MergedFile& file, const Zones& zones, Findings& findings)
      : file_(file), zones_(zones), findings_(findings) {}

  std::optional<SquareSet> read(const TomlValue& value, std::string_view path, bool absolute,
                                Colour colour) const {
    const std::optional<SquareSet> zone = read_zone(value, path, file_, zones_, findings_);
    if (!zone || absolute || colour == Colour::White) return zone;
    const SquareSet other = zones_.mirrored(*zone);
    if (zone->any() && other.none()) {
      findings_.error(value,
                      value.key + " = " + value.shown() +
                          " has no squares where it is mirrored for Black; say both with white "
                          "= { … } and black = { … }");
      return std::nullopt;
    }
    return other;
  }
  const Zones& zones() const { return zones_; }

 private:
  const MergedFile& file_;
  const Zones& zones_;
  Findings& findings_;
};

// ----------------------------------------------------------------------------------------- pieces

class PieceReader {
 public:
  PieceReader(const MergedFile& file, const BoardRead& board, Findings& findings)
      : file_(file),
        board_(board),
        findings_(findings),
        zones_(file, board.zones, findings),
        letters_(read_.pieces, file, findings) {}

  PiecesRead read() {
    const TomlValue* table = table_of(file_.root, "pieces", "", findings_);
    if (table == nullptr) {
      if (file_.root.find("pieces") == nullptr && !findings_.has_errors())
        findings_.error_in(
            file_.source, 0,
            "has no [pieces]: write K = { moves = \"king\", royal = true } and others "
            "in it, or base = \"chess\" at the top");
      return std::move(read_);
    }
    read_.complete = true;
    for (const TomlValue& item : table->items)
      add_type(item);
    std::ranges::sort(order_, {},
                      [](const TomlValue* item) { return std::pair(item->key.size(), item->key); });
    if (order_.size() > kMostTypes) {
      findings_.error(*table, "the game has " + std::to_string(order_.size()) +
                                  " pieces; this program plays with up to " +
                                  std::to_string(kMostTypes));
      order_.clear();
      read_.complete = false;
    }
    for (const TomlValue* item : order_)
      read_.pieces.emplace_back().letter = item->key;
    for (std::size_t i = 0; i < order_.size(); ++i)
      read_type(*order_[i], read_.pieces[i]);
    return std::move(read_);
  }

 private:
  void add_type(const TomlValue& item) {
    if (!is_piece_letter(item.key)) {
      refuse_letter(item);
      read_.complete = false;
    } else if (!item.is_table()) {
      findings_.error(item, item.key + " is " + item.shown() +
                                ", but a piece is a text (its moves) or a table: " + item.key +
                                " = { moves = \"N\" }");
      read_.complete = false;
    } else {
      order_.push_back(&item);
    }
  }

  void refuse_letter(const TomlValue& item) {
    std::string text = quote(item.key) + " is no letter of a piece: ";
    const bool lower = item.key.size() == 1 && item.key[0] >= 'a' && item.key[0] <= 'z';
    if (lower) {
      const auto upper = static_cast<char>(item.key[0] - 'a' + 'A');
      text += std::string("write ") + upper + "; FEN has it in lower case for Black";
    } else {
      std::string free;
      const TomlValue* pieces = file_.root.find("pieces");
      for (char c = 'A'; c <= 'Z'; ++c)
        if (pieces->find(std::string(1, c)) == nullptr) free += c;
      text +=
          "pieces are one capital, or + and a capital for what another piece becomes. Free "
          "letters: " +
          free;
    }
    findings_.error(item, text);
  }

  void read_type(const TomlValue& item, PieceType& type) {
    constexpr std::string_view kPath = "pieces.P";
    check_keys(item, kPath, findings_);
    for (const char* side : {"white", "black"}) {
      const TomlValue* own = table_of(item, side, kPath, findings_);
      if (own == nullptr) continue;
      check_keys(*own, kPath, findings_);
      for (const char* key : {"white", "black", "name", "drawing", "pawn", "crosses"})
        if (const TomlValue* value = own->find(key))
          findings_.error(*value, std::string(key) +
                                      " is the same for both sides: put it outside " + side +
                                      " = { … }");
    }
    type.name = text_of(item, "name", kPath, findings_).value_or(type.letter);
    type.drawing = text_of(item, "drawing", kPath, findings_).value_or("");
    type.pawn = truth_of(item, "pawn", kPath, findings_).value_or(false);
    type.crosses_barriers_sideways =
        choice_of(item, "crosses", {"barriers sideways"}, kPath, findings_).has_value();
    for (const Colour colour : {Colour::White, Colour::Black})
      read_side(item, type, colour);
    check_initial(item, type);
  }

  void read_side(const TomlValue& item, PieceType& type, Colour colour) {
    constexpr std::string_view kPath = "pieces.P";
    PieceSide& side = type.sides[at(index(colour))];
    if (const TomlValue* royal = side_value(item, "royal", colour).value) {
      if (royal->kind == TomlValue::Kind::Truth)
        side.royal = royal->truth ? Royal::Yes : Royal::No;
      else if (royal->is_text() && royal->text == "one safe")
        side.royal = Royal::OneSafe;
      else
        wrong_value(*royal, kPath, findings_);
    }
    const SideValue initial = side_value(item, "initial", colour);
    if (initial.value != nullptr && board_.usable)
      side.initial =
          zones_.read(*initial.value, kPath, initial.absolute, colour).value_or(SquareSet{});
    const SideValue moves = side_value(item, "moves", colour);
    if (moves.value == nullptr) {
      findings_.error(item, type.letter + " has no moves: " + type.letter + " = { moves = \"N\" }");
      read_.complete = false;
    } else {
      read_moves(*moves.value, type, side, initial.value != nullptr, moves.absolute, colour);
    }
    const SideValue castle = side_value(item, "castle", colour);
    if (castle.value != nullptr) read_castle(*castle.value, type, side, castle.absolute, colour);
    const SideValue promotes = side_value(item, "promotes", colour);
    if (promotes.value != nullptr)
      read_promotions(*promotes.value, type, side, promotes.absolute, colour);
  }

  void check_initial(const TomlValue& item, const PieceType& type) {
    const TomlValue* initial = item.find("initial");
    if (initial == nullptr) return;
    const auto has_initial = [](const PieceSide& side) {
      return std::ranges::any_of(side.legs, &Leg::initial);
    };
    if (std::ranges::none_of(type.sides, has_initial) && !type.sides[0].legs.empty()) {
      const MergedFile::Culprit culprit = MergedFile::culprit(*initial, item);
      findings_.warning(culprit.at, "initial = " + initial->shown() + culprit.origin +
                                        " means nothing: no move of " + type.letter +
                                        " has an i; take it away with [pieces." + type.letter +
                                        "] initial = \"none\"");
    }
  }

  // ------------------------------------------------------------------------------------------
  // moves

  void read_moves(const TomlValue& moves, const PieceType& type, PieceSide& side, bool has_initial,
                  bool absolute, Colour colour) {
    std::vector<const TomlValue*> entries;
    if (moves.is_list())
      for (const TomlValue& one : moves.items)
        entries.push_back(&one);
    else
      entries.push_back(&moves);
    if (entries.empty())
      findings_.error(moves, "an empty list of moves; a piece that never moves is not possible");
    for (const TomlValue* entry : entries) {
      if (entry->is_text()) {
        add_moves(*entry, entry->text, nullptr, type, side, has_initial, absolute, colour);
      } else if (entry->is_table()) {
        check_keys(*entry, "pieces.P.moves", findings_);
        const auto text = text_of(*entry, "moves", "pieces.P.moves", findings_);
        if (text)
          add_moves(*entry, *text, entry, type, side, has_initial, absolute, colour);
        else if (entry->find("moves") == nullptr)
          findings_.error(*entry,
                          "an entry of moves has no moves: { moves = \"W\", onto = "
                          "\"d1-f3\" }");
      } else {
        findings_.error(*entry, type.letter + " has moves = " + entry->shown() +
                                    ", but moves are Betza or names (moves = \"N\"), or a list of "
                                    "these and of tables ({ moves = \"W\", onto = \"d1-f3\" })");
      }
    }
    if (side.castles.size() > 1)
      findings_.error(moves, type.letter + " castles twice; use castle = [ … ]");
  }

  void add_moves(const TomlValue& where, const std::string& text, const TomlValue* conditions,
                 const PieceType& type, PieceSide& side, bool has_initial, bool absolute,
                 Colour colour) {
    Betza betza;
    try {
      betza = read_betza(text);
    } catch (const BetzaError& error) {
      findings_.error(where, type.letter + " = " + error.what());
      return;
    }
    for (const std::string& doubt : betza.doubts)
      findings_.warning(where, type.letter + " = " + doubt);
    if (betza.castle > 0) {
      side.castles.push_back({.squares = betza.castle,
                              .king = {},
                              .rook = CastleRule::Rook::Nearest,
                              .square = kNoSquare,
                              .type = letters_.find("R")});
      if (conditions != nullptr)
        findings_.error(where, "castling has no conditions: write O" +
                                   std::to_string(betza.castle) + " outside the table");
    }
    if (!board_.usable) return;
    SquareSet from = board_.zones.all();
    SquareSet onto = from;
    TypeSet takes = ~TypeSet{0};
    std::string suffix;
    if (conditions != nullptr)
      read_conditions(*conditions, absolute, colour, from, onto, takes, suffix);
    for (BetzaPart& part : betza.parts) {
      const bool needs_initial = part.legs[0].initial;
      if (needs_initial && !has_initial)
        findings_.error(where,
                        type.letter + " has " + part.text +
                            ", where i means \"from the squares of initial\", but no initial: "
                            "initial = \"rank 2\"");
      for (Leg& leg : part.legs) {
        Leg own = colour == Colour::White ? std::move(leg)
                                          : mirrored(std::move(leg), board_.board.turned);
        own.from = needs_initial ? from & side.initial : from;
        own.onto = onto;
        own.takes = takes;
        own.text = static_cast<std::uint16_t>(side.texts.size());
        side.legs.push_back(std::move(own));
      }
      side.texts.push_back(part.text);
      side.sentences.push_back(part.sentence + suffix);
    }
  }

  void read_conditions(const TomlValue& conditions, bool absolute, Colour colour, SquareSet& from,
                       SquareSet& onto, TypeSet& takes, std::string& suffix) {
    constexpr std::string_view kPath = "pieces.P.moves";
    for (const auto& [key, zone] : {std::pair("from", &from), std::pair("onto", &onto)}) {
      const TomlValue* value = conditions.find(key);
      if (value == nullptr) continue;
      const auto read = zones_.read(*value, kPath, absolute, colour);
      if (!read) continue;
      if (read->none())
        findings_.error(*value, std::string(key) + " = \"nowhere\": the move could never be made");
      *zone = *read;
      suffix += std::string(", only ") + (key[0] == 'f' ? "from " : "onto ") + value->text;
    }
    const TomlValue* value = conditions.find("takes");
    if (value == nullptr) return;
    const auto read = letters_.read_set(*value, kPath);
    if (!read) return;
    takes = *read;
    if (value->is_text()) suffix += ", taking only " + value->text;
  }

  // ---------------------------------------------------------------------------------------
  // castling

  void read_castle(const TomlValue& castle, const PieceType& type, PieceSide& side, bool absolute,
                   Colour colour) {
    if (!side.castles.empty()) {
      findings_.error(castle, type.letter + " castles by O" +
                                  std::to_string(side.castles[0].squares) +
                                  " in its moves, too: leave one of the two out");
      return;
    }
    if (!castle.is_list() || !std::ranges::all_of(castle.items, &TomlValue::is_table)) {
      wrong_value(castle, "pieces.P", findings_);
      return;
    }
    constexpr std::string_view kPath = "pieces.P.castle";
    for (const TomlValue& one : castle.items) {
      check_keys(one, kPath, findings_);
      const TomlValue* king = one.find("king");
      const TomlValue* rook = one.find("rook");
      if (king == nullptr || rook == nullptr) {
        findings_.error(one,
                        std::string("castle says where the king lands and which piece comes: ") +
                            "castle = [ { king = \"g1\", rook = \"h1\" } ]");
        continue;
      }
      if (!rook->is_text()) {
        wrong_value(*rook, kPath, findings_);
        continue;
      }
      if (!board_.usable) continue;
      CastleRule rule;
      const auto zone = zones_.read(*king, kPath, absolute, colour);
      if (!zone) continue;
      rule.king = *zone;
      const bool exchanged = !absolute && colour == Colour::Black && board_.board.turned;
      if (rook->text == "left" || rook->text == "right") {
        rule.rook =
            (rook->text == "left") != exchanged ? CastleRule::Rook::Left : CastleRule::Rook::Right;
        rule.type = letters_.find("R");
        if (rule.type == kNoType) {
          findings_.error(*rook, "rook = " + rook->shown() +
                                     " is the nearest R on that side, and there is no R: name its "
                                     "square: rook = \"h1\"");
          continue;
        }
      } else {
        const auto where = zones_.read(*rook, kPath, absolute, colour);
        if (!where) continue;
        if (where->count() != static_cast<std::size_t>(board_.board.levels.count) &&
            where->count() != 1) {
          wrong_value(*rook, kPath, findings_);
          continue;
        }
        rule.rook = CastleRule::Rook::Square;
        for (int s = board_.board.all_squares() - 1; s >= 0; --s)
          if ((*where)[at(s)]) rule.square = static_cast<Square>(s);
      }
      side.castles.push_back(rule);
    }
  }

  // --------------------------------------------------------------------------------------
  // promotion

  void read_promotions(const TomlValue& promotes, const PieceType& type, PieceSide& side,
                       bool absolute, Colour colour) {
    if (promotes.is_text()) {
      const std::string to = is_piece_letter(promotes.text.substr(0, 1)) ? promotes.text : "Q";
      findings_.error(promotes, "promotes is a table: promotes = { on = \"rank " +
                                    std::to_string(std::max(board_.zones.rows(), 1)) +
                                    "\", to = \"" + printable(to, 20) + "\" }");
      return;
    }
    std::vector<const TomlValue*> entries;
    if (promotes.is_list())
      for (const TomlValue& one : promotes.items)
        entries.push_back(&one);
    else
      entries.push_back(&promotes);
    for (const TomlValue* entry : entries) {
      if (!entry->is_table()) {
        wrong_value(promotes, "pieces.P", findings_);
        return;
      }
      if (board_.usable) read_promotion(*entry, type, side, absolute, colour);
    }
    for (std::size_t i = 0; i < side.promotions.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if ((side.promotions[i].on & side.promotions[j].on).any())
          findings_.error(promotes,
                          "two promotions of " + type.letter + " share " +
                              board_.zones.text(side.promotions[i].on & side.promotions[j].on));
  }

  void read_promotion(const TomlValue& entry, const PieceType& type, PieceSide& side, bool absolute,
                      Colour colour) {
    constexpr std::string_view kPath = "pieces.P.promotes";
    check_keys(entry, kPath, findings_);
    Promotion promotion;
    const TomlValue* on = entry.find("on");
    const TomlValue* to = entry.find("to");
    if (on == nullptr || to == nullptr) {
      findings_.error(entry, "promotes says where and to what: promotes = { on = \"rank " +
                                 std::to_string(board_.zones.rows()) + "\", to = \"" +
                                 (to != nullptr && to->is_text() ? printable(to->text, 20) : "Q") +
                                 "\" }");
      return;
    }
    const auto zone = zones_.read(*on, kPath, absolute, colour);
    if (zone) {
      promotion.on = *zone;
      if (zone->none()) findings_.error(*on, "on = \"nowhere\": leave promotes out instead");
    }
    promotion.must = promotion.on;
    if (const TomlValue* must = entry.find("must")) {
      promotion.must = zones_.read(*must, kPath, absolute, colour).value_or(SquareSet{});
      if (zone && (promotion.must & ~promotion.on).any())
        findings_.error(*must, "must has " + board_.zones.text(promotion.must & ~promotion.on) +
                                   ", where " + type.letter +
                                   " does not promote: on = " + on->shown());
    }
    promotion.leaving = truth_of(entry, "leaving", kPath, findings_).value_or(false);
    promotion.stock = choice_of(entry, "stock", {"captured"}, kPath, findings_).has_value();
    if (const auto types = letters_.read(*to, kPath, type.letter + " promotes to"))
      promotion.to = *types;
    if (const TomlValue* carried = entry.find("carried"))
      if (const auto types = letters_.read(*carried, kPath, type.letter + " is carried into")) {
        if (types->size() == 1)
          promotion.carried = types->front();
        else
          wrong_value(*carried, kPath, findings_);
      }
    for (const TypeIndex becomes : promotion.to)
      if (read_.pieces[becomes].letter == type.letter)
        findings_.error(*to, type.letter +
                                 " promotes to itself; where it may stay what it is, say "
                                 "must = \"nowhere\"");
    if (promotion.on.any()) side.promotions.push_back(std::move(promotion));
  }

  const MergedFile& file_;
  const BoardRead& board_;
  Findings& findings_;
  PiecesRead read_;
  std::vector<const TomlValue*> order_;
  SideZones zones_;
  Letters letters_;
};

// ------------------------------------------------------------------------------------------- ends

constexpr std::array<std::string_view, 3> kResults = {"draw", "win", "loss"};

class EndsReader {
 public:
  EndsReader(const MergedFile& file, const BoardRead& board, const std::vector<PieceType>& pieces,
             Findings& findings)
      : findings_(findings),
        zones_(file, board.zones, findings),
        letters_(pieces, file, findings),
        usable_(board.usable) {}

  Ends read(const TomlValue& table) {
    check_keys(table, "ends", findings_);
    for (const char* side : {"white", "black"}) {
      const TomlValue* own = table_of(table, side, "ends", findings_);
      if (own == nullptr) continue;
      check_keys(*own, "ends", findings_);
      for (const char* key : {"white", "black", "only_royals", "plies", "repetition", "most_plies"})
        if (const TomlValue* value = own->find(key))
          findings_.error(*value, std::string(key) +
                                      " is the same for both sides: put it outside " + side +
                                      " = { … }");
    }
    Ends ends;
    for (const Colour colour : {Colour::White, Colour::Black})
      read_side(table, ends.sides[at(index(colour))], colour);
    ends.only_royals_draw =
        choice_of(table, "only_royals", {"draw", "go on"}, "ends", findings_).value_or(0) == 0;
    ends.plies = counted(table, "plies", "count", {1, 100000});
    ends.repetition = counted(table, "repetition", "times", {2, 100});
    ends.most_plies = whole_of(table, "most_plies", {1, 100000}, "ends", findings_).value_or(0);
    return ends;
  }

 private:
  std::optional<Result> result_of(const TomlValue* value, std::string_view path) {
    if (value == nullptr) return std::nullopt;
    if (value->is_text()) {
      const auto* const found = std::ranges::find(kResults, std::string_view(value->text));
      if (found != kResults.end()) return static_cast<Result>(found - kResults.begin());
      if (path == "ends" && value->key.ends_with("mate")) {
        findings_.error(
            *value, value->key + " is one of \"draw\", \"win\", \"loss\" for the side that " +
                        (value->key == "stalemate" ? "cannot move" : "is mated") + ", not " +
                        value->shown() + "; where the sides differ see white = { … }: white = { " +
                        value->key + " = \"loss\" }");
        return std::nullopt;
      }
    }
    wrong_value(*value, path, findings_);
    return std::nullopt;
  }

  void read_side(const TomlValue& table, SideEnds& side, Colour colour) {
    side.checkmate =
        result_of(side_value(table, "checkmate", colour).value, "ends").value_or(Result::Loss);
    side.stalemate =
        result_of(side_value(table, "stalemate", colour).value, "ends").value_or(Result::Draw);
    if (const TomlValue* checks = side_value(table, "checks", colour).value) {
      if (checks->kind == TomlValue::Kind::Whole && checks->whole >= 0 && checks->whole <= 99)
        side.checks = static_cast<int>(checks->whole);
      else
        wrong_value(*checks, "ends", findings_);
    }
    if (const TomlValue* bare = side_value(table, "bare_king", colour).value) {
      BareKing read;
      if (bare->is_table()) {
        check_keys(*bare, "ends.bare_king", findings_);
        read.result = result_of(bare->find("result"), "ends.bare_king").value_or(Result::Loss);
        read.reply = truth_of(*bare, "reply", "ends.bare_king", findings_).value_or(false);
      } else {
        read.result = result_of(bare, "ends").value_or(Result::Loss);
      }
      side.bare_king = read;
    }
    for (const TomlValue* one : entries(side_value(table, "extinct", colour).value))
      read_extinct(*one, side);
    const SideValue reach = side_value(table, "reach", colour);
    for (const TomlValue* one : entries(reach.value))
      read_reach(*one, side, reach.absolute, colour);
  }

  /// The tables of a table or a list of tables.
  std::vector<const TomlValue*> entries(const TomlValue* value) {
    std::vector<const TomlValue*> tables;
    if (value == nullptr) return tables;
    if (value->is_table()) return {value};
    if (value->is_list() && std::ranges::all_of(value->items, &TomlValue::is_table)) {
      for (const TomlValue& one : value->items)
        tables.push_back(&one);
      return tables;
    }
    wrong_value(*value, "ends", findings_);
    return tables;
  }

  void read_extinct(const TomlValue& table, SideEnds& side) {
    constexpr std::string_view kPath = "ends.extinct";
    check_keys(table, kPath, findings_);
    const TomlValue* any = table.find("any");
    const TomlValue* all = table.find("all");
    if ((any == nullptr) == (all == nullptr)) {
      findings_.error(table,
                      "extinct says which pieces: extinct = { all = \"*\", result = \"loss\" } "
                      "(all of them are gone), or any = \"QRBNPK\" (one type is)");
      return;
    }
    Extinct read;
    read.all = all != nullptr;
    const auto types = letters_.read_set(all != nullptr ? *all : *any, kPath);
    read.result = result_of(table.find("result"), kPath).value_or(Result::Loss);
    if (!types) return;
    read.types = *types;
    side.extinct.push_back(read);
  }

  void read_reach(const TomlValue& table, SideEnds& side, bool absolute, Colour colour) {
    constexpr std::string_view kPath = "ends.reach";
    check_keys(table, kPath, findings_);
    const TomlValue* piece = table.find("piece");
    const TomlValue* zone = table.find("zone");
    if (piece == nullptr || zone == nullptr) {
      findings_.error(table,
                      "reach says what and where: reach = { piece = \"K\", zone = \"d4-e5\" }");
      return;
    }
    Reach read;
    const auto types = letters_.read_set(*piece, kPath);
    read.reply = truth_of(table, "reply", kPath, findings_).value_or(false);
    read.result = result_of(table.find("result"), kPath).value_or(Result::Win);
    if (!usable_) return;
    const auto squares = zones_.read(*zone, kPath, absolute, colour);
    if (!types || !squares) return;
    if (squares->none()) findings_.error(*zone, "zone = \"nowhere\" is never reached");
    read.types = *types;
    read.zone = *squares;
    side.reach.push_back(read);
  }

  /// A number, or a table with a number and a result.
  std::optional<Counted> counted(const TomlValue& table, std::string_view key,
                                 std::string_view number, Interval allowed) {
    const TomlValue* value = table.find(key);
    if (value == nullptr) return std::nullopt;
    Counted read;
    if (value->kind == TomlValue::Kind::Whole && value->whole >= allowed.low &&
        value->whole <= allowed.high) {
      read.count = static_cast<int>(value->whole);
      return read;
    }
    if (!value->is_table()) {
      wrong_value(*value, "ends", findings_);
      return std::nullopt;
    }
    const std::string path = "ends." + std::string(key);
    check_keys(*value, path, findings_);
    const auto count = whole_of(*value, number, allowed, path, findings_);
    if (!count && value->find(number) == nullptr)
      findings_.error(*value, std::string(key) + " has no " + std::string(number) + ": " +
                                  std::string(key) + " = { " + std::string(number) + " = " +
                                  (number == "times" ? "3" : "100") + ", result = \"draw\" }");
    read.result = result_of(value->find("result"), path).value_or(Result::Draw);
    if (!count) return std::nullopt;
    read.count = *count;
    return read;
  }

  Findings& findings_;
  SideZones zones_;
  Letters letters_;
  bool usable_;
};

}  // namespace

bool is_piece_letter(std::string_view key) {
  if (key.starts_with('+')) key.remove_prefix(1);
  return key.size() == 1 && key[0] >= 'A' && key[0] <= 'Z';
}

// ---------------------------------------------------------------------------------------- letters

TypeIndex Letters::find(std::string_view letter) const {
  const auto found = std::ranges::find(pieces_, letter, &PieceType::letter);
  return found == pieces_.end() ? kNoType : static_cast<TypeIndex>(found - pieces_.begin());
}

std::string Letters::all() const {
  std::string text;
  for (const PieceType& piece : pieces_)
    text += (text.empty() ? "" : " ") + piece.letter;
  return text;
}

std::optional<std::vector<TypeIndex>> Letters::read(const TomlValue& value, std::string_view path,
                                                    std::string_view says) const {
  std::vector<const TomlValue*> texts;
  if (value.is_list())
    for (const TomlValue& one : value.items)
      texts.push_back(&one);
  else
    texts.push_back(&value);
  std::vector<TypeIndex> types;
  for (const TomlValue* one : texts) {
    if (!one->is_text()) {
      wrong_value(value, path, findings_);
      return std::nullopt;
    }
    std::string_view rest = trimmed(one->text);
    const bool inverted = rest.starts_with("not ");
    if (inverted) rest = trimmed(rest.substr(4));
    std::vector<TypeIndex> named;
    while (!rest.empty()) {
      if (rest[0] == ' ' || rest[0] == ',') {
        rest.remove_prefix(1);
        continue;
      }
      if (rest[0] == '*') {
        for (std::size_t t = 0; t < pieces_.size(); ++t)
          named.push_back(static_cast<TypeIndex>(t));
        rest.remove_prefix(1);
        continue;
      }
      const std::string_view letter = rest.substr(0, rest[0] == '+' ? 2 : 1);
      const TypeIndex type = find(letter);
      if (type == kNoType) {
        const TomlValue* table = file_.root.find("pieces");
        if (table != nullptr && table->find(letter) != nullptr)
          return std::nullopt;  // told already
        const MergedFile::Removal* removal = file_.find_removal("pieces." + std::string(letter));
        if (removal != nullptr && !file_.is_own(value) && !says.empty()) {
          // What the piece could become instead: new pieces of this file take the place.
          std::string fresh;
          for (const PieceType& piece : pieces_) {
            const TomlValue* pieces = file_.root.find("pieces");
            const TomlValue* item = pieces != nullptr ? pieces->find(piece.letter) : nullptr;
            if (fresh.empty() && item != nullptr && file_.is_own(*item) &&
                item->find("royal") == nullptr && item->find("promotes") == nullptr &&
                one->text.find(piece.letter) == std::string::npos)
              fresh = piece.letter;
          }
          std::string instead = one->text;
          instead.replace(instead.find(letter), letter.size(), fresh);
          findings_.error(removal->value,
                          std::string(letter) + " = \"none\", but " + std::string(says) + " " +
                              "\"" + printable(one->text, 60) + "\" (" + value.place() +
                              "). Say it anew: [pieces." +
                              std::string(says.substr(0, says.find(' '))) + "] promotes = { " +
                              value.key + " = \"" + instead + "\" }.");
        } else if (!pieces_.empty()) {
          const bool lower = letter.size() == 1 && letter[0] >= 'a' && letter[0] <= 'z';
          findings_.error(value, value.key + " = " + value.shown() + ": there is no piece " +
                                     quote(letter) + "; pieces are " + all() +
                                     (lower ? ", in capitals" : ""));
        }
        return std::nullopt;
      }
      named.push_back(type);
      rest.remove_prefix(letter.size());
    }
    for (std::size_t t = 0; t < pieces_.size(); ++t)
      if (inverted && std::ranges::find(named, static_cast<TypeIndex>(t)) == named.end())
        types.push_back(static_cast<TypeIndex>(t));
    if (!inverted) types.insert(types.end(), named.begin(), named.end());
  }
  if (types.empty()) {
    findings_.error(value,
                    value.key + " = " + value.shown() + " names no piece; pieces are " + all());
    return std::nullopt;
  }
  std::vector<TypeIndex> once;
  for (const TypeIndex type : types)
    if (std::ranges::find(once, type) == once.end()) once.push_back(type);
  return once;
}

std::optional<TypeSet> Letters::read_set(const TomlValue& value, std::string_view path,
                                         std::string_view says) const {
  const auto types = read(value, path, says);
  if (!types) return std::nullopt;
  TypeSet set = 0;
  for (const TypeIndex type : *types)
    set |= type_bit(type);
  return set;
}

// ----------------------------------------------------------------------------------------- tables

PiecesRead read_pieces(const MergedFile& file, const BoardRead& board, Findings& findings) {
  return PieceReader(file, board, findings).read();
}

void read_descent(const MergedFile& file, const std::vector<PieceType>& pieces, Board& board,
                  Findings& findings) {
  const TomlValue* root = file.root.find("board");
  const TomlValue* levels = root != nullptr ? root->find("levels") : nullptr;
  if (levels == nullptr || !levels->is_table()) return;
  const TomlValue* descend = table_of(*levels, "descend", "board.levels", findings);
  const TomlValue* hole = levels->find("hole");
  if (descend == nullptr) {
    if (hole != nullptr && levels->find("descend") == nullptr)
      findings.error(*hole, "who may descend through the hole? descend = { who = \"QRBNP\" }");
    return;
  }
  check_keys(*descend, "board.levels.descend", findings);
  if (hole == nullptr)
    findings.error(*descend, "nothing can descend without a hole: hole = \"c3-f6\"");
  const Letters letters(pieces, file, findings);
  for (const auto& [key, types] :
       {std::pair("who", &board.levels.descend), std::pair("same", &board.levels.same)})
    if (const TomlValue* value = descend->find(key))
      *types = letters.read_set(*value, "board.levels.descend").value_or(0);
  if (descend->find("who") == nullptr)
    findings.error(*descend, "descend has no who: descend = { who = \"QRBNP\" }");
  if (const TomlValue* same = descend->find("same");
      (board.levels.same & ~board.levels.descend) != 0)
    findings.error(*same, "same = " + same->shown() + " has pieces that do not descend");
}

std::optional<Hands> read_hands(const MergedFile& file, const BoardRead& board,
                                const std::vector<PieceType>& pieces, Findings& findings) {
  const TomlValue* table = table_of(file.root, "hands", "", findings);
  if (table == nullptr) return std::nullopt;
  check_keys(*table, "hands", findings, is_piece_letter);
  const Letters letters(pieces, file, findings);
  Hands hands;
  const bool kept =
      choice_of(*table, "captured", {"to hand", "gone"}, "hands", findings).value_or(0) == 0;
  for (const PieceType& piece : pieces) {
    const std::string plain = piece.letter.substr(piece.letter.size() - 1);
    const TypeIndex into = letters.find(plain);
    hands.becomes.push_back(!kept ? kNoType : into != kNoType ? into : letters.find(piece.letter));
  }
  if (const TomlValue* as = table_of(*table, "as", "hands", findings)) {
    for (const TomlValue& one : as->items) {
      const TypeIndex from = letters.find(one.key);
      if (from == kNoType) {
        findings.error(
            one, "as has " + quote(one.key) + ", which is no piece; pieces are " + letters.all());
        continue;
      }
      const auto to = letters.read(one, "hands");
      if (to && to->size() == 1)
        hands.becomes[from] = to->front();
      else if (to)
        findings.error(one, "as = { \"" + one.key + "\" = " + one.shown() +
                                " }: a piece becomes one piece in the hand");
    }
    if (!kept) findings.error(*as, "captured pieces are gone: captured = \"to hand\" keeps them");
  }
  hands.drops.resize(pieces.size());
  const SideZones zones(file, board.zones, findings);
  for (std::size_t t = 0; t < pieces.size(); ++t) {
    Hands::Drop& drop = hands.drops[t];
    drop.onto = {board.zones.all(), board.zones.all()};
    const TomlValue* own = table->find(pieces[t].letter);
    if (own == nullptr) continue;
    if (!own->is_table()) {
      findings.error(*own, "hands." + pieces[t].letter + " is " + own->shown() +
                               ", but must be a table: " + pieces[t].letter +
                               " = { onto = \"a1-i8\" }");
      continue;
    }
    check_keys(*own, "hands.P", findings);
    for (const char* side : {"white", "black"})
      if (const TomlValue* inner = table_of(*own, side, "hands.P", findings)) {
        check_keys(*inner, "hands.P", findings);
        for (const TomlValue& key : inner->items)
          if (key.key != "onto")
            findings.error(
                key, key.key + " is the same for both sides: put it outside " + side + " = { … }");
      }
    drop.a_file = whole_of(*own, "a_file", {1, 99}, "hands.P", findings).value_or(kNoLimit);
    drop.mate = truth_of(*own, "mate", "hands.P", findings).value_or(true);
    if (!board.usable) continue;
    for (const Colour colour : {Colour::White, Colour::Black}) {
      const SideValue onto = side_value(*own, "onto", colour);
      if (onto.value != nullptr)
        drop.onto[at(index(colour))] =
            zones.read(*onto.value, "hands.P", onto.absolute, colour).value_or(SquareSet{});
    }
  }
  for (const TomlValue& item : table->items)
    if (is_piece_letter(item.key) && letters.find(item.key) == kNoType && !pieces.empty())
      findings.error(
          item, "[hands] has " + item.key + ", which is no piece; pieces are " + letters.all());
  return hands;
}

Rules read_rules(const MergedFile& file, const std::vector<PieceType>& pieces, Findings& findings) {
  Rules rules;
  const TomlValue* table = table_of(file.root, "rules", "", findings);
  if (table == nullptr) return rules;
  check_keys(*table, "rules", findings);
  rules.capture_forced = truth_of(*table, "capture_forced", "rules", findings).value_or(false);
  if (const TomlValue* checks = table->find("checks_forbidden")) {
    if (checks->kind == TomlValue::Kind::Truth)
      rules.checks = checks->truth ? ChecksForbidden::Yes : ChecksForbidden::No;
    else if (checks->is_text() && checks->text == "unless mate")
      rules.checks = ChecksForbidden::UnlessMate;
    else
      wrong_value(*checks, "rules", findings);
  }
  if (const TomlValue* explode = table_of(*table, "explode", "rules", findings)) {
    check_keys(*explode, "rules.explode", findings);
    Rules::Explode read;
    if (const TomlValue* spares = explode->find("spares"))
      read.spares = Letters(pieces, file, findings).read_set(*spares, "rules.explode").value_or(0);
    rules.explode = read;
  }
  return rules;
}

Ends read_ends(const MergedFile& file, const BoardRead& board, const std::vector<PieceType>& pieces,
               Findings& findings) {
  const TomlValue* table = table_of(file.root, "ends", "", findings);
  const TomlValue none;
  return EndsReader(file, board, pieces, findings).read(table != nullptr ? *table : none);
}

}  // namespace faultline::data
