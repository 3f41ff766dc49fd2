// [start] of a game's file: the positions from which it begins.
#include "rules/data/start_reader.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/quote.h"
#include "base/text.h"
#include "rules/data/castling_reader.h"
#include "rules/data/movement_reader.h"
#include "rules/data/words.h"

namespace faultline::data {
namespace {

/// What stands on one square, or on several empty ones.
struct Token {
  int empty = 0;
  std::string_view letter;  // "*": there is no square

  int squares() const { return empty > 0 ? empty : 1; }
};

/// A row of a FEN; nullopt if it has what is no piece, number or *.
std::optional<std::vector<Token>> tokens_of(std::string_view row) {
  constexpr int kMostEmpty = 1000;
  std::vector<Token> tokens;
  while (!row.empty()) {
    Token token;
    std::size_t length = row[0] == '+' ? 2 : 1;
    if (is_figure(row[0])) {
      length = std::min(row.find_first_not_of("0123456789"), row.size());
      token.empty = number_of(row.substr(0, length));
      if (token.empty < 1 || token.empty > kMostEmpty) return std::nullopt;
    } else {
      token.letter = row.substr(0, length);
      if (token.letter != "*" && !is_letter(token.letter.back())) return std::nullopt;
    }
    tokens.push_back(token);
    row.remove_prefix(length);
  }
  return tokens;
}

int squares_of(const std::vector<Token>& row) {
  int squares = 0;
  for (const Token& token : row)
    squares += token.squares();
  return squares;
}

bool is_letters(std::string_view text) {
  return std::ranges::all_of(text, is_letter);
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
        findings_(findings),
        covered_(covered_squares(board.board, board.zones)) {}

  std::optional<Start> read() {
    constexpr std::size_t kLongestFen = 2000;
    start_.fen = with_all_boards();
    start_.place = value_.place();
    if (start_.fen.size() > kLongestFen) {
      error("is too long for a FEN");
      return std::nullopt;
    }
    const std::string text = start_.fen;
    const std::vector<std::string_view> fields = words_of(text, " ");
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
    read_castling(fields[2], value_, file_, board_, zones_, pieces_, complete_, findings_, start_);
    if (fields[3] != "-" && zones_.find(fields[3]) == kNoSquare)
      error("has " + quote(fields[3]) + " where an en passant square is; in a start that is -");
    for (std::size_t i = 4; i < fields.size(); ++i)
      if (number_of(fields[i]) < 0)
        error("has " + quote(fields[i]) + " where a number is; it ends in 0 1");
    return std::move(start_);
  }

 private:
  /// A FEN of several levels for a game of more: its last board is on all deeper levels.
  std::string with_all_boards() {
    const std::vector<std::string_view> fields = words_of(value_.text, " ");
    const auto levels = static_cast<std::size_t>(board_.levels.count);
    if (fields.size() < 4 || fields[0].ends_with(']')) return value_.text;
    const std::vector<std::string_view> boards = parts_of(fields[0], '|');
    const std::vector<std::string_view> rights = parts_of(fields[2], '|');
    if (boards.size() < 2 || boards.size() >= levels || rights.size() != boards.size())
      return value_.text;
    std::string text;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      text += (i > 0 ? " " : "") + std::string(fields[i]);
      for (std::size_t level = boards.size(); level < levels && (i == 0 || i == 2); ++level)
        text += "|" + std::string(i == 0 ? boards.back() : rights.back());
    }
    findings_.warning(value_, "start.fen has " + counted(boards.size(), "board") +
                                  ", levels.count = " + std::to_string(levels) +
                                  ": the last is taken for the others, too; write " +
                                  count_word(board_.levels.count) + ", joined by |");
    return text;
  }

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
    for (std::size_t level = 0; level < levels.size(); ++level)
      if (!read_level(levels[level], static_cast<int>(level))) return false;
    return read_hands(in_hand);
  }

  /// A rank that does not fit the board's files, which the file itself gives.
  void report_files(const TomlValue& shape, const std::string& has,
                    const std::vector<std::string_view>& rows) {
    const std::string files = std::to_string(zones_.columns());
    findings_.error(shape, "board.files = " + files + ", but " + shown_place() + " " + has +
                               ". Add [start] fen with " + files + " squares a rank, e.g. \"" +
                               wider(rows) + "\".");
  }

