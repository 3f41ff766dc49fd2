// What an engine's user waits for: `faultline uci` from its start to `uciok`, from `stop` to
// `bestmove`, its memory under a Hash of 16 MiB, and its losses on time in games against itself.
//
//     bench_uci PROGRAM [GAMES [VARIANT [EVALUATOR]]]     for example build/release/bin/faultline
#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <fmt/core.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "play/game.h"

namespace {

using namespace faultline;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

/// A running engine with pipes to its standard input and output.
class Engine {
 public:
  explicit Engine(std::vector<std::string> words) {
    std::array<int, 2> in{}, out{};
    if (::pipe2(in.data(), O_CLOEXEC) != 0 || ::pipe2(out.data(), O_CLOEXEC) != 0)
      throw std::system_error(errno, std::generic_category(), "pipe");
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, in[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files, out[1], STDOUT_FILENO);
    std::vector<char*> argv;
    for (std::string& word : words)
      argv.push_back(word.data());
    argv.push_back(nullptr);
    const int error = ::posix_spawn(&pid_, argv[0], &files, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&files);
    ::close(in[0]);
    ::close(out[1]);
    in_ = in[1];
    out_ = out[0];
    if (error != 0) throw std::system_error(error, std::generic_category(), words[0]);
  }
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  ~Engine() {
    ::close(in_);
    ::close(out_);
    ::waitpid(pid_, nullptr, 0);
  }

  void tell(const std::string& line) {
    const std::string text = line + "\n";
    if (::write(in_, text.data(), text.size()) != static_cast<ssize_t>(text.size()))
      throw std::runtime_error("the engine does not read");
  }
  /// The next line that starts with `prefix`.
  std::string wait_for(const std::string& prefix) {
    for (;;) {
      const auto end = buffer_.find('\n');
      if (end != std::string::npos) {
        std::string line = buffer_.substr(0, end);
        buffer_.erase(0, end + 1);
        if (line.starts_with(prefix)) return line;
        continue;
      }
      std::array<char, 65536> bytes{};
      const ssize_t count = ::read(out_, bytes.data(), bytes.size());
      if (count <= 0) throw std::runtime_error("the engine has ended");
      buffer_.append(bytes.data(), static_cast<std::size_t>(count));
    }
  }
  /// "VmHWM", the highest resident memory so far, or "VmRSS", in MiB.
  double memory(const std::string& key) const {
    std::ifstream status("/proc/" + std::to_string(pid_) + "/status");
    for (std::string line; std::getline(status, line);)
      if (line.starts_with(key + ":"))
        return std::strtod(line.c_str() + key.size() + 1, nullptr) / 1024;
    return 0;
  }

 private:
  pid_t pid_ = 0;
  int in_ = -1, out_ = -1;
  std::string buffer_;
};

double milliseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

void print_quantiles(const std::string& what, std::vector<double> values) {
  std::ranges::sort(values);
  const auto at = [&](double share) {
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
  };
  fmt::print("{:<28} median {:8.2f} ms   99th percentile {:8.2f} ms   most {:8.2f} ms   ({})\n",
             what, at(0.5), at(0.99), at(1), values.size());
  std::fflush(stdout);
}

void measure_start(const std::vector<std::string>& command) {
  std::vector<double> times;
  for (int i = 0; i < 100; ++i) {
    const auto begin = Clock::now();
    Engine engine(command);
    engine.tell("uci");
    engine.wait_for("uciok");
    times.push_back(milliseconds_since(begin));
  }
  print_quantiles("start to uciok", times);
}

void measure_stop(const std::vector<std::string>& command) {
  Engine engine(command);
  std::mt19937 rng(1);
  std::vector<double> times;
  for (int i = 0; i < 500; ++i) {
    engine.tell("go infinite");
    ::usleep(std::uniform_int_distribution<unsigned>(0, 40'000)(rng));
    const auto begin = Clock::now();
    engine.tell("stop");
    engine.wait_for("bestmove");
    times.push_back(milliseconds_since(begin));
  }
  print_quantiles("stop to bestmove", times);
}

void measure_memory(const std::vector<std::string>& command) {
  Engine engine(command);
  engine.tell("setoption name Hash value 16");
  engine.tell("isready");
  engine.wait_for("readyok");
  const double before = engine.memory("VmRSS");
  engine.tell("go movetime 10000");
  std::string last;
  for (std::string line = engine.wait_for(""); !line.starts_with("bestmove");
       line = engine.wait_for(""))
    if (line.find(" hashfull ") != std::string::npos) last = line;
  const std::string full = last.substr(last.find(" hashfull "));
  fmt::print(
      "Hash 16: resident memory {:.1f} MiB before and at most {:.1f} MiB while searching "
      "for 10 s ({})\n",
      before, engine.memory("VmHWM"), full.substr(1, full.find(" time") - 1));
}

/// Whether somebody's flag fell. A clock runs from the command to the answer, here and not in the
/// engine.
bool plays_on_time(const Game& game, std::array<Engine*, 2> engines) {
  constexpr auto kIncrement = 10ms;
  std::array<Clock::duration, 2> clocks = {1s, 1s};
  auto position = game.start();
  std::string moves;
  for (Engine* engine : engines)
    engine->tell("ucinewgame");
  for (int ply = 0; ply < 600 && !is_over(position->outcome()); ++ply) {
    const std::size_t side = position->side_to_move() == Colour::White ? 0 : 1;
    const auto shown = [&](std::size_t s) {
      return std::chrono::duration_cast<std::chrono::milliseconds>(clocks[s]).count();
    };
    const auto begin = Clock::now();
    engines[side]->tell("position startpos moves" + moves);
    engines[side]->tell(fmt::format("go wtime {} btime {} winc 10 binc 10", shown(0), shown(1)));
    const std::string answer = engines[side]->wait_for("bestmove ");
    clocks[side] -= Clock::now() - begin;
    if (clocks[side] < Clock::duration::zero()) {
      fmt::print("flag fell at ply {} by {:.1f} ms\n", ply,
                 -std::chrono::duration<double, std::milli>(clocks[side]).count());
      return false;
    }
    clocks[side] += kIncrement;
    const std::string text = answer.substr(9, answer.find(' ', 9) - 9);
    const auto move = position->parse_move(text);
    if (!move) throw std::runtime_error("illegal move: " + answer + " in " + position->fen());
    moves += " " + text;
    position->play(*move);
  }
  return true;
}

void measure_games(const std::vector<std::string>& command, const std::string& variant, int games) {
  Engine white(command);
  Engine black(command);
  int losses = 0;
  for (Engine* engine : {&white, &black})  // otherwise all games would be alike
    engine->tell("setoption name Temperature value 0.5");
  for (int i = 0; i < games; ++i)
    losses += plays_on_time(find_game(variant), {&white, &black}) ? 0 : 1;
  fmt::print("losses on time in {} games at 1+0.01 s: {}\n", games, losses);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: bench_uci PROGRAM [GAMES [VARIANT [EVALUATOR]]]\n");
    return 2;
  }
  const int games = argc > 2 ? std::atoi(argv[2]) : 1000;
  const std::string variant = argc > 3 ? argv[3] : "chess";
  const std::string evaluator = argc > 4 ? argv[4] : "material";
  const std::vector<std::string> command = {argv[1], "uci",         "--variant",
                                            variant, "--evaluator", evaluator};
  try {
    measure_start(command);
    measure_stop(command);
    measure_memory(command);
    measure_games(command, variant, games);
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_uci: {}\n", error.what());
    return 1;
  }
}
