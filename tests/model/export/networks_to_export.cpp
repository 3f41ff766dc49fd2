// Networks for the exporters' tests.
#include "tests/model/export/networks_to_export.h"

#include <algorithm>
#include <memory>
#include <random>
#include <span>
#include <type_traits>
#include <utility>

#include <gtest/gtest.h>

#include "model/checkpoint_file.h"
#include "model/encoding/attack_planes.h"
#include "model/export/archive.h"
#include "model/export/encoding_description.h"
#include "model/fast/fast_encoder.h"
#include "model/fast/fast_trainer.h"
#include "model/inference/folded_backend.h"
#include "model/inference/network_evaluator.h"
#include "rules/data/known_games.h"
#include "rules/families.h"
#include "search/tree_search_settings.h"
#include "tests/model/inference/networks.h"
#include "tests/model/inference/shared_levels.h"

namespace faultline::test {
namespace {

constexpr const char* kSharedLevels = "inferno:levels=3";

GoldenPosition golden_of(const Sample<InfernoPosition>& sample, const EncodingInfo& encoding,
                         const std::shared_ptr<Backend>& backend) {
  GoldenPosition golden{.fen = sample.position.fen(),
                        .repetitions = sample.repetitions,
                        .planes = std::vector<float>(encoding.floats()),
                        .moves = {},
                        .slots = {},
                        .policy = {}};
  PositionEncoder<InfernoPosition>(encoding).encode(sample.position, sample.repetitions,
                                                    golden.planes);
  for (const Move move : sample.moves)
    golden.slots.push_back(
        slot_of(encoding, Encoder<InfernoPosition>::policy_index(sample.position, move)));
  auto batch = eval_batch(std::span(&sample, 1));
  NetworkEvaluator<InfernoPosition>(InfernoVariant{encoding.levels}, backend).evaluate(batch);
  golden.policy = copied(batch.priors(0));
  const Evaluation value = batch.evaluation(0);
  golden.wdl = {value.win, value.draw, value.loss};
  golden.moves_left = value.moves_left;
  return golden;
}

}  // namespace

std::vector<std::string> families_to_export() {
  std::vector<std::string> names;
  for (const FamilyInfo* family : all_families())
    names.push_back(family->name);
  names.emplace_back(kSharedLevels);
  return names;
}

std::string game_of_plies(int plies) {
  const std::string name = "export-plies-" + std::to_string(plies);
  const data::LoadedGame loaded = data::load_game_text(
      "format = 1\nname = \"" + name + "\"\nbase = \"gardner\"\n" +
          "[pieces]\nP = { pawn = false }\nK = \"mK\"\nN = \"mN\"\n[start]\n" +
          "fen = \"k3n/5/5/5/N3K w - - 0 1\"\n[ends]\nplies = " + std::to_string(plies) + "\n",
      name, data::usual_game_folders());
  EXPECT_TRUE(loaded.game) << loaded.errors();
  data::offer_game(loaded.game.value().text, name);
  return "data:" + name;
}

ExportSource source_to_export(const std::string& variant) {
  // With planes of attacks in most games.
  const EncodingInfo encoding = variant.size() % 3 == 0
                                    ? faultline::encoding_of(variant)
                                    : with_attack_planes(faultline::encoding_of(variant));
  NetConfig net = small_net(variant.size() % 2 == 0 ? 4 : 0);
  net.share_levels = variant == kSharedLevels;
  const NetworkValues values = random_values(encoding, net, variant.size());
  ExportSource source;
  source.info.encoding = encoding;
  source.info.net = values.description.config;
  source.info.steps = 7;
  source.info.parameters = static_cast<std::int64_t>(values.parameters.size());
  source.info.weights_hash = weights_hash(values.parameters, values.statistics);
  source.network = fold(values);
  source.encoding = describe_encoding(encoding);
  source.search = to_json(TreeSearchSettings{.params = {.cpuct = 3}});
  source.search["of_a_later_version"] = true;
  return source;
}

FastNetwork fast_network_to_export(const std::string& variant) {
  return with_family(parse_variant_name(variant),
                     [&]<class P>(std::type_identity<P>, const typename P::Variant& of) {
                       const FastLayout layout = FastEncoder<P>::layout(of);
                       std::vector<float> values(FastTrainer(layout, 1).parameters().size());
                       std::mt19937_64 rng(variant.size());
                       std::normal_distribution<float> normal(0, 0.2F);
                       for (float& value : values)
                         value = normal(rng);
                       return fast_network_of(layout, of.canonical_name(), 3, std::move(values));
                     });
}

std::vector<GoldenPosition> positions_to_export(const ExportSource& source, std::size_t count) {
  const auto backend = make_backend(source.network, cpu_backends(), {.backend = "cpu"});
  auto positions = golden_positions(source.info.encoding, backend.get(), count);
  // Games from the start seldom get to levels that have vanished.
  if (source.info.net.share_levels)
    for (const int levels : {1, 2})
      for (const auto& sample : with_levels_left(InfernoVariant{3}, levels, 5))
        positions.push_back(golden_of(sample, source.info.encoding, backend));
  return positions;
}

ModuleInputs inputs_of(const std::vector<GoldenPosition>& positions, std::size_t first,
                       std::size_t batch) {
  ModuleInputs inputs{
      .batch = static_cast<std::int64_t>(batch), .planes = {}, .moves = 1, .move_slots = {}};
  const auto chosen = std::span(positions).subspan(first, batch);
  for (const GoldenPosition& position : chosen)
    inputs.moves = std::max(inputs.moves, static_cast<std::int64_t>(position.slots.size()));
  for (std::size_t i = 0; i < batch; ++i) {
    const GoldenPosition& position = chosen[i];
    inputs.planes.insert(inputs.planes.end(), position.planes.begin(), position.planes.end());
    inputs.move_slots.insert(inputs.move_slots.end(), position.slots.begin(), position.slots.end());
    inputs.move_slots.resize((i + 1) * static_cast<std::size_t>(inputs.moves), -1);
  }
  return inputs;
}

std::map<std::string, std::string> files_of(const std::filesystem::path& bundle) {
  const ArchiveReader archive(bundle);
  std::map<std::string, std::string> files;
  for (const auto& [name, member] : archive.members())
    files[name] = archive.read(name);
  return files;
}

void compare_outputs(const std::vector<GoldenPosition>& positions, std::size_t first,
                     const ModuleInputs& inputs, const ModuleOutputs& outputs, PolicyForm policy,
                     Differences& found) {
  const auto batch = static_cast<std::size_t>(inputs.batch);
  ASSERT_EQ(outputs.wdl.size(), 3 * batch);
  ASSERT_EQ(outputs.moves_left.size(), batch);
  ASSERT_EQ(outputs.policy.size() % batch, 0U);
  const std::size_t row = outputs.policy.size() / batch;
  const auto compare = [&](double a, double b) {
    found.probability = std::max(found.probability, std::fabs(a - b));
    ASSERT_FALSE(std::isnan(a));
  };
  for (std::size_t i = 0; i < batch; ++i) {
    const GoldenPosition& position = positions[first + i];
    const auto given = std::span(outputs.policy).subspan(i * row, row);
    double sum = 1;
    if (policy == PolicyForm::Full) {
      sum = 0;
      for (const std::int64_t slot : position.slots)
        sum += std::exp(static_cast<double>(given[static_cast<std::size_t>(slot)]));
    } else {
      for (std::size_t m = position.slots.size(); m < row; ++m)
        ASSERT_EQ(given[m], 0.0F) << "padding has a probability";
    }
    for (std::size_t m = 0; m < position.slots.size(); ++m) {
      const double value =
          policy == PolicyForm::Full
              ? std::exp(static_cast<double>(given[static_cast<std::size_t>(position.slots[m])])) /
                    sum
              : static_cast<double>(given[m]);
      compare(value, static_cast<double>(position.policy[m]));
    }
    for (std::size_t k = 0; k < 3; ++k)
      compare(static_cast<double>(outputs.wdl[3 * i + k]), static_cast<double>(position.wdl[k]));
    const double expected = static_cast<double>(position.moves_left);
    const double plies = static_cast<double>(outputs.moves_left[i]);
    ASSERT_FALSE(std::isnan(plies));
    found.moves_left =
        std::max(found.moves_left, std::fabs(plies - expected) / std::max(1.0, expected));
  }
  found.positions += batch;
}

}  // namespace faultline::test
