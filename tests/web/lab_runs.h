// Runs in a lab's folder, as their processes write them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/format.h>

#include "record/replay_store.h"
#include "tests/report/recorded_games.h"
#include "tests/temporary_folder.h"

namespace faultline::test {

/// A row of metrics after so many steps, a second each.
inline std::string metrics_row(int step, const std::string& more = "") {
  return fmt::format(
      "{{\"seconds\":{},\"games\":{},\"positions\":{},\"steps\":{},\"done\":{},\"mean_plies\":40.5{"
      "},"
      "\"loss\":{{\"policy\":{},\"value\":0.5}}}}\n",
      step, 2 * step, 20 * step, step, step / 1000.0, more, 3 - step / 1000.0);
}

inline void append_text(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary | std::ios::app) << text;
}

/// A run of Gardner's chess in `folder`/NAME with rows after steps 1 to `rows`, and games.
inline std::filesystem::path make_run(const std::filesystem::path& folder, const std::string& name,
                                      int rows, std::uint64_t games = 0) {
  const std::filesystem::path run = folder / name;
  std::filesystem::create_directories(run / "nets");
  write_text(run / "config.toml", "[run]\nvariant = \"gardner\"\nname = \"a\"\n");
  std::string text;
  for (int step = 1; step <= rows; ++step)
    text += metrics_row(step);
  if (rows > 0) write_text(run / "metrics.jsonl", text);
  if (games > 0) {
    ReplayStore store(run / "games", "gardner", 10);
    for (std::uint64_t i = 0; i < games; ++i)
      store.append(random_record("gardner", i, 30, 0));
  }
  return run;
}

}  // namespace faultline::test
