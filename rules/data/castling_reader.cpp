// Castling rights of a start position: which king and rook each letter is about, and their ways.
#include "rules/data/castling_reader.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

#include "base/quote.h"
#include "base/text.h"
#include "rules/data/words.h"

namespace faultline::data {
namespace {

class CastlingReader {
 public:
  CastlingReader(const TomlValue& value, const MergedFile& file, const Board& board,
                 const Zones& zones, const std::vector<PieceType>& pieces, bool complete,
                 Findings& findings, Start& start)
      : value_(value),
        file_(file),
        board_(board),
        zones_(zones),
        pieces_(pieces),
        complete_(complete),
        findings_(findings),
        start_(start) {}

  void read(std::string_view field) {
    const std::vector<std::string_view> levels = parts_of(field, '|');
    if (static_cast<int>(levels.size()) != board_.levels.count && field != "-") {
      error("has castling rights for " + counted(levels.size(), "board") + ", but there are " +
            std::to_string(board_.levels.count) + ", joined by |");
      return;
    }
    for (std::size_t level = 0; level < levels.size(); ++level) {
      if (levels[level] == "-") continue;
      for (const char c : levels[level]) {
        if (!is_letter(c)) {
          error("has castling rights " + quote(field) +
                ": they are letters (KQkq, or the rooks' "
                "files), or -");
          return;
        }
        if (!read_right(c, static_cast<int>(level), field)) return;
      }
    }
    std::ranges::stable_sort(start_.castles, {}, [](const Castle& castle) {
      return std::tuple(castle.level, castle.colour, -static_cast<int>(castle.rook));
    });
  }

 private:
  void error(const std::string& text) { findings_.error(value_, "start.fen " + text); }

  bool read_right(char c, int level, std::string_view field) {
    const Colour colour = is_capital(c) ? Colour::White : Colour::Black;
    const char letter = in_capitals({&c, 1})[0];
    const Placed* king = nullptr;
    for (const Placed& placed : start_.pieces)
      if (placed.colour == colour && placed.square / board_.squares == level &&
          !rules_of(placed).empty() && king == nullptr)
        king = &placed;
    if (king == nullptr) {
      if (complete_) nobody_castles(field, colour);
      return false;
    }
    const Zones::Place home = zones_.place(king->square);
    const std::vector<CastleRule>& rules = rules_of(*king);
    Castle castle{.colour = colour,
                  .level = level,
                  .letter = letter,
                  .king_type = king->type,
                  .king = king->square,
                  .ways = {}};
    std::string reason;
    for (const CastleRule& rule : rules) {
      const Square rook = find_rook(rule, letter, *king, home);
      if (rook == kNoSquare || (castle.rook != kNoSquare && rook != castle.rook)) continue;
      Castle more = castle;
      more.rook = rook;
      add_ways(rule, home, more, reason);
      if (!more.ways.empty()) castle = std::move(more);
    }
    if (castle.rook == kNoSquare) {
      cannot_castle(field, *king, rules, c, reason);
      return false;
    }
    if (!is_new(castle)) return false;
    start_.castles.push_back(std::move(castle));
    return true;
  }

  bool is_new(const Castle& castle) {
    for (const Castle& other : start_.castles) {
      if (other.colour != castle.colour || other.level != castle.level) continue;
      if (other.rook == castle.rook) {
        error("has two castling rights for the piece on " + zones_.name(castle.rook));
        return false;
      }
      // Of two on one side, the nearer one is in the way of the other.
      if ((other.rook < castle.king) == (castle.rook < castle.king)) continue;
      for (const Castle::Way& way : castle.ways)
        if (std::ranges::any_of(other.ways,
                                [&](const auto& w) { return w.king_to == way.king_to; })) {
          error("has castling rights with which the king can go to " + zones_.name(way.king_to) +
                " for the pieces on " + zones_.name(castle.rook) + " and on " +
                zones_.name(other.rook) + ": which of them comes? Leave one of the two out");
          return false;
        }
    }
    return true;
  }

  const std::vector<CastleRule>& rules_of(const Placed& placed) const {
    return pieces_[placed.type].sides[at(index(placed.colour))].castles;
  }

  const Placed* piece_on(Square square) const {
    const auto found = std::ranges::find(start_.pieces, square, &Placed::square);
    return found == start_.pieces.end() ? nullptr : &*found;
  }

  /// The rook that a right with that letter is about, by that rule.
  Square find_rook(const CastleRule& rule, char letter, const Placed& king,
                   Zones::Place home) const {
    const auto wanted = [&](Square square) {
      const Placed* piece = square == kNoSquare ? nullptr : piece_on(square);
      if (piece == nullptr || piece->colour != king.colour || piece == &king) return false;
      if (rule.type != kNoType && piece->type != rule.type) return false;
      const Zones::Place p = zones_.place(square);
      if (p.row != home.row) return false;
      if (letter == 'K') return p.column > home.column;
      if (letter == 'Q') return p.column < home.column;
      return file_of(board_.rows[at(p.row)][at(p.column)].name) == in_small_letters({&letter, 1});
    };
    if (rule.rook == CastleRule::Rook::Square) {
      const auto square =
          static_cast<Square>(rule.square % at(board_.squares) + at(home.level * board_.squares));
      return wanted(square) ? square : kNoSquare;
    }
    for (const int step : {1, -1}) {
      if (rule.rook == CastleRule::Rook::Left && step > 0) continue;
      if (rule.rook == CastleRule::Rook::Right && step < 0) continue;
      for (Zones::Place p = home;;) {
        p.column += step;
        const Square square = zones_.at(p);
        if (square == kNoSquare) break;
        const Placed* piece = piece_on(square);
        if (piece == nullptr || piece->colour != king.colour || piece->type != rule.type) continue;
        if (wanted(square)) return square;
        break;  // the nearest
      }
    }
    return kNoSquare;
  }

