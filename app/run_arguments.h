// What `train` and `check` have in common: a configuration from the command line.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "record/config.h"
#include "selfplay/run.h"

namespace CLI {
class App;
}

namespace faultline {

/// A configuration as the command line gives it.
struct RunArguments {
  std::string config;                         // a TOML file
  std::string folder;                         // --run
  std::vector<std::string> settings;          // --set
  std::map<std::string, std::string> device;  // by key of [device]
};

/// Adds the arguments to a command. They must outlive it.
void add_run_arguments(CLI::App& command, RunArguments& arguments, const std::string& config_help);

/// Reads `file` and applies --set, --device, --backend and --precision. Not yet checked.
/// Throws ConfigError.
Config read_config(const RunArguments& arguments, const std::filesystem::path& file);

/// The folder that --run names, or runs/NAME.
std::filesystem::path run_folder(const RunArguments& arguments, const Config& config);

/// What check_run() found, for people: several lines, each with a newline.
std::string check_text(const Config& config, const RunCheck& check);
/// What the check found as one JSON object.
std::string check_json(const Config& config, const RunCheck& check);

}  // namespace faultline
