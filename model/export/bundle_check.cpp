// Verifying bundles.
#include "model/export/bundle_check.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <set>
#include <span>
#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json_fields.h"
#include "base/json_text.h"
#include "base/quote.h"
#include "model/checkpoint_file.h"
#include "model/encoding/attack_planes.h"
#include "model/export/archive.h"
#include "model/export/bundle.h"
#include "model/export/bundle_writer.h"
#include "model/export/encoding_description.h"
#include "model/export/export_source.h"
#include "model/export/fast_export.h"
#include "model/export/float_bits.h"
#include "model/export/folded_tensors.h"
#include "model/export/golden_positions.h"
#include "model/export/json_text.h"
#include "model/export/onnx_export.h"
#include "model/export/safetensors.h"
#include "model/export/torchscript_source.h"
#include "model/network_description.h"

namespace faultline {
namespace {

constexpr std::size_t kBatch = 64;
constexpr std::size_t kMostFaults = 20;

struct Line {
  std::size_t number;  // in golden.jsonl, from 1
  GoldenPosition position;
};

class Checker {
 public:
  explicit Checker(const std::filesystem::path& file) : file_(file), bundle_(file) {}

  /// Each step relies on the ones before it.
  BundleCheck run(const LoadModule& load_module) {
    const auto is_good = [&] { return result_.faults.empty(); };
    check_files();
    if (is_good()) check_descriptions();
    if (is_good()) check_weights(load_module);
    if (is_good()) check_golden();
    if (is_good()) check_fast_network();
    return std::move(result_);
  }

 private:
  void add_fault(std::string text) {
    if (result_.faults.size() < kMostFaults) result_.faults.push_back(std::move(text));
  }
  /// Errors of what a file contains are faults of the bundle.
  void attempt(const std::string& what, const std::function<void()>& check) {
    try {
      check();
    } catch (const EncodingMismatch&) {
      throw;
    } catch (const std::exception& error) {
      const std::string text = error.what();
      add_fault(text.starts_with(what) ? text : what + ": " + text);
    }
  }
  /// One fault for each of the first values that differ.
  void compare(const std::string& what, const nlohmann::json& found,
               const nlohmann::json& expected) {
    constexpr std::size_t kMost = 3, kLongest = 80;
    const nlohmann::json patch = nlohmann::json::diff(found, expected);
    for (std::size_t i = 0; i < std::min(kMost, patch.size()); ++i) {
      const auto path = patch[i].at("path").get<std::string>();
      const nlohmann::json::json_pointer place(path);
      const auto shown = [&](const nlohmann::json& in) {
        return in.contains(place) ? printable(json_text(in.at(place)), kLongest) : "missing";
      };
      add_fault(fmt::format("{}: {} is {}; expected {}", what, printable(path, kLongest),
                            shown(found), shown(expected)));
    }
  }

  void check_files() {
    for (const char* name : kBundleListed)
      attempt(name, [&] { files_[name] = bundle_.read(name); });
    if (bundle_.has_fast_network())
      attempt(kBundleFast, [&] { files_[kBundleFast] = bundle_.read(kBundleFast); });
    for (const std::string& name : bundle_.unlisted())
      add_fault(fmt::format("{} is not listed in {}", quote(name), kBundleModel));
    attempt(kBundleModel, [&] {
      if (const std::string fault = bundle_.hash_fault(); !fault.empty()) add_fault(fault);
    });
  }

  /// encoding.json is this program's, and model.json what follows from it and the network's shape.
  void check_descriptions() {
    attempt(kBundleEncoding, [&] {
      const nlohmann::json described = parse_json(files_.at(kBundleEncoding), kBundleEncoding);
      const EncodingInfo encoding = encoding_from_description(described);
      source_.info.encoding = encoding_of(encoding.variant);
      if (has_attack_planes(encoding))
        source_.info.encoding = with_attack_planes(source_.info.encoding);
      require_encoding(file_, encoding, source_.info.encoding);
      source_.encoding = describe_encoding(source_.info.encoding);
      compare(kBundleEncoding, described, source_.encoding);
    });
    if (!result_.faults.empty()) return;
    attempt(kBundleModel, [&] {
      const nlohmann::json& model = bundle_.model();
      CheckpointInfo& info = source_.info;
      info.net = net_config_from_json(json_field<nlohmann::json>(model, "net", kBundleModel));
      info.steps = json_field<std::int64_t>(model, "steps", kBundleModel);
      if (info.steps < 0) throw ExportError("'steps' is negative");
      stored_search(model);  // throws for values that are not allowed
      source_.search = model.value(kSearchKey, nlohmann::json());
      source_.network.ranges = stored_ranges(model, info.net.blocks);
      info.parameters = network_layout(describe_network(info.encoding, info.net)).parameter_count();
      info.weights_hash =
          hash_from_text(json_field<std::string>(model, "weights", kBundleModel), "weights");
      options_.precision =
          one_named(model, "precision", {ExportPrecision::Fp32, ExportPrecision::Fp16});
      options_.policy = one_named(model, "policy", {PolicyForm::Legal, PolicyForm::Full});
      tolerance_ = golden_tolerance(options_.precision);  // whatever the bundle says
      const nlohmann::json expected = model_json(source_, options_);
      nlohmann::json found = nlohmann::json::object();
      for (const auto& [key, value] : expected.items())
        if (model.contains(key)) found[key] = model.at(key);
      compare(kBundleModel, found, expected);
    });
  }
  template <class T>
  static T one_named(const nlohmann::json& model, const char* key,
                     std::initializer_list<T> values) {
    const auto text = json_field<std::string>(model, key, kBundleModel);
    std::string names;
    for (const T value : values) {
      if (name(value) == text) return value;
      names += (names.empty() ? "" : " or ") + std::string(name(value));
    }
    throw ExportError(fmt::format("'{}' is {}; in a bundle it is {}", key, quote(text), names));
  }

