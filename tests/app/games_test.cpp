// `faultline games` as a command: lists, single games, JSON, PGN, NumPy arrays, damaged files.
#include "tests/record/games.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "model/encoding/encoders.h"
#include "play/game_text.h"
#include "record/stored_games.h"
#include "selfplay/game_samples.h"
#include "tests/app/npz_reader.h"
#include "tests/app/run_program.h"

namespace faultline {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// A run's folder with three random games of chess and one that white resigns after 1. e4 e5.
class Games : public testing::Test {
 protected:
  Games() {
    for (std::uint64_t number = 0; number < 3; ++number)
      games_.push_back(
          test::random_game<ChessPosition>(test::chess(), number, number == 0 ? 12 : 300));
    GameRecord resigned;
    resigned.number = 7;
    resigned.net = {120, 0xabc};
    resigned.start_fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    PositionHistory<ChessPosition> history(
        ChessPosition::from_fen(test::chess(), resigned.start_fen));
    PlyRecord first{.move = *history.position().parse_move("e2e4")};
    PlyRecord second{.move = Move::none(), .searched = true, .target = true};
    second.win = 16384;  // a quarter
    second.draw = 32768;
    history.play(first.move);
    second.move = *history.position().parse_move("e8e7");
    ChessPosition::MoveList moves;
    history.position().legal_moves(moves);
    for (const Move move : moves)
      second.policy.push_back(move == second.move ? 30 : 0);
    second.policy.back() += 10;
    second.surprise = pack_surprise(1.5);
    resigned.plies = {first, second};
    resigned.outcome = Outcome::BlackWins;
    resigned.resigned = true;
    games_.push_back(resigned);
    ReplayStore store(folder() / "games", "chess", 100);
    for (const GameRecord& game : games_)
      store.append(game);
    stored_ = all_games(scan_games(folder() / "games", "chess"));
  }

  std::filesystem::path folder() const { return place_.path() / "run"; }
  ProgramResult run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"games", folder().string()});
    return run_faultline(arguments);
  }
  static std::vector<std::string> lines(const std::string& text) {
    std::vector<std::string> found;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
      found.push_back(line);
    return found;
  }
  /// The numbers of the games that a command prints as JSON.
  std::vector<std::uint64_t> numbers(std::vector<std::string> arguments) const {
    arguments.emplace_back("--json");
    std::vector<std::uint64_t> found;
    for (const std::string& line : lines(run(arguments).out))
      found.push_back(nlohmann::json::parse(line).at("game"));
    return found;
  }

  TemporaryFolder place_;
  std::vector<GameRecord> games_;
  std::vector<StoredGame> stored_;
};

TEST_F(Games, AreListedWithResultLengthNetworkAndFirstMoves) {
  const ProgramResult result = run({});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const auto rows = lines(result.out);
  ASSERT_EQ(rows.size(), 6U);
  EXPECT_EQ(rows[4], "      7  black (resigned)      2        120  e4 Ke7");
  EXPECT_THAT(rows[1], HasSubstr("draw:cut             12          0  "));
  EXPECT_TRUE(rows[1].ends_with(" ...")) << rows[1];
  EXPECT_THAT(rows[5], HasSubstr("4 games of chess: "));
  EXPECT_EQ(result.err, "");
}

