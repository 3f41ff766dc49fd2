// Collecting what is known of a net.
#include "lab/net_origin.h"

#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "lab/strength.h"
#include "record/run_folder.h"

namespace faultline {
namespace fs = std::filesystem;

nlohmann::ordered_json net_origin(const fs::path& net, const CheckpointInfo& info) {
  nlohmann::ordered_json origin = {{"run", nullptr}, {"strength", nullptr}};
  const auto folder = run_of_net(net);
  if (!folder || !RunFolder::holds_run(*folder)) return origin;
  // Normal, so that it has a name where the net is given as "nets/000123.pt".
  const fs::path run = fs::absolute(*folder / ".").lexically_normal().parent_path();
  origin["run"] = {{"name", run.filename().string()}, {"net", net.filename().string()}};
  if (const auto cost = training_cost(*folder, info.steps)) {
    origin["run"]["games"] = cost->games;
    origin["run"]["positions"] = cost->positions;
    origin["run"]["evaluations"] = static_cast<std::int64_t>(cost->evaluations);
    origin["run"]["seconds"] = cost->seconds;
  }
  const fs::path table = *folder / "strength.json";
  if (!fs::exists(table)) return origin;
  const StrengthTable strength = StrengthTable::load(table);
  const StrengthSettings& settings = strength.settings();
  if (settings.weights != info.weights()) return origin;
  origin["strength"] = {{"limits", settings.limits},       {"search", settings.search},
                        {"precision", settings.precision}, {"openings", settings.openings},
                        {"max_plies", settings.max_plies}, {"adjudication", settings.adjudication},
                        {"seed", settings.seed},           {"rows", nlohmann::json::array()}};
  for (const StrengthRow& row : strength.rows())
    origin["strength"]["rows"].push_back({{"opponent", row.opponent},
                                          {"seconds", row.seconds},
                                          {"processor", row.processor},
                                          {"result", row.result}});
  return origin;
}

}  // namespace faultline
