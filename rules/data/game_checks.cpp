// What a game's file says as a whole: whether its parts fit together.
#include "rules/data/game_checks.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/quote.h"
#include "rules/data/board_build.h"
#include "rules/data/routes.h"
#include "rules/data/words.h"

namespace faultline::data {
namespace {

class GameChecks {
 public:
  GameChecks(const GameFile& game, const MergedFile& file, const Zones& zones, Findings& findings)
      : game_(game), file_(file), zones_(zones), findings_(findings) {}

  void run() {
    for (std::size_t t = 0; t < game_.pieces.size(); ++t) {
      check_use(static_cast<TypeIndex>(t));
      check_leaps(game_.pieces[t]);
      check_promotions(game_.pieces[t]);
      if (!findings_.has_errors()) check_castling(game_.pieces[t]);
    }
    check_ways();
    check_drops();
    check_en_passant();
    check_royals();
    check_ends();
    check_parts();
  }

 private:
  const TomlValue& root() const { return file_.root; }
  /// The value at a path such as pieces, P, promotes; the deepest that exists.
  const TomlValue& value(std::initializer_list<std::string_view> path) const {
    const TomlValue* found = &root();
    for (const std::string_view key : path) {
      const TomlValue* next = found->find(key);
      if (next == nullptr) break;
      found = next;
    }
    return *found;
  }

  // ------------------------------------------------------------------------------------------
  // pieces

  /// N14 is no leap of (1,4).
  void check_leaps(const PieceType& piece) {
    const PieceSide& white = piece.sides.front();
    const int widest = std::max(zones_.columns(), zones_.rows());
    for (const Leg& leg : white.legs)
      if (leg.stretches.back().step.size() > 1 && leg.stretches.back().most > widest)
        findings_.warning(value({"pieces", piece.letter, "moves"}),
                          white.texts[leg.text] + " makes the same leap up to " +
                              std::to_string(leg.stretches.back().most) +
                              " times; another leap is written (1,4)");
  }

  /// Moves for which there is no square, where the board stays as it is, and too many ways.
  void check_ways() {
    if (findings_.has_errors()) return;
    const CellBoard cells = build_cells(game_.board);
    for (const PieceType& piece : game_.pieces) {
      const TomlValue& moves = value({"pieces", piece.letter, "moves"});
      std::array<std::set<std::string>, 2> without;
      try {
        for (int side = 0; side < 2; ++side)
          without[at(side)] = moves_without_ways(piece, piece.sides[at(side)], cells);
      } catch (const GameLimit& limit) {
        findings_.error(moves, piece.letter + ": " + limit.what());
        continue;
      }
      if (game_.board.changes()) continue;
      for (int side = 0; side < 2; ++side)
        for (const std::string& move : without[at(side)]) {
          const bool of_both = without[at(1 - side)].contains(move);
          if (of_both && side > 0) continue;
          findings_.warning(moves,
                            piece.letter + ": " + move + " could never be made" +
                                (of_both ? "" : " by " + side_name(static_cast<Colour>(side))) +
                                " on this board: leave it out");
        }
    }
  }
  std::set<std::string> moves_without_ways(const PieceType& piece, const PieceSide& side,
                                           const CellBoard& cells) const {
    std::vector<bool> has_way(side.texts.size());
    for (const Leg& leg : side.legs)
      for (int level = 0; level < game_.board.levels.count; ++level)
        if (!routes_of(game_.board, cells, leg, piece.crosses_barriers_sideways,
                       level * game_.board.squares)
                 .empty())
          has_way[leg.text] = true;
    std::set<std::string> found;
    for (std::size_t text = 0; text < side.texts.size(); ++text)
      if (!has_way[text]) found.insert(side.texts[text] + " (" + side.sentences[text] + ")");
    return found;
  }

  /// Whether a piece can ever be on the board.
  void check_use(TypeIndex type) {
    for (const Start& start : game_.starts) {
      if (std::ranges::find(start.pieces, type, &Placed::type) != start.pieces.end()) return;
      for (const std::vector<int>& hand : start.hands)
        if (!hand.empty() && hand[type] > 0) return;
    }
    for (const PieceType& piece : game_.pieces)
      for (const PieceSide& side : piece.sides)
        for (const Promotion& promotion : side.promotions)
          if (promotion.carried == type ||
              std::ranges::find(promotion.to, type) != promotion.to.end())
            return;
    if (game_.hands && std::ranges::find(game_.hands->becomes, type) != game_.hands->becomes.end())
      for (std::size_t t = 0; t < game_.pieces.size(); ++t)
        if (t != type && game_.hands->becomes[t] == type) return;
    const std::string& letter = game_.pieces[type].letter;
    findings_.warning(value({"pieces", letter}),
                      letter + " is in no start, and nothing promotes to it; take it away with " +
                          (letter.size() > 1 ? "\"" + letter + "\"" : letter) + " = \"none\"");
  }

