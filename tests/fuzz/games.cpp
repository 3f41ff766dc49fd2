// The properties of game texts.
#include "tests/fuzz/games.h"

#include <optional>
#include <random>
#include <sstream>
#include <stdexcept>

#include "play/game.h"
#include "play/game_text.h"
#include "rules/families.h"

namespace faultline::fuzz {
namespace {

/// A message quotes at most a word and a position.
constexpr std::size_t kLongestMessage = 2000;

std::string written(const TextGame& game) {
  std::ostringstream out;
  write_game(out, game);
  return out.str();
}

/// Calls `use` for every game; those with errors are skipped.
template <class Next, class Use>
void for_each_game(GameReader& reader, const Next& next, const Use& use) {
  for (;;) {
    try {
      const std::optional<TextGame> game = next(reader);
      if (!game) return;
      use(*game);
    } catch (const GameTextError& error) {
      if (std::string_view(error.what()).size() > kLongestMessage)
        throw std::logic_error("a message is too long");
    }
  }
}

void require_reads_back(const TextGame& game) {
  const std::string text = written(game);
  std::istringstream in(text);
  GameReader reader(in, "written");
  try {
    const std::optional<TextGame> again = reader.next_with_variations();
    if (!again || again->moves != game.moves || again->result != game.result ||
        again->variations.size() != game.variations.size())
      throw std::logic_error("a game does not read back: " + text);
    if (written(*again) != text) throw std::logic_error("a game changes: " + text);
    if (reader.next()) throw std::logic_error("a game reads back as two: " + text);
  } catch (const GameTextError& error) {
    throw std::logic_error(std::string("a written game is refused: ") + error.what() + "\n" + text);
  }
}

}  // namespace

int check_games(std::string_view text) {
  int games = 0;
  std::istringstream in{std::string(text)};
  GameReader reader(in, "fuzz");
  for_each_game(
      reader, [](GameReader& r) { return r.next_with_variations(); },
      [&](const TextGame& game) {
        require_reads_back(game);
        ++games;
      });
  std::istringstream main_lines{std::string(text)};
  GameReader moves(main_lines, "fuzz");
  int read = 0;
  for_each_game(
      moves, [](GameReader& r) { return r.next(); }, [&](const TextGame&) { ++read; });
  if (read != games) throw std::logic_error("variations cost a game");
  std::istringstream again{std::string(text)};
  GameReader results(again, "fuzz");
  for_each_game(
      results, [](GameReader& r) { return r.next_result(); }, [](const TextGame&) {});
  return games;
}

std::vector<std::string> sample_games() {
  constexpr int kPlies = 30;
  std::vector<std::string> texts;
  for (const FamilyInfo* family : all_families()) {
    std::mt19937_64 random(1);
    const auto position = find_game(family->name).start();
    TextGame game;
    game.variant = family->name;
    game.white = "a \"name\"";
    game.reason = "cut";
    game.tags = {{"Event", "x"}, {"Other", "y\\"}};
    for (int ply = 0; ply < kPlies; ++ply) {
      const std::vector<Move> moves = position->legal_moves();
      if (moves.empty()) break;
      const Move move = moves[random() % moves.size()];
      game.moves.push_back(position->move_text(move));
      game.comments.push_back({.value = Evaluation{.win = 0.5F, .draw = 0.25F, .loss = 0.25F},
                               .visits = 800,
                               .seconds = 0.25,
                               .text = ply % 3 == 0 ? "text" : "",
                               .glyph = ply % 4});
      position->play(move);
    }
    texts.push_back(written(game) + written(game));
  }
  texts.emplace_back(
      "[Event \"x\"]\n[Result \"1-0\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n"
      "1. e4! (1. e3 {no} (1. Kd2)) $4 Kd7 ; rest\n% escape\n2.e5 1-0\n\n1. e4 *");
  return texts;
}

}  // namespace faultline::fuzz
