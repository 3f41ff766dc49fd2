// The same as run_fast_network.c in C++17: the C functions as a class.
//
//   run_fast_network_cpp FILE          computes all golden positions and compares
//   run_fast_network_cpp FILE FEN      evaluates one position
//
// Exit code 0: good; 1: a score is not the golden one; 2: the input cannot be used.
#include <cstddef>
#include <cstdio>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>

#include "fast_network.h"

namespace {

constexpr std::size_t kMostFaults = 5;

/// Functions throw std::runtime_error that says what is wrong with the file or the FEN.
class FastNetwork {
 public:
  explicit FastNetwork(const std::string& file) {
    fast_network_error error;
    network_.reset(fast_network_load(file.c_str(), &error));
    if (!network_) throw std::runtime_error(error.text);
  }

  /// Centipawns for the side to move.
  int score(const std::string& fen) const {
    fast_network_error error;
    int score = 0;
    if (fast_network_score(network_.get(), fen.c_str(), &score, &error) == 0)
      throw std::runtime_error(error.text);
    return score;
  }

  struct Positions {
    const fast_network_golden* first;
    std::size_t count;
    const fast_network_golden* begin() const { return first; }
    const fast_network_golden* end() const { return first + count; }
  };
  Positions golden() const {
    Positions positions{};
    positions.first = fast_network_positions(network_.get(), &positions.count);
    return positions;
  }

 private:
  struct Free {
    void operator()(fast_network* network) const { fast_network_free(network); }
  };
  std::unique_ptr<fast_network, Free> network_;
};

int check_golden(const FastNetwork& network) {
  std::size_t faults = 0;
  for (const fast_network_golden& golden : network.golden()) {
    const int score = network.score(golden.fen);
    if (score != golden.score && ++faults <= kMostFaults)
      std::printf("%s: %d, expected %d\n", golden.fen, score, golden.score);
  }
  if (faults > kMostFaults) std::printf("and %zu more\n", faults - kMostFaults);
  std::printf("%zu positions: %s\n", network.golden().count, faults == 0 ? "good" : "not good");
  return faults == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc < 2 || argc > 3) throw std::runtime_error("usage: run_fast_network_cpp FILE [FEN]");
    const FastNetwork network(argv[1]);
    if (argc == 2) return check_golden(network);
    std::printf("%d centipawns for the side to move\n", network.score(argv[2]));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 2;
  }
}