  void check_promotions(const PieceType& piece) {
    const TomlValue& promotes = value({"pieces", piece.letter, "promotes"});
    const TomlValue& on = value({"pieces", piece.letter, "promotes", "on"});
    for (int side = 0; side < 2; ++side)
      for (const Promotion& promotion : piece.sides[at(side)].promotions) {
        for (const Start& start : game_.starts)
          for (const Placed& placed : start.pieces)
            if (game_.pieces[placed.type].letter == piece.letter && index(placed.colour) == side &&
                promotion.must[placed.square] &&
                !(game_.hands && game_.hands->drops[placed.type].onto[at(side)][placed.square]))
              findings_.error(
                  value({"start", "fen"}),
                  "start.fen has " + piece.letter + " of " + side_name(static_cast<Colour>(side)) +
                      " on " + zones_.name(placed.square) + ", where it must promote: on = " +
                      on.shown() + MergedFile::culprit(on, value({"start", "fen"})).origin +
                      "; put it elsewhere, or say must = \"nowhere\"");
        check_carried(piece, promotion, promotes);
      }
    check_last_rank(piece, on);
  }

  void check_carried(const PieceType& piece, const Promotion& promotion,
                     const TomlValue& promotes) {
    if (promotion.carried != kNoType) {
      if (!game_.board.carries())
        findings_.warning(value({"pieces", piece.letter, "promotes", "carried"}),
                          "carried means nothing: no belt and no sector carries pieces");
      return;
    }
    SquareSet reached =
        game_.board.sectors && game_.board.sectors->slide ? zones_.all() : SquareSet{};
    for (const Belt& belt : game_.board.belts)
      for (const std::vector<Square>& cycle : belt.cycles)
        for (const Square square : cycle)
          reached.set(square);
    if (!game_.board.carries() || (reached & promotion.on).none()) return;
    const TypeIndex strongest = promotion.to.empty() ? kNoType : promotion.to.front();
    const TomlValue* board = root().find("board");
    const TomlValue* device =
        board->find("belt") != nullptr ? board->find("belt") : board->find("sectors");
    const MergedFile::Culprit culprit = MergedFile::culprit(promotes, *device);
    if (!said_carried_.insert(piece.letter).second) return;
    findings_.error(culprit.at,
                    piece.letter + " can be carried onto " + zones_.text(reached & promotion.on) +
                        ", where it promotes" + culprit.origin +
                        ": to what, when nobody can be asked? [pieces." + piece.letter +
                        "] promotes = { carried = \"" +
                        (strongest == kNoType ? "Q" : game_.pieces[strongest].letter) + "\" }");
  }

  /// A zone of a smaller board that a larger one has inherited.
  void check_last_rank(const PieceType& piece, const TomlValue& on) {
    if (on.key != "on" || file_.is_own(on) || !on.is_text()) return;
    const TomlValue& board = value({"board"});
    const TomlValue* shape =
        board.find("ranks") != nullptr ? board.find("ranks") : board.find("rows");
    if (shape == nullptr || !file_.is_own(*shape) || !on.text.starts_with("rank ")) return;
    const int rank = number_of(trimmed(std::string_view(on.text).substr(5)));
    const int ranks = zones_.rows();
    if (rank < 1 || rank >= ranks) return;
    std::vector<std::string> rest;
    for (int r = rank + 1; r <= ranks; ++r)
      rest.push_back(std::to_string(r));
    const TomlValue& to = value({"pieces", piece.letter, "promotes", "to"});
    findings_.warning(
        *shape, std::to_string(ranks) + " ranks, but " + piece.letter + " promotes on rank " +
                    std::to_string(rank) + " (" + on.place() + ") and " +
                    (ranks - rank == 1 ? "rank " : "ranks ") + joined(rest, " and ") +
                    " would never matter to it. If you want the last rank: [pieces." +
                    piece.letter + "] promotes = { on = \"rank " + std::to_string(ranks) +
                    "\", to = " + (to.is_text() ? "\"" + printable(to.text, 60) + "\"" : "[ … ]") +
                    " }.");
  }

