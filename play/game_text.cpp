// Writing games as text.
#include "play/game_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <ostream>

#include <fmt/format.h>

#include "base/quote.h"
#include "play/game.h"
#include "play/game_comment.h"
#include "play/game_tags.h"
#include "play/san.h"
#include "rules/position.h"

namespace faultline {
namespace {

/// The standard's limit of a line in export format, without the line's end.
constexpr std::size_t kLineWidth = 79;

/// Words, with line breaks where the next one does not fit.
class WrappedText {
 public:
  void add(std::string_view word) {
    if (column_ > 0) {
      const bool fits = column_ + 1 + word.size() <= kLineWidth;
      text_ += fits ? ' ' : '\n';
      column_ = fits ? column_ + 1 : 0;
    }
    text_ += word;
    column_ += word.size();
  }
  /// Every space is kept or becomes the end of a line, which a reader turns into a space. No line
  /// begins with a further space, or with what begins a tag or an escape elsewhere.
  void add_comment(std::string_view text) {
    std::string braced = "{";
    braced += text;
    braced += '}';
    constexpr std::string_view kNotFirst = " %[";
    std::size_t begin = 0;
    for (std::size_t i = 1; i < braced.size(); ++i) {
      if (braced[i] != ' ' || kNotFirst.find(braced[i + 1]) != std::string_view::npos) continue;
      add(std::string_view(braced).substr(begin, i - begin));
      begin = i + 1;
    }
    add(std::string_view(braced).substr(begin));
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::size_t column_ = 0;
};

void write_tag(std::string& out, std::string_view name, std::string_view value) {
  std::string escaped;
  for (const char c : value) {
    if (c == '"' || c == '\\') escaped += '\\';
    escaped += static_cast<unsigned char>(c) < ' ' || c == '\x7f' ? ' ' : c;
  }
  fmt::format_to(std::back_inserter(out), "[{} \"{}\"]\n", name, escaped);
}

bool is_tag_name(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  });
}

/// The first tag of that name, or the standard's text for an unknown value.
std::string_view roster_value(const TextGame& game, std::string_view name,
                              std::string_view unknown) {
  for (const auto& [other, value] : game.tags)
    if (other == name) return value;
  return unknown;
}

std::string tag_section(const TextGame& game, const Game& rules) {
  std::string out;
  for (const auto& [name, unknown] : kRosterTags)
    write_tag(out, name, roster_value(game, name, unknown));
  write_tag(out, "White", game.white.empty() ? kUnknownTag : game.white);
  write_tag(out, "Black", game.black.empty() ? kUnknownTag : game.black);
  write_tag(out, "Result", text(game.result));
  if (rules.variant() != kPlainVariant) write_tag(out, "Variant", rules.variant());
  if (!game.start_fen.empty()) {
    write_tag(out, "SetUp", "1");
    write_tag(out, "FEN", game.start_fen);
  }
  write_tag(out, "Termination", termination_text(game.termination));
  if (!game.reason.empty()) write_tag(out, "Reason", game.reason);
  if (game.opening_plies > 0) write_tag(out, "OpeningPlies", std::to_string(game.opening_plies));
  for (const auto& [name, value] : game.tags) {
    if (!is_tag_name(name))
      throw GameTextError(quote(name) + " cannot be a tag: letters, digits and _ are allowed");
    if (!is_own_tag(name)) write_tag(out, name, value);
  }
  return out;
}

/// Plays the moves and writes them; `game.comments` is empty or has one per move.
std::string move_text(const TextGame& game, GamePosition& position) {
  WrappedText out;
  bool numbered = false;  // Black's move needs no number after White's
  if (const std::string comment = comment_text({.text = game.comment}); !comment.empty())
    out.add_comment(comment);
  for (std::size_t ply = 0; ply < game.moves.size(); ++ply) {
    const auto move = position.parse_move(game.moves[ply]);
    if (!move)
      throw GameTextError(fmt::format("move {}, {}, is not legal in {}", ply + 1,
                                      quote(game.moves[ply]), position.fen()));
    const bool white = position.side_to_move() == Colour::White;
    if (white || !numbered)
      out.add(fmt::format("{}{}", position.full_move_number(), white ? "." : "..."));
    out.add(san_text(position, *move));
    position.play(*move);
    numbered = white;
    if (game.comments.empty()) continue;
    const MoveComment& comment = game.comments[ply];
    if (comment.glyph > 0) out.add(fmt::format("${}", comment.glyph));
    if (const std::string text = comment_text(comment); !text.empty()) {
      out.add_comment(text);
      numbered = false;
    }
  }
  out.add(text(game.result));
  return out.text();
}

}  // namespace

void write_game(std::ostream& out, const TextGame& game) {
  if (!game.comments.empty() && game.comments.size() != game.moves.size())
    throw GameTextError(fmt::format("{} comments for {} moves; there must be one per move, or none",
                                    game.comments.size(), game.moves.size()));
  try {
    const Game& rules = find_game(game.variant);
    const auto position = game.start_fen.empty() ? rules.start() : rules.from_fen(game.start_fen);
    const std::string tags = tag_section(game, rules);
    const std::string moves = move_text(game, *position);
    out << tags << '\n' << moves << "\n\n";
  } catch (const VariantError& error) {
    throw GameTextError(error.what());
  } catch (const FenError& error) {
    throw GameTextError(error.what());
  }
}

std::string_view text(GameResult result) {
  constexpr std::array<std::string_view, 4> kTexts = {"1-0", "0-1", "1/2-1/2", "*"};
  return kTexts.at(static_cast<std::size_t>(result));
}

GameResult result_of(Outcome outcome) {
  if (outcome == Outcome::WhiteWins) return GameResult::WhiteWins;
  if (outcome == Outcome::BlackWins) return GameResult::BlackWins;
  if (outcome == Outcome::Ongoing || outcome == Outcome::Adjudicated) return GameResult::None;
  return GameResult::Draw;
}

std::string_view reason_of(Outcome outcome) {
  constexpr std::array<std::string_view, 8> kReasons = {
      "",           "checkmate",        "checkmate",          "stalemate",
      "bare kings", "hundred-ply rule", "draw by repetition", "ply limit"};
  return kReasons.at(static_cast<std::size_t>(outcome));
}

}  // namespace faultline