TEST_F(Games, CanBeFiltered) {
  EXPECT_THAT(numbers({}), ElementsAre(0, 1, 2, 7));
  EXPECT_THAT(numbers({"--from", "2"}), ElementsAre(2, 7));
  EXPECT_THAT(numbers({"--last", "3"}), ElementsAre(1, 2, 7));
  EXPECT_THAT(numbers({"--result", "draw:cut", "--last", "1"}).size(), 1U);
  std::vector<std::uint64_t> black;
  for (const GameRecord& game : games_)
    if (game.outcome == Outcome::BlackWins) black.push_back(game.number);
  EXPECT_EQ(numbers({"--result", "black"}), black);
  const ProgramResult wrong = run({"--result", "lost"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("draw:repetition"));
}

TEST_F(Games, ArePrintedMoveByMoveWithSearchResults) {
  const ProgramResult result = run({"7"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("start     4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n"));
  EXPECT_THAT(result.out, HasSubstr("network   120 steps, weights 0000000000000abc\n"));
  EXPECT_THAT(result.out, HasSubstr("    1  white  e4                -     -     -\n"));
  EXPECT_THAT(result.out, HasSubstr("    2  black  Ke7            25.0  50.0  25.0   Ke7 75%, "));
  const ProgramResult none = run({"5"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.err, HasSubstr("has no game 5; it has 4 games, 0 to 7"));
}

TEST_F(Games, AreWrittenAsPgnWithRootValues) {
  const ProgramResult one = run({"7", "--pgn"});
  EXPECT_EQ(one.exit_code, 0) << one.err;
  EXPECT_THAT(one.out, HasSubstr("[Event \"self-play\"]\n[Site \"run\"]\n"));
  EXPECT_THAT(one.out, HasSubstr("[Termination \"resignation\"]\n"));
  EXPECT_THAT(one.out, HasSubstr("\n1. e4 Ke7 {+0.0000 w0.2500 d0.5000 l0.2500} 0-1\n"));
  std::istringstream in(run({"--pgn"}).out);
  GameReader reader(in, "games");
  for (const GameRecord& record : games_) {
    const auto game = reader.next();
    ASSERT_TRUE(game);
    EXPECT_EQ(game->moves.size(), record.plies.size());
    EXPECT_EQ(game->result, result_of(record.outcome));
    EXPECT_EQ(game->start_fen, record.start_fen);
  }
  EXPECT_FALSE(reader.next());
  EXPECT_EQ(run({"--pgn", "--json"}).exit_code, 2);
}

TEST_F(Games, AreWrittenAsJsonWithAllMovesAndValues) {
  const auto json = nlohmann::json::parse(run({"7", "--json"}).out);
  EXPECT_EQ(json.at("variant"), "chess");
  EXPECT_EQ(json.at("net_hash"), "0000000000000abc");
  EXPECT_EQ(json.at("outcome"), "black");
  EXPECT_EQ(json.at("resigned"), true);
  ASSERT_EQ(json.at("plies").size(), 2U);
  EXPECT_EQ(json.at("plies")[0].at("move"), "e2e4");
  EXPECT_TRUE(json.at("plies")[0].at("value").is_null());
  EXPECT_EQ(json.at("plies")[1].at("value"), (std::vector<double>{0.25, 0.5, 0.25}));
  EXPECT_EQ(json.at("plies")[1].at("policy").at("e8e7"), 0.75);
  EXPECT_EQ(json.at("plies")[1].at("surprise"), 1.5);
  EXPECT_FALSE(json.at("plies")[0].contains("surprise"));
  for (const std::string& line : lines(run({"--json"}).out)) {
    const auto game = nlohmann::json::parse(line);
    const auto found =
        std::ranges::find(games_, game.at("game").get<std::uint64_t>(), &GameRecord::number);
    ASSERT_NE(found, games_.end());
    EXPECT_EQ(game.at("plies").size(), found->plies.size());
  }
}

TEST_F(Games, ThatAreDamagedAreNamedAndSkipped) {
  const auto file = *stored_[1].file;
  std::string bytes = test::read_text(file);
  bytes[stored_[1].offset + 45] ^= 1;
  test::write_text(file, bytes);
  const ProgramResult result = run({});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr("3 games of chess: "));
  EXPECT_THAT(result.err, HasSubstr("game 1 at byte "));
  EXPECT_THAT(result.err, HasSubstr("skipped"));
  EXPECT_THAT(numbers({}), ElementsAre(0, 2, 7));
}

TEST_F(Games, ThatDoNotFitTheRulesAreNamedAndSkipped) {
  GameRecord wrong = games_[0];
  wrong.number = 8;
  wrong.plies[3].move = Move(0, 63);
  ReplayStore(folder() / "games", "chess", 100).append(wrong);
  const auto file = place_.path() / "out.npz";
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{}, {"--json"}, {"--npz", file.string()}}) {
    const ProgramResult result = run(arguments);
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_THAT(result.err, HasSubstr("game 8: game 8, ply 3: move"));
  }
  const auto games = test::read_npz(file).at("game").values<std::int64_t>();
  EXPECT_EQ(std::ranges::count(games, 8), 0);
  EXPECT_EQ(run({"8"}).exit_code, 1);
}