  bool read_level(std::string_view text, int level) {
    const std::vector<std::string_view> rows = parts_of(text, '/');
    const std::size_t height = board_.rows.size();
    const TomlValue* shape = own_shape();
    if (shape != nullptr && shape->key == "rows") shape = nullptr;
    if (rows.size() != height) {
      const std::string has = "has " + counted(rows.size(), "rank");
      if (shape == nullptr)
        error(has + ", but the board has " + std::to_string(height));
      else
        findings_.error(*shape, "board.ranks = " + std::to_string(height) + ", but " +
                                    shown_place() + " " + has + ". Add [start] fen = \"" +
                                    wider(rows) + "\".");
      return false;
    }
    // All rows that do not fit, before letters are asked about.
    std::vector<std::vector<Token>> tokens;
    for (std::size_t i = 0; i < height; ++i) {
      const auto row = tokens_of(rows[i]);
      const std::string rank = "rank " + std::to_string(height - i);
      if (!row) {
        error("has in " + rank + " what is no piece, number or *: " + quote(rows[i]));
        return false;
      }
      const auto wanted =
          std::ranges::count(board_.rows[height - 1 - i], CellKind::Square, &Cell::kind);
      const std::string has = "has " + counted(squares_of(*row), "square") + " in " + rank;
      if (squares_of(*row) == wanted) {
        tokens.push_back(*row);
        continue;
      }
      if (shape == nullptr)
        error(has + " (" + quote(rows[i]) + "), but the board has " + std::to_string(wanted) +
              " there" +
              (wanted < static_cast<std::ptrdiff_t>(board_.rows[height - 1 - i].size())
                   ? "; cells that are no squares are not written"
                   : ""));
      else
        report_files(*shape, has, rows);
      return false;
    }
    bool good = true;
    for (std::size_t i = 0; i < height; ++i)
      good = read_row(tokens[i], level, board_.rows[height - 1 - i]) && good;
    return good;
  }

  bool read_row(const std::vector<Token>& row, int level, const std::vector<Cell>& cells) {
    std::vector<Square> squares;
    for (const Cell& cell : cells)
      if (cell.kind == CellKind::Square)
        squares.push_back(static_cast<Square>(level * board_.squares + cell.square));
    std::size_t next = 0;
    for (const Token& token : row)
      for (int i = 0; i < token.squares(); ++i)
        if (!place(token.letter, squares[next++])) return false;
    return true;
  }

  bool is_gap(Square square) const {
    return board_.sectors && std::ranges::any_of(board_.sectors->gaps, [&](int gap) {
             const std::vector<Square>& area = board_.sectors->areas[at(gap)];
             return std::ranges::find(area, square) != area.end();
           });
  }

  /// `letter`: as in Token.
  bool place(std::string_view letter, Square square) {
    const bool gap = is_gap(square);
    const bool star = letter == "*";
    const auto refuse = [&](std::string_view what, const std::string& is) {
      error("has " + std::string(what) + " on " + zones_.name(square) + ", which is " + is);
      return false;
    };
    const std::string missing = gap ? "in a gap" : "covered by a part of the board";
    if (!gap && !covered_[square]) {
      if (star)
        return refuse(letter, board_.sectors
                                  ? "in no gap: gaps = \"…\" in [board.sectors] names the areas "
                                    "without squares"
                                  : "neither in a gap nor covered");
    } else if (letter.empty()) {
      return refuse("an empty square", missing + ": write *");
    }
    if (letter.empty() || star) return true;
    std::string upper(letter);
    upper.back() = in_capitals(letter).back();
    const TypeIndex type = find_type(upper);
    if (type == kNoType) {
      if (complete_) unknown_letter(upper);
      return false;
    }
    if (gap || covered_[square]) return refuse(letter, missing);
    if (board_.is_hole(square)) return refuse(letter, "a hole");
    start_.pieces.push_back({.square = square, .type = type, .colour = side_of(letter.back())});
    return true;
  }

  static Colour side_of(char letter) { return is_capital(letter) ? Colour::White : Colour::Black; }
  TypeIndex find_type(std::string_view letter) const {
    const auto found = std::ranges::find(pieces_, letter, &PieceType::letter);
    return found == pieces_.end() ? kNoType : static_cast<TypeIndex>(found - pieces_.begin());
  }

  void unknown_letter(const std::string& letter) {
    std::vector<std::string> known;
    for (const PieceType& piece : pieces_)
      known.push_back(piece.letter);
    const MergedFile::Removal* removal = file_.find_removal("pieces." + letter);
    if (removal != nullptr && !file_.is_own(value_))
      findings_.error(removal->value, letter + " = \"none\", but " + shown_place() + " has " +
                                          letter + ": add [start] fen with a start without it");
    else
      error("has " + letter + ", which is no piece; pieces are " + joined(known, " ", " ") +
            ". Add it: [pieces] " + (letter.size() > 1 ? "\"" + letter + "\"" : letter) +
            " = \"…\"");
  }

