// TorchScript files run by LibTorch alone, and bundles.
#include <functional>
#include <iostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "model/export/archive.h"
#include "model/export/bundle.h"
#include "model/export/bundle_check.h"
#include "model/export/bundle_writer.h"
#include "model/export/onnx_export.h"
#include "model/export/torchscript_export.h"
#include "model/export/torchscript_module.h"
#include "model/inference/backend_registry.h"
#include "tests/model/export/networks_to_export.h"
#include "tests/outsiders.h"
#include "tests/temporary_folder.h"

namespace faultline {
namespace {

TEST(TorchScript, GivesOurOutputsInEveryFamilyAndPrecisionWithBothPolicies) {
  for (const std::string& family : test::families_to_export()) {
    const ExportSource source = test::source_to_export(family);
    const std::vector<GoldenPosition> positions = test::positions_to_export(source, 64);
    ASSERT_EQ(positions.size(), 64U);
    for (const ExportPrecision precision :
         {ExportPrecision::Fp32, ExportPrecision::Fp16, ExportPrecision::Bf16}) {
      test::Differences found;
      for (const PolicyForm policy : {PolicyForm::Legal, PolicyForm::Full}) {
        const ExportOptions options{.precision = precision, .policy = policy};
        const LoadedModule module = load_torchscript(
            write_torchscript(source.network, options, export_metadata(source, options)));
        for (const std::size_t batch : {1, 64}) {
          const ModuleInputs inputs = test::inputs_of(positions, 0, batch);
          test::compare_outputs(positions, 0, inputs, module.run(inputs), policy, found);
        }
      }
      const GoldenTolerance tolerance = golden_tolerance(precision);
      EXPECT_EQ(found.positions, 130U);
      EXPECT_LT(found.probability, tolerance.probability) << family;
      EXPECT_LT(found.moves_left, tolerance.moves_left) << family;
      std::cout << family << " torchscript " << name(precision) << ": probability "
                << found.probability << ", moves left " << found.moves_left << "\n";
    }
  }
}

TEST(TorchScript, RefusesAFixedBatchAndBytesThatAreNoModule) {
  EXPECT_THROW(write_torchscript({}, {.batch = 8}, {}), ExportError);
  EXPECT_THROW(load_torchscript("no module"), ExportError);
  EXPECT_THROW(load_torchscript(""), ExportError);
}

void flip_last_bit(std::string& content) {
  content.back() = static_cast<char>(content.back() ^ 1);
}

class Bundle : public testing::Test {
 protected:
  void SetUp() override {
    if (has_onnx()) return;
    if (test::outsiders_are_required()) FAIL() << "libonnx is required";
    GTEST_SKIP() << "built without libonnx, so without bundles";
  }
  std::string write(const std::string& variant, PolicyForm policy = PolicyForm::Legal,
                    ExportPrecision precision = ExportPrecision::Fp32) const {
    const ExportSource source = test::source_to_export(variant);
    return folder_.write("net.zip", write_bundle(source, {.precision = precision, .policy = policy},
                                                 {{"run", nullptr}}, write_torchscript));
  }
  /// Replaces the content of a file; with right hashes if `rehashed`.
  std::string changed(const std::string& bundle, const std::string& file,
                      const std::function<void(std::string&)>& change, bool rehashed) const {
    auto files = test::files_of(bundle);
    change(files.at(file));
    return zipped(files, rehashed);
  }
  std::string zipped(std::map<std::string, std::string> files, bool rehashed) const {
    if (rehashed) {
      auto model = nlohmann::ordered_json::parse(files.at(kBundleModel));
      files.erase(kBundleModel);
      model["files"] = file_table(files);
      files[kBundleModel] = model_text(model);
    }
    return folder_.write("changed.zip", write_archive({files.begin(), files.end()}));
  }
  test::TemporaryFolder folder_;
};

TEST_F(Bundle, IsGoodInEveryFamily) {
  for (const std::string& family : test::families_to_export()) {
    const BundleCheck check = check_bundle(write(family), load_torchscript);
    EXPECT_TRUE(check.faults.empty()) << family << ": " << check.faults.front();
    EXPECT_GE(check.positions, 200U) << family;
    EXPECT_LT(check.largest_probability, 1e-4);
    EXPECT_GT(check.largest_probability, 0) << "compared with itself?";
  }
}

TEST_F(Bundle, IsGoodWithAFullPolicyAndInFp16) {
  for (const auto& [policy, precision] : {std::pair{PolicyForm::Full, ExportPrecision::Fp32},
                                          std::pair{PolicyForm::Legal, ExportPrecision::Fp16}}) {
    const BundleCheck check = check_bundle(write("gardner", policy, precision), load_torchscript);
    EXPECT_TRUE(check.faults.empty()) << check.faults.front();
  }
}

TEST_F(Bundle, IsTheSameForTheSameNetwork) {
  const std::string first = test::read_text(write("gardner"));
  EXPECT_TRUE(first == test::read_text(write("gardner")));
}

TEST_F(Bundle, WithADamagedFileIsFoundByItsHash) {
  const std::string bundle = write("gardner");
  for (const char* file :
       {kBundleOnnx, kBundleTorchScript, kBundleSafetensors, kBundleEncoding, kBundleGolden}) {
    const BundleCheck check =
        check_bundle(changed(bundle, file, flip_last_bit, false), load_torchscript);
    ASSERT_EQ(check.faults.size(), 1U) << file;
    EXPECT_NE(check.faults.front().find(std::string(file) + " has the hash "), std::string::npos);
  }
}

TEST_F(Bundle, WhoseGoldenOutputsAreOthersIsRefusedWithThePositionAndTheNumbers) {
  const std::string bundle = write("gardner");
  const auto change_line = [](std::size_t number,
                              const std::function<void(nlohmann::json&)>& change) {
    return [=](std::string& content) {
      std::string result;
      std::istringstream in(content);
      std::size_t i = 0;
      for (std::string line; std::getline(in, line); result += line + "\n")
        if (++i == number) {
          auto json = nlohmann::json::parse(line);
          change(json);
          line = json.dump();
        }
      content = result;
    };
  };
  const auto faults = [&](const std::function<void(nlohmann::json&)>& change) {
    return check_bundle(changed(bundle, kBundleGolden, change_line(70, change), true),
                        load_torchscript)
        .faults;
  };
  const auto wrong_move = faults([](nlohmann::json& json) {
    json["moves"][0][2] = json["moves"][0][2].get<double>() + 0.001;
  });
  ASSERT_EQ(wrong_move.size(), 1U);
  EXPECT_NE(wrong_move.front().find("position 70 ("), std::string::npos) << wrong_move.front();
  EXPECT_NE(wrong_move.front().find("expected"), std::string::npos);
  const auto wrong_value =
      faults([](nlohmann::json& json) { json["wdl"][2] = json["wdl"][2].get<double>() - 0.001; });
  ASSERT_EQ(wrong_value.size(), 1U);
  EXPECT_NE(wrong_value.front().find("loss is "), std::string::npos) << wrong_value.front();
  const auto wrong_plies = faults([](nlohmann::json& json) { json["moves_left"] = 1.5; });
  ASSERT_EQ(wrong_plies.size(), 1U);
  EXPECT_NE(wrong_plies.front().find("moves left is "), std::string::npos);
  const auto wrong_plane = faults([](nlohmann::json& json) { json["planes"][0][2] = 24; });
  ASSERT_FALSE(wrong_plane.empty());
  EXPECT_NE(wrong_plane.front().find("plane 0 (own pawn)"), std::string::npos)
      << wrong_plane.front();
}

TEST_F(Bundle, ThatIsMalformedIsRefused) {
  const std::string bundle = write("gardner");
  for (const char* file : {kBundleModel, kBundleEncoding, kBundleTorchScript, kBundleGolden})
    EXPECT_THROW(check_bundle(changed(
                                  bundle, file, [](std::string& c) { c = "{}"; },
                                  file != std::string(kBundleModel)),
                              load_torchscript),
                 ExportError)
        << file;
  EXPECT_THROW(check_bundle(folder_.write("text", "no zip"), load_torchscript), ExportError);
  const std::string bytes = test::read_text(bundle);
  EXPECT_THROW(
      check_bundle(folder_.write("cut", bytes.substr(0, bytes.size() / 2)), load_torchscript),
      ExportError);
}

TEST_F(Bundle, PlaysAsItsNetworkDoes) {
  const std::string bundle = write("escher");
  const ExportSource source = test::source_to_export("escher");
  const CheckpointInfo info = read_checkpoint_info(bundle);
  EXPECT_EQ(info.encoding, source.info.encoding);
  EXPECT_EQ(info.net, source.info.net);
  EXPECT_EQ(info.weights_hash, source.info.weights_hash);
  EXPECT_EQ(info.steps, 7);
  const auto backend =
      load_backend(bundle, source.info.encoding, cpu_backends(), {.backend = "cpu"});
  const auto expected = test::positions_to_export(source, 20);
  const auto found = golden_positions(source.info.encoding, *backend, 20);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].fen, expected[i].fen);
    EXPECT_EQ(found[i].policy, expected[i].policy);
    EXPECT_EQ(found[i].moves_left, expected[i].moves_left);
  }
  EXPECT_THROW(load_backend(bundle, test::source_to_export("chess").info.encoding, cpu_backends()),
               EncodingMismatch);
  EXPECT_THROW(read_checkpoint_info(changed(bundle, kBundleSafetensors, flip_last_bit, false)),
               CheckpointError);
  EXPECT_THROW(
      read_checkpoint_info(changed(
          bundle, kBundleSafetensors, [](std::string& c) { c.resize(c.size() - 8); }, true)),
      CheckpointError);
}

}  // namespace
}  // namespace faultline