  void check_castling(const PieceType& piece) {
    for (int side = 0; side < 2; ++side) {
      if (piece.sides[at(side)].castles.empty()) continue;
      for (const Start& start : game_.starts)
        for (const Castle& castle : start.castles)
          if (index(castle.colour) == side && game_.pieces[castle.king_type].letter == piece.letter)
            return;
    }
    if (piece.sides[0].castles.empty() && piece.sides[1].castles.empty()) return;
    const TomlValue& castle = value({"pieces", piece.letter, "castle"});
    const TomlValue& moves =
        castle.key == "castle" ? castle : value({"pieces", piece.letter, "moves"});
    std::string without = moves.is_text() ? moves.text : "";
    if (const std::size_t o = without.find('O'); o != std::string::npos)
      without = without.substr(0, without.find_last_not_of("is", o - 1) + 1);
    const MergedFile::Culprit culprit = MergedFile::culprit(moves, value({"start", "fen"}));
    findings_.warning(culprit.at,
                      piece.letter + " castles" + culprit.origin +
                          ", but no start has castling rights; " +
                          (castle.key == "castle" || without.empty()
                               ? "leave castle out"
                               : "without castling it is " + piece.letter + " = { moves = \"" +
                                     printable(without, 60) + "\" }"));
  }

  void check_en_passant() {
    const auto has = [&](auto wanted) {
      return std::ranges::any_of(game_.pieces, [&](const PieceType& piece) {
        return std::ranges::any_of(piece.sides, [&](const PieceSide& side) {
          return std::ranges::any_of(side.legs, wanted);
        });
      });
    };
    if (has(&Leg::leaves_passed)) return;
    for (const PieceType& piece : game_.pieces)
      for (const PieceSide& side : piece.sides)
        for (const Leg& leg : side.legs) {
          if (!leg.en_passant) continue;
          const TomlValue& moves = value({"pieces", piece.letter, "moves"});
          std::string without = side.texts[leg.text];
          std::erase(without, 'e');
          const MergedFile::Culprit culprit = MergedFile::culprit(moves, value({"pieces"}));
          findings_.warning(culprit.at,
                            piece.letter + " has " + side.texts[leg.text] + culprit.origin +
                                ", but no piece can be taken en passant: nothing leaps with m "
                                "and n (as fmnD); write " +
                                without);
          return;
        }
  }

  /// Pieces that are dropped where they could never move, on boards that do not carry them away.
  void check_drops() {
    const Board& board = game_.board;
    if (!game_.hands || board.carries() || board.wraps_ranks || !board.links.empty() ||
        !board.parts.empty())
      return;
    for (std::size_t t = 0; t < game_.pieces.size(); ++t) {
      const PieceType& piece = game_.pieces[t];
      const TomlValue& onto = value({"hands", piece.letter, "onto"});
      if (onto.key != "onto" || piece.sides[0].legs.empty()) continue;
      SquareSet stuck;
      for (int s = 0; s < game_.board.all_squares(); ++s)
        if (game_.hands->drops[t].onto[0][at(s)] && is_stuck(piece.sides[0], s)) stuck.set(at(s));
      if (stuck.any())
        findings_.warning(onto, piece.letter + " may be dropped on " + zones_.text(stuck) +
                                    ", where it could never move: leave these squares out of " +
                                    "onto = " + onto.shown());
    }
  }

  /// Whether every way of White's piece there leads off the board.
  bool is_stuck(const PieceSide& white, int square) const {
    return std::ranges::none_of(white.legs, [&](const Leg& leg) {
      Zones::Place to = zones_.place(static_cast<Square>(square));
      for (const Direction direction : leg.stretches[0].step) {
        to.column += kSteps[at(index(direction))][0];
        to.row += kSteps[at(index(direction))][1];
      }
      return to.row >= 0 && to.row < zones_.rows() &&
             (game_.board.wraps_files || (to.column >= 0 && to.column < zones_.columns()));
    });
  }

  // ------------------------------------------------------------------------------------------
  // royals

  bool has_royal(const Start& start, int side, int level) const {
    return std::ranges::any_of(start.pieces, [&](const Placed& placed) {
      return index(placed.colour) == side &&
             game_.pieces[placed.type].sides[at(side)].royal != Royal::No &&
             (level < 0 || placed.square / game_.board.squares == level);
    });
  }

