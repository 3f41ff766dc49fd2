// Finds and keeps the strategy of a run.
#include "selfplay/followed_strategy.h"

#include <fstream>
#include <iterator>
#include <string>

#include <fmt/format.h>

#include "base/atomic_file.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;

fs::path kept_file(const Config& config, const fs::path& folder) {
  return folder / "strategies" / (fs::path(config.selfplay.strategy).stem().string() + ".toml");
}

/// The folder of the configuration file that names the strategy; empty if none does.
fs::path near_config(const Config& config) {
  const std::string source = config.source("selfplay.strategy");  // "FILE:LINE"
  const fs::path file = source.substr(0, source.rfind(':'));
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored)) return {};
  return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

/// The kept file if there is one.
fs::path file_of(const Config& config, const fs::path& folder) {
  std::error_code ignored;
  if (!folder.empty() && fs::is_regular_file(kept_file(config, folder), ignored))
    return kept_file(config, folder);
  return find_strategy(config.selfplay.strategy, near_config(config));
}

}  // namespace

std::optional<StrategyText> followed_strategy(const Config& config, const fs::path& folder) {
  if (config.selfplay.strategy.empty()) return std::nullopt;
  try {
    StrategyText text = load_strategy(file_of(config, folder));
    check_strategy(text, config.run.variant);
    return text;
  } catch (const StrategyError& error) {
    const std::string where = config.source("selfplay.strategy");
    throw ConfigError(
        fmt::format("{}: 'selfplay.strategy': {}", where.empty() ? "config" : where, error.what()));
  }
}

void keep_followed_strategy(const Config& config, const fs::path& folder) {
  if (config.selfplay.strategy.empty()) return;
  const fs::path kept = kept_file(config, folder);
  const fs::path file = file_of(config, folder);
  if (file == kept) return;
  fs::create_directories(kept.parent_path());
  std::ifstream in(file, std::ios::binary);
  write_file_atomically(kept, std::string(std::istreambuf_iterator<char>(in), {}));
}

}  // namespace faultline
