// Players: resolves the names given on the command line to files.
#include "lab/players.h"

#include <fmt/core.h>

#include "base/nearest_name.h"
#include "base/quote.h"
#include "rules/variant.h"
#include "selfplay/run_folder.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kUntrained = "untrained:";

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
    const auto nets = checkpoints_in(*run / "nets");
    if (nets.empty())
      throw PlayerError(
          fmt::format("player {}: {} contains no nets; a run keeps them as "
                      "nets/000123.pt",
                      quote(text), run->string()));
    if (untrained && nets.front().steps != 0)
      throw PlayerError(fmt::format("player {}: {} has no net of step 0; its first is {}",
                                    quote(text), run->string(), nets.front().file.string()));
    return net_player(untrained ? nets.front().file : nets.back().file);
  }
  throw PlayerError(
      fmt::format("player {}: {}. A player is {}{}", quote(text),
                  untrained ? "there is no such run's folder" : "there is no such file or folder",
                  kPlayerHelp, did_you_mean(nearest_name(text, {"random", "uniform"}))));
}

}  // namespace faultline
