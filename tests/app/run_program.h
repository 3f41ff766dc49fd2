// Runs a program and collects what it printed.
#pragma once

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

using test::TemporaryFolder;

}  // namespace faultline
