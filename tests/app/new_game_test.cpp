// `faultline new-game`.
#include <fstream>
#include <iterator>
#include <regex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rules/data/game_file.h"
#include "tests/app/run_program.h"

namespace faultline {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string content(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class NewGame : public testing::TestWithParam<const char*> {};

TEST_P(NewGame, ChecksAtOnceAndSaysWhatItsBaseSays) {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "mine.toml";
  const ProgramResult begun = run_faultline({"new-game", "mine", "--from", GetParam(), "-o", file});
  ASSERT_EQ(begun.exit_code, 0) << begun.err;
  EXPECT_THAT(begun.out, HasSubstr("faultline check " + file));
  const ProgramResult checked = run_faultline({"check", file});
  EXPECT_EQ(checked.exit_code, 0) << checked.err;

  // With the base's lines in place of it, it is the same game.
  std::string text = content(file);
  const auto load = [&] {
    return data::load_game_text(text, file, {FAULTLINE_SOURCE_DIR "/games"});
  };
  const data::LoadedGame based = load();
  text = std::regex_replace(text, std::regex("\nbase = .*"), "");
  EXPECT_FALSE(load().game);
  text = std::regex_replace(text, std::regex("\n# (\\[|[^ ]+ = )"), "\n$1");
  const data::LoadedGame alone = load();
  ASSERT_TRUE(alone.game) << alone.errors() << text;
  EXPECT_EQ(alone.game->text, based.game->text);
}

INSTANTIATE_TEST_SUITE_P(Games, NewGame,
                         testing::Values("chess", "grand", "shogi", "escher", "inferno3"));

TEST(NewGameCommand, ProposesNamesOfGames) {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "mine.toml";
  const ProgramResult result = run_faultline({"new-game", "mine", "--from", "ches", "-o", file});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, AllOf(HasSubstr("there is no ches.toml"), HasSubstr("chess"),
                                Not(HasSubstr("[board]"))));
  EXPECT_EQ(content(file), "");
}

TEST(NewGameCommand, OverwritesNothing) {
  const TemporaryFolder folder;
  const std::string file = folder.write("mine.toml", "kept");
  const ProgramResult result = run_faultline({"new-game", "mine", "-o", file});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("exists already"));
  EXPECT_EQ(content(file), "kept");
}

TEST(NewGameCommand, RefusesNamesThatNoGameHas) {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "mine.toml";
  const ProgramResult result = run_faultline({"new-game", "My Game", "-o", file});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("must be of up to 64 small letters"));
}

}  // namespace
}  // namespace faultline
