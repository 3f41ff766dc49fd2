// Checkpoints for the fuzzer and its tests.
#include "tests/fuzz/checkpoints.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include <nlohmann/json.hpp>
#include <xxhash.h>

#include "model/checkpoint_file.h"
#include "model/inference/cpu_backend.h"

namespace faultline::fuzz {
namespace {

template <class T>
void append(std::string& out, const T& value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// A made-up game with two squares, whose network is nearly the smallest possible.
NetworkValues small_values() {
  EncodingInfo encoding;
  encoding.family = "tiny";
  encoding.variant = "tiny";
  encoding.symmetry = "none";
  encoding.height = 1;
  encoding.width = 2;
  encoding.planes = {"own", "enemy"};
  encoding.policy_kinds = {"move"};
  const NetConfig net{.blocks = 1,
                      .channels = 4,
                      .se_ratio = 2,
                      .policy_dim = 4,
                      .value_channels = 1,
                      .value_hidden = 4};
  NetworkValues values{describe_network(encoding, net), {}, {}};
  const NetworkLayout layout = network_layout(values.description);
  values.parameters.assign(static_cast<std::size_t>(layout.parameter_count()), 0.25F);
  values.statistics.assign(static_cast<std::size_t>(layout.statistic_count()), 1.0F);
  return values;
}

CheckpointFile small_file() {
  const NetworkValues values = small_values();
  CheckpointFile file;
  file.header = {{"encoding", to_json(values.description.encoding)},
                 {"net", to_json(values.description.config)},
                 {kSearchKey, to_json(TreeSearchSettings{})},
                 {"steps", 3}};
  write_values(file, values);
  return file;
}

}  // namespace

bool check_checkpoint(std::string_view bytes) {
  try {
    const auto file = CheckpointFile::parse(bytes, "input");
    const auto values = read_values(file, "input");
    const auto backend = make_cpu_backend(fold(values));
    const auto batch = backend->make_batch();
    batch->resize(1, 1);
    std::ranges::fill(batch->planes(), 0.0F);
    batch->moves()[0] = {.from = 0, .to = 0, .kind = 0};
    batch->first_move()[0] = 0;
    batch->first_move()[1] = 1;
    try {
      backend->submit(*batch);
      backend->wait(*batch);
    } catch (const std::runtime_error&) {  // finite weights whose products are not
    }
    return true;
  } catch (const CheckpointError&) {
    return false;
  }
}

std::string rehashed(std::string_view bytes) {
  std::string file(bytes.substr(0, bytes.size() - std::min<std::size_t>(bytes.size(), 8)));
  append(file, std::uint64_t{XXH3_64bits(file.data(), file.size())});
  return file;
}

std::string checkpoint_with(std::string_view header, std::string_view arrays) {
  std::string file = "FAULTNET";
  append(file, std::uint32_t{1});
  append(file, std::uint64_t{header.size()});
  file += header;
  file += arrays;
  return rehashed(file + std::string(8, '\0'));
}

std::string small_header() {
  const CheckpointFile file = small_file();
  nlohmann::json header = file.header;
  header["arrays"] = nlohmann::json::array();
  for (const auto& [name, values] : file.arrays)
    header["arrays"].push_back({{"name", name}, {"count", values.size()}});
  return header.dump();
}

std::string small_arrays() {
  std::string bytes;
  for (const auto& [name, values] : small_file().arrays)
    bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
  return bytes;
}

std::string small_checkpoint() {
  return checkpoint_with(small_header(), small_arrays());
}

}  // namespace faultline::fuzz