TEST_F(Games, OfAFolderWithoutAnyAreRefusedByName) {
  const ProgramResult nowhere = run_faultline({"games", "no-such-run"});
  EXPECT_EQ(nowhere.exit_code, 2);
  EXPECT_THAT(nowhere.err, HasSubstr("'no-such-run': there is no such folder"));
  const ProgramResult empty = run_faultline({"games", place_.path().string()});
  EXPECT_EQ(empty.exit_code, 2);
  EXPECT_THAT(empty.err, HasSubstr("contains no games"));
}

TEST_F(Games, AreExportedAsTheLearnerSeesThem) {
  const auto file = place_.path() / "positions.npz";
  const ProgramResult result = run({"--npz", file.string()});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const EncodingInfo& encoding = Encoder<ChessPosition>::info(test::chess());
  TrainBatch batch;
  std::vector<std::int64_t> games;
  std::vector<std::int32_t> plies;
  std::vector<float> root_values;
  const GameDecoder decoder("chess", {.cut_as_draws = true});
  for (const GameRecord& game : games_) {
    const GameSamples samples = decoder.decode(game);
    for (std::size_t i = 0; i < samples.size(); ++i)
      add_sample(samples[i], &encoding, batch);
    for (std::size_t i = 0; i < game.plies.size(); ++i) {
      if (!game.plies[i].target) continue;
      games.push_back(static_cast<std::int64_t>(game.number));
      plies.push_back(static_cast<std::int32_t>(i));
      root_values.push_back(unpack_probability(game.plies[i].win));
    }
  }
  const auto arrays = test::read_npz(file);
  const auto n = batch.count;
  ASSERT_GT(n, 20U);
  EXPECT_EQ(arrays.at("planes").type, "<f4");
  EXPECT_THAT(arrays.at("planes").shape, ElementsAre(n, encoding.planes.size(), 8U, 8U));
  EXPECT_EQ(arrays.at("planes").values<float>(), batch.planes);
  EXPECT_EQ(arrays.at("wdl").values<float>(), batch.wdl);
  EXPECT_EQ(arrays.at("moves_left").values<float>(), batch.moves_left);
  EXPECT_EQ(arrays.at("game").values<std::int64_t>(), games);
  EXPECT_EQ(arrays.at("ply").values<std::int32_t>(), plies);

  const auto offsets = arrays.at("policy_offsets").values<std::int64_t>();
  ASSERT_EQ(offsets.size(), n + 1);
  for (std::size_t i = 0; i <= n; ++i)
    ASSERT_EQ(offsets[i], static_cast<std::int64_t>(batch.first_move[i]));
  EXPECT_THAT(arrays.at("policy_moves").shape, ElementsAre(batch.moves.size(), 3U));
  const auto triples = arrays.at("policy_moves").values<std::int32_t>();
  for (std::size_t i = 0; i < batch.moves.size(); ++i)
    ASSERT_EQ((PolicyIndex{triples[3 * i], triples[3 * i + 1], triples[3 * i + 2]}),
              batch.moves[i]);
  const auto weights = arrays.at("policy_weights").values<float>();
  ASSERT_EQ(weights.size(), batch.policy.size());
  for (std::size_t i = 0; i < weights.size(); ++i)
    ASSERT_NEAR(weights[i], batch.policy[i], 1e-6F);

  const auto values = arrays.at("root_value").values<float>();
  ASSERT_EQ(values.size(), 3 * n);
  for (std::size_t i = 0; i < n; ++i) {
    ASSERT_EQ(values[3 * i], root_values[i]);
    ASSERT_NEAR(values[3 * i] + values[3 * i + 1] + values[3 * i + 2], 1.0F, 1e-6F);
  }
  EXPECT_EQ(nlohmann::json::parse(arrays.at("encoding_json").bytes), to_json(encoding));
  // Nothing is left next to the archive.
  for (const auto& entry : std::filesystem::directory_iterator(place_.path()))
    EXPECT_THAT(entry.path().string(), Not(HasSubstr(".tmp")));
}

TEST_F(Games, CannotBeExportedToAnUnwritableFile) {
  const ProgramResult result = run({"--npz", (place_.path() / "no/such/p.npz").string()});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("cannot be written: No such file or directory"));
}

}  // namespace
}  // namespace faultline
