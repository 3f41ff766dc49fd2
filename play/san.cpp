// The short algebraic form of moves: writing and reading.
#include "play/san.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "rules/piece_kinds.h"

namespace faultline {
namespace {

constexpr std::string_view kCheckMarks = "+#";

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

bool is_capture(const GamePosition& position, Move move) {
  return move.kind() == MoveKind::EnPassant ||
         (move.kind() != MoveKind::Castling && position.piece_at(move.to()).exists());
}

/// Bit t: PieceType t.
using TypeBits = std::uint32_t;

bool has_type(TypeBits types, PieceType type) {
  return (types >> index(type) & 1) != 0;
}
const PieceKind& kind_of(const GamePosition& position, PieceType type) {
  return position.piece_kinds()[static_cast<std::size_t>(index(type))];
}

/// A square's name in parts: "1e4" is level "1", file "e" and rank "4"; "ab4" file "ab" and rank
/// "4".
struct SquareName {
  explicit SquareName(std::string text) : whole(std::move(text)) {
    while (level < whole.size() && is_digit(whole[level]))
      ++level;
    rank_at = level;
    while (rank_at < whole.size() && !is_digit(whole[rank_at]))
      ++rank_at;
  }
  std::string_view level_text() const { return std::string_view(whole).substr(0, level); }
  std::string_view file() const { return std::string_view(whole).substr(0, rank_at); }
  std::string_view rank() const { return std::string_view(whole).substr(rank_at); }

  std::string whole;
  std::size_t level = 0;
  std::size_t rank_at = 0;
};

std::string castling_text(const GamePosition& position, Move move) {
  const SquareName king(position.square_text(move.from()));
  return std::string(king.level_text()) + (move.to() > move.from() ? "O-O" : "O-O-O");
}

/// The part of the square that a piece leaves that is needed: its file, its rank or all of it, as
/// in SAN. Where names of squares are longer, for descents, and for pawns that several can step to
/// a square, it is all or nothing, and a hyphen follows unless the move captures.
std::string origin_text(const GamePosition& position, Move move, bool captures) {
  const Piece piece = position.piece_at(move.from());
  const SquareName from(position.square_text(move.from()));
  const SquareName to(position.square_text(move.to()));
  const bool is_pawn = kind_of(position, piece.type).is_pawn();
  bool others = false, on_file = false, on_rank = false;
  bool whole = from.whole.size() > 2 || to.whole.size() > 2 || (is_pawn && !captures);
  for (const Move other : position.legal_moves()) {
    if (other.to() != move.to() || other.from() == move.from() || other.moves_board() ||
        other.is_drop() || other.kind() == MoveKind::Castling)
      continue;
    const PieceType rival = position.piece_at(other.from()).type;
    if (rival != piece.type && !(is_pawn && kind_of(position, rival).is_pawn())) continue;
    const SquareName square(position.square_text(other.from()));
    others = true;
    on_file = on_file || square.file() == from.file();
    on_rank = on_rank || square.rank() == from.rank();
    whole = whole || square.whole.size() > 2;
  }
  const bool pawn_captures = is_pawn && captures;
  if (whole) {
    if (!others && !pawn_captures && from.level_text() == to.level_text()) return "";
    return captures ? from.whole : from.whole + '-';
  }
  std::string text;
  if (pawn_captures || (others && (!on_file || on_rank))) text += from.file();
  if (others && on_file) text += from.rank();
  return text;
}

std::string piece_move_text(const GamePosition& position, Move move) {
  if (move.kind() == MoveKind::Castling) return castling_text(position, move);
  const PieceKind& piece = kind_of(position, position.piece_at(move.from()).type);
  const bool captures = is_capture(position, move);
  std::string text;
  if (!piece.is_pawn()) text += piece.letter;
  text += origin_text(position, move, captures);
  if (captures) text += 'x';
  text += position.square_text(move.to());
  if (move.kind() == MoveKind::Promotion) {
    text += '=' + kind_of(position, move.promotion()).letter;
  }
  return text;
}

/// "(1,f)", or nothing.
std::string effects_text(const std::vector<std::string>& marks) {
  if (marks.empty()) return "";
  std::string text;
  for (const std::string& mark : marks)
    text += (text.empty() ? '(' : ',') + mark;
  return text + ')';
}

std::string_view check_mark(const GamePosition& after) {
  if (!after.in_check()) return "";
  return after.legal_moves().empty() ? "#" : "+";
}

std::string text_before_playing(const GamePosition& position, Move move) {
  const std::string text = move.moves_board() || move.is_drop() ? position.move_text(move)
                                                                : piece_move_text(position, move);
  return text + effects_text(position.board_effects(move).marks);
}

/// Takes the marks of check off the end of a text.
void drop_check_marks(std::string_view& text) {
  while (!text.empty() && kCheckMarks.find(text.back()) != std::string_view::npos)
    text.remove_suffix(1);
}

/// A text in its parts; the squares are not looked up yet.
struct SanText {
  SanText(const PieceKinds& kinds, std::string_view text);

