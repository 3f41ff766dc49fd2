// Makes a long run of a short one, to measure what resuming and reporting it take.
//
//   bench_long_run RUN GAMES
//
// Adds games to RUN until there are GAMES, by the store that training uses, and prints the resident
// memory at each million. They are copies, under new numbers, of the first game with a training
// position.
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include "record/replay_store.h"
#include "record/run_folder.h"
#include "record/stored_games.h"

namespace faultline {
namespace {

/// "123456 kB".
std::string resident_memory() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmRSS:")) return line.substr(line.find_first_not_of(" \t", 6));
  return "unknown";
}

void lengthen(const std::filesystem::path& run, std::uint64_t games) {
  constexpr std::uint64_t kMillion = 1'000'000;
  constexpr int kChunkGames = 200;  // the default of replay.chunk_games
  const RunState state = RunFolder::state_in(run).value();
  ReplayStore store(run / "games", state.variant, kChunkGames, state.run_id);
  StoredGames there(store.found());
  std::uint64_t first = 0;
  while (there[first].targets == 0)
    ++first;
  GameRecord game = there.read(first);
  for (std::uint64_t count = store.found().size(); count < games; ++count) {
    if (count % kMillion == 0) fmt::print("{} games: {}\n", count, resident_memory());
    game.number = store.found().numbers.first_missing(game.number + 1);
    store.append(game);
  }
  fmt::print("{} games: {}\n", games, resident_memory());
}

}  // namespace
}  // namespace faultline

int main(int argc, char** argv) {
  try {
    if (argc != 3) throw std::runtime_error("usage: bench_long_run RUN GAMES");
    faultline::lengthen(argv[1], std::stoull(argv[2]));
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_long_run: {}\n", error.what());
    return 2;
  }
}
