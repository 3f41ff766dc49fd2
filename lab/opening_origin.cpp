// Hashes what openings come from.
#include "lab/opening_origin.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <xxhash.h>

#include "base/json_fields.h"
#include "base/quote.h"
#include "lab/players.h"
#include "model/checkpoint.h"

namespace faultline {
namespace {

using Kind = OpeningSource::Kind;

std::string hash_of_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  if (!in || in.bad()) throw OpeningError(file.string() + ": cannot be read");
  return fmt::format("{:016x}", XXH3_64bits(bytes.data(), bytes.size()));
}

std::string hash_of_net(const std::filesystem::path& net) {
  return read_checkpoint_info(net).weights();
}

}  // namespace

std::vector<OpeningOrigin> opening_origins(const OpeningSource& source) {
  if (source.kind == Kind::File) return {{source.file.string(), hash_of_file(source.file)}};
  if (source.kind != Kind::Policy || source.net.empty()) return {};
  const PlayerSpec player = find_player(source.net);
  if (!player.uses_net()) return {};
  return {{player.name, hash_of_net(player.net)}};
}

void check_origins(const std::vector<OpeningOrigin>& recorded, std::string_view openings) {
  const bool is_file = recorded_opening_source(openings).kind == Kind::File;
  const std::string what = is_file ? "file" : "net";
  for (const OpeningOrigin& origin : recorded) {
    std::string now;
    try {
      now = is_file ? hash_of_file(origin.source) : hash_of_net(find_player(origin.source).net);
    } catch (const std::exception& error) {
      throw OpeningError(
          fmt::format("--openings {}: the {} that openings of recorded games come from is gone or "
                      "cannot be read: {}",
                      quote(openings, 200), what, error.what()));
    }
    if (now != origin.hash)
      throw OpeningError(fmt::format(
          "--openings {}: the {} {} has other {} than when the games here were begun (hash {}, not "
          "{}), and the remaining games would have other openings: put the {} back as it was, or "
          "begin again in another folder",
          quote(openings, 200), what, origin.source, is_file ? "contents" : "weights", now,
          origin.hash, what));
  }
}

OpeningSource with_origins(OpeningSource source, const std::vector<OpeningOrigin>& recorded) {
  if (source.kind == Kind::Policy && !source.net.empty() && !recorded.empty())
    source.net = recorded.front().source;
  return source;
}

void write_origins(const std::vector<OpeningOrigin>& origins, nlohmann::ordered_json& settings) {
  for (const OpeningOrigin& origin : origins)
    settings[kOpeningOriginsKey].push_back({{"source", origin.source}, {"hash", origin.hash}});
}

std::vector<OpeningOrigin> read_origins(const nlohmann::json& settings, const std::string& source) {
  std::vector<OpeningOrigin> origins;
  if (!settings.is_object() || !settings.contains(kOpeningOriginsKey)) return origins;
  const std::string what = source + ": " + kOpeningOriginsKey;
  const nlohmann::json& list = settings.at(kOpeningOriginsKey);
  if (!list.is_array()) throw std::runtime_error(what + ": expected a list");
  for (const nlohmann::json& entry : list)
    origins.push_back({json_field<std::string>(entry, "source", what),
                       json_field<std::string>(entry, "hash", what)});
  return origins;
}

}  // namespace faultline
