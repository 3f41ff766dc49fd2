// Edits positions as texts.
#include "web/position_setup.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <memory>

#include <fmt/format.h>

#include "base/interned.h"
#include "base/quote.h"
#include "rules/position.h"
#include "web/places.h"

namespace faultline::web {
namespace {

constexpr std::size_t kMostCells = 4096;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

char small(char letter) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
}

/// Null if the text is no position of the game.
std::unique_ptr<GamePosition> read(const Game& game, const PositionText& text) {
  try {
    return game.from_fen(text.text());
  } catch (const FenError&) {
    return nullptr;
  }
}

std::string letter_of(const GamePosition& position, Piece piece) {
  std::string letter = position.piece_kinds()[static_cast<std::size_t>(index(piece.type))].letter;
  if (piece.colour == Colour::Black)
    for (char& c : letter)
      c = small(c);
  return letter;
}

using Pieces = std::map<Square, Piece>;

Pieces pieces_on(const std::vector<Square>& squares, const GamePosition& position) {
  Pieces pieces;
  for (const Square square : squares)
    pieces[square] = position.piece_at(square);
  return pieces;
}

/// Finds the squares of cells by texts that differ from the one of a position.
class Learner {
 public:
  Learner(const Game& game, const GamePosition& position, std::vector<Square>& found)
      : game_(game), text_(position.fen()), found_(found) {
    text_.drop_rights();
    found_.resize(std::max(found_.size(), text_.size()), kNoSquare);
    const std::unique_ptr<GamePosition> plain = read(game, text_);
    if (plain == nullptr) return;
    for (const PictureSquare& square : plain->board_picture().squares) {
      squares_.push_back(square.square);
      if (!square.piece.exists()) continue;
      const std::string letter = letter_of(*plain, square.piece);
      if (std::ranges::find(letters_, letter) == letters_.end()) letters_.push_back(letter);
    }
    before_ = pieces_on(squares_, *plain);
    for (std::size_t cell = 0; cell < text_.size(); ++cell)
      if (found_[cell] == kNoSquare && text_.at(cell) != "*") learn_by_change(cell);
    for (std::size_t cell = 0; cell < text_.size(); ++cell)
      if (found_[cell] == kNoSquare && !text_.at(cell).empty() && text_.at(cell) != "*")
        learn_by_swap(cell);
  }

 private:
  /// The squares on which something else stands than in the text learnt from; none if `text` is no
  /// position, whoever is to move.
  std::vector<Square> changed(PositionText text) const {
    std::unique_ptr<GamePosition> position = read(game_, text);
    if (position == nullptr) {  // perhaps because of a check
      text.set_field(0, text.field(0) == "w" ? "b" : "w");
      position = read(game_, text);
    }
    std::vector<Square> squares;
    if (position == nullptr) return squares;
    for (const auto& [square, piece] : before_)
      if (position->piece_at(square) != piece) squares.push_back(square);
    return squares;
  }

  /// By emptying the cell, or putting a piece there.
  void learn_by_change(std::size_t cell) {
    std::vector<std::string> others = letters_;
    if (!text_.at(cell).empty()) others.insert(others.begin(), "");
    for (const std::string& other : others) {
      if (other == text_.at(cell)) continue;
      PositionText text = text_;
      text.put(cell, other);
      const std::vector<Square> squares = changed(text);
      if (squares.size() != 1) continue;
      found_[cell] = squares.front();
      return;
    }
  }

  /// By moving what stands there, a king that cannot be missing, to a cell that is known.
  void learn_by_swap(std::size_t cell) {
    std::vector<std::size_t> near;
    for (std::size_t other = 0; other < text_.size(); ++other)
      if (text_.at(other).empty() && found_[other] != kNoSquare) near.push_back(other);
    std::ranges::sort(
        near, {}, [&](std::size_t other) { return other > cell ? other - cell : cell - other; });
    for (const std::size_t other : near) {
      PositionText text = text_;
      text.put(other, text_.at(cell));
      text.put(cell, "");
      std::vector<Square> squares = changed(text);
      std::erase(squares, found_[other]);
      if (squares.size() != 1) continue;
      found_[cell] = squares.front();
      return;
    }
  }

