// Reading games as text.
#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <istream>
#include <set>
#include <system_error>

#include <fmt/format.h>

#include "base/byte_order_mark.h"
#include "base/quote.h"
#include "play/game.h"
#include "play/game_comment.h"
#include "play/game_tags.h"
#include "play/game_text.h"
#include "play/pgn_lexer.h"
#include "play/san.h"
#include "rules/position.h"

namespace faultline {
namespace {

std::optional<GameResult> parse_result(std::string_view value) {
  for (const GameResult result :
       {GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw, GameResult::None})
    if (value == text(result)) return result;
  if (value == "1/2") return GameResult::Draw;
  return std::nullopt;
}

/// Joins the texts of two comments on one move; the numbers of the first that has any are kept.
void merge(MoveComment& comment, MoveComment&& more) {
  std::string text = std::move(comment.text);
  if (!text.empty() && !more.text.empty()) text += ' ';
  text += more.text;
  const int glyph = comment.glyph;
  comment.text.clear();
  comment.glyph = 0;
  if (comment.empty()) comment = std::move(more);
  comment.text = std::move(text);
  comment.glyph = glyph;
}

constexpr std::size_t kDeepestVariation = 32;
constexpr std::size_t kNotBegun = static_cast<std::size_t>(-1);

/// What is read of games.
enum class Reads : std::uint8_t { Result, Moves, Variations };

/// The game's moves or a variation, as it is read.
struct Line {
  std::size_t number = kNotBegun;  // as in Variation::line; kNotBegun until its first move
  std::unique_ptr<GamePosition> position = nullptr;  // at its end; null: the rest is skipped
  std::unique_ptr<GamePosition> before = nullptr;    // before its last move, if variations are read
  std::string said = {};                             // before its first move
};

/// One game as it is read. After the first error the rest of the game is only skipped.
class GameBuilder {
 public:
  GameBuilder(const std::string& source, const std::string& default_variant, Reads reads)
      : source_(&source), default_variant_(&default_variant), reads_(reads) {
    lines_.emplace_back();
    lines_.front().number = 0;
  }

  bool failed() const { return !error_.empty(); }
  bool empty() const { return !begun_; }
  bool wants_comments() const { return reads_ != Reads::Result && !failed(); }

  void fail(std::size_t line, std::string_view reason) {
    begun_ = true;
    if (failed()) return;
    error_ = fmt::format("{}:{}: {}", *source_, line, reason);
    error_line_ = static_cast<int>(line);
  }

  /// A tag that cannot be read costs the game only if the game depends on it, or if no moves
  /// follow: the file then ends within the tags.
  void malformed(const PgnToken& token) {
    constexpr std::array<std::string_view, 7> kNeeded = {"",        "White", "Black",       "Round",
                                                         "Variant", "FEN",   "OpeningPlies"};
    if (std::ranges::find(kNeeded, token.name) != kNeeded.end())
      return fail(token.line, token.text);
    begun_ = true;
    broken_tag_ = token.line;
  }

  /// Whether a tag begins another game: after moves, or where this game has it already.
  bool belongs_to_next(const PgnToken& tag) const {
    if (in_moves_) return true;
    return begun_ && tag.after_empty_line && names_.find(tag.name) != names_.end();
  }

  void tag(const PgnToken& tag) {
    begun_ = true;
    if (failed()) return;
    names_.emplace(tag.name);
    if (tag.name == "FEN") fen_line_ = tag.line;
    if (tag.name == "Variant") variant_line_ = tag.line;
    read_tag(tag);
  }

  void begin_variation(std::size_t line) {
    begin_moves(line);
    if (lines_.size() == 1) variation_line_ = line;
    const bool kept = reads_ == Reads::Variations && !failed() && lines_.back().before != nullptr &&
                      lines_.size() <= kDeepestVariation;
    Line variation;
    if (kept) variation.position = lines_.back().before->clone();
    lines_.push_back(std::move(variation));
  }
  void end_variation(std::size_t line) {
    begin_moves(line);
    if (lines_.size() == 1) return fail(line, "a ) without its (");
    lines_.pop_back();
  }
  bool in_variation() const { return lines_.size() > 1; }