  std::string_view move;  // without effects and what follows them
  std::optional<std::vector<std::string>> effects;
  std::string castling;  // "O-O", "1O-O-O"
  TypeBits pieces = 0;   // those that it can be about
  bool has_letter = false;
  PieceType promotion = PieceType::None;
  std::string squares;  // without "x" and hyphens
  bool is_piece_move = false;
};

std::vector<std::string> sorted_marks(std::string_view text) {
  std::vector<std::string> marks(1);
  for (const char c : text)
    if (c == ',')
      marks.emplace_back();
    else
      marks.back() += c;
  std::ranges::sort(marks);
  return marks;
}

/// "O-O" or "O-O-O" for the forms of castling: zeros, small letters; nothing for other moves.
std::string castling_of(std::string_view text) {
  std::string plain(text);
  const std::size_t level = plain.size() % 2 == 0 && !plain.empty() && is_digit(plain[0]) ? 1 : 0;
  for (std::size_t i = level; i < plain.size(); ++i)
    if (plain[i] == '0' || plain[i] == 'o') plain[i] = 'O';
  const std::string_view side = std::string_view(plain).substr(level);
  return side == "O-O" || side == "O-O-O" ? plain : "";
}

/// The longest of the letters with which `text` begins, or ends if `at_end` in letters of either
/// case; None if it is none.
PieceType letter_of(const PieceKinds& kinds, std::string_view text, bool at_end) {
  PieceType found = PieceType::None;
  std::size_t longest = 0;
  for (std::size_t t = 0; t < kinds.size(); ++t) {
    const std::string& letter = kinds[t].letter;
    if (letter.size() <= longest || letter.size() > text.size()) continue;
    const std::string_view part = at_end ? text.substr(text.size() - letter.size()) : text;
    const bool equal = std::equal(letter.begin(), letter.end(), part.begin(), [&](char a, char b) {
      return a == (at_end ? std::toupper(static_cast<unsigned char>(b)) : b);
    });
    if (!equal) continue;
    found = static_cast<PieceType>(t);
    longest = letter.size();
  }
  return found;
}

SanText::SanText(const PieceKinds& kinds, std::string_view text) {
  const auto size_of = [&](PieceType type) {
    return kinds[static_cast<std::size_t>(index(type))].letter.size();
  };
  for (std::size_t t = 0; t < kinds.size(); ++t)
    if (kinds[t].is_pawn()) pieces |= TypeBits{1} << t;
  move = text;
  drop_check_marks(text);
  if (const std::size_t open = text.find('('); open != std::string_view::npos && open > 0) {
    if (text.back() != ')') return;
    effects = sorted_marks(text.substr(open + 1, text.size() - open - 2));
    move = text = text.substr(0, open);
    drop_check_marks(text);
  }
  castling = castling_of(text);
  if (const PieceType piece = letter_of(kinds, text, false); piece != PieceType::None) {
    has_letter = !has_type(pieces, piece);  // a pawn's is not written, but allowed
    pieces = TypeBits{1} << index(piece);
    text.remove_prefix(size_of(piece));
  } else if (text.starts_with('P')) {  // of pawns by another name
    text.remove_prefix(1);
  }
  for (const std::string_view mark : {"e.p.", "ep"})
    if (text.ends_with(mark)) text.remove_suffix(mark.size());
  if (text.size() > 2 && !is_digit(text.back())) {
    promotion = letter_of(kinds, text, true);
    if (promotion == PieceType::None) return;
    text.remove_suffix(size_of(promotion));
    if (text.ends_with('=')) text.remove_suffix(1);
  }
  for (const char c : text)
    if (c != 'x' && c != '-' && c != ':') squares += c;
  is_piece_move = true;
}

/// Whether the squares that a text names are those of a move.
bool names_squares_of(const SanText& text, const GamePosition& position, Move move) {
  const std::string to = position.square_text(move.to());
  if (!text.squares.ends_with(to)) return false;
  const SquareName from(position.square_text(move.from()));
  const std::string_view origin =
      std::string_view(text.squares).substr(0, text.squares.size() - to.size());
  if (origin == from.whole)  // names the move without its piece's letter, castling included
    return !text.has_letter || has_type(text.pieces, position.piece_at(move.from()).type);
  return (origin.empty() || origin == from.file() || origin == from.rank()) &&
         move.kind() != MoveKind::Castling &&
         has_type(text.pieces, position.piece_at(move.from()).type);
}

/// Whether a text is the family's own of a move, perhaps with marks of check.
bool is_own_text(std::string_view text, const std::string& own) {
  return text.starts_with(own) &&
         text.find_first_not_of(kCheckMarks, own.size()) == std::string_view::npos;
}

bool names(const SanText& text, const GamePosition& position, Move move) {
  if (move.moves_board() || move.is_drop()) return is_own_text(text.move, position.move_text(move));
  if (!text.castling.empty())
    return move.kind() == MoveKind::Castling && castling_text(position, move) == text.castling;
  const PieceType promotion =
      move.kind() == MoveKind::Promotion ? move.promotion() : PieceType::None;
  return text.is_piece_move && promotion == text.promotion &&
         names_squares_of(text, position, move);
}

/// Games whose boards do nothing have no effects to compare: parentheses are then a comment.
bool has_effects_of(const SanText& text, const GamePosition& position, Move move) {
  if (!text.effects) return true;
  std::vector<std::string> marks = position.board_effects(move).marks;
  std::ranges::sort(marks);
  return marks.empty() || marks == *text.effects;
}

}  // namespace

std::string san_text(const GamePosition& position, Move move) {
  const auto after = position.clone();
  after->play(move);
  return text_before_playing(position, move) + std::string(check_mark(*after));
}

std::vector<std::string> san_texts(const GamePosition& position, std::span<const Move> moves) {
  std::vector<std::string> texts;
  const auto at = position.clone();
  for (const Move move : moves) {
    texts.push_back(text_before_playing(*at, move));
    at->play(move);
    texts.back() += check_mark(*at);
  }
  return texts;
}

PlayedMoves describe_moves(const GamePosition& start, std::span<const Move> moves) {
  PlayedMoves played;
  const auto at = start.clone();
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const std::string announcement = at->board_effects(moves[i]).announcement;
    const bool is_last = i + 1 == moves.size();
    const std::string text = is_last || !announcement.empty() ? san_text(*at, moves[i]) : "";
    if (is_last) played.last = text;
    if (!announcement.empty()) played.events.push_back(fmt::format("{}: {}", text, announcement));
    at->play(moves[i]);
  }
  return played;
}

std::optional<Move> parse_san(const GamePosition& position, std::string_view text) {
  // A plus may be no mark of check but the end of a move's own text: a promotion as in shogi.
  if (text.ends_with('+'))
    if (const std::optional<Move> own = position.parse_move(text)) return own;
  const SanText wanted(position.piece_kinds(), text);
  std::optional<Move> found;
  for (const Move move : position.legal_moves()) {
    if (!names(wanted, position, move) || !has_effects_of(wanted, position, move)) continue;
    if (found) return std::nullopt;  // ambiguous
    found = move;
  }
  return found;
}

}  // namespace faultline