  const Game& game_;
  PositionText text_;
  std::vector<Square>& found_;
  std::vector<Square> squares_;  // that exist
  std::vector<std::string> letters_;
  Pieces before_;
};

/// Castling rights without the letter at `i`.
std::string without_letter(std::string rights, std::size_t i) {
  rights.erase(i, 1);
  std::string text;
  bool empty = true;  // of the rights of a board
  for (const char c : rights + '|') {
    if (c == '|') {
      if (empty) text += '-';
      text += c;
      empty = true;
    } else if (c != '-') {
      text += c;
      empty = false;
    }
  }
  text.pop_back();
  return text;
}

std::optional<FenError> why_refused(const Game& game, const PositionText& text) {
  try {
    game.from_fen(text.text());
    return std::nullopt;
  } catch (const FenError& error) {
    return error;
  }
}

constexpr std::size_t kCastling = 1, kEnPassant = 2;

/// A text with one castling right fewer: the one without which no more is wrong with them, or the
/// first. Nothing if there is none.
std::optional<PositionText> with_fewer_rights(const Game& game, const PositionText& text) {
  const std::string rights = text.field(kCastling);
  std::optional<PositionText> first;
  for (std::size_t i = 0; i < rights.size(); ++i) {
    if (std::isalpha(static_cast<unsigned char>(rights[i])) == 0) continue;
    PositionText fewer = text;
    fewer.set_field(kCastling, without_letter(rights, i));
    const std::optional<FenError> error = why_refused(game, fewer);
    if (!error || error->field() != "castling") return fewer;
    if (!first) first = std::move(fewer);
  }
  return first;
}

/// Drops the castling rights that the pieces do not bear any more, and an en passant square that no
/// piece can have passed. The reason why the text is no position; "" if it is one, which is then in
/// its usual form.
std::string settle(const Game& game, PositionText& text) {
  for (;;) {
    const std::optional<FenError> error = why_refused(game, text);
    if (!error) {
      text = PositionText(game.from_fen(text.text())->fen());
      return "";
    }
    if (error->field() == "en passant" && text.field(kEnPassant) != "-") {
      text.set_field(kEnPassant, "-");
      continue;
    }
    std::optional<PositionText> fewer;
    if (error->field() == "castling") fewer = with_fewer_rights(game, text);
    if (!fewer) return error->what();
    text = *std::move(fewer);
  }
}

std::size_t cell_of(const Game& game, const std::string& fen, Square square) {
  CellSquares cells = cells_of(game);
  std::optional<std::size_t> cell = cells.cell_of(square);
  if (!cell) {  // it does not exist at the start
    try {
      cells.learn(game, *game.from_fen(fen));
    } catch (const FenError&) {
      // The start must do.
    }
    cell = cells.cell_of(square);
  }
  if (!cell)
    throw RequestError(fmt::format("{} has no square {} here", game.variant(), square), "put");
  return *cell;
}

void put(const Game& game, PositionText& text, const std::string& fen, const ReportJson& request) {
  if (!request.is_array() || request.size() != 2 || !request[0].is_number_integer() ||
      !request[1].is_string() || request[0] < 0 || request[0] >= kMaxSquares)
    throw RequestError("put must be a square's number and a piece's letter", "put");
  const auto letter = request[1].get<std::string>();
  std::string capital = letter;
  for (char& c : capital)
    c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  const PieceKinds& kinds = game.start()->piece_kinds();
  if (letter != "." &&
      std::ranges::none_of(kinds, [&](const PieceKind& kind) { return kind.letter == capital; })) {
    std::string all;
    for (const PieceKind& kind : kinds)
      all += " " + kind.letter;
    throw RequestError(fmt::format("{} is no piece of {}; its pieces are{}, small for Black, and . "
                                   "for none",
                                   quote(letter), game.variant(), all),
                       "put");
  }
  const std::size_t cell = cell_of(game, fen, request[0].get<Square>());
  if (cell >= text.size() || text.at(cell) == "*")
    throw RequestError("that square does not exist in the position", "put");
  text.put(cell, letter == "." ? "" : letter);
}

/// The letters of the pieces that can be in hand: those with which the start is a position.
std::string holdable(const Game& game) {
  const auto start = game.start();
  std::string letters;
  const std::string fen = start->fen();
  if (fen.find('[') == std::string::npos) return letters;
  for (const PieceKind& kind : start->piece_kinds()) {
    if (kind.letter.size() != 1) continue;
    PositionText text(fen);
    text.hold(kind.letter.front(), true);
    if (read(game, text) != nullptr) letters += kind.letter;
  }
  return letters;
}

void hold(PositionText& text, const std::string& letters, const ReportJson& request) {
  const bool whole = request.is_array() && request.size() == 2 && request[0].is_string() &&
                     request[0].get<std::string>().size() == 1 &&
                     (request[1] == 1 || request[1] == -1);
  if (!whole) throw RequestError("hand must be a piece's letter, and 1 or -1", "hand");
  const char letter = request[0].get<std::string>().front();
  if (std::ranges::none_of(letters, [&](char c) { return letter == c || letter == small(c); }))
    throw RequestError(fmt::format("{} cannot be in hand; {}", quote(std::string_view(&letter, 1)),
                                   letters.empty() ? "no piece can" : "these can: " + letters),
                       "hand");
  text.hold(letter, request[1] == 1);
}

}  // namespace

