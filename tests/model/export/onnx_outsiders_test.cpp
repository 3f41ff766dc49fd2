// ONNX files before judges that are not ours: the checker of Python's onnx, and ONNX Runtime.
//
// Both are optional (scripts/setup --exports). With FAULTLINE_REQUIRE_OUTSIDERS in the environment,
// a missing one is a failure.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <map>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "model/export/bundle_writer.h"
#include "model/export/onnx_export.h"
#include "tests/model/export/networks_to_export.h"
#include "tests/outsiders.h"
#include "tests/temporary_folder.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;

using test::in_quotes;
using test::node_modules;
using test::run;

const fs::path kHere = fs::path(FAULTLINE_SOURCE_DIR) / "tests/model/export";

/// A Python that has the package onnx; "" if there is none.
std::string python_with_onnx(const fs::path& log) {
  for (const char* python : {"python3", "/usr/bin/python3"})
    if (run(std::string(python) + " -c 'import onnx.checker, onnx.shape_inference'", log) == 0)
      return python;
  return "";
}

struct Form {
  PolicyForm policy;
  int batch;  // 0: dynamic
  ExportPrecision precision;
};
const std::vector<Form> kForms = {
    {PolicyForm::Legal, 0, ExportPrecision::Fp32},  {PolicyForm::Full, 0, ExportPrecision::Fp32},
    {PolicyForm::Legal, 1, ExportPrecision::Fp32},  {PolicyForm::Full, 1, ExportPrecision::Fp32},
    {PolicyForm::Legal, 64, ExportPrecision::Fp32}, {PolicyForm::Full, 64, ExportPrecision::Fp32},
    {PolicyForm::Legal, 0, ExportPrecision::Fp16},  {PolicyForm::Full, 0, ExportPrecision::Fp16}};

std::string text(const Form& form) {
  return std::string(name(form.policy)) + "-" + std::string(name(form.precision)) +
         (form.batch > 0 ? "-batch" + std::to_string(form.batch) : "");
}

fs::path write_model(const test::TemporaryFolder& folder, const ExportSource& source,
                     const Form& form) {
  const ExportOptions options{
      .precision = form.precision, .policy = form.policy, .batch = form.batch};
  const std::string levels = source.info.net.share_levels ? "-sharing-levels" : "";
  return folder.write(source.info.encoding.family + levels + "-" + text(form) + ".onnx",
                      write_onnx(source.network, options, export_metadata(source, options)));
}