  /// All three files hold the same network, and say of it what the bundle says.
  void check_weights(const LoadModule& load_module) {
    attempt(kBundleSafetensors, [&] {
      SafetensorsFile file = read_safetensors(files_.at(kBundleSafetensors), kBundleSafetensors);
      check_metadata(kBundleSafetensors, file.metadata);
      const auto ranges = source_.network.ranges;
      source_.network =
          network_of_tensors(source_.info.encoding, source_.info.net, std::move(file.tensors));
      source_.network.ranges = ranges;
    });
    if (!result_.faults.empty()) return;
    attempt(kBundleTorchScript, [&] {
      module_ = load_module(files_.at(kBundleTorchScript));
      check_metadata(kBundleTorchScript, module_.metadata);
      check_tensors(kBundleTorchScript, module_.tensors, attribute_name);
    });
    if (!has_onnx()) return;
    attempt(kBundleOnnx, [&] {
      const OnnxFile file = read_onnx(files_.at(kBundleOnnx));
      check_metadata(kBundleOnnx, file.metadata);
      check_tensors(kBundleOnnx, file.tensors, [](std::string tensor) { return tensor; });
      const bool legal = options_.policy == PolicyForm::Legal;
      using Names = std::vector<std::string>;
      compare(kBundleOnnx,
              {{"opset", file.opset}, {"inputs", file.inputs}, {"outputs", file.outputs}},
              {{"opset", kOnnxOpset},
               {"inputs", legal ? Names{kPlanesInput, kMoveSlotsInput} : Names{kPlanesInput}},
               {"outputs",
                Names{legal ? kPolicyOutput : kPolicyLogitsOutput, kWdlOutput, kMovesLeftOutput}}});
    });
  }
  void check_metadata(const std::string& name, const ExportMetadata& metadata) {
    for (const auto& [key, expected] : export_metadata(source_, options_)) {
      const auto text = metadata.find(key);
      if (text == metadata.end()) throw ExportError(fmt::format("has no '{}' in it", key));
      compare(fmt::format("{}: '{}'", name, key), parse_json(text->second, key),
              nlohmann::json::parse(expected));
    }
  }
  /// `tensors` contain those of safetensors, as exactly as these hold them.
  void check_tensors(const std::string& file, const std::map<std::string, FloatTensor>& tensors,
                     const std::function<std::string(std::string)>& named) {
    for_each_tensor(std::as_const(source_.network), [&](const std::string& name,
                                                        const FloatTensor& tensor) {
      const auto found = tensors.find(named(name));
      if (found == tensors.end())
        add_fault(fmt::format("{}: has no tensor {}", file, named(name)));
      else if (found->second.shape != tensor.shape ||
               to_bytes(found->second.values, options_.precision) !=
                   to_bytes(tensor.values, options_.precision))
        add_fault(fmt::format("{}: tensor {} is not that of {}", file, name, kBundleSafetensors));
    });
  }

  void check_golden() {
    std::istringstream in(files_.at(kBundleGolden));
    std::set<std::string> different;
    std::vector<Line> batch;
    std::size_t number = 0;
    for (std::string line; std::getline(in, line) && result_.faults.size() < kMostFaults;) {
      const std::string where = fmt::format("{}, line {}", kBundleGolden, ++number);
      attempt(where, [&] {
        Line golden{number, golden_from_json(parse_json(line, where), source_.info.encoding)};
        const std::string& fen = golden.position.fen;
        different.insert(fmt::format("{} {}", fen, golden.position.repetitions));
        if (const std::string fault = encoding_fault(golden.position, source_.info.encoding);
            !fault.empty())
          throw ExportError(fmt::format("{} ({}): {}", where, printable(fen, 200), fault));
        batch.push_back(std::move(golden));
      });
      if (batch.size() < kBatch) continue;
      check_outputs(batch);
      batch.clear();
    }
    if (!batch.empty()) check_outputs(batch);
    if (different.size() >= kGoldenPositions) return;
    const std::size_t least = least_golden_positions(source_.info.encoding, kGoldenPositions);
    if (different.size() < least)
      add_fault(fmt::format("{} has {} different positions; a bundle has at least {}",
                            kBundleGolden, different.size(), least));
  }

  void check_fast_network() {
    const auto fast = files_.find(kBundleFast);
    if (fast == files_.end()) return;
    for (const std::string& fault : check_fast_export(fast->second).faults)
      add_fault(fmt::format("{}: {}", kBundleFast, fault));
  }

