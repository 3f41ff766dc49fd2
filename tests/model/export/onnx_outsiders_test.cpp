// ONNX files before judges that are not ours: the checker of Python's onnx, and ONNX Runtime.
//
// Both are optional (scripts/setup --exports). With FAULTLINE_REQUIRE_OUTSIDERS in the environment,
// a missing one is a failure.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <string>
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
  return folder.write(source.info.encoding.family + "-" + text(form) + ".onnx",
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

std::vector<float> floats_in(const fs::path& file) {
  const std::string bytes = test::read_text(file);
  std::vector<float> all(bytes.size() / sizeof(float));
  std::copy_n(bytes.data(), all.size() * sizeof(float), reinterpret_cast<char*>(all.data()));
  return all;
}

/// Evaluations for run_onnx.js to make.
class Manifest {
 public:
  Manifest(const test::TemporaryFolder& folder, const EncodingInfo& encoding)
      : folder_(&folder), encoding_(&encoding) {}

  /// Where the outputs of `model` for `inputs` will be. `id`: of the inputs, whose files are
  /// shared.
  fs::path add(const fs::path& model, const Form& form, const std::string& id,
               const ModuleInputs& inputs) {
    const std::string name = encoding_->family + id;
    if (written_.insert(name).second) {
      folder_->write(name + ".planes", raw(inputs.planes));
      folder_->write(name + ".slots", raw(inputs.move_slots));
    }
    fs::path outputs = folder_->path() / ("outputs" + std::to_string(cases_.size()));
    cases_.push_back(
        {{"model", model.string()},
         {"planes", (folder_->path() / (name + ".planes")).string()},
         {"planes_shape",
          {inputs.batch, encoding_->planes.size(), encoding_->height, encoding_->width}},
         {"slots", (folder_->path() / (name + ".slots")).string()},
         {"slots_shape", {inputs.batch, inputs.moves}},
         {"policy", form.policy == PolicyForm::Legal ? kPolicyOutput : kPolicyLogitsOutput},
         {"outputs", outputs.string()}});
    return outputs;
  }
  /// The exit code.
  int run_all(const fs::path& log) const {
    const std::string list = folder_->write("manifest.json", cases_.dump());
    return run("node " + in_quotes(kHere / "run_onnx.js") + " " + in_quotes(node_modules()) + " " +
                   in_quotes(list),
               log);
  }

 private:
  const test::TemporaryFolder* folder_;
  const EncodingInfo* encoding_;
  nlohmann::json cases_ = nlohmann::json::array();
  std::set<std::string> written_;
};

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
    struct Case {
      Form form;
      Batch batch;
      fs::path outputs;
    };
    std::vector<Case> cases;
    Manifest manifest(folder_, encoding);
    for (const Form& form : kForms) {
      const fs::path model = write_model(folder_, source, form);
      for (const Batch& batch : batches_for(form, positions.size())) {
        const std::string id = std::to_string(batch.first) + "-" + std::to_string(batch.count);
        cases.push_back(
            {form, batch,
             manifest.add(model, form, id, test::inputs_of(positions, batch.first, batch.count))});
      }
    }
    ASSERT_EQ(manifest.run_all(log_), 0) << family << ": " << test::read_text(log_);

    std::map<ExportPrecision, test::Differences> found;
    for (const auto& [form, batch, file] : cases) {
      const std::vector<float> all = floats_in(file);
      const auto count = static_cast<std::ptrdiff_t>(batch.count);
      ASSERT_GT(std::ssize(all), 4 * count);
      const auto wdl = all.end() - 4 * count, moves_left = all.end() - count;
      test::compare_outputs(positions, batch.first,
                            test::inputs_of(positions, batch.first, batch.count),
                            {{all.begin(), wdl}, {wdl, moves_left}, {moves_left, all.end()}},
                            form.policy, found[form.precision]);
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
  const Form& form = kForms.front();
  const fs::path outputs = manifest.add(write_model(folder_, source, form), form, "", inputs);
  ASSERT_EQ(manifest.run_all(log_), 0) << test::read_text(log_);
  const std::vector<float> all = floats_in(outputs);
  ASSERT_GE(std::ssize(all), 2 * moves);
  EXPECT_EQ(std::count(all.begin(), all.begin() + moves, 0.0F), moves);
  EXPECT_NEAR(std::accumulate(all.begin() + moves, all.begin() + 2 * moves, 0.0), 1, 1e-5);
}

}  // namespace
}  // namespace faultline
