// Reads, compares and writes the settings of experiments.
#include "lab/experiment.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "base/atomic_file.h"
#include "base/json_text.h"
#include "base/nearest_name.h"
#include "base/quote.h"
#include "base/text.h"
#include "lab/opening_file.h"
#include "lab/opening_source.h"
#include "model/checkpoint.h"
#include "model/fast/fast_file.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;

using Json = nlohmann::ordered_json;

}  // namespace

Json read_json_file(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw ExperimentError(file.string() + ": cannot be opened");
  Json json = Json::parse(in, nullptr, false);
  if (json.is_discarded()) throw ExperimentError(file.string() + ": is not JSON");
  return json;
}

void read_settings(GameSettings& settings, const std::vector<Option>& options, const Json& json,
                   const std::string& source, std::vector<std::string> lists,
                   const std::function<void(const nlohmann::json&)>& read_lists) {
  std::vector<std::string> keys = std::move(lists);
  keys.emplace_back(kOpeningOriginsKey);
  std::ranges::transform(options, std::back_inserter(keys), &Option::name);
  try {
    const nlohmann::json object = json;
    some_options_from_json(options, object, source);
    read_lists(object);
    settings.opening_origins = read_origins(object, source);
  } catch (const PlayerError&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw ExperimentError(error.what());
  }
  for (const auto& [key, value] : json.items())
    if (std::ranges::find(keys, key) == keys.end())
      throw ExperimentError(fmt::format("{}: there is no key {}{}", source, quote(key),
                                        did_you_mean(nearest_name(key, keys))));
}

void require(bool holds, std::string_view key, std::string_view value, std::string_view allowed) {
  if (!holds) throw ExperimentError(fmt::format("{} = {}: must be {}", key, value, allowed));
}

void require_distinct(std::string_view key, std::vector<std::string> values) {
  std::ranges::sort(values);
  const auto twice = std::ranges::adjacent_find(values);
  if (twice != values.end())
    throw ExperimentError(fmt::format("{}: {} is given twice", key, *twice));
}

void require_enough_openings(const std::string& openings, const std::string& variant, int games,
                             int per_opening, std::string_view remedy) {
  const OpeningSource source = parse_opening_source(openings);
  if (source.kind != OpeningSource::Kind::File) {
    require(source.plies >= 2, "openings", openings,
            "of two plies or more: with fewer, games are repeated");
    return;
  }
  const int needed = games / per_opening;
  const auto count =
      static_cast<int>(read_openings(source.file, variant, source.strict).openings.size());
  require(count >= needed, "openings", openings,
          fmt::format("a file of at least {} for {}, and it has {}: games would be repeated; {}",
                      counted(needed, "opening"), counted(games, "game"), count, remedy));
}

void require_same(const ExperimentKind& kind, const Json& stored, const Json& given,
                  const std::string& source) {
  const auto shown = [](const Json& one) {
    return one.is_structured() ? quote(json_text(one), 200) : json_text(one);
  };
  for (const auto& [key, value] : given.items()) {
    const auto before = stored.find(key);
    if (before != stored.end() && value == *before) continue;
    if (before != stored.end() && key == kind.grows && value > *before) continue;
    if (std::ranges::find(kind.free, key) != kind.free.end()) continue;
    throw ExperimentError(fmt::format(
        "{} has {} = {}, not {}: continue the {} as it was begun (more {} are possible), or {}",
        source, key, before == stored.end() ? "nothing" : shown(*before), shown(value), kind.name,
        kind.grows, kind.otherwise));
  }
}

std::string weights_of(const std::string& player) {
  const PlayerSpec spec = find_player(player);
  if (!spec.evaluation.empty()) return fast_weights(load_fast_network(spec.evaluation));
  return spec.uses_net() ? read_checkpoint_info(spec.net).weights() : "";
}

void check_weights(const std::vector<PlayerInUse>& players) {
  for (const PlayerInUse& one : players) {
    if (one.weights->empty()) continue;
    if (const std::string now = weights_of(one.player); now != *one.weights) {
      const PlayerSpec spec = find_player(one.player);
      throw ExperimentError(fmt::format(
          "{} has other weights than when the games here were begun ({}, not {}): put the net "
          "back, or use another folder",
          (spec.uses_net() ? spec.net : spec.evaluation).string(), now, *one.weights));
    }
  }
}

void refuse_taken(const ExperimentKind& kind, const fs::path& folder) {
  if (const auto reason = why_taken(folder, kind.contents)) throw ExperimentError(*reason);
  if (!fs::exists(folder / kind.file) && fs::exists(folder / kind.games))
    throw ExperimentError(fmt::format("{} exists without {}: use another folder",
                                      (folder / kind.games).string(), kind.file));
}

void write_settings(const fs::path& file, const Json& settings) {
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  if (error)
    throw ExperimentError(
        fmt::format("{}: cannot be created: {}", file.parent_path().string(), error.message()));
  const std::string text = json_text(settings, 2) + "\n";
  std::ifstream in(file, std::ios::binary);
  if (text != std::string{std::istreambuf_iterator<char>(in), {}})
    write_file_atomically(file, text);
}

}  // namespace faultline