template <class T>
std::string raw(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

TEST(Onnx, RefusesBf16WithTheReason) {
  if (!has_onnx()) GTEST_SKIP() << "built without libonnx";
  try {
    write_onnx({}, {.precision = ExportPrecision::Bf16}, {});
    FAIL() << "accepted";
  } catch (const ExportError& error) {
    EXPECT_NE(std::string(error.what()).find("opset 17 has no convolution in bf16"),
              std::string::npos);
  }
}

TEST(OnnxChecker, AcceptsEveryFamilyWithAllShapesInferred) {
  const test::TemporaryFolder folder;
  const fs::path log = folder.path() / "log";
  const std::string python = python_with_onnx(log);
  if (python.empty() || !has_onnx()) {
    if (test::outsiders_are_required()) FAIL() << "libonnx and Python's onnx are required";
    GTEST_SKIP() << "Python's onnx is not installed; scripts/setup --exports does it";
  }
  std::string files;
  for (const std::string& family : test::families_to_export()) {
    const ExportSource source = test::source_to_export(family);
    for (const Form& form : kForms)
      files += " " + in_quotes(write_model(folder, source, form));
  }
  EXPECT_EQ(run(python + " " + in_quotes(kHere / "check_onnx.py") + files, log), 0)
      << test::read_text(log);
  EXPECT_NE(test::read_text(log).find("opset 17 ir 8"), std::string::npos);
}

/// Positions [first, first + count) evaluated at once.
struct Batch {
  std::size_t first, count;
};

/// Every position alone, and all in batches of 64 of which the last may be smaller, as far as the
/// graph takes them.
std::vector<Batch> batches_for(const Form& form, std::size_t positions) {
  std::vector<Batch> batches;
  if (form.batch != 64)
    for (std::size_t first = 0; first < positions; ++first)
      batches.push_back({first, 1});
  if (form.batch == 1) return batches;
  for (std::size_t first = 0; first < positions; first += 64)
    if (const std::size_t count = std::min<std::size_t>(64, positions - first);
        count == 64 || form.batch == 0)
      batches.push_back({first, count});
  return batches;
}

/// Evaluations for run_onnx.js to make, and what came of them.
class Manifest {
 public:
  Manifest(const test::TemporaryFolder& folder, const EncodingInfo& encoding)
      : folder_(&folder), encoding_(&encoding) {}

  /// The place of these inputs, for as many evaluations as wanted.
  std::size_t add_inputs(const ModuleInputs& inputs) {
    places_.push_back(
        {bytes_.size(), bytes_.size() + raw(inputs.planes).size(), inputs.batch, inputs.moves});
    bytes_ += raw(inputs.planes) + raw(inputs.move_slots);
    return places_.size() - 1;
  }
  void add(const fs::path& model, PolicyForm policy, std::size_t inputs) {
    const Place& place = places_.at(inputs);
    chosen_.push_back(inputs);
    cases_.push_back(
        {{"model", model.string()},
         {"policy", policy == PolicyForm::Legal ? kPolicyOutput : kPolicyLogitsOutput},
         {"planes", place.planes},
         {"planes_shape",
          {place.batch, encoding_->planes.size(), encoding_->height, encoding_->width}},
         {"slots", place.slots},
         {"slots_shape", {place.batch, place.moves}}});
  }
  /// The exit code.
  int run_all(const fs::path& log) {
    const fs::path outputs = folder_->path() / "outputs";
    const nlohmann::json json = {{"inputs", folder_->write("inputs", bytes_)},
                                 {"outputs", outputs.string()},
                                 {"cases", cases_}};
    const std::string list = folder_->write("manifest.json", json.dump());
    const int code = run("node " + in_quotes(kHere / "run_onnx.js") + " " +
                             in_quotes(node_modules()) + " " + in_quotes(list),
                         log);
    const std::string bytes = test::read_text(outputs);
    outputs_.resize(bytes.size() / sizeof(float));
    std::copy_n(bytes.data(), outputs_.size() * sizeof(float),
                reinterpret_cast<char*>(outputs_.data()));
    return code;
  }
  /// The outputs of the evaluations in the order in which they were added; throws if there are no
  /// more. A full policy is that of the slots alone.
  ModuleOutputs next() {
    const Place& place = places_.at(chosen_.at(next_++));
    const auto take = [&](std::int64_t count) {
      const std::size_t first = taken_;
      taken_ += static_cast<std::size_t>(count);
      if (taken_ > outputs_.size()) throw std::runtime_error("there are fewer outputs");
      const auto begin = outputs_.begin() + static_cast<std::ptrdiff_t>(first);
      return std::vector<float>(begin, begin + count);
    };
    ModuleOutputs outputs;
    outputs.policy = take(place.batch * place.moves);
    outputs.wdl = take(3 * place.batch);
    outputs.moves_left = take(place.batch);
    return outputs;
  }

 private:
  struct Place {
    std::size_t planes, slots;
    std::int64_t batch, moves;
  };
  const test::TemporaryFolder* folder_;
  const EncodingInfo* encoding_;
  nlohmann::json cases_ = nlohmann::json::array();
  std::string bytes_;
  std::vector<Place> places_;
  std::vector<std::size_t> chosen_;
  std::vector<float> outputs_;
  std::size_t next_ = 0, taken_ = 0;
};

/// Logits of the moves as probabilities, with zeroes behind the last move.
void to_probabilities(std::vector<float>& policy, const ModuleInputs& inputs) {
  for (std::int64_t row = 0; row < inputs.batch; ++row) {
    const auto first = static_cast<std::size_t>(row * inputs.moves);
    const auto last = first + static_cast<std::size_t>(inputs.moves);
    double sum = 0;
    for (std::size_t i = first; i < last; ++i)
      if (inputs.move_slots[i] >= 0) sum += std::exp(static_cast<double>(policy[i]));
    for (std::size_t i = first; i < last; ++i)
      policy[i] = inputs.move_slots[i] < 0
                      ? 0.0F
                      : static_cast<float>(std::exp(static_cast<double>(policy[i])) / sum);
  }
}

class OnnxRuntime : public testing::Test {
 protected:
  void SetUp() override {
    if (test::has_onnx_runtime() && has_onnx()) return;
    if (test::outsiders_are_required()) FAIL() << "libonnx, node and onnxruntime-node are required";
    GTEST_SKIP() << "onnxruntime-node is not installed; scripts/setup --exports does it";
  }
  test::TemporaryFolder folder_;
  fs::path log_ = folder_.path() / "log";
};

TEST_F(OnnxRuntime, GivesOurOutputsOfAllGoldenPositionsWithBothPoliciesAtBatches1And64) {
  for (const std::string& family : test::families_to_export()) {
    const ExportSource source = test::source_to_export(family);
    const EncodingInfo& encoding = source.info.encoding;
    const std::vector<GoldenPosition> positions =
        test::positions_to_export(source, kGoldenPositions);
    Manifest manifest(folder_, encoding);
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> inputs;
    for (const Form& form : kForms) {
      const fs::path model = write_model(folder_, source, form);
      for (const auto& [first, count] : batches_for(form, positions.size())) {
        const auto [place, is_new] = inputs.try_emplace({first, count});
        if (is_new) place->second = manifest.add_inputs(test::inputs_of(positions, first, count));
        manifest.add(model, form.policy, place->second);
      }
    }
    ASSERT_EQ(manifest.run_all(log_), 0) << family << ": " << test::read_text(log_);

    std::map<ExportPrecision, test::Differences> found;
    for (const Form& form : kForms)
      for (const auto& [first, count] : batches_for(form, positions.size())) {
        const ModuleInputs asked = test::inputs_of(positions, first, count);
        ModuleOutputs outputs = manifest.next();
        if (form.policy == PolicyForm::Full) to_probabilities(outputs.policy, asked);
        test::compare_outputs(positions, first, asked, outputs, PolicyForm::Legal,
                              found[form.precision]);
      }
    const test::Differences& fp32 = found[ExportPrecision::Fp32];
    // With each policy: alone and in batches of any size, alone in the graph for one position, and
    // in the graph for 64.
    EXPECT_EQ(fp32.positions, 2 * (3 * positions.size() + positions.size() / 64 * 64));
    EXPECT_LT(fp32.probability, 1e-4) << family;
    EXPECT_LT(fp32.moves_left, 1e-3) << family;
    const test::Differences& fp16 = found[ExportPrecision::Fp16];
    EXPECT_LT(fp16.probability, 1e-2) << family;
    EXPECT_LT(fp16.moves_left, 2e-2) << family;
    for (const auto& [precision, difference] : found)
      std::cout << family << " onnx " << name(precision) << ": probability "
                << difference.probability << ", moves left " << difference.moves_left << "\n";
  }
}

TEST_F(OnnxRuntime, GivesNoProbabilityToRowsWithoutMoves) {
  const ExportSource source = test::source_to_export("gardner");
  const auto positions = test::positions_to_export(source, 2);
  ModuleInputs inputs = test::inputs_of(positions, 0, 2);
  const std::ptrdiff_t moves = inputs.moves;
  std::fill_n(inputs.move_slots.begin(), moves, -1);
  Manifest manifest(folder_, source.info.encoding);
  manifest.add(write_model(folder_, source, kForms.front()), PolicyForm::Legal,
               manifest.add_inputs(inputs));
  ASSERT_EQ(manifest.run_all(log_), 0) << test::read_text(log_);
  const std::vector<float> policy = manifest.next().policy;
  EXPECT_EQ(std::count(policy.begin(), policy.begin() + moves, 0.0F), moves);
  EXPECT_NEAR(std::accumulate(policy.begin() + moves, policy.end(), 0.0), 1, 1e-5);
}

}  // namespace
}  // namespace faultline