  bool read_hands(std::string_view in_hand) {
    if (!has_hands_) return true;
    for (std::vector<int>& hand : start_.hands)
      hand.assign(pieces_.size(), 0);
    if (in_hand == "-") return true;
    for (const char c : in_hand) {
      const TypeIndex type = find_type(in_capitals({&c, 1}));
      if (type == kNoType) {
        error("has " + quote(std::string(1, c)) + " in hand, which is no piece");
        return false;
      }
      ++start_.hands[at(index(side_of(c)))][type];
    }
    return true;
  }

  /// The same start for a board of the size that is wanted: an idea, not a rule.
  std::string wider(const std::vector<std::string_view>& rows) const {
    std::vector<std::string> result;
    for (const std::string_view row : rows)
      result.push_back(wider_row(row));
    const auto height = board_.rows.size();
    const auto middle = [&] {
      return result.begin() + static_cast<std::ptrdiff_t>(result.size() / 2);
    };
    while (result.size() > height)
      result.erase(middle());
    while (result.size() < height)
      result.insert(middle(), std::to_string(zones_.columns()));
    const std::size_t space = value_.text.find(' ');
    return printable(joined(result, "/", "/") +
                         (space == std::string::npos ? " w - - 0 1" : value_.text.substr(space)),
                     300);
  }

  /// A row of one letter has more of it. Others get pieces that the FEN lacks, two squares from the
  /// edges, or empty squares.
  std::string wider_row(std::string_view row) const {
    const std::size_t width = at(zones_.columns());
    std::string empty = std::to_string(width);
    std::string text(row);
    if (!is_letters(row)) {
      const auto tokens = tokens_of(row);
      const std::size_t squares = tokens ? at(squares_of(*tokens)) : 0;
      const bool has_pieces = row.find_first_not_of("0123456789") != std::string_view::npos;
      if (squares == width) return text;
      return squares < width && squares > 0 && has_pieces ? text + std::to_string(width - squares)
                                                          : empty;
    }
    if (text.empty()) return empty;
    if (text.find_first_not_of(text[0]) == std::string::npos || text.size() >= width) {
      text.resize(width, text[0]);
      return text;
    }
    std::string fresh;
    for (const PieceType& piece : pieces_)
      if (piece.letter.size() == 1 && value_.text.find(piece.letter) == std::string::npos)
        fresh += piece.letter;
    const std::size_t missing = width - text.size();
    if (missing > fresh.size()) return text + std::to_string(missing);
    if (!is_capital(text[0])) fresh = in_small_letters(fresh);
    for (std::size_t i = 0; i < missing; ++i) {
      const std::size_t edge = std::min<std::size_t>(2, text.size());
      text.insert(i == 0 ? edge : text.size() - edge, 1, fresh[i]);
    }
    return text;
  }

  const TomlValue& value_;
  const MergedFile& file_;
  const Board& board_;
  const Zones& zones_;
  const std::vector<PieceType>& pieces_;
  bool complete_;
  bool has_hands_;
  Findings& findings_;
  SquareSet covered_;
  Start start_;
};

}  // namespace

std::vector<Start> read_starts(const MergedFile& file, const BoardRead& board,
                               const std::vector<PieceType>& pieces, bool complete, bool has_hands,
                               Findings& findings) {
  std::vector<Start> starts;
  const TomlValue* table = table_of(file.root, "start");
  const TomlValue* fen = table != nullptr ? table->find("fen") : nullptr;
  if (fen == nullptr) {
    if (!findings.has_errors())
      findings.error_in(file.source, 0,
                        "has no start: [start] fen = \"…\" has the pieces of the start position");
    return starts;
  }
  const std::vector<const TomlValue*> fens = texts_in(fen);
  constexpr std::size_t kMostStarts = 1000;
  if (fen->is_list() && (fen->items.empty() || fen->items.size() > kMostStarts))
    findings.error(*fen, "start.fen has " + counted(fen->items.size(), "FEN") +
                             "; a game has 1 to " + std::to_string(kMostStarts) +
                             ": fen = \"k7/8/8/8/8/8/8/K7 w - - 0 1\"");
  if (!board.usable || pieces.empty() || fens.size() > kMostStarts) return starts;
  for (const TomlValue* one : fens)
    if (auto start = StartReader(*one, file, board, pieces, complete, has_hands, findings).read())
      starts.push_back(std::move(*start));
  return starts;
}

}  // namespace faultline::data