PositionText::PositionText(const std::string& fen) {
  std::string rest = fen;
  for (std::size_t space = 0; space != std::string::npos;) {
    space = rest.find(' ');
    fields_.push_back(rest.substr(0, space));
    if (space != std::string::npos) rest.erase(0, space + 1);
  }
  std::string pieces = fields_.front();
  fields_.erase(fields_.begin());
  if (const std::size_t open = pieces.find('['); open != std::string::npos) {
    hands_ = pieces.substr(open + 1, pieces.find(']') - open - 1);
    std::erase(*hands_, '-');
    pieces.erase(open);
  }
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (pieces[i] == '/' || pieces[i] == '|') {
      if (!cells_.empty()) cells_.back().after = pieces[i];
      continue;
    }
    std::size_t run = 0;
    if (is_digit(pieces[i])) {
      run = static_cast<std::size_t>(pieces[i] - '0');
      while (i + 1 < pieces.size() && is_digit(pieces[i + 1]) && run < kMostCells)
        run = run * 10 + static_cast<std::size_t>(pieces[++i] - '0');
      for (std::size_t n = 0; n < run && cells_.size() < kMostCells; ++n)
        cells_.emplace_back();
      continue;
    }
    std::string piece(1, pieces[i]);
    if (pieces[i] == '+' && i + 1 < pieces.size()) piece += pieces[++i];
    if (cells_.size() < kMostCells) cells_.push_back({.piece = piece});
  }
}

std::string PositionText::text() const {
  std::string text;
  int run = 0;
  const auto end_run = [&] {
    if (run > 0) text += std::to_string(run);
    run = 0;
  };
  for (const Cell& cell : cells_) {
    if (cell.piece.empty()) {
      ++run;
    } else {
      end_run();
      text += cell.piece;
    }
    if (cell.after == 0) continue;
    end_run();
    text += cell.after;
  }
  end_run();
  if (hands_) text += '[' + *hands_ + ']';
  for (const std::string& field : fields_)
    text += ' ' + field;
  return text;
}

std::string PositionText::field(std::size_t number) const {
  return number < fields_.size() ? fields_[number] : "";
}

void PositionText::set_field(std::size_t number, std::string text) {
  if (number < fields_.size()) fields_[number] = std::move(text);
}

int PositionText::held(char letter) const {
  return hands_ ? static_cast<int>(std::ranges::count(*hands_, letter)) : 0;
}

void PositionText::hold(char letter, bool more) {
  if (!hands_) hands_.emplace();
  const std::size_t at = std::min(hands_->find(letter), hands_->size());
  if (more)
    hands_->insert(at, 1, letter);
  else if (at < hands_->size())
    hands_->erase(at, 1);
}

void PositionText::drop_rights() {
  std::string castling = "-";
  for (const char c : field(1))
    if (c == '|') castling += "|-";
  set_field(1, castling);
  set_field(2, "-");
}

void CellSquares::learn(const Game& game, const GamePosition& position) {
  const Learner learner(game, position, squares_);
}

std::optional<std::size_t> CellSquares::cell_of(Square square) const {
  const auto found = std::ranges::find(squares_, square);
  if (square == kNoSquare || found == squares_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - squares_.begin());
}

CellSquares cells_of(const Game& game) {
  static Interned<std::string, CellSquares> known;
  return known.get(game.variant(), [&](const std::string&) {
    CellSquares cells;
    cells.learn(game, *game.start());
    return cells;
  });
}

ReportJson setup_json(const ReportJson& request) {
  const Game& game = find_named_game(text_field(request, "game"));
  const PositionText start(game.start()->fen());
  std::string fen = text_field(request, "fen");
  if (fen.empty()) fen = start.text();
  PositionText text(fen);
  const ReportJson* const piece = find_field(request, "put");
  const std::string turn = optional_text(request, "turn");
  if (!turn.empty() && turn != "white" && turn != "black")
    throw RequestError("turn must be \"white\" or \"black\"", "turn");
  if (piece != nullptr) put(game, text, fen, *piece);
  const std::string letters = holdable(game);
  const ReportJson* const hand = find_field(request, "hand");
  if (hand != nullptr) hold(text, letters, *hand);
  if (!turn.empty()) text.set_field(0, turn == "white" ? "w" : "b");
  if (piece != nullptr || !turn.empty()) text.set_field(kEnPassant, "-");
  const std::string problem = settle(game, text);
  ReportJson reply = {{"fen", text.text()}, {"problem", problem}};
  for (const char letter : letters)
    reply["hands"].push_back({{"letter", std::string(1, letter)},
                              {"white", text.held(letter)},
                              {"black", text.held(small(letter))}});
  return reply;
}

}  // namespace faultline::web