  void symbol(const PgnToken& token) {
    begin_moves(token.line);
    Line& line = lines_.back();
    if (failed() || !line.position || token.text == "e.p." || token.text == "ep") return;
    const auto move = parse_san(*line.position, token.text);
    if (!move && in_variation()) {
      line.position = nullptr;
      line.before = nullptr;
      return;
    }
    if (!move)
      return fail(token.line, fmt::format("{} is not a legal move in {}", quote(token.text),
                                          line.position->fen()));
    if (line.number == kNotBegun) add_variation(line);
    if (reads_ == Reads::Variations) line.before = line.position->clone();
    moves_of(line).push_back(line.position->move_text(*move));
    line.position->play(*move);
    if (!line.said.empty()) last_comment(line).text = std::move(line.said);
  }

  void comment(const PgnToken& token) {
    begin_moves(token.line);
    Line& line = lines_.back();
    if (failed() || !line.position) return;
    if (has_moves(line)) return merge(last_comment(line), parse_comment(token.text));
    std::string& said = in_variation() ? line.said : game_.comment;
    if (!said.empty()) said += ' ';
    said += parse_comment(token.text).text;
  }

  void glyph(const PgnToken& token) {
    begin_moves(token.line);
    Line& line = lines_.back();
    if (failed() || !line.position || token.glyph == 0 || !has_moves(line)) return;
    if (last_comment(line).glyph == 0) last_comment(line).glyph = token.glyph;
  }

  void result(const PgnToken& token) {
    begin_moves(token.line);
    const GameResult at_end = *parse_result(token.text);
    if (result_tag_ && at_end != GameResult::None && at_end != game_.result)
      return fail(token.line, fmt::format("the game ends with {}, but its Result tag is {}",
                                          text(at_end), text(game_.result)));
    if (game_.result == GameResult::None) game_.result = at_end;
  }

  /// Throws GameTextError for the first error.
  TextGame finish(std::size_t line) {
    if (broken_tag_ > 0 && !in_moves_)
      fail(broken_tag_, "the game ends in a tag that is not whole");
    if (in_variation()) fail(variation_line_, "a variation that is not closed by )");
    begin_moves(line);
    if (failed()) throw GameTextError(error_, error_line_);
    if (!game_.comments.empty()) game_.comments.resize(game_.moves.size());
    for (Variation& one : game_.variations)
      if (!one.comments.empty()) one.comments.resize(one.moves.size());
    game_.termination = parse_termination(termination_, game_.result);
    if (reads_ != Reads::Result && game_.opening_plies > static_cast<int>(game_.moves.size()))
      game_.opening_plies = static_cast<int>(game_.moves.size());
    return std::move(game_);
  }

 private:
  std::vector<std::string>& moves_of(const Line& line) {
    return line.number == 0 ? game_.moves : game_.variations[line.number - 1].moves;
  }
  bool has_moves(const Line& line) { return line.number != kNotBegun && !moves_of(line).empty(); }
  MoveComment& last_comment(const Line& line) {
    auto& comments = line.number == 0 ? game_.comments : game_.variations[line.number - 1].comments;
    comments.resize(moves_of(line).size());
    return comments.back();
  }
  /// The innermost line begins, in place of the last move of the one around it.
  void add_variation(Line& line) {
    const Line& left = lines_[lines_.size() - 2];
    game_.variations.push_back({.line = left.number, .ply = moves_of(left).size() - 1});
    line.number = game_.variations.size();
  }

  void read_tag(const PgnToken& tag) {
    const std::string_view name = tag.name;
    const std::string value(tag.text);
    if (name == "White") {
      game_.white = value == kUnknownTag ? "" : value;
    } else if (name == "Black") {
      game_.black = value == kUnknownTag ? "" : value;
    } else if (name == "Result") {
      game_.result = parse_result(value).value_or(GameResult::None);
      result_tag_ = game_.result != GameResult::None;
    } else if (name == "Variant") {
      game_.variant = variant_from_tag(value);
    } else if (name == "FEN") {
      game_.start_fen = value;
    } else if (name == "Termination") {
      termination_ = value;
    } else if (name == "Reason") {
      game_.reason = value;
    } else if (name == "OpeningPlies") {
      const char* const end = value.data() + value.size();
      const auto [rest, error] = std::from_chars(value.data(), end, game_.opening_plies);
      if (error != std::errc() || rest != end || game_.opening_plies < 0)
        fail(tag.line, fmt::format("{} is not a number of plies", quote(value)));
    } else if (name != "SetUp") {
      const auto* const roster = std::ranges::find(
          kRosterTags, name, &std::pair<std::string_view, std::string_view>::first);
      if (roster == kRosterTags.end() || value != roster->second)
        game_.tags.emplace_back(name, value);
    }
  }