  void check_outputs(std::span<const Line> batch) {
    attempt(kBundleTorchScript, [&] {
      const ModuleInputs inputs = inputs_of(batch);
      compare_outputs(batch, inputs, module_.run(inputs));
      result_.positions += batch.size();
    });
  }
  static ModuleInputs inputs_of(std::span<const Line> batch) {
    ModuleInputs inputs{.batch = static_cast<std::int64_t>(batch.size()),
                        .planes = {},
                        .moves = 1,
                        .move_slots = {}};
    for (const auto& [number, position] : batch)
      inputs.moves = std::max(inputs.moves, static_cast<std::int64_t>(position.slots.size()));
    for (const auto& [number, position] : batch) {
      inputs.planes.insert(inputs.planes.end(), position.planes.begin(), position.planes.end());
      inputs.move_slots.insert(inputs.move_slots.end(), position.slots.begin(),
                               position.slots.end());
      inputs.move_slots.resize(
          inputs.move_slots.size() + static_cast<std::size_t>(inputs.moves) - position.slots.size(),
          -1);
    }
    return inputs;
  }
  void compare_outputs(std::span<const Line> batch, const ModuleInputs& inputs,
                       const ModuleOutputs& outputs) {
    const auto row =
        static_cast<std::size_t>(is_full() ? slot_count(source_.info.encoding) : inputs.moves);
    if (outputs.policy.size() != row * batch.size() || outputs.wdl.size() != 3 * batch.size() ||
        outputs.moves_left.size() != batch.size())
      throw ExportError("its outputs have other shapes than its policy form and encoding say");
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const auto& [number, position] = batch[i];
      const std::string where = fmt::format("position {} ({})", number, position.fen);
      const auto policy =
          probabilities(std::span(outputs.policy).subspan(i * row, row), position.slots);
      for (std::size_t m = 0; m < position.moves.size(); ++m)
        compare(where, position.moves[m], policy[m], position.policy[m]);
      constexpr const char* kNames[] = {"win", "draw", "loss"};
      for (std::size_t k = 0; k < 3; ++k)
        compare(where, kNames[k], outputs.wdl[3 * i + k], position.wdl[k]);
      compare_moves_left(where, outputs.moves_left[i], position.moves_left);
    }
  }

  /// The probabilities of the legal moves. A full policy's logits are turned into probabilities.
  std::vector<float> probabilities(std::span<const float> row,
                                   const std::vector<std::int64_t>& slots) const {
    if (!is_full()) return {row.begin(), row.begin() + static_cast<std::ptrdiff_t>(slots.size())};
    std::vector<float> result;
    for (const std::int64_t slot : slots)
      result.push_back(row[static_cast<std::size_t>(slot)]);
    const float largest = *std::ranges::max_element(result);
    double sum = 0;
    for (float& value : result)
      sum += static_cast<double>(value = std::exp(value - largest));
    for (float& value : result)
      value = static_cast<float>(static_cast<double>(value) / sum);
    return result;
  }

  // Comparisons are negated so that what is no number differs.
  void compare(const std::string& where, const std::string& what, float found, float expected) {
    const double difference = std::fabs(static_cast<double>(found) - static_cast<double>(expected));
    if (!(difference <= result_.largest_probability)) {
      result_.largest_probability = difference;
      result_.furthest = where + ", " + what;
    }
    if (!(difference <= tolerance_.probability))
      add_fault(fmt::format("{}: {} is {:.6f}; expected {:.6f} (tolerance {:g})", where, what,
                            found, expected, tolerance_.probability));
  }
  void compare_moves_left(const std::string& where, float found, float expected) {
    const double difference =
        std::fabs(static_cast<double>(found) - static_cast<double>(expected)) /
        std::max(1.0, std::fabs(static_cast<double>(expected)));
    if (!(difference <= result_.largest_moves_left)) result_.largest_moves_left = difference;
    if (!(difference <= tolerance_.moves_left))
      add_fault(fmt::format("{}: moves left is {:.3f}; expected {:.3f} (relative tolerance {:g})",
                            where, found, expected, tolerance_.moves_left));
  }

  bool is_full() const { return options_.policy == PolicyForm::Full; }

  std::filesystem::path file_;
  BundleReader bundle_;
  std::map<std::string, std::string> files_;
  ExportSource source_;  // what the bundle says, once that is known to be right
  ExportOptions options_;
  GoldenTolerance tolerance_;
  LoadedModule module_;
  BundleCheck result_;
};

}  // namespace

BundleCheck check_bundle(const std::filesystem::path& file, const LoadModule& load_module) {
  if (!is_bundle(file))
    throw ExportError(file.string() + ": is not a bundle: it is no zip archive");
  try {
    return Checker(file).run(load_module);
  } catch (const DamagedMember& error) {  // model.json
    return {.furthest = {}, .faults = {error.what()}};
  } catch (const EncodingMismatch& error) {
    throw ExportError(error.what());
  } catch (const std::exception& error) {
    throw ExportError(file.string() + ": " + error.what());
  }
}

}  // namespace faultline
