// [start] of a game's file: the positions from which it begins, and how they can castle.
#include "rules/data/start_reader.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>

#include "base/quote.h"
#include "base/text.h"

namespace faultline::data {
namespace {

std::vector<std::string_view> parts_of(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::string count_word(int count) {
  constexpr std::array<std::string_view, 7> kWords = {"no",   "one",  "two", "three",
                                                      "four", "five", "six"};
  return std::string(kWords[at(std::clamp(count, 0, 6))]);
}

std::string side_name(Colour colour) {
  return colour == Colour::White ? "White" : "Black";
}

/// One FEN of a file.
class StartReader {
 public:
  StartReader(const TomlValue& value, const MergedFile& file, const BoardRead& board,
              const std::vector<PieceType>& pieces, bool complete, bool has_hands,
              Findings& findings)
      : value_(value),
        file_(file),
        board_(board.board),
        zones_(board.zones),
        pieces_(pieces),
        complete_(complete),
        has_hands_(has_hands),
        findings_(findings) {}

  std::optional<Start> read() {
    start_.fen = value_.text;
    if (value_.text.size() > 2000) {
      error("is too long for a FEN");
      return std::nullopt;
    }
    std::vector<std::string_view> fields;
    for (const std::string_view field : parts_of(value_.text, ' '))
      if (!field.empty()) fields.push_back(field);
    if (fields.size() != 4 && fields.size() != 6) {
      error("has " + counted(fields.size(), "field") +
            "; a FEN has the pieces, the side, castling, en passant, plies and the move: \"" +
            (fields.empty() ? "…" : printable(fields[0], 100)) + " w - - 0 1\"");
      return std::nullopt;
    }
    if (!read_placement(fields[0])) return std::nullopt;
    if (fields[1] == "b")
      start_.to_move = Colour::Black;
    else if (fields[1] != "w")
      error("has " + quote(fields[1]) + " where the side to move is: w or b");
    read_castling(fields[2]);
    if (fields[3] != "-" && zones_.find(fields[3]) == kNoSquare)
      error("has " + quote(fields[3]) + " where an en passant square is; in a start that is -");
    for (std::size_t i = 4; i < fields.size(); ++i)
      if (number_of(fields[i]) < 0)
        error("has " + quote(fields[i]) + " where a number is; it ends in 0 1");
    return std::move(start_);
  }

 private:
  std::string shown_place() const {
    return file_.is_own(value_) ? "start.fen" : "start.fen (from " + value_.place() + ")";
  }
  void error(const std::string& text) { findings_.error(value_, "start.fen " + text); }

  /// Where the size of the board is said, if this file says so and the FEN is another file's: the
  /// mistake is there.
  const TomlValue* own_shape() const { return file_.is_own(value_) ? nullptr : file_.own_shape(); }

  // ------------------------------------------------------------------------------------------
  // pieces

  bool read_placement(std::string_view field) {
    std::string_view in_hand;
    if (const std::size_t open = field.find('['); open != std::string_view::npos) {
      if (!field.ends_with(']')) {
        error("has a [ without ] at the end of the pieces");
        return false;
      }
      in_hand = field.substr(open + 1, field.size() - open - 2);
      field = field.substr(0, open);
      if (!has_hands_) {
        error("has pieces in hand, but there is no [hands]: [hands] captured = \"to hand\"");
        return false;
      }
    }
    const std::vector<std::string_view> levels = parts_of(field, '|');
    if (static_cast<int>(levels.size()) != board_.levels.count) {
      const TomlValue* board = file_.root.find("board");
      const TomlValue* table = board != nullptr ? board->find("levels") : nullptr;
      const TomlValue* count = table != nullptr ? table->find("count") : nullptr;
      const bool count_is_own = count != nullptr && file_.is_own(*count) && !file_.is_own(value_);
      findings_.error(
          count_is_own ? *count : value_,
          (count_is_own ? shown_place() : "start.fen") + " has " + counted(levels.size(), "board") +
              ", levels.count = " + std::to_string(board_.levels.count) + ": write " +
              count_word(board_.levels.count) + (board_.levels.count == 1 ? "" : ", joined by |"));
      return false;
    }
    const SquareSet covered = covered_squares(board_, zones_);
    for (std::size_t level = 0; level < levels.size(); ++level)
      if (!read_level(levels[level], static_cast<int>(level), covered)) return false;
    return read_hands(in_hand);
  }

  bool read_level(std::string_view text, int level, const SquareSet& covered) {
    const std::vector<std::string_view> rows = parts_of(text, '/');
    const auto height = board_.rows.size();
    if (rows.size() != height) {
      const TomlValue* shape = own_shape();
      const std::string wrong =
          "has " + counted(rows.size(), "rank") + ", but the board has " + std::to_string(height);
      if (shape != nullptr && shape->key != "rows")
        findings_.error(*shape, "board.ranks = " + std::to_string(height) + ", but " +
                                    shown_place() + " has " + counted(rows.size(), "rank") +
                                    ". Add [start] fen = \"" + wider(rows) + "\".");
      else
        error(wrong);
      return false;
    }
    // All rows that do not fit, before letters are asked about.
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::size_t row = height - 1 - i;
      const int has = squares_in(rows[i]);
      const auto wanted =
          static_cast<int>(std::ranges::count(board_.rows[row], CellKind::Square, &Cell::kind));
      if (has == wanted) continue;
      const TomlValue* shape = own_shape();
      const std::string rank = "rank " + std::to_string(row + 1);
      if (has < 0)
        error("has in " + rank + " what is no piece, number or *: " + quote(rows[i]));
      else if (shape != nullptr && shape->key != "rows")
        findings_.error(*shape, "board.files = " + std::to_string(zones_.columns()) + ", but " +
                                    shown_place() + " has " + counted(has, "square") + " in " +
                                    rank + ". Add [start] fen with " +
                                    std::to_string(zones_.columns()) + " squares a rank, e.g. \"" +
                                    wider(rows) + "\".");
      else
        error("has " + counted(has, "square") + " in " + rank + " (" + quote(rows[i]) +
              "), but the board has " + std::to_string(wanted) + " there");
      return false;
    }
    bool good = true;
    for (std::size_t i = 0; i < rows.size(); ++i)
      good = read_row(rows[i], level, height - 1 - i, covered) && good;
    return good;
  }

  /// How many squares a row of a FEN has; -1 if it has other characters.
  static int squares_in(std::string_view row) {
    int squares = 0;
    while (!row.empty()) {
      const char c = row[0];
      std::size_t length = 1;
      if (c >= '0' && c <= '9') {
        length = std::min(row.find_first_not_of("0123456789"), row.size());
        const int number = number_of(row.substr(0, length));
        if (number < 1 || number > 1000) return -1;
        squares += number;
      } else if (c == '+') {
        if (row.size() < 2 || std::isalpha(static_cast<unsigned char>(row[1])) == 0) return -1;
        length = 2;
        ++squares;
      } else if (std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '*') {
        ++squares;
      } else {
        return -1;
      }
      row.remove_prefix(length);
    }
    return squares;
  }

  bool read_row(std::string_view row, int level, std::size_t index, const SquareSet& covered) {
    std::vector<Square> squares;
    for (const Cell& cell : board_.rows[index])
      if (cell.kind == CellKind::Square)
        squares.push_back(static_cast<Square>(level * board_.squares + cell.square));
    std::size_t next = 0;
    while (!row.empty()) {
      std::size_t length = 1;
      const char c = row[0];
      const Square square = squares[next];
      if (c >= '0' && c <= '9') {
        length = std::min(row.find_first_not_of("0123456789"), row.size());
        const auto empty = static_cast<std::size_t>(number_of(row.substr(0, length)));
        for (std::size_t i = 0; i < empty; ++i)
          if (!require_star(squares[next + i], false, covered)) return false;
        next += empty;
      } else if (c == '*') {
        if (!require_star(square, true, covered)) return false;
        ++next;
      } else {
        length = c == '+' ? 2 : 1;
        if (!place(row.substr(0, length), square, covered)) return false;
        ++next;
      }
      row.remove_prefix(length);
    }
    return true;
  }

  bool is_gap(Square square) const {
    if (!board_.sectors) return false;
    return std::ranges::any_of(board_.sectors->gaps, [&](int gap) {
      const std::vector<Square>& area = board_.sectors->areas[at(gap)];
      return std::ranges::find(area, square) != area.end();
    });
  }

  bool require_star(Square square, bool star, const SquareSet& covered) {
    const bool missing = is_gap(square) || covered[square];
    if (missing == star) return true;
    if (star)
      error("has * on " + zones_.name(square) + ", which is " +
            (board_.sectors ? "in no gap: gaps = \"…\" in [board.sectors] names the areas without "
                              "squares"
                            : "neither in a gap nor covered"));
    else
      error("has an empty square on " + zones_.name(square) + ", which is " +
            (is_gap(square) ? "in a gap" : "covered by a part of the board") + ": write *");
    return false;
  }

  bool place(std::string_view letter, Square square, const SquareSet& covered) {
    const char c = letter.back();
    const bool white = std::isupper(static_cast<unsigned char>(c)) != 0;
    std::string upper(letter);
    upper.back() = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    const auto found = std::ranges::find(pieces_, upper, &PieceType::letter);
    if (found == pieces_.end()) {
      if (complete_) unknown_letter(upper);
      return false;
    }
    if (is_gap(square) || covered[square]) {
      error("has " + std::string(letter) + " on " + zones_.name(square) + ", which is " +
            (is_gap(square) ? "in a gap" : "covered by a part of the board"));
      return false;
    }
    const int level = square / board_.squares;
    if (!board_.levels.below.empty() && level + 1 < board_.levels.count &&
        !board_.levels.below[square % at(board_.squares)].empty()) {
      error("has " + std::string(letter) + " on " + zones_.name(square) + ", which is a hole");
      return false;
    }
    start_.pieces.push_back({.square = square,
                             .type = static_cast<TypeIndex>(found - pieces_.begin()),
                             .colour = white ? Colour::White : Colour::Black});
    return true;
  }

  void unknown_letter(const std::string& letter) {
    std::string known;
    for (const PieceType& piece : pieces_)
      known += (known.empty() ? "" : " ") + piece.letter;
    const MergedFile::Removal* removal = file_.find_removal("pieces." + letter);
    if (removal != nullptr && !file_.is_own(value_))
      findings_.error(removal->value, letter + " = \"none\", but " + shown_place() + " has " +
                                          letter + ": add [start] fen with a start without it");
    else
      error("has " + letter + ", which is no piece; pieces are " + known + ". Add it: [pieces] " +
            (letter.size() > 1 ? "\"" + letter + "\"" : letter) + " = \"…\"");
  }

  bool read_hands(std::string_view in_hand) {
    if (!has_hands_) return true;
    for (std::vector<int>& hand : start_.hands)
      hand.assign(pieces_.size(), 0);
    if (in_hand == "-") return true;
    for (const char c : in_hand) {
      const std::string upper(1, static_cast<char>(std::toupper(static_cast<unsigned char>(c))));
      const auto found = std::ranges::find(pieces_, upper, &PieceType::letter);
      if (found == pieces_.end()) {
        error("has " + quote(std::string(1, c)) + " in hand, which is no piece");
        return false;
      }
      const auto type = static_cast<std::size_t>(found - pieces_.begin());
      ++start_.hands[std::isupper(static_cast<unsigned char>(c)) != 0 ? 0 : 1][type];
    }
    return true;
  }

  /// The same start for a board of the size that is wanted: an idea, not a rule.
  std::string wider(const std::vector<std::string_view>& rows) const {
    const int width = zones_.columns();
    const int height = zones_.rows();
    const std::string empty = std::to_string(width);
    std::vector<std::string> result;
    std::string fresh;  // pieces that are not in the FEN
    for (const PieceType& piece : pieces_)
      if (piece.letter.size() == 1 && value_.text.find(piece.letter) == std::string::npos)
        fresh += piece.letter;
    for (const std::string_view row : rows) {
      const int squares = squares_in(row);
      const bool plain = std::ranges::all_of(
          row, [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; });
      std::string text(row);
      if (!plain || squares != static_cast<int>(row.size())) {
        result.push_back(squares == width ? text
                         : squares < width && squares > 0 &&
                                 text.find_first_not_of("0123456789") != std::string::npos
                             ? text + std::to_string(width - squares)
                             : empty);
        continue;
      }
      const bool white = std::isupper(static_cast<unsigned char>(text[0])) != 0;
      const bool same = std::ranges::all_of(text, [&](char c) { return c == text[0]; });
      while (static_cast<int>(text.size()) > width)
        text.pop_back();
      if (same) {
        text.resize(at(width), text[0]);
      } else if (const int missing = width - static_cast<int>(text.size());
                 missing > 0 && missing <= static_cast<int>(fresh.size())) {
        std::size_t where = std::min<std::size_t>(2, text.size());
        for (int i = 0; i < missing; ++i) {
          const char letter = fresh[at(i)];
          text.insert(
              where, 1,
              white ? letter : static_cast<char>(std::tolower(static_cast<unsigned char>(letter))));
          where = text.size() - std::min<std::size_t>(2, text.size());
        }
      } else if (missing > 0) {
        text += std::to_string(missing);
      }
      result.push_back(std::move(text));
    }
    while (static_cast<int>(result.size()) > height) {
      result.erase(result.begin() + static_cast<std::ptrdiff_t>(result.size() / 2));
    }
    while (static_cast<int>(result.size()) < height)
      result.insert(result.begin() + static_cast<std::ptrdiff_t>(result.size() / 2), empty);
    std::string fen;
    for (const std::string& row : result)
      fen += (fen.empty() ? "" : "/") + row;
    const std::size_t space = value_.text.find(' ');
    return printable(fen + (space == std::string::npos ? " w - - 0 1" : value_.text.substr(space)),
                     300);
  }

  // -------------------------------------------------------------------------------------- castling

  void read_castling(std::string_view field) {
    const std::vector<std::string_view> levels = parts_of(field, '|');
    if (static_cast<int>(levels.size()) != board_.levels.count && field != "-") {
      error("has castling rights for " + counted(levels.size(), "board") + ", but there are " +
            std::to_string(board_.levels.count) + ", joined by |");
      return;
    }
    for (std::size_t level = 0; level < levels.size(); ++level) {
      if (levels[level] == "-") continue;
      for (const char c : levels[level]) {
        if (std::isalpha(static_cast<unsigned char>(c)) == 0) {
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

  bool read_right(char c, int level, std::string_view field) {
    const bool white = std::isupper(static_cast<unsigned char>(c)) != 0;
    const Colour colour = white ? Colour::White : Colour::Black;
    const auto letter = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    const Placed* king = nullptr;
    for (const Placed& placed : start_.pieces)
      if (placed.colour == colour && placed.square / board_.squares == level &&
          !side_of(placed).castles.empty() && king == nullptr)
        king = &placed;
    if (king == nullptr) {
      if (complete_) nobody_castles(field, colour);
      return false;
    }
    const Zones::Place home = zones_.place(king->square);
    const std::vector<CastleRule>& rules = side_of(*king).castles;
    bool found = false;
    std::string reason;
    for (const CastleRule& rule : rules) {
      const Square rook = find_rook(rule, letter, *king, home);
      if (rook == kNoSquare) continue;
      Castle castle{.colour = colour,
                    .level = level,
                    .letter = letter,
                    .king_type = king->type,
                    .king = king->square,
                    .rook = rook,
                    .ways = {}};
      add_ways(rule, home, castle, reason);
      if (castle.ways.empty()) continue;
      const auto same = [&](const Castle& other) {
        return other.colour == colour && other.rook == rook && other.level == level;
      };
      if (std::ranges::any_of(start_.castles, same)) {
        error("has two castling rights for the piece on " + zones_.name(rook));
        return false;
      }
      start_.castles.push_back(std::move(castle));
      found = true;
      break;
    }
    if (!found) cannot_castle(field, *king, rules, c, reason);
    return found;
  }

  const PieceSide& side_of(const Placed& placed) const {
    return pieces_[placed.type].sides[at(index(placed.colour))];
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
      const Cell& cell = board_.rows[at(p.row)][at(p.column)];
      return cell.name.size() >= 2 &&
             cell.name[0] == std::tolower(static_cast<unsigned char>(letter)) &&
             std::isdigit(static_cast<unsigned char>(cell.name[1])) != 0;
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
        if (letter == 'K' || letter == 'Q') break;  // the nearest
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
          std::to_string(rules[0].squares) + from + ", which looks for R" +
          (no_rook ? "; there is no R"
                   : " on the side of " + std::string(1, right) + "; there is none") +
          ". Either castle = [ " + ways + " ] (any piece may stand there), or " + letter +
          " = { moves = \"K\" } and \"-\" in the FEN.");
  }

  const TomlValue& value_;
  const MergedFile& file_;
  const Board& board_;
  const Zones& zones_;
  const std::vector<PieceType>& pieces_;
  bool complete_;
  bool has_hands_;
  Findings& findings_;
  Start start_;
};

}  // namespace

SquareSet covered_squares(const Board& board, const Zones& zones) {
  SquareSet covered;
  if (board.parts.empty()) return covered;
  // Later parts cover earlier ones, and all of them what is in no part.
  std::map<std::pair<int, int>, std::pair<int, int>> top;  // place -> layer, square
  for (int s = 0; s < board.squares; ++s) {
    Zones::Place p = zones.place(static_cast<Square>(s));
    int layer = 0;
    for (std::size_t i = 0; i < board.parts.size(); ++i)
      if (board.parts[i].squares[at(s)]) layer = static_cast<int>(i) + 1;
    if (layer > 0) {
      p.column += board.parts[at(layer - 1)].files;
      p.row += board.parts[at(layer - 1)].ranks;
    }
    const auto [entry, is_new] = top.try_emplace({p.column, p.row}, layer, s);
    if (is_new) continue;
    auto& [other_layer, other] = entry->second;
    const int lower = layer > other_layer ? other : s;
    for (int level = 0; level < board.levels.count; ++level)
      covered.set(at(level * board.squares + lower));
    if (layer > other_layer) entry->second = {layer, s};
  }
  return covered;
}

std::vector<Start> read_starts(const MergedFile& file, const BoardRead& board,
                               const std::vector<PieceType>& pieces, bool complete, bool has_hands,
                               Findings& findings) {
  std::vector<Start> starts;
  const TomlValue* table = table_of(file.root, "start", "", findings);
  if (table != nullptr) check_keys(*table, "start", findings);
  const TomlValue* fen = table != nullptr ? table->find("fen") : nullptr;
  if (fen == nullptr) {
    if (!findings.has_errors())
      findings.error_in(file.source, 0,
                        "has no start: [start] fen = \"…\" has the pieces of the start position");
    return starts;
  }
  std::vector<const TomlValue*> fens;
  if (fen->is_list())
    for (const TomlValue& one : fen->items)
      fens.push_back(&one);
  else
    fens.push_back(fen);
  constexpr std::size_t kMostStarts = 1000;
  if (fens.empty() || fens.size() > kMostStarts ||
      !std::ranges::all_of(fens, [](const TomlValue* one) { return one->is_text(); })) {
    wrong_value(*fen, "start", findings);
    return starts;
  }
  if (!board.usable || pieces.empty()) return starts;
  for (const TomlValue* one : fens) {
    auto start = StartReader(*one, file, board, pieces, complete, has_hands, findings).read();
    if (start) starts.push_back(std::move(*start));
  }
  return starts;
}

}  // namespace faultline::data