  /// The tags are complete: finds the rules and the start.
  void begin_moves(std::size_t line) {
    begun_ = true;
    if (in_moves_) return;
    in_moves_ = true;
    if (failed()) return;
    try {
      const Game& rules = find_game(game_.variant.empty() ? *default_variant_ : game_.variant);
      game_.variant = rules.variant();
      if (reads_ == Reads::Result) return;
      auto& position = lines_.front().position;
      position = rules.start();
      if (game_.start_fen.empty()) return;
      const std::string usual = position->fen();
      position = rules.from_fen(game_.start_fen);
      game_.start_fen = position->fen();
      if (game_.start_fen == usual) game_.start_fen.clear();
    } catch (const VariantError& error) {
      fail(variant_line_ != 0 ? variant_line_ : line, error.what());
    } catch (const FenError& error) {
      fail(fen_line_, error.what());
    }
  }

  const std::string* source_;
  const std::string* default_variant_;
  Reads reads_;
  bool begun_ = false;
  bool in_moves_ = false;
  bool result_tag_ = false;
  std::set<std::string, std::less<>> names_;  // of the tags so far
  std::size_t broken_tag_ = 0;                // the line of one that does not matter
  std::size_t fen_line_ = 0;
  std::size_t variant_line_ = 0;
  std::string termination_;
  std::string error_;
  int error_line_ = 0;
  TextGame game_;
  std::vector<Line> lines_;         // the game's moves, then the variations that are open
  std::size_t variation_line_ = 0;  // where the first of them begins
};

}  // namespace

struct GameReader::State {
  State(std::istream& in, std::string name, std::string variant)
      : source(std::move(name)), default_variant(std::move(variant)), lexer(in) {}

  std::optional<TextGame> read(Reads reads);

  std::string source;
  std::string default_variant;
  PgnLexer lexer;
  std::optional<PgnToken> ahead;  // a tag of the next game
};

std::optional<TextGame> GameReader::State::read(Reads reads) {
  GameBuilder game(source, default_variant, reads);
  for (;;) {
    const PgnToken token = ahead ? *ahead : lexer.next(game.wants_comments());
    ahead.reset();
    const bool ends = token.kind == PgnTokenKind::End ||
                      (token.kind == PgnTokenKind::Tag && game.belongs_to_next(token));
    if (ends) {
      if (token.kind == PgnTokenKind::Tag) ahead = token;
      if (game.empty()) return std::nullopt;
      return game.finish(token.line);
    }
    const bool comments = token.kind == PgnTokenKind::Comment || token.kind == PgnTokenKind::Glyph;
    if (game.empty() && comments) continue;  // between games
    if (token.kind == PgnTokenKind::Malformed) {
      game.malformed(token);
    } else if (token.kind == PgnTokenKind::VariationBegin) {
      game.begin_variation(token.line);
    } else if (token.kind == PgnTokenKind::VariationEnd) {
      game.end_variation(token.line);
    } else if (token.kind == PgnTokenKind::Tag) {
      game.tag(token);
    } else if (token.kind == PgnTokenKind::Symbol) {
      game.symbol(token);
    } else if (token.kind == PgnTokenKind::Comment) {
      game.comment(token);
    } else if (token.kind == PgnTokenKind::Glyph) {
      game.glyph(token);
    } else if (token.kind == PgnTokenKind::Result && !game.in_variation()) {
      game.result(token);
      return game.finish(token.line);
    }
  }
}

bool holds_games(std::istream& in, std::string_view name) {
  skip_byte_order_mark(in);
  const auto begin = in.tellg();
  while (in.good() && std::isspace(in.peek()) != 0)
    in.get();
  const int first = in.peek();
  bool games = name.ends_with(".pgn") || name.ends_with(".PGN") || first == '[' || first == '{' ||
               first == ';' || first == '%';
  if (first == '1') {
    in.get();  // no more than one character: not every stream can give back two
    games = games || in.peek() == '.';
    in.clear();
    in.unget();
  }
  if (begin >= 0) {
    in.clear();
    in.seekg(begin);
  }
  return games;
}

GameReader::GameReader(std::istream& in, std::string source, std::string default_variant)
    : state_(std::make_unique<State>(in, std::move(source), std::move(default_variant))) {}
GameReader::~GameReader() = default;

std::optional<TextGame> GameReader::next() {
  return state_->read(Reads::Moves);
}

std::optional<TextGame> GameReader::next_with_variations() {
  return state_->read(Reads::Variations);
}

std::optional<TextGame> GameReader::next_result() {
  return state_->read(Reads::Result);
}

}  // namespace faultline