  void add_ways(const CastleRule& rule, Zones::Place home, Castle& castle,
                std::string& reason) const {
    const int rook_column = zones_.place(castle.rook).column;
    const int step = rook_column > home.column ? 1 : -1;
    std::vector<Square> landings;
    if (rule.squares > 0) {
      Zones::Place p = home;
      p.column += step * rule.squares;
      if (const Square square = zones_.at(p); square != kNoSquare) landings.push_back(square);
    } else {
      for (int s = 0; s < board_.all_squares(); ++s)
        if (rule.king[at(s)] && s / board_.squares == home.level)
          landings.push_back(static_cast<Square>(s));
    }
    for (const Square landing : landings) {
      if (std::ranges::any_of(castle.ways, [&](const auto& w) { return w.king_to == landing; }))
        continue;
      const Zones::Place to = zones_.place(landing);
      Zones::Place beside = to;
      beside.column -= step;
      const Square rook_to = zones_.at(beside);
      if (to.row != home.row || rook_to == kNoSquare) {
        reason = "the king cannot land on " + zones_.name(landing);
        continue;
      }
      Castle::Way way{.king_to = landing, .rook_to = rook_to, .empty = {}, .safe = {}};
      bool whole = true;
      const auto cross = [&](int from, int end, SquareSet& squares) {
        for (int column = std::min(from, end); column <= std::max(from, end); ++column) {
          const Square square = zones_.at({.row = home.row, .column = column, .level = home.level});
          if (square == kNoSquare)
            whole = false;
          else
            squares.set(square);
        }
      };
      cross(home.column, to.column, way.safe);
      way.empty = way.safe;
      cross(rook_column, beside.column, way.empty);
      way.empty.reset(castle.king);
      way.empty.reset(castle.rook);
      if (!whole) {
        reason = "the way is not of squares only";
        continue;
      }
      castle.ways.push_back(way);
    }
  }

  void nobody_castles(std::string_view field, Colour colour) {
    const std::size_t space = value_.text.find(' ');
    error("has castling rights " + printable(field, 40) + ", but no piece of " + side_name(colour) +
          " castles. Either K = { moves = \"KO2\" }, or fen = \"" +
          printable(value_.text.substr(0, space), 200) +
          (start_.to_move == Colour::White ? " w" : " b") + " - - 0 1\"");
  }

  void cannot_castle(std::string_view field, const Placed& king,
                     const std::vector<CastleRule>& rules, char right, const std::string& reason) {
    const std::string& letter = pieces_[king.type].letter;
    const TomlValue* pieces = file_.root.find("pieces");
    const TomlValue* item = pieces != nullptr ? pieces->find(letter) : nullptr;
    const TomlValue* moves = item != nullptr ? item->find("moves") : nullptr;
    const std::string from =
        moves != nullptr && !file_.is_own(*moves) ? " (" + moves->place() + ")" : "";
    if (rules[0].squares == 0) {
      error("has castling rights " + printable(field, 40) + ", but " + letter +
            "'s castle says nothing of a " + "rook for " + right +
            (reason.empty() ? "" : ": " + reason) +
            ". Leave the letter out, or add { king = \"g1\", rook = \"h1\" } to castle");
      return;
    }
    const bool no_rook = rules[0].type == kNoType;
    std::string ways;
    const Zones::Place home = zones_.place(king.square);
    for (const int step : {1, -1}) {
      Zones::Place to = home;
      to.column += step * rules[0].squares;
      Zones::Place outer = home;
      while (zones_.at({.row = home.row, .column = outer.column + step, .level = home.level}) !=
             kNoSquare)
        outer.column += step;
      if (zones_.at(to) == kNoSquare) continue;
      // In White's terms, as castle = [ … ] has them.
      Square king_to = zones_.at(to);
      Square rook = zones_.at(outer);
      if (king.colour == Colour::Black) {
        king_to = zones_.mirrored(king_to);
        rook = zones_.mirrored(rook);
      }
      if (king_to == kNoSquare || rook == kNoSquare) continue;
      ways += std::string(ways.empty() ? "" : ", ") + "{ king = \"" + zones_.name(king_to) +
              "\", rook = \"" + zones_.name(rook) + "\" }";
    }
    error("has castling rights " + printable(field, 40) + ", and " + letter + " has O" +
          std::to_string(rules[0].squares) + from +
          (no_rook ? ", which looks for R; there is no R"
           : right == 'K' || right == 'Q' || right == 'k' || right == 'q'
               ? ", which looks for R on the side of " + std::string(1, right) + "; there is none"
               : ", which looks for the nearest R on either side; none is on file " +
                     in_small_letters({&right, 1})) +
          ". Either castle = [ " + ways + " ] (any piece may stand there), or " + letter +
          " = { moves = \"K\" } and \"-\" in the FEN.");
  }

  const TomlValue& value_;
  const MergedFile& file_;
  const Board& board_;
  const Zones& zones_;
  const std::vector<PieceType>& pieces_;
  bool complete_;
  Findings& findings_;
  Start& start_;
};

}  // namespace

void read_castling(std::string_view field, const TomlValue& value, const MergedFile& file,
                   const Board& board, const Zones& zones, const std::vector<PieceType>& pieces,
                   bool complete, Findings& findings, Start& start) {
  CastlingReader(value, file, board, zones, pieces, complete, findings, start).read(field);
}

}  // namespace faultline::data
