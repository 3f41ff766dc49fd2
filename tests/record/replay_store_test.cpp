// The replay store: no finished game is lost, no damaged one is accepted.
#include "record/replay_store.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <xxhash.h>

#include "record/stored_games.h"
#include "tests/record/games.h"

namespace faultline {
namespace {

using test::chess;
using test::escher;
using test::random_game;
using test::read_text;
using test::TemporaryFolder;
using test::write_text;

std::vector<GameRecord> some_games(int count) {
  std::vector<GameRecord> games;
  for (int i = 0; i < count; ++i)
    games.push_back(random_game<ChessPosition>(chess(), static_cast<std::uint64_t>(i), 12));
  return games;
}

std::vector<std::uint64_t> numbers(const std::vector<StoredGame>& games) {
  std::vector<std::uint64_t> result;
  for (const StoredGame& game : games)
    result.push_back(game.number);
  return result;
}

/// A folder with one chunk of three small games.
struct ThreeGames {
  ThreeGames() {
    ReplayStore store(folder.path(), "chess", 100);
    for (const GameRecord& game : games)
      store.append(game);
    stored = all_games(scan_games(folder.path(), "chess"));
    bytes = read_text(file());
  }
  std::filesystem::path file() const { return folder.path() / "000000.chunk"; }

  TemporaryFolder folder;
  std::vector<GameRecord> games = some_games(3);
  std::vector<StoredGame> stored;
  std::string bytes;
};

TEST(ReplayStore, GamesReadBackUnchanged) {
  TemporaryFolder folder;
  std::vector<GameRecord> games;
  for (std::uint64_t i = 0; i < 25; ++i)
    games.push_back(random_game<EscherPosition>(escher(), i, 150));
  {
    ReplayStore store(folder.path(), "escher", 10);
    for (const GameRecord& game : games)
      store.append(game);
  }
  StoredGames found(scan_games(folder.path(), "escher"));
  EXPECT_TRUE(found.found().messages.empty());
  ASSERT_EQ(found.size(), 25U);
  for (std::size_t i = 0; i < 25; ++i) {
    const StoredGame& stored = found[i];
    EXPECT_EQ(read_game(stored), games[i]);
    EXPECT_EQ(found.read(i), games[i]);
    EXPECT_EQ(stored.targets, games[i].target_count());
    EXPECT_EQ(stored.plies, games[i].plies.size());
  }
}

TEST(ReplayStore, AChunkHasTheConfiguredNumberOfGames) {
  TemporaryFolder folder;
  ReplayStore store(folder.path(), "chess", 2);
  for (const GameRecord& game : some_games(5))
    store.append(game);
  EXPECT_EQ(scan_chunk(folder.path() / "000000.chunk", "chess").games.size(), 2U);
  EXPECT_EQ(scan_chunk(folder.path() / "000001.chunk", "chess").games.size(), 2U);
  EXPECT_EQ(scan_chunk(folder.path() / "000002.chunk", "chess").games.size(), 1U);
}

TEST(ReplayStore, AnAppendedGameIsOnDiskAtOnce) {
  TemporaryFolder folder;
  ReplayStore store(folder.path(), "chess", 100);
  const auto games = some_games(2);
  store.append(games[0]);
  EXPECT_EQ(scan_chunk(folder.path() / "000000.chunk", "chess").games.size(), 1U);
  store.append(games[1]);
  EXPECT_EQ(scan_chunk(folder.path() / "000000.chunk", "chess").games.size(), 2U);
}

TEST(ReplayStore, ALaterSessionLeavesEarlierFilesAlone) {
  const ThreeGames three;
  ReplayStore store(three.folder.path(), "chess", 100);
  store.append(random_game<ChessPosition>(chess(), 3, 12));
  EXPECT_EQ(read_text(three.file()), three.bytes);
  const auto games = all_games(scan_games(three.folder.path(), "chess"));
  EXPECT_EQ(numbers(games), (std::vector<std::uint64_t>{0, 1, 2, 3}));
  EXPECT_EQ(*games.back().file, three.folder.path() / "000001.chunk");
}

TEST(ReplayStore, AFileCutAnywhereLosesOnlyTheGameThatWasCut) {
  const ThreeGames three;
  for (std::size_t length = 0; length < three.bytes.size(); ++length) {
    write_text(three.file(), three.bytes.substr(0, length));
    const ChunkContents contents = scan_chunk(three.file(), "chess");
    std::size_t whole = 0;  // frames ending at or before `length`
    for (std::size_t i = 0; i < three.stored.size(); ++i) {
      const std::size_t end =
          i + 1 < three.stored.size() ? three.stored[i + 1].offset : three.bytes.size();
      if (end <= length) ++whole;
    }
    ASSERT_EQ(contents.games.size(), whole) << length;
    for (std::size_t i = 0; i < whole; ++i)
      ASSERT_EQ(read_game(contents.games[i]), three.games[i]);
    const bool clean =
        length == 0 || std::any_of(three.stored.begin(), three.stored.end(),
                                   [&](const StoredGame& game) { return game.offset == length; });
    EXPECT_EQ(contents.messages.empty(), clean) << length;
  }
}

TEST(ReplayStore, ATornFileDoesNotStopTheNextSession) {
  const ThreeGames three;
  write_text(three.file(), three.bytes.substr(0, three.bytes.size() - 7));
  ReplayStore store(three.folder.path(), "chess", 100);
  EXPECT_EQ(store.found().messages.size(), 1U);
  store.append(random_game<ChessPosition>(chess(), 2, 12));
  const ReplayStore again(three.folder.path(), "chess", 100);
  EXPECT_EQ(numbers(all_games(again.found())), (std::vector<std::uint64_t>{0, 1, 2}));
}

TEST(ReplayStore, EveryFlippedBitIsDetected) {
  const ThreeGames three;
  for (std::size_t at = 0; at < three.bytes.size(); ++at) {
    for (const int bit : {0, 5}) {
      std::string bytes = three.bytes;
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << bit));
      write_text(three.file(), bytes);
      const ChunkContents contents = scan_chunk(three.file(), "chess");
      EXPECT_EQ(contents.messages.size(), 1U) << at;
      EXPECT_LT(contents.games.size(), at < three.stored[0].offset ? 1U : 3U) << at;
      for (const StoredGame& game : contents.games)
        EXPECT_EQ(read_game(game), three.games[game.number]);
    }
  }
}

