// A training run in a separate process, for tests that kill it: run_child CONFIG FOLDER.
#include <fstream>
#include <iostream>

#include "selfplay/run.h"

int main(int argc, char** argv) {
  using namespace faultline;
  if (argc != 3) return 2;
  try {
    const RunOptions options{.folder = argv[2], .resume = true, .out = &std::cout};
    return run_training(load_config(argv[1]), options).end == RunEnd::Stopped ? 0 : 3;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
