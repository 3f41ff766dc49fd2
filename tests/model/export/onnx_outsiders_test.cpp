// ONNX files before judges that are not ours: the checker of Python's onnx, and ONNX Runtime.
//
// Both are optional (scripts/setup --exports). With FAULTLINE_REQUIRE_OUTSIDERS in the environment,
// a missing one is a failure.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

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
    {PolicyForm::Legal, 0, ExportPrecision::Fp32}, {PolicyForm::Full, 0, ExportPrecision::Fp32},
    {PolicyForm::Legal, 1, ExportPrecision::Fp32}, {PolicyForm::Full, 1, ExportPrecision::Fp32},
    {PolicyForm::Legal, 0, ExportPrecision::Fp16}, {PolicyForm::Full, 0, ExportPrecision::Fp16}};

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

/// One evaluation by ONNX Runtime.
struct Case {
  Form form;
  std::size_t first;
  ModuleInputs inputs;
  fs::path outputs;
};

TEST(OnnxRuntime, GivesOurOutputsInEveryFamilyWithBothPoliciesAtBatches1And64) {
  const test::TemporaryFolder folder;
  const fs::path log = folder.path() / "log";
  if (!test::has_onnx_runtime() || !has_onnx()) {
    if (test::outsiders_are_required()) FAIL() << "libonnx, node and onnxruntime-node are required";
    GTEST_SKIP() << "onnxruntime-node is not installed; scripts/setup --exports does it";
  }
  for (const std::string& family : test::families_to_export()) {
    const ExportSource source = test::source_to_export(family);
    const EncodingInfo& encoding = source.info.encoding;
    const std::vector<GoldenPosition> positions = test::positions_to_export(source, 64);
    ASSERT_EQ(positions.size(), 64U);
    auto manifest = nlohmann::json::array();
    std::vector<Case> cases;
    for (const Form& form : kForms) {
      const fs::path model = write_model(folder, source, form);
      const std::size_t batch = form.batch > 0 ? static_cast<std::size_t>(form.batch) : 64;
      // One position at a time also through the graph with a dynamic batch.
      std::vector<std::pair<std::size_t, std::size_t>> ranges;
      if (batch == 64) ranges.emplace_back(0, 64);
      for (std::size_t first = 0; first < 64; first += 16)
        ranges.emplace_back(first, 1);
      for (const auto& [first, count] : ranges) {
        const std::string id = family + std::to_string(cases.size());
        Case one{form, first, test::inputs_of(positions, first, count),
                 folder.path() / (id + ".out")};
        manifest.push_back(
            {{"model", model.string()},
             {"planes", folder.write(id + ".planes", raw(one.inputs.planes))},
             {"planes_shape", {count, encoding.planes.size(), encoding.height, encoding.width}},
             {"slots", folder.write(id + ".slots", raw(one.inputs.move_slots))},
             {"slots_shape", {count, one.inputs.moves}},
             {"policy", form.policy == PolicyForm::Legal ? kPolicyOutput : kPolicyLogitsOutput},
             {"outputs", one.outputs.string()}});
        cases.push_back(std::move(one));
      }
    }
    const std::string list = folder.write("manifest.json", manifest.dump());
    ASSERT_EQ(run("node " + in_quotes(kHere / "run_onnx.js") + " " + in_quotes(node_modules()) +
                      " " + in_quotes(list),
                  log),
              0)
        << family << ": " << test::read_text(log);

    std::map<ExportPrecision, test::Differences> found;
    for (const Case& one : cases) {
      const std::string bytes = test::read_text(one.outputs);
      std::vector<float> all(bytes.size() / sizeof(float));
      ASSERT_FALSE(all.empty());
      std::copy_n(bytes.data(), all.size() * sizeof(float), reinterpret_cast<char*>(all.data()));
      const auto batch = static_cast<std::ptrdiff_t>(one.inputs.batch);
      ASSERT_GT(std::ssize(all), 4 * batch);
      const auto wdl = all.end() - 4 * batch, moves_left = all.end() - batch;
      test::compare_outputs(positions, one.first, one.inputs,
                            {{all.begin(), wdl}, {wdl, moves_left}, {moves_left, all.end()}},
                            one.form.policy, found[one.form.precision]);
    }
    const test::Differences& fp32 = found[ExportPrecision::Fp32];
    EXPECT_EQ(fp32.positions, 144U);
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

}  // namespace
}  // namespace faultline
