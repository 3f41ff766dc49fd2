// Bundles: good ones, damaged ones, and forged ones whose hashes fit.
#include "model/export/bundle.h"

#include <cstdint>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "model/export/archive.h"
#include "model/export/bundle_check.h"
#include "model/export/bundle_writer.h"
#include "model/export/onnx_export.h"
#include "model/export/safetensors.h"
#include "model/export/torchscript_export.h"
#include "model/export/torchscript_module.h"
#include "model/fast/fast_file.h"
#include "model/inference/backend_registry.h"
#include "model/inference/folded_backend.h"
#include "model/inference/network_evaluator.h"
#include "tests/model/export/networks_to_export.h"
#include "tests/model/inference/backend_checks.h"
#include "tests/model/inference/shared_levels.h"
#include "tests/outsiders.h"
#include "tests/temporary_folder.h"

namespace faultline {
namespace {

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
  /// Files as a bundle; with right hashes if `rehashed`.
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

TEST_F(Bundle, OfAGameOfFewPositionsHasAll) {
  for (const auto& [plies, positions] : {std::pair{1, 1U}, std::pair{2, 6U}, std::pair{3, 31U}}) {
    const std::string bundle = write(test::game_of_plies(plies));
    const BundleCheck check = check_bundle(bundle, load_torchscript);
    EXPECT_TRUE(check.faults.empty()) << plies << ": " << check.faults.front();
    EXPECT_EQ(check.positions, positions) << plies;
    const auto without_one = [](std::string& golden) { golden.erase(0, golden.find('\n') + 1); };
    const BundleCheck lacks =
        check_bundle(changed(bundle, kBundleGolden, without_one, true), load_torchscript);
    ASSERT_FALSE(lacks.faults.empty());
    EXPECT_THAT(lacks.faults.front(), testing::HasSubstr("positions; a bundle has at least " +
                                                         std::to_string(positions)));
  }
}

TEST_F(Bundle, IsGoodWithAFullPolicyAndInFp16) {
  for (const auto& [policy, precision] : {std::pair{PolicyForm::Full, ExportPrecision::Fp32},
                                          std::pair{PolicyForm::Legal, ExportPrecision::Fp16}}) {
    const BundleCheck check = check_bundle(write("gardner", policy, precision), load_torchscript);
    EXPECT_TRUE(check.faults.empty()) << check.faults.front();
  }
}

TEST_F(Bundle, MayBeOfAVersionThatDidNotSayHowItIsToBeSearched) {
  EXPECT_EQ(read_checkpoint_info(write("gardner")).search->params.cpuct, 3);
  ExportSource source = test::source_to_export("gardner");
  source.search = nullptr;
  const std::string bundle =
      folder_.write("old.zip", write_bundle(source, {}, {{"run", nullptr}}, write_torchscript));
  EXPECT_EQ(read_checkpoint_info(bundle).search, std::nullopt);
  EXPECT_TRUE(check_bundle(bundle, load_torchscript).faults.empty());
}

TEST_F(Bundle, HasTheFastNetworkThatIsBesideItsNetwork) {
  ExportSource source = test::source_to_export("gardner");
  const std::string without =
      folder_.write("without.zip", write_bundle(source, {}, {{"run", nullptr}}, write_torchscript));
  EXPECT_THROW(load_fast_network(without), FastNetworkError);
  source.fast = test::fast_network_to_export("gardner");
  const std::string bundle =
      folder_.write("fast.zip", write_bundle(source, {}, {{"run", nullptr}}, write_torchscript));
  EXPECT_EQ(load_fast_network(bundle), source.fast);
  EXPECT_TRUE(check_bundle(bundle, load_torchscript).faults.empty());

  // Forged, with right hashes: the golden scores are another network's.
  FastNetwork other = *source.fast;
  other.output += 1;
  const std::string forged = changed(
      bundle, kBundleFast,
      [&](std::string& content) {
        content = fast_network_file(other, read_safetensors(content, "file").metadata);
      },
      true);
  const auto faults = check_bundle(forged, load_torchscript).faults;
  ASSERT_FALSE(faults.empty());
  EXPECT_THAT(faults.front(), testing::HasSubstr("fast.safetensors: golden[0] ("));
  const auto damaged =
      check_bundle(changed(bundle, kBundleFast, flip_last_bit, false), load_torchscript).faults;
  ASSERT_EQ(damaged.size(), 1U);
  EXPECT_THAT(damaged.front(), testing::HasSubstr("fast.safetensors has the hash "));
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
  std::size_t plane = 0;  // the first one with a piece
  const auto wrong_plane = faults([&](nlohmann::json& json) {
    plane = json["planes"][0][0].get<std::size_t>();
    json["planes"][0][2] = 24;
  });
  ASSERT_FALSE(wrong_plane.empty());
  EXPECT_NE(wrong_plane.front().find("plane " + std::to_string(plane) + " (own "),
            std::string::npos)
      << wrong_plane.front();
}

using Files = std::map<std::string, std::string>;

/// Changes one of the bundle's JSON files.
std::function<void(Files&)> json_change(
    const std::string& name, const std::function<void(nlohmann::ordered_json&)>& change) {
  return [=](Files& files) {
    auto json = nlohmann::ordered_json::parse(files.at(name));
    change(json);
    files[name] = json.dump();
  };
}
std::function<void(Files&)> content(const std::string& name, const std::string& text) {
  return [=](Files& files) { files[name] = text; };
}

/// What is changed in a bundle, with hashes that fit, and a part of what is said about it.
struct Forgery {
  std::string message;
  std::function<void(Files&)> change;
};

class ForgedBundle : public Bundle {
 protected:
  void SetUp() override {
    Bundle::SetUp();
    if (has_onnx()) good_ = test::files_of(write("gardner"));
  }
  /// Everything that is said of the bundle; "" if it is good.
  static std::string said_of(const std::string& bundle) {
    std::string text;
    try {
      for (const std::string& fault : check_bundle(bundle, load_torchscript).faults)
        text += fault + "\n";
    } catch (const ExportError& error) {
      text = error.what();
    }
    return text;
  }
  void expect_refusals(const std::vector<Forgery>& forgeries) const {
    for (const auto& [message, change] : forgeries) {
      Files files = good_;
      change(files);
      EXPECT_THAT(said_of(zipped(files, true)), testing::HasSubstr(message));
    }
  }
  Files good_;
};

TEST_F(ForgedBundle, IsOneThatWasChanged) {
  EXPECT_EQ(said_of(zipped(good_, true)), "");
}

TEST_F(ForgedBundle, WithAnotherEncodingIsRefusedByWhatDiffers) {
  const auto edit = [](const std::function<void(nlohmann::ordered_json&)>& change) {
    return json_change(kBundleEncoding, change);
  };
  expect_refusals(
      {{"describes its planes or policy kinds differently",
        [&](Files& files) {
          edit([](auto& json) {
            json["planes"].erase(json["planes"].begin() + 1, json["planes"].end());
          })(files);
          std::istringstream in(files.at(kBundleGolden));  // so that its lines fit
          std::string lines;
          for (std::string line; std::getline(in, line);) {
            auto json = nlohmann::ordered_json::parse(line);
            json["planes"] = {{0, 1.0, 3}};
            lines += json.dump() + "\n";
          }
          files[kBundleGolden] = lines;
        }},
       {"has version 99 of the gardner encoding", edit([](auto& json) { json["version"] = 99; })},
       {"differently", edit([](auto& json) { json["width"] = 60000; })},
       {"family", edit([](auto& json) { json["variant"] = "chess"; })},
       {"nosuch", edit([](auto& json) { json["variant"] = "nosuch"; })},
       {R"(encoding.json: /planes/0/source/letter is "Q"; expected "P")",
        edit([](auto& json) { json["planes"][0]["source"]["letter"] = "Q"; })},
       {"encoding.json: /squares/", edit([](auto& json) { json["squares"].clear(); })},
       {"encoding.json: /start is ", edit([](auto& json) { json["start"] = ""; })},
       {"encoding.json: /further is 1; expected missing",
        edit([](auto& json) { json["further"] = 1; })},
       {"encoding.json: encoding: key 'planes' is missing", content(kBundleEncoding, "{}")},
       {"encoding.json: is not valid JSON", content(kBundleEncoding, "{")},
       {"encoding.json: nests too deeply", content(kBundleEncoding, std::string(200'000, '['))}});
}

TEST_F(ForgedBundle, WithAnotherModelDescriptionIsRefusedByTheKey) {
  const auto edit = [](const std::function<void(nlohmann::ordered_json&)>& change) {
    return json_change(kBundleModel, change);
  };
  expect_refusals(
      {{"is a bundle of format 77; this program reads 1",
        edit([](auto& json) { json["format"] = 77; })},
       {"model.json: /tolerance/probability is 9; expected 0.0001",
        edit([](auto& json) { json["tolerance"]["probability"] = 9; })},
       {"model.json: /tolerance is missing", edit([](auto& json) { json.erase("tolerance"); })},
       {"model.json: ", edit([](auto& json) { json["net"]["blocks"] = 3; })},
       {"model.json: ", edit([](auto& json) { json["net"]["blocks"] = 1; })},
       {"model.json: ", edit([](auto& json) { json["net"]["channels"] = 1'000'000; })},
       {"'weights' is 'zzzz'", edit([](auto& json) { json["weights"] = "zzzz"; })},
       {"/weights", edit([](auto& json) { json["weights"] = "0123456789abcdef"; })},
       {"model.json: 'steps' is negative", edit([](auto& json) { json["steps"] = -5; })},
       {"model.json: /parameters is 1; expected ",
        edit([](auto& json) { json["parameters"] = 1; })},
       {"model.json: /size is ", edit([](auto& json) { json["size"] = "huge"; })},
       {"'precision' is 'bf16'; in a bundle it is fp32 or fp16",
        edit([](auto& json) { json["precision"] = "bf16"; })},
       {"/policy is \"legal\"; expected \"full\"",
        edit([](auto& json) { json["policy"] = "full"; })}});

  // Without a new hash.
  Files files = good_;
  edit([](auto& json) { json["run"] = "another"; })(files);
  EXPECT_THAT(said_of(zipped(files, false)), testing::HasSubstr("'hash' of model.json is not"));
}

TEST_F(ForgedBundle, WithAnotherNetworkInAFileIsRefused) {
  ExportSource other = test::source_to_export("gardner");
  other.network.value_out.bias.values[0] += 0.5F;
  const ExportMetadata metadata = export_metadata(other, {});
  const std::string onnx = write_onnx(other.network, {}, metadata);
  expect_refusals(
      {{"model.onnx: is no ONNX file", content(kBundleOnnx, "garbage")},
       {"model.onnx: is no ONNX file", content(kBundleOnnx, "")},
       {"model.onnx: tensor value.out.bias is not that of model.safetensors",
        content(kBundleOnnx, onnx)},
       {"model.onnx: ", content(kBundleOnnx, write_onnx(other.network, {}, {}))},
       {"model.onnx: ",
        content(kBundleOnnx, write_onnx(other.network, {.policy = PolicyForm::Full}, metadata))},
       {"model.safetensors: ", content(kBundleSafetensors, "junk")},
       {"is not that of model.safetensors",
        content(kBundleSafetensors,
                write_safetensors(other.network, ExportPrecision::Fp32, metadata))},
       {"model.torchscript.pt: tensor value.out.bias is not that of model.safetensors",
        content(kBundleTorchScript, write_torchscript(other.network, {}, metadata))},
       {"model.torchscript.pt: ", content(kBundleTorchScript, "{}")}});

  // Its planes are more than gardner's.
  const ExportSource inferno = test::source_to_export("inferno");
  expect_refusals({{"model.torchscript.pt: 'encoding': ",
                    content(kBundleTorchScript, write_torchscript(inferno.network, {},
                                                                  export_metadata(inferno, {})))}});

  // A network with other outputs, in all three files.
  Files files = good_;
  files[kBundleOnnx] = onnx;
  files[kBundleTorchScript] = write_torchscript(other.network, {}, metadata);
  files[kBundleSafetensors] = write_safetensors(other.network, ExportPrecision::Fp32, metadata);
  EXPECT_THAT(said_of(zipped(files, true)), testing::HasSubstr("position 1 ("));
}

TEST_F(ForgedBundle, WithFewerGoldenPositionsIsRefused) {
  const std::string line =
      good_.at(kBundleGolden).substr(0, good_.at(kBundleGolden).find('\n') + 1);
  std::string copies;
  for (int i = 0; i < 300; ++i)
    copies += line;
  expect_refusals({{"golden.jsonl has 1 different positions; a bundle has at least 256",
                    content(kBundleGolden, line)},
                   {"golden.jsonl has 1 different positions", content(kBundleGolden, copies)},
                   {"golden.jsonl has 0 different positions", content(kBundleGolden, "")},
                   {"golden.jsonl, line 1: ", content(kBundleGolden, "{}")},
                   {"golden.jsonl, line 1: is not valid JSON", content(kBundleGolden, "{")},
                   {"golden.jsonl, line 2: ", content(kBundleGolden, line + R"({"fen": "k w"})")}});
}

TEST_F(ForgedBundle, WithOtherFilesThanABundleHasIsRefused) {
  expect_refusals(
      {{"'files' does not list model.onnx", [](Files& files) { files.erase(kBundleOnnx); }}});

  Files files = good_;
  files.erase(kBundleOnnx);
  EXPECT_THAT(said_of(zipped(files, false)), testing::HasSubstr("it has no model.onnx"));
  files = good_;
  files["../evil.txt"] = "text";
  EXPECT_THAT(said_of(zipped(files, false)),
              testing::HasSubstr("'../evil.txt' is not listed in model.json"));
  files = {{"a.txt", "text"}};
  EXPECT_THAT(said_of(zipped(files, false)),
              testing::HasSubstr("is a zip archive without model.json"));

  // Two of one name: written under another one, then renamed in the bytes.
  files = good_;
  files["model.jsoX"] = "{}";
  std::string bytes = test::read_text(zipped(files, false));
  for (std::size_t at = 0; (at = bytes.find("model.jsoX", at)) != std::string::npos;)
    bytes.replace(at, 10, kBundleModel);
  const std::string twice = folder_.write("twice.zip", bytes);
  EXPECT_THAT(said_of(twice), testing::HasSubstr("has two files of the same name"));
  try {
    read_checkpoint_info(twice);
    ADD_FAILURE() << "was read";
  } catch (const CheckpointError& error) {
    EXPECT_EQ(error.what(), "checkpoint " + twice + ": has two files of the same name");
  }
}

TEST_F(ForgedBundle, IsNotUnpackedBeforeItsSizesAreKnown) {
  Files files = good_;
  files[kBundleSafetensors].append(1 << 20, '\0');
  std::string bytes = test::read_text(zipped(files, false));
  // Who reads it finds its checksum wrong.
  const std::size_t inside = bytes.find(files[kBundleSafetensors].substr(0, 100)) + 200;
  bytes[inside] = static_cast<char>(bytes[inside] ^ 1);
  const std::string larger = folder_.write("larger.zip", bytes);
  const std::string message = "model.safetensors has " +
                              std::to_string(files[kBundleSafetensors].size()) + " bytes, not " +
                              std::to_string(good_[kBundleSafetensors].size());
  EXPECT_EQ(said_of(larger), message + "\n");
  try {
    read_checkpoint_info(larger);
    ADD_FAILURE() << "was read";
  } catch (const CheckpointError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr(message));
  }

  files = good_;
  files[kBundleModel].append(5 << 20, ' ');
  EXPECT_THAT(said_of(zipped(files, false)), testing::HasSubstr("a bundle's has 4194304 at most"));
  EXPECT_THROW(read_checkpoint_info(zipped(files, false)), CheckpointError);

  files = good_;
  json_change(kBundleModel, [](auto& json) {
    json["files"][kBundleOnnx]["bytes"] = std::uint64_t{5} << 30;
  })(files);
  EXPECT_THAT(said_of(zipped(files, false)), testing::HasSubstr("more than 4 GiB"));
}

TEST_F(ForgedBundle, WithAWrongChecksumIsDamaged) {
  std::string bytes = test::read_text(zipped(good_, true));
  const std::size_t inside = bytes.find("moves.kind_queries");  // in the ONNX file
  ASSERT_NE(inside, std::string::npos);
  bytes[inside] = 'P';
  const BundleCheck check = check_bundle(folder_.write("damaged.zip", bytes), load_torchscript);
  ASSERT_EQ(check.faults.size(), 1U);
  EXPECT_THAT(check.faults.front(), testing::HasSubstr("model.onnx is damaged: "));
}

TEST_F(ForgedBundle, IsNotPlayedEither) {
  const auto refusal = [&](const std::function<void(Files&)>& change, bool rehashed) {
    Files files = good_;
    change(files);
    try {
      read_checkpoint_info(zipped(files, rehashed));
    } catch (const CheckpointError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  using testing::HasSubstr;
  const auto nothing = [](Files&) {};
  EXPECT_EQ(refusal(nothing, true), "");
  EXPECT_THAT(refusal(content(kBundleModel, "{"), false),
              HasSubstr("model.json: is not valid JSON"));
  EXPECT_THAT(refusal(content(kBundleEncoding, "{"), true),
              HasSubstr("encoding.json: is not valid"));
  EXPECT_THAT(refusal(json_change(kBundleModel, [](auto& json) { json["steps"] = 8; }), false),
              HasSubstr("is damaged: 'hash' of model.json is not"));
  EXPECT_THAT(
      refusal(json_change(kBundleModel, [](auto& json) { json["net"]["blocks"] = 1; }), true),
      HasSubstr("is none of its network's"));
  EXPECT_THAT(
      refusal(json_change(kBundleModel, [](auto& json) { json["search"]["cpuct"] = -1; }), true),
      HasSubstr("search: key 'cpuct' is '-1', but must be a number, 0 to 20"));
}

TEST_F(Bundle, OfANetworkThatSharesLevelsPlaysWithAnyNumberOfThem) {
  const std::string bundle = write("inferno:levels=3");
  const ExportSource source = test::source_to_export("inferno:levels=3");
  ASSERT_TRUE(source.info.net.share_levels);
  const auto three = make_backend(source.network, cpu_backends(), {.backend = "cpu"});
  const auto answers = [](int levels, const std::shared_ptr<Backend>& backend) {
    auto batch = test::eval_batch(test::with_levels_left(InfernoVariant{levels}, 2, 5));
    NetworkEvaluator<InfernoPosition>(InfernoVariant{levels}, backend).evaluate(batch);
    return batch;
  };
  // Two levels left of three, and of five.
  const auto five = load_backend(bundle, Encoder<InfernoPosition>::info(InfernoVariant{5}),
                                 cpu_backends(), {.backend = "cpu"});
  const test::Distance d = test::distance(answers(3, three), answers(5, five));
  EXPECT_LE(d.policy, 1e-6);
  EXPECT_LE(d.wdl, 1e-6);
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
  const auto found = golden_positions(source.info.encoding, backend.get(), 20);
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
