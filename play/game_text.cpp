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
    end_word();
    word_ = opening_ ? "(" : "";
    opening_ = false;
    word_ += word;
  }
  /// A bracket before the next word.
  void open() { opening_ = true; }
  /// A bracket after the last word.
  void close() { word_ += ')'; }
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
  std::string text() {
    end_word();
    return text_;
  }

 private:
  void end_word() {
    if (word_.empty()) return;
    if (column_ > 0) {
      const bool fits = column_ + 1 + word_.size() <= kLineWidth;
      text_ += fits ? ' ' : '\n';
      column_ = fits ? column_ + 1 : 0;
    }
    text_ += word_;
    column_ += word_.size();
    word_.clear();
  }

  std::string text_;
  std::size_t column_ = 0;
  std::string word_;  // the last one
  bool opening_ = false;
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

void expect_comments(std::size_t comments, std::size_t moves) {
  if (comments != 0 && comments != moves)
    throw GameTextError(fmt::format("{} comments for {} moves; there must be one per move, or none",
                                    comments, moves));
}

/// The moves of a game with its variations in brackets.
class MoveText {
 public:
  explicit MoveText(const TextGame& game) : game_(game), leaving_(game.variations.size() + 1) {
    expect_comments(game.comments.size(), game.moves.size());
    for (std::size_t i = 0; i < game.variations.size(); ++i) {
      const Variation& one = game.variations[i];
      expect_comments(one.comments.size(), one.moves.size());
      if (one.line > i || one.ply >= moves_of(one.line).size() || one.moves.empty())
        throw GameTextError(fmt::format("variation {} replaces no move, or is empty", i + 1));
      leaving_[one.line].push_back(i + 1);
    }
  }

  std::string text(GamePosition& start) {
    if (const std::string comment = comment_text({.text = game_.comment}); !comment.empty())
      out_.add_comment(comment);
    add_line(0, start);
    out_.add(faultline::text(game_.result));
    return out_.text();
  }

 private:
  const std::vector<std::string>& moves_of(std::size_t line) const {
    return line == 0 ? game_.moves : game_.variations[line - 1].moves;
  }
  const std::vector<MoveComment>& comments_of(std::size_t line) const {
    return line == 0 ? game_.comments : game_.variations[line - 1].comments;
  }

  /// Plays the line's moves from where it begins, and writes them, each with the variations that
  /// replace it.
  void add_line(std::size_t line, GamePosition& position) {
    const std::vector<std::string>& moves = moves_of(line);
    const std::vector<MoveComment>& comments = comments_of(line);
    numbered_ = false;
    for (std::size_t ply = 0; ply < moves.size(); ++ply) {
      std::vector<std::size_t> others = leaving_[line];
      std::erase_if(others,
                    [&](std::size_t other) { return game_.variations[other - 1].ply != ply; });
      const auto before = others.empty() ? nullptr : position.clone();
      add_move(position, moves[ply], ply + 1);
      if (!comments.empty()) add_comment(comments[ply]);
      for (const std::size_t other : others) {
        const auto at = before->clone();
        out_.open();
        add_line(other, *at);
        out_.close();
        numbered_ = false;
      }
    }
  }

  void add_move(GamePosition& position, const std::string& text, std::size_t number) {
    const auto move = position.parse_move(text);
    if (!move)
      throw GameTextError(
          fmt::format("move {}, {}, is not legal in {}", number, quote(text), position.fen()));
    const bool white = position.side_to_move() == Colour::White;
    if (white || !numbered_)
      out_.add(fmt::format("{}{}", position.full_move_number(), white ? "." : "..."));
    out_.add(san_text(position, *move));
    position.play(*move);
    numbered_ = white;
  }

  void add_comment(const MoveComment& comment) {
    if (comment.glyph > 0) out_.add(fmt::format("${}", comment.glyph));
    if (const std::string text = comment_text(comment); !text.empty()) {
      out_.add_comment(text);
      numbered_ = false;
    }
  }

  const TextGame& game_;
  std::vector<std::vector<std::size_t>> leaving_;  // by line, the numbers of those that leave it
  WrappedText out_;
  bool numbered_ = false;  // Black's move needs no number after White's
};

}  // namespace

void write_game(std::ostream& out, const TextGame& game) {
  try {
    const Game& rules = find_game(game.variant);
    const auto position = game.start_fen.empty() ? rules.start() : rules.from_fen(game.start_fen);
    const std::string tags = tag_section(game, rules);
    const std::string moves = MoveText(game).text(*position);
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