TEST(ReplayStore, ADamagedGameDoesNotHideTheNext) {
  const ThreeGames three;
  std::string bytes = three.bytes;
  bytes[three.stored[1].offset + 45] ^= 1;  // in the second game's payload
  write_text(three.file(), bytes);
  EXPECT_EQ(numbers(scan_chunk(three.file(), "chess").games), (std::vector<std::uint64_t>{0, 2}));
}

TEST(ReplayStore, DamageAfterTheScanIsDetectedWhenTheGameIsRead) {
  const ThreeGames three;
  std::string bytes = three.bytes;
  bytes[three.stored[1].offset + 45] ^= 1;
  write_text(three.file(), bytes);
  EXPECT_THROW(read_game(three.stored[1]), ReplayError);
}

TEST(ReplayStore, GamesOfAnotherVariantAreRefusedByName) {
  const ThreeGames three;
  try {
    const ReplayStore store(three.folder.path(), "escher", 100);
    FAIL() << "accepted";
  } catch (const ReplayError& error) {
    EXPECT_NE(std::string(error.what()).find("games of 'chess', not of 'escher'"),
              std::string::npos)
        << error.what();
  }
}

TEST(ReplayStore, ChunksOfTheFirstVersionAreRead) {
  TemporaryFolder folder;
  std::filesystem::copy_file(
      std::filesystem::path(FAULTLINE_SOURCE_DIR) / "tests/record/data/version-1.chunk",
      folder.path() / "000000.chunk");
  ReplayStore store(folder.path(), "chess", 100,
                    7);  // it is unknown which run these games are from
  EXPECT_TRUE(store.found().messages.empty());
  EXPECT_EQ(store.run_id(), 7U);
  const std::vector<StoredGame> stored = all_games(store.found());
  ASSERT_EQ(numbers(stored), (std::vector<std::uint64_t>{0, 5}));
  const GameRecord mate = read_game(stored[0]);
  EXPECT_EQ(mate.net, (NetworkIdentity{120, 0}));
  EXPECT_EQ(mate.outcome, Outcome::BlackWins);
  EXPECT_EQ(mate.target_count(), 2U);
  EXPECT_TRUE(mate.plies[0].searched);
  EXPECT_FALSE(mate.plies[1].searched);  // its value was not recorded
  EXPECT_EQ(mate.plies[0].win, 30000);
  EXPECT_EQ(mate.plies[0].draw, 20000);
  EXPECT_EQ(std::accumulate(mate.plies[0].policy.begin(), mate.plies[0].policy.end(), 0U), 301U);
  EXPECT_NO_THROW(replay_game<ChessPosition>(chess(), mate, [](auto&&...) {}));
  const GameRecord ending = read_game(stored[1]);
  EXPECT_EQ(ending.start_fen, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
  EXPECT_NO_THROW(replay_game<ChessPosition>(chess(), ending, [](auto&&...) {}));
  store.append(random_game<ChessPosition>(chess(), 1, 12));  // in a file of the current version
  EXPECT_EQ(numbers(all_games(ReplayStore(folder.path(), "chess", 100, 7).found())),
            (std::vector<std::uint64_t>{0, 5, 1}));
}

TEST(ReplayStore, ChunksOfTheSecondVersionAreReadAndNothingSurprisesInThem) {
  TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "000000.chunk";
  std::filesystem::copy_file(
      std::filesystem::path(FAULTLINE_SOURCE_DIR) / "tests/record/data/version-2.chunk", file);
  const ChunkContents contents = scan_chunk(file, "chess");
  EXPECT_TRUE(contents.messages.empty());
  ASSERT_EQ(contents.games.size(), 2U);
  for (const StoredGame& stored : contents.games) {
    const GameRecord game = read_game(stored);
    EXPECT_EQ(game.plies.size(), 6U);
    EXPECT_GE(game.target_count(), 4U);
    EXPECT_TRUE(std::ranges::all_of(game.plies, [](const auto& ply) { return ply.surprise == 0; }));
    EXPECT_NO_THROW(replay_game<ChessPosition>(chess(), game, [](auto&&...) {}));
  }
}

TEST(ReplayStore, AChunkOfALaterVersionIsRefusedWithBothVersions) {
  const ThreeGames three;
  std::string bytes = three.bytes;
  bytes[8] = 9;
  write_text(three.file(), bytes);
  EXPECT_THAT(scan_chunk(three.file(), "chess").messages,
              testing::ElementsAre(testing::HasSubstr("is damaged or not a chunk")))
      << "its header's checksum does not fit";
  constexpr std::size_t kHeader = 16 + 5 + 8;  // until the checksum
  const std::uint64_t checksum = XXH3_64bits(bytes.data(), kHeader);
  std::memcpy(bytes.data() + kHeader, &checksum, sizeof checksum);
  write_text(three.file(), bytes);
  try {
    scan_chunk(three.file(), "chess");
    FAIL() << "accepted";
  } catch (const ReplayError& error) {
    EXPECT_EQ(std::string(error.what()),
              three.file().string() + ": has format version 9; this program reads 1 to 4");
  }
}

TEST(ReplayStore, ARunKeepsItsIdAndSkipsGamesOfOtherRuns) {
  const ThreeGames three;
  const std::uint64_t id = ReplayStore(three.folder.path(), "chess", 100).run_id();
  EXPECT_NE(id, 0U);
  EXPECT_EQ(ReplayStore(three.folder.path(), "chess", 100).run_id(), id);
  EXPECT_EQ(ReplayStore(three.folder.path(), "chess", 100, id).found().size(), 3U);
  EXPECT_EQ(scan_chunk(three.file(), "chess").header.run_id, id);
  const ReplayStore other(three.folder.path(), "chess", 100, id + 1);
  EXPECT_EQ(other.run_id(), id + 1);
  EXPECT_EQ(other.found().size(), 0U);
  ASSERT_EQ(other.found().messages.size(), 1U);
  EXPECT_NE(other.found().messages[0].find("3 games of another run"), std::string::npos)
      << other.found().messages[0];
}

TEST(ReplayStore, TwoRunsHaveDifferentIds) {
  const TemporaryFolder one;
  const TemporaryFolder two;
  EXPECT_NE(ReplayStore(one.path(), "chess", 1).run_id(),
            ReplayStore(two.path(), "chess", 1).run_id());
}

TEST(ReplayStore, AFileThatIsNotAChunkIsLeftOut) {
  TemporaryFolder folder;
  write_text(folder.path() / "000000.chunk", "this is a text and no games at all");
  EXPECT_EQ(ReplayStore(folder.path(), "chess", 10).found().messages.size(), 1U);
}

TEST(ReplayStore, ADuplicateGameCountsOnce) {
  const ThreeGames three;
  write_text(three.folder.path() / "000001.chunk", three.bytes);
  const ReplayStore store(three.folder.path(), "chess", 100);
  EXPECT_EQ(numbers(all_games(store.found())), (std::vector<std::uint64_t>{0, 1, 2}));
  EXPECT_EQ(store.found().messages.size(), 1U);
}

TEST(ReplayStore, GamesOfManyChunksAreReadInAnyOrderWithoutDuplicates) {
  TemporaryFolder folder;
  const auto games = some_games(6);
  for (const auto& chunk : {std::vector{3, 1}, {1, 0, 3, 5}, {4, 2}}) {
    ReplayStore store(folder.path(), "chess", 100);
    for (const int number : chunk)
      store.append(games[static_cast<std::size_t>(number)]);
  }
  StoredGames found(scan_games(folder.path(), "chess"));
  EXPECT_EQ(numbers(all_games(found.found())), (std::vector<std::uint64_t>{3, 1, 0, 5, 4, 2}));
  EXPECT_EQ(found.read(5), games[2]);
  EXPECT_EQ(found.read(3), games[5]);
  found.order_by_number(5);
  ASSERT_EQ(found.size(), 5U);
  std::uint64_t targets = 0;
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(found.read(i), games[i]);
    targets += games[i].target_count();
  }
  EXPECT_EQ(found.targets(), targets);
}

TEST(ReplayStore, AChunkThatWasChangedAfterTheScanIsNoticed) {
  const ThreeGames three;
  StoredGames cut(scan_games(three.folder.path(), "chess"));
  write_text(three.file(), three.bytes.substr(0, three.bytes.size() - 7));
  EXPECT_THROW(cut.read(0), ReplayError);
  StoredGames grown(scan_games(three.folder.path(), "chess"));
  write_text(three.file(), three.bytes);
  EXPECT_EQ(grown.size(), 2U) << "its run went on";
  EXPECT_EQ(grown.read(1), three.games[1]);
}

}  // namespace
}  // namespace faultline
