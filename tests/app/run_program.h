// Runs a program and collects what it printed.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "tests/temporary_folder.h"

namespace faultline {

struct ProgramResult {
  int exit_code = 0;  // 128 + the signal's number if one ended it, as in a shell
  std::string out;
  std::string err;
};

/// Runs the `faultline` of this build with `input` as its standard input.
ProgramResult run_faultline(const std::vector<std::string>& arguments, std::string_view input = "");

/// Starts the `faultline` of this build again and again, and kills it after `first` and each time
/// `step` later, until one ends by itself. Returns its exit code, and how many were killed.
struct KilledRuns {
  int exit_code = -1;  // -1: 200 attempts were not enough
  int killed = 0;
};
KilledRuns kill_until_done(const std::vector<std::string>& arguments,
                           std::chrono::milliseconds first, std::chrono::milliseconds step);

using test::TemporaryFolder;

}  // namespace faultline
