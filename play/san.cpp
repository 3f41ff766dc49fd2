// Standard algebraic notation: writing and reading.
#include "play/san.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include "rules/families/gardner.h"
#include "rules/fen.h"

namespace faultline {
namespace {

constexpr std::string_view kPieceLetters = "NBRQK";

bool is_file(char c) {
  return c >= 'a' && c <= 'h';
}
bool is_rank(char c) {
  return c >= '1' && c <= '8';
}

bool is_capture(const GamePosition& position, Move move) {
  return move.kind() == MoveKind::EnPassant ||
         (move.kind() != MoveKind::Castling && position.piece_at(move.to()).exists());
}

/// What a text says about a move; 0 and None where it says nothing.
struct SanParts {
  PieceType piece = PieceType::Pawn;
  char from_file = 0;
  char from_rank = 0;
  char to_file = 0;
  char to_rank = 0;
  PieceType promotion = PieceType::None;
};

std::optional<SanParts> parts_of(std::string_view text) {
  SanParts parts;
  if (!text.empty() && kPieceLetters.find(text.front()) != std::string_view::npos) {
    parts.piece = piece_from_letter(text.front())->type;
    text.remove_prefix(1);
  } else if (text.starts_with('P')) {  // not written in SAN, but allowed when it is read
    text.remove_prefix(1);
  }
  for (const std::string_view mark : {"e.p.", "ep"})
    if (text.ends_with(mark)) text.remove_suffix(mark.size());
  std::string squares;  // files and ranks
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == 'x' || c == '-' || c == ':') continue;
    const bool last = i + 1 == text.size();
    if (last && !squares.empty() && is_rank(squares.back()) && c != 'K' && c != 'k') {
      const char upper = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
      if (kPieceLetters.find(upper) != std::string_view::npos) {
        parts.promotion = piece_from_letter(upper)->type;
        continue;
      }
    }
    if (c == '=' && i + 2 == text.size()) continue;
    if ((!is_file(c) && !is_rank(c)) || squares.size() == 4) return std::nullopt;
    squares += c;
  }
  if (squares.size() < 2) return std::nullopt;
  parts.to_rank = squares.back();
  squares.pop_back();
  parts.to_file = squares.back();
  squares.pop_back();
  if (!squares.empty() && is_file(squares.front())) {
    parts.from_file = squares.front();
    squares.erase(0, 1);
  }
  if (!squares.empty() && is_rank(squares.front())) {
    parts.from_rank = squares.front();
    squares.erase(0, 1);
  }
  if (!squares.empty() || !is_file(parts.to_file) || !is_rank(parts.to_rank)) return std::nullopt;
  return parts;
}

/// "O-O" or "O-O-O" for the forms of castling: zeros, small letters; nothing for other moves.
std::string_view castling_of(std::string_view text) {
  std::string plain;
  for (const char c : text.substr(0, 6))
    plain += c == '0' || c == 'o' ? 'O' : c;
  if (plain == "O-O") return "O-O";
  if (plain == "O-O-O") return "O-O-O";
  return "";
}

}  // namespace

std::optional<SanNotation> SanNotation::of(const Game& game) {
  const std::string& family = game.family().name;
  if (family == "chess") return SanNotation(8);
  if (family == "gardner") return SanNotation(GardnerPosition::kFiles);
  return std::nullopt;
}

std::string SanNotation::text(const GamePosition& position, Move move) const {
  if (move.kind() == MoveKind::Castling) return move.to() > move.from() ? "O-O" : "O-O-O";
  const PieceType piece = position.piece_at(move.from()).type;
  const bool captures = is_capture(position, move);
  std::string text;
  if (piece == PieceType::Pawn) {
    if (captures) text += file_letter(move.from());
  } else {
    text += piece_letter({piece, Colour::White});
    bool others = false, on_file = false, on_rank = false;
    for (const Move other : position.legal_moves()) {
      if (other.to() != move.to() || other.from() == move.from() ||
          other.kind() == MoveKind::Castling || position.piece_at(other.from()).type != piece)
        continue;
      others = true;
      on_file = on_file || file_letter(other.from()) == file_letter(move.from());
      on_rank = on_rank || rank_digit(other.from()) == rank_digit(move.from());
    }
    if (others && (!on_file || on_rank)) text += file_letter(move.from());
    if (others && on_file) text += rank_digit(move.from());
  }
  if (captures) text += 'x';
  text += file_letter(move.to());
  text += rank_digit(move.to());
  if (move.kind() == MoveKind::Promotion) {
    text += '=';
    text += piece_letter({move.promotion(), Colour::White});
  }
  return text;
}

std::string_view SanNotation::check_mark(const GamePosition& after) {
  if (!after.in_check()) return "";
  return after.legal_moves().empty() ? "#" : "+";
}

std::optional<Move> SanNotation::parse(const GamePosition& position, std::string_view text) const {
  while (!text.empty() && (text.back() == '+' || text.back() == '#'))
    text.remove_suffix(1);
  const std::vector<Move> moves = position.legal_moves();
  if (const std::string_view castling = castling_of(text); !castling.empty()) {
    const auto found = std::ranges::find_if(moves, [&](Move move) {
      return move.kind() == MoveKind::Castling && this->text(position, move) == castling;
    });
    return found != moves.end() ? std::optional(*found) : std::nullopt;
  }
  const auto parts = parts_of(text);
  if (!parts) return std::nullopt;
  std::optional<Move> found;
  for (const Move move : moves) {
    if (file_letter(move.to()) != parts->to_file || rank_digit(move.to()) != parts->to_rank)
      continue;
    if (parts->from_file != 0 && file_letter(move.from()) != parts->from_file) continue;
    if (parts->from_rank != 0 && rank_digit(move.from()) != parts->from_rank) continue;
    const PieceType promotion =
        move.kind() == MoveKind::Promotion ? move.promotion() : PieceType::None;
    if (promotion != parts->promotion) continue;
    // Both squares name a move without its piece's letter.
    const bool both_squares = parts->from_file != 0 && parts->from_rank != 0;
    const PieceType piece = position.piece_at(move.from()).type;
    if (piece != parts->piece && !(both_squares && parts->piece == PieceType::Pawn)) continue;
    if (move.kind() == MoveKind::Castling && !both_squares) continue;
    if (found) return std::nullopt;  // ambiguous
    found = move;
  }
  return found;
}

}  // namespace faultline
