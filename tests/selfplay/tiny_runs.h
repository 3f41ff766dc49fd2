// Complete runs that take about a second.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>

#include "record/config.h"
#include "record/game_record.h"
#include "record/run_folder.h"
#include "selfplay/run.h"

namespace faultline::test {

/// 24 games of a 2×16 network on the CPU, by our own kernels in fp32.
Config tiny_config(const std::string& variant);

/// run_training() without its output.
RunResult run(const Config& config, const std::filesystem::path& folder, bool resume = false);

/// All games in a run's folder by number; a duplicate number is an error.
std::map<std::uint64_t, GameRecord> games_in(const std::filesystem::path& folder,
                                             const std::string& variant);
RunState state_in(const std::filesystem::path& folder);

/// The message of the RunError that `action` throws; empty if it throws none.
std::string refusal(const std::function<void()>& action);

}  // namespace faultline::test
