// TorchScript files run by LibTorch alone.
#include <algorithm>
#include <iostream>
#include <iterator>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/export/archive.h"
#include "model/export/bundle_writer.h"
#include "model/export/torchscript_export.h"
#include "model/export/torchscript_module.h"
#include "tests/model/export/networks_to_export.h"
#include "tests/temporary_folder.h"

namespace faultline {
namespace {

TEST(TorchScript, GivesOurOutputsOfAllGoldenPositionsInEveryPrecisionWithBothPolicies) {
  for (const std::string& family : test::families_to_export()) {
    const ExportSource source = test::source_to_export(family);
    const std::vector<GoldenPosition> positions =
        test::positions_to_export(source, kGoldenPositions);
    for (const ExportPrecision precision :
         {ExportPrecision::Fp32, ExportPrecision::Fp16, ExportPrecision::Bf16}) {
      test::Differences found;
      for (const PolicyForm policy : {PolicyForm::Legal, PolicyForm::Full}) {
        const ExportOptions options{.precision = precision, .policy = policy};
        const LoadedModule module = load_torchscript(
            write_torchscript(source.network, options, export_metadata(source, options)));
        const auto evaluate = [&](std::size_t first, std::size_t count) {
          const ModuleInputs inputs = test::inputs_of(positions, first, count);
          test::compare_outputs(positions, first, inputs, module.run(inputs), policy, found);
        };
        for (std::size_t first = 0; first < positions.size(); ++first)
          evaluate(first, 1);
        for (std::size_t first = 0; first < positions.size(); first += 64)
          evaluate(first, std::min<std::size_t>(64, positions.size() - first));
      }
      const GoldenTolerance tolerance = golden_tolerance(precision);
      EXPECT_EQ(found.positions, 4 * positions.size());
      EXPECT_LT(found.probability, tolerance.probability) << family;
      EXPECT_LT(found.moves_left, tolerance.moves_left) << family;
      std::cout << family << " torchscript " << name(precision) << ": probability "
                << found.probability << ", moves left " << found.moves_left << "\n";
    }
  }
}

TEST(TorchScript, GivesNoProbabilityToRowsWithoutMoves) {
  const ExportSource source = test::source_to_export("gardner");
  const auto positions = test::positions_to_export(source, 2);
  const LoadedModule module =
      load_torchscript(write_torchscript(source.network, {}, export_metadata(source, {})));
  ModuleInputs inputs = test::inputs_of(positions, 0, 2);
  std::fill_n(inputs.move_slots.begin(), inputs.moves, -1);
  const std::vector<float> policy = module.run(inputs).policy;
  ASSERT_EQ(std::ssize(policy), 2 * inputs.moves);
  EXPECT_EQ(std::count(policy.begin(), policy.begin() + inputs.moves, 0.0F), inputs.moves);
  EXPECT_NEAR(std::accumulate(policy.begin() + inputs.moves, policy.end(), 0.0), 1, 1e-5);
}

TEST(TorchScript, RefusesInputsOfOtherSizesThanItsOwn) {
  const ExportSource source = test::source_to_export("gardner");
  const auto positions = test::positions_to_export(source, 2);
  const LoadedModule module =
      load_torchscript(write_torchscript(source.network, {}, export_metadata(source, {})));
  const ModuleInputs good = test::inputs_of(positions, 0, 2);
  EXPECT_NO_THROW(module.run(good));
  ModuleInputs bad = good;
  bad.planes.pop_back();
  EXPECT_THROW(module.run(bad), ExportError);
  bad = good;
  bad.move_slots.pop_back();
  EXPECT_THROW(module.run(bad), ExportError);
  bad = good;
  bad.batch = 3;
  EXPECT_THROW(module.run(bad), ExportError);
}

/// The module with another text in place of one in its code.
std::string with_code(const std::string& module, const std::string& text,
                      const std::string& other) {
  const test::TemporaryFolder folder;
  auto files = test::files_of(folder.write("module", module));
  int places = 0;
  for (auto& [name, content] : files)
    if (const std::size_t at = content.find(text);
        name.ends_with(".py") && at != std::string::npos) {
      content.replace(at, text.size(), other);
      ++places;
    }
  EXPECT_EQ(places, 1) << text;
  return write_archive({files.begin(), files.end()});
}

TEST(TorchScript, RefusesAModuleThatReturnsSomethingElse) {
  const ExportSource source = test::source_to_export("gardner");
  const ModuleInputs inputs = test::inputs_of(test::positions_to_export(source, 1), 0, 1);
  const std::string module = write_torchscript(source.network, {}, export_metadata(source, {}));
  EXPECT_NO_THROW(load_torchscript(with_code(module, "Tuple", "Tuple")).run(inputs));
  const std::string shorter =
      with_code(with_code(module, "Tuple[Tensor, Tensor, Tensor]", "Tuple[Tensor, Tensor]"),
                "(policy, wdl, moves_left)", "(policy, wdl)");
  EXPECT_THROW(load_torchscript(shorter).run(inputs), ExportError);
}

TEST(TorchScript, RefusesAFixedBatchAndBytesThatAreNoModule) {
  EXPECT_THROW(write_torchscript({}, {.batch = 8}, {}), ExportError);
  EXPECT_THROW(load_torchscript("no module"), ExportError);
  EXPECT_THROW(load_torchscript(""), ExportError);
}

}  // namespace
}  // namespace faultline