  void check_royals() {
    bool no_royal_at_all = true;
    for (const PieceType& piece : game_.pieces)
      for (const PieceSide& side : piece.sides)
        no_royal_at_all = no_royal_at_all && side.royal == Royal::No;
    for (const Start& start : game_.starts) {
      for (int side = 0; side < 2; ++side) {
        const TomlValue& fen = value({"start", "fen"});
        if (game_.board.levels.lost && !no_royal_at_all) {
          for (int level = 0; level < game_.board.levels.count; ++level)
            if (!has_royal(start, side, level))
              findings_.error(fen, "level " + std::to_string(level + 1) +
                                       " has no royal piece of " +
                                       side_name(static_cast<Colour>(side)) +
                                       "; with lost = true each level has one");
          continue;
        }
        if (has_royal(start, side, -1) || can_lose_otherwise(side)) continue;
        if (no_royal_at_all)
          findings_.error(place_of_no_royal(), no_royal_text());
        else
          findings_.error(fen,
                          side_name(static_cast<Colour>(side)) +
                              " has no royal piece in the start, and [ends] says nothing of how it "
                              "could lose: add " +
                              (side == 0 ? "white" : "black") +
                              " = { extinct = { all = \"*\", result = \"loss\" } }");
      }
    }
  }

  /// Whether a side without a royal piece can lose or the other side win.
  bool can_lose_otherwise(int side) const {
    const SideEnds& own = game_.ends.sides[at(side)];
    const SideEnds& other = game_.ends.sides[at(1 - side)];
    return !own.extinct.empty() || !other.extinct.empty() || !own.reach.empty() ||
           !other.reach.empty() || own.stalemate != Result::Draw || other.stalemate != Result::Draw;
  }

  const TomlValue& place_of_no_royal() const {
    const TomlValue* pieces = root().find("pieces");
    for (const MergedFile::Removal& removal : file_.removed)
      if (removal.path.starts_with("pieces.") && file_.is_own(removal.value)) return removal.value;
    return pieces != nullptr ? *pieces : root();
  }

  std::string no_royal_text() const {
    std::string guess;
    for (std::size_t t = 0; t < game_.pieces.size(); ++t) {
      const PieceType& piece = game_.pieces[t];
      BySide<int> count{};
      for (const Placed& placed : game_.starts[0].pieces)
        if (placed.type == t) ++count[at(index(placed.colour))];
      const bool steps = std::ranges::all_of(piece.sides[0].legs, [](const Leg& leg) {
        return leg.stretches.size() == 1 && leg.stretches[0].step.size() == 1 &&
               leg.stretches[0].most == 1;
      });
      if (count[0] == 1 && count[1] == 1 && steps && !piece.pawn) guess = piece.letter;
    }
    return "no piece is royal, and [ends] has only mates (checkmate, stalemate): the game could "
           "never "
           "be won. " +
           (guess.empty()
                ? std::string("Add royal = true to the piece that must be safe: K = { moves = "
                              "\"K\", royal = true }.")
                : "Is " + guess + " your king? Add royal = true to " + guess + ".") +
           " Else add an end: extinct = { all = \"*\", result = \"loss\" }, reach, or stalemate = "
           "\"loss\".";
  }

  void check_ends() {
    const Ends& ends = game_.ends;
    if (!ends.plies && !ends.repetition && ends.most_plies == 0)
      findings_.warning(
          value({"ends"}),
          "games might never end: [ends] repetition = { times = 3, result = \"draw\" }, "
          "plies = { count = 100, result = \"draw\" }");
  }

  // -------------------------------------------------------------------------------------------
  // parts

  /// Parts that touch nowhere can only be left by leaps.
  void check_parts() {
    if (game_.board.parts.empty() || game_.board.riders_fly_over_void) return;
    std::vector<std::vector<Zones::Place>> places(game_.board.parts.size() + 1);
    for (int s = 0; s < game_.board.squares; ++s) {
      const auto square = static_cast<Square>(s);
      places[at(part_of(game_.board, square))].push_back(start_place(game_.board, zones_, square));
    }
    const auto borders = [](const Zones::Place& p, const Zones::Place& q) {
      return std::abs(p.row - q.row) <= 1 && std::abs(p.column - q.column) <= 1;
    };
    for (std::size_t layer = 1; layer < places.size(); ++layer) {
      bool touches = places[layer].empty();
      for (std::size_t other = 0; other < places.size() && !touches; ++other)
        for (const Zones::Place& p : places[layer])
          touches = touches || (other != layer && std::ranges::any_of(places[other], [&](auto& q) {
                                  return borders(p, q);
                                }));
      if (!touches)
        findings_.warning(
            value({"board", "part"}),
            "part " + std::to_string(layer) +
                " touches the rest of the board nowhere: no king could ever get there; "
                "riders can with riders = \"fly over void\"");
    }
  }

  const GameFile& game_;
  const MergedFile& file_;
  const Zones& zones_;
  Findings& findings_;
  std::set<std::string> said_carried_;
};

}  // namespace

void check_game(const GameFile& game, const MergedFile& file, const Zones& zones,
                Findings& findings) {
  GameChecks(game, file, zones, findings).run();
}

}  // namespace faultline::data
