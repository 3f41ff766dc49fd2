// Start positions without some of the pieces, as FEN.
#include "selfplay/odds_start.h"

#include <cctype>
#include <cstddef>
#include <utility>

namespace faultline {
namespace {

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}
bool is_piece(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0;
}

/// Writes ranks: adjacent empty squares are one number.
class BoardText {
 public:
  void add_empty(int squares) { empty_ += squares; }
  void add(char c) {
    flush();
    text_ += c;
  }
  std::string take() {
    flush();
    return std::move(text_);
  }

 private:
  void flush() {
    if (empty_ > 0) text_ += std::to_string(empty_);
    empty_ = 0;
  }
  std::string text_;
  int empty_ = 0;
};

/// "KQkq|Kq" with nobody's rights: "-|-".
std::string without_rights(std::string_view castling) {
  std::string none = "-";
  for (const char c : castling)
    if (c == '|') none += "|-";
  return none;
}

}  // namespace

std::string without_some_pieces(std::string_view fen, std::mt19937_64& rng) {
  constexpr double kMostOfBoth = 0.4, kMostOfOne = 0.2;
  const auto below = [&rng](double most) {
    return std::uniform_real_distribution<double>(0, most)(rng);
  };
  const double both = below(kMostOfBoth);
  const double white = both + below(kMostOfOne);
  const double black = both + below(kMostOfOne);
  const std::size_t board_end = fen.find(' ');
  bool rook_is_missing = false;
  BoardText board;
  for (std::size_t i = 0; i < board_end && i < fen.size(); ++i) {
    const char c = fen[i];
    if (is_digit(c)) {
      int squares = 0;
      for (; i < fen.size() && is_digit(fen[i]); ++i)
        squares = 10 * squares + (fen[i] - '0');
      --i;
      board.add_empty(squares);
      continue;
    }
    const bool is_white = std::isupper(static_cast<unsigned char>(c)) != 0;
    const bool may_be_missing = is_piece(c) && c != 'k' && c != 'K';
    if (may_be_missing && below(1) < (is_white ? white : black)) {
      rook_is_missing = rook_is_missing || c == 'r' || c == 'R';
      board.add_empty(1);
    } else {
      board.add(c);
    }
  }
  std::string result = board.take();
  if (board_end == std::string_view::npos) return result;
  const std::string_view rest = fen.substr(board_end);  // " w KQkq - 0 1"
  const std::size_t castling = rest.find(' ', 1);
  const std::size_t castling_end = rest.find(' ', castling + 1);
  if (!rook_is_missing || castling_end == std::string_view::npos) return result + std::string(rest);
  result += rest.substr(0, castling + 1);
  result += without_rights(rest.substr(castling + 1, castling_end - castling - 1));
  result += rest.substr(castling_end);
  return result;
}

}  // namespace faultline
