// Random commands, valid and not, to the engine with its own searches: it neither crashes nor owes
// an answer. FAULTLINE_SOAK sets the number of commands.
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <mutex>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "engine/uci_commands.h"
#include "engine/uci_server.h"
#include "tests/engine/scripted_analyser.h"

namespace faultline {
namespace {

class RandomCommands {
 public:
  explicit RandomCommands(std::uint64_t seed) : rng_(seed), variants_(announced_variants()) {}

  std::string next() {
    switch (number(0, 15)) {
      case 0:
      case 1:
      case 2:
      case 3:
        return position();
      case 4:
      case 5:
      case 6:
      case 7:
      case 8:
        return go();
      case 9:
        return "isready";
      case 10:
        return pick({"stop", "ponderhit", "ucinewgame", "d", "stop", "uci", "debug on"});
      case 11:
        return option();
      case 12:
        return garbage();
      case 13:
        return mangled(number(0, 1) == 0 ? go() : position());
      default:
        return "stop";
    }
  }
  /// Whether the engine owes a `bestmove` for `line`.
  static bool asks_for_a_move(const std::string& line) {
    const auto words = uci_words(line);
    return !words.empty() && words.front() == "go" && !parse_go(line).perft;
  }

 private:
  int number(int low, int high) { return std::uniform_int_distribution(low, high)(rng_); }
  std::string pick(const std::vector<std::string>& words) {
    return words[static_cast<std::size_t>(number(0, static_cast<int>(words.size()) - 1))];
  }

  std::string go() {
    std::string line = "go";
    const int parts = number(1, 3);
    for (int i = 0; i < parts; ++i) {
      const std::string count = std::to_string(number(-1, 30));
      line += " " + pick({"nodes " + count, "depth " + std::to_string(number(-1, 2)),
                          "movetime " + std::to_string(number(-1, 2)),
                          "wtime " + std::to_string(number(-5, 40)) + " btime " +
                              std::to_string(number(-5, 40)) + " winc " + count,
                          "nodes " + count, "infinite", "ponder", "mate 1 nodes 20",
                          "searchmoves " + moves(2), "perft " + std::to_string(number(0, 2)),
                          "nodes", "nodes x"});
    }
    return line;
  }
  std::string moves(int count) {
    std::string text;
    for (int i = 0; i < count; ++i)
      text += " " + pick({"e2e4", "e7e5", "g1f3", "a2a3", "b8c6", "a1a1", "zz", "0000", "e1g1",
                          "d2d4", "1e2e4", "c2c3q"});
    return text;
  }
  /// A game of random legal moves, of the variant last set.
  std::string position() {
    if (number(0, 9) == 0) return "position startpos moves" + moves(number(0, 5));
    const auto game = find_game(variant_).start();
    std::string line = "position startpos moves";
    const int plies = number(0, 12);
    for (int i = 0; i < plies && !is_over(game->outcome()); ++i) {
      const auto legal = game->legal_moves();
      const Move move =
          legal[static_cast<std::size_t>(number(0, static_cast<int>(legal.size()) - 1))];
      line += " " + game->move_text(move);
      game->play(move);
    }
    return number(0, 2) == 0 ? "position fen " + game->fen() : line;
  }
  std::string option() {
    if (number(0, 4) == 0) {
      variant_ = number(0, 1) == 0 ? pick({"chess", "inferno"}) : pick(variants_);
      return "setoption name UCI_Variant value " + variant_;
    }
    return "setoption name " + pick({"Hash value " + std::to_string(number(-1, 4)),
                                     "Threads value " + std::to_string(number(0, 3)),
                                     "MultiPV value 3",
                                     "MultiPV value 1",
                                     "Temperature value 0.7",
                                     "Temperature value 0",
                                     "Evaluator value uniform",
                                     "Evaluator value material",
                                     "Evaluator value alphabeta",
                                     "UCI_ShowWDL value true",
                                     "UCI_LimitStrength value true",
                                     "UCI_LimitStrength value false",
                                     "UCI_Elo value 900",
                                     "Clear Hash",
                                     "Evaluator value net",
                                     "Net value nowhere",
                                     "Net value chess",
                                     "Net value inferno",
                                     "Net value <empty>",
                                     "Precision value fp32",
                                     "Precision value int8",
                                     "Precision value auto",
                                     "x value y",
                                     "value"});
  }
  std::string garbage() {
    std::string line;
    const int length = number(0, 60);
    for (int i = 0; i < length; ++i)
      line += static_cast<char>(number(0, 255));
    return line;
  }
  std::string mangled(std::string line) {
    const auto at = static_cast<std::size_t>(number(2, static_cast<int>(line.size()) - 1));
    line[at] = static_cast<char>(number(1, 255));
    if (number(0, 1) == 0) line.resize(at);
    return line;
  }

  std::mt19937_64 rng_;
  std::vector<std::string> variants_;
  std::string variant_ = "chess";
};

TEST(UciSoak, RandomCommandsAreAllAnswered) {
  const char* const wish = std::getenv("FAULTLINE_SOAK");
  const long count = wish != nullptr ? std::strtol(wish, nullptr, 10) : 5000;
  std::mutex mutex;
  long bestmoves = 0, ready = 0;
  long asked = 0, asked_ready = 0;
  std::atomic<long> with_net{0};
  {
    UciSetup setup;
    setup.settings.hash = 4;
    setup.settings.evaluator = EngineEvaluator::Uniform;
    setup.backends = &cpu_backends();
    setup.find_net = [](const std::string& name) {
      if (name != "chess" && name != "inferno") throw std::runtime_error("there is no such net");
      return UciNet{.file = std::filesystem::path(FAULTLINE_SOURCE_DIR) / "tests/model/golden" /
                            (name + ".pt")};
    };
    setup.make_analyser = [&](const Game& game, EngineEvaluator evaluator,
                              std::shared_ptr<Backend> backend, const AnalyserOptions& options) {
      if (backend) ++with_net;
      return make_analyser(game, evaluator, std::move(backend), options);
    };
    UciServer server(std::move(setup), [&](std::string_view text) {
      const std::lock_guard lock(mutex);
      EXPECT_TRUE(text.ends_with('\n'));
      if (text.starts_with("bestmove ")) ++bestmoves;
      if (text == "readyok\n") ++ready;
      if (text.find("failed") != std::string_view::npos) ADD_FAILURE() << text;
      if (text.find("nothing was searched") != std::string_view::npos) ADD_FAILURE() << text;
    });
    RandomCommands commands(7);
    for (long i = 0; i < count; ++i) {
      const std::string line = commands.next();
      if (line.find('\n') != std::string::npos) continue;  // would be two commands
      const auto words = uci_words(line);
      if (!words.empty() && words.front() == "quit") continue;
      // At most one move is owed, for the last `go`.
      if (RandomCommands::asks_for_a_move(line)) {
        ++asked;
      } else if (line == "isready") {
        ++asked_ready;
      }
      ASSERT_TRUE(server.hear(line));
      const std::lock_guard lock(mutex);
      ASSERT_LE(bestmoves, asked) << "after " << line;
      ASSERT_GE(bestmoves, asked - 1) << "after " << line;
    }
  }
  EXPECT_EQ(bestmoves, asked);
  EXPECT_EQ(ready, asked_ready);
  EXPECT_GT(asked, count / 10);
  EXPECT_GT(with_net, 0) << "no network has been searched with";
}

}  // namespace
}  // namespace faultline
