// FEN fields shared by all families.
#include "rules/fen.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "base/quote.h"
#include "rules/turn_state.h"

namespace faultline {

namespace {

constexpr std::string_view kLetters = "PNBRQKMU";  // in PieceType's order
constexpr std::string_view kCastlingLetters = "KQkq";
constexpr std::string_view kRookFiles = "HAha";  // the same rights in Shredder-FEN

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

char lower(char c) {
  return static_cast<char>(c - 'A' + 'a');
}

int read_number(std::string_view field, const char* name, int low, int high) {
  int value = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  const bool digits = std::all_of(field.begin(), field.end(), is_digit) && !field.empty();
  const bool canonical = digits && (field.size() == 1 || field.front() != '0');
  if (!canonical || error != std::errc{} || end != field.data() + field.size() || value < low ||
      value > high)
    throw FenError(name, "expected a number from " + std::to_string(low) + " to " +
                             std::to_string(high) + ", got " + quote(field));
  return value;
}

}  // namespace

char piece_letter(Piece piece, char pawn_letter) {
  char letter = kLetters[static_cast<std::size_t>(index(piece.type))];
  if (piece.type == PieceType::Pawn) letter = pawn_letter;
  return piece.colour == Colour::White ? letter : lower(letter);
}

std::optional<Piece> piece_from_letter(char letter, char pawn_letter) {
  for (const Colour colour : {Colour::White, Colour::Black})
    for (int t = 0; t < kPieceTypes; ++t) {
      const Piece piece{static_cast<PieceType>(t), colour};
      if (piece_letter(piece, pawn_letter) == letter) return piece;
    }
  return std::nullopt;
}

FenRows rectangle_rows(int files, int ranks) {
  FenRows rows;
  for (int rank = ranks - 1; rank >= 0; --rank) {
    rows.emplace_back();
    for (int file = 0; file < files; ++file)
      rows.back().push_back(static_cast<Square>(rank * files + file));
  }
  return rows;
}

const FenRows& square_board_rows() {
  static const FenRows rows = rectangle_rows(8, 8);
  return rows;
}

int FenPlacement::count(Piece piece) const {
  return static_cast<int>(std::count(pieces.begin(), pieces.end(), piece));
}

namespace {

/// Whether `rest`, what follows the first four fields, is EPD operations: "bm e4; id \"a\";".
bool is_epd_operations(std::string_view rest) {
  const std::size_t last = rest.find_last_not_of(' ');
  return last != std::string_view::npos && rest[last] == ';' &&
         std::isalpha(static_cast<unsigned char>(rest.front())) != 0;
}

/// The operand of `opcode` in EPD operations; `otherwise` if they have no such operation.
std::string_view operand_of(std::string_view operations, std::string_view opcode,
                            std::string_view otherwise) {
  while (!operations.empty()) {
    const std::string_view operation = operations.substr(0, operations.find(';'));
    operations.remove_prefix(std::min(operations.size(), operation.size() + 1));
    const std::string_view begun =
        operation.substr(std::min(operation.find_first_not_of(' '), operation.size()));
    if (begun.starts_with(opcode) && begun.substr(opcode.size()).starts_with(' '))
      return begun.substr(opcode.size() + 1);
  }
  return otherwise;
}

/// Where the fourth field of `fen` ends; its size if it has no more.
std::size_t end_of_fourth(std::string_view fen) {
  std::size_t at = 0;
  for (int i = 0; i < 4 && at != std::string_view::npos; ++i)
    at = fen.find(' ', i == 0 ? 0 : at + 1);
  return std::min(at, fen.size());
}

}  // namespace

std::vector<std::string_view> split_fen(std::string_view fen,
                                        std::span<const std::string_view> names) {
  constexpr std::size_t kCounters = 4;
  std::vector<std::string_view> fields;
  const std::size_t four = end_of_fourth(fen);
  if (names.size() == kFenFields.size() && std::ranges::count(fen.substr(0, four), ' ') == 3 &&
      (four == fen.size() || is_epd_operations(fen.substr(four + 1)))) {
    fields = split_fen(fen.substr(0, four), names.first(kCounters));
    const std::string_view operations = fen.substr(std::min(four + 1, fen.size()));
    fields.push_back(operand_of(operations, "hmvc", "0"));
    fields.push_back(operand_of(operations, "fmvn", "1"));
    return fields;
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::size_t space = std::min(fen.find(' '), fen.size());
    if (space == 0)
      throw FenError(std::string(names[i]), "missing; " + std::to_string(names.size()) +
                                                " fields are expected, one space between them");
    fields.push_back(fen.substr(0, space));
    const bool last = i + 1 == names.size();
    if (last && space != fen.size() && !is_epd_operations(fen.substr(space + 1)))
      throw FenError(std::string(names[i]),
                     "followed by extra text: " + quote(fen.substr(space + 1)));
    fen.remove_prefix(std::min(space + 1, fen.size()));
  }
  return fields;
}

void read_placement(std::string_view field, const FenRows& rows, std::string_view letters,
                    bool allow_missing, FenPlacement& placement) {
  const char pawn_letter = letters.find('C') != std::string_view::npos ? 'C' : 'P';
  const auto fail = [](std::size_t row, const std::string& reason) {
    throw FenError("pieces", "row " + std::to_string(row + 1) + ": " + reason);
  };
  std::size_t row = 0;
  std::size_t column = 0;
  for (std::size_t i = 0; i < field.size(); ++i) {
    const std::size_t width = rows[row].size();
    if (field[i] == '/') {
      if (column != width)
        fail(row, "has " + std::to_string(column) + " of " + std::to_string(width) + " squares");
      if (++row == rows.size())
        throw FenError("pieces", "more than " + std::to_string(rows.size()) + " rows");
      column = 0;
      continue;
    }
    std::size_t run = 1;
    if (field[i] == '0')
      fail(row, "a run of empty squares that begins with 0");
    else if (is_digit(field[i])) {
      // A run of empty squares is one number: "44" is forty-four and never fits.
      run = static_cast<std::size_t>(field[i] - '0');
      while (i + 1 < field.size() && is_digit(field[i + 1]) && run < 100)
        run = run * 10 + static_cast<std::size_t>(field[++i] - '0');
    }
    if (column + run > width)
      fail(row, "more than its " + std::to_string(width) + " squares (runs of empty squares are " +
                    "written as one number)");
    if (field[i] == '*') {
      if (!allow_missing) fail(row, "'*' (no square): every square of this board exists");
      placement.missing.set(rows[row][column]);
    } else if (!is_digit(field[i])) {
      const std::optional<Piece> piece = piece_from_letter(field[i], pawn_letter);
      const bool known = piece && letters.find(piece_letter({piece->type, Colour::White},
                                                            pawn_letter)) != std::string_view::npos;
      if (!known)
        fail(row, "unknown piece " + quote(field.substr(i, 1)) + "; pieces are " +
                      std::string(letters) + ", lower case for Black");
      placement.pieces[rows[row][column]] = *piece;
    }
    column += run;
  }
  if (row + 1 != rows.size())
    throw FenError("pieces",
                   std::to_string(row + 1) + " of " + std::to_string(rows.size()) + " rows");
  if (column != rows[row].size())
    fail(row,
         "has " + std::to_string(column) + " of " + std::to_string(rows[row].size()) + " squares");
}

std::string write_placement(const FenRows& rows, const FenPlacement& placement, char pawn_letter) {
  std::string text;
  for (const auto& row : rows) {
    if (!text.empty()) text += '/';
    int empty = 0;
    const auto flush = [&] {
      if (empty > 0) text += std::to_string(empty);
      empty = 0;
    };
    for (const Square s : row) {
      const Piece piece = placement.pieces[s];
      if (!placement.missing[s] && !piece.exists()) {
        ++empty;
        continue;
      }
      flush();
      text += placement.missing[s] ? '*' : piece_letter(piece, pawn_letter);
    }
    flush();
  }
  return text;
}

Colour read_side(std::string_view field) {
  if (field == "w") return Colour::White;
  if (field == "b") return Colour::Black;
  throw FenError("side", "expected 'w' or 'b', got " + quote(field));
}

int read_plies(std::string_view field) {
  return read_number(field, "plies", 0, kMaxHalfmoveClock);
}

int read_move_number(std::string_view field) {
  if (field == "0") return 1;
  return read_number(field, "move", 1, kMaxFullMoveNumber);
}

unsigned read_castling_letters(std::string_view field) {
  if (field == "-") return 0;
  if (field.empty()) throw FenError("castling", "expected '-' or letters of KQkq, got nothing");
  unsigned rights = 0;
  for (const char c : field) {
    const std::size_t i = std::min(kCastlingLetters.find(c), kRookFiles.find(c));
    if (i == std::string_view::npos)
      throw FenError("castling", "expected '-' or letters of KQkq, got " + quote(field));
    if (rights >> i & 1) throw FenError("castling", std::string("'") + c + "' twice");
    rights |= 1U << i;
  }
  return rights;
}

std::string write_castling_letters(unsigned rights) {
  std::string text;
  for (std::size_t i = 0; i < kCastlingLetters.size(); ++i)
    if (rights >> i & 1) text += kCastlingLetters[i];
  return text.empty() ? "-" : text;
}

void require_one_king_each(const FenPlacement& placement) {
  for (const Colour c : {Colour::White, Colour::Black}) {
    const int kings = placement.count({PieceType::King, c});
    if (kings != 1)
      throw FenError("pieces",
                     std::string(name(c)) + " has " + std::to_string(kings) + " kings, not one");
  }
}

}  // namespace faultline
