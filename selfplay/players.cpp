// Who plays: what a person names on the command line, found on the disk.
#include "selfplay/players.h"

#include <algorithm>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "rules/variant.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kUntrained = "untrained:";

/// The run's nets in the order of their steps, which their names are.
std::vector<std::pair<std::uint64_t, fs::path>> nets_of(const fs::path& run) {
  std::vector<std::pair<std::uint64_t, fs::path>> nets;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(run / "nets", error)) {
    const std::string stem = entry.path().stem().string();
    const bool is_number = !stem.empty() && stem.size() < 19 &&
                           stem.find_first_not_of("0123456789") == std::string::npos;
    if (entry.path().extension() == ".pt" && is_number)
      nets.emplace_back(std::stoull(stem), entry.path());
  }
  std::sort(nets.begin(), nets.end());
  return nets;
}

/// The folder that `text` names, also below runs/; nothing if there is none.
std::optional<fs::path> find_run(const std::string& text) {
  for (const fs::path& folder : {fs::path(text), fs::path("runs") / text})
    if (!text.empty() && fs::is_directory(folder)) return folder;
  return std::nullopt;
}

PlayerSpec net_player(const fs::path& file) {
  return {PlayerKind::Net, file, file.string()};
}

}  // namespace

PlayerSpec find_player(std::string_view text) {
  if (text == "random") return {PlayerKind::Random, {}, "random"};
  if (text == "uniform") return {PlayerKind::Uniform, {}, "uniform"};

  const bool untrained = text.starts_with(kUntrained);
  const std::string place(untrained ? text.substr(kUntrained.size()) : text);
  if (!untrained && fs::is_regular_file(place)) return net_player(place);
  if (const auto run = find_run(place)) {
    const auto nets = nets_of(*run);
    if (nets.empty())
      throw PlayerError(
          fmt::format("player '{}': {} holds no nets; a run keeps them as "
                      "nets/000123.pt",
                      text, run->string()));
    if (untrained && nets.front().first != 0)
      throw PlayerError(fmt::format("player '{}': {} has no net of step 0; its first is {}", text,
                                    run->string(), nets.front().second.string()));
    return net_player(untrained ? nets.front().second : nets.back().second);
  }
  const std::string near = nearest_name(text, {"random", "uniform"});
  throw PlayerError(
      fmt::format("player '{}': {}. A player is {}{}", text,
                  untrained ? "there is no such run's folder" : "there is no such file or folder",
                  kPlayerHelp, near.empty() ? "" : fmt::format("; did you mean '{}'?", near)));
}

}  // namespace faultline
