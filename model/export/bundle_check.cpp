// Verifying bundles.
#include "model/export/bundle_check.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <span>
#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json_fields.h"
#include "base/quote.h"
#include "model/export/archive.h"
#include "model/export/bundle.h"
#include "model/export/golden_positions.h"

namespace faultline {
namespace {

constexpr std::size_t kBatch = 64;
constexpr std::size_t kMostFaults = 20;

class Checker {
 public:
  Checker(const std::filesystem::path& file, std::map<std::string, std::string> files)
      : file_(file), files_(std::move(files)) {
    model_ = nlohmann::json::parse(content(kBundleModel));
  }

  BundleCheck run(const LoadModule& load_module) {
    check_hashes();
    if (!result_.faults.empty()) return result_;  // outputs of damaged files say nothing
    read_descriptions();
    const std::vector<GoldenPosition> golden = read_golden();
    const RunModule module = load_module(content(kBundleTorchScript));
    for (std::size_t first = 0; first < golden.size(); first += kBatch)
      check_outputs(std::span(golden).subspan(first, std::min(kBatch, golden.size() - first)),
                    first, module);
    return result_;
  }

 private:
  const std::string& content(const std::string& name) const {
    const auto found = files_.find(name);
    if (found == files_.end())
      throw ExportError(fmt::format("{}: is no bundle: it has no {}", file_.string(), name));
    return found->second;
  }

  void read_descriptions() {
    encoding_ = encoding_from_description(nlohmann::json::parse(content(kBundleEncoding)));
    const auto tolerance = json_field<nlohmann::json>(model_, "tolerance", kBundleModel);
    probability_tolerance_ = json_field<double>(tolerance, "probability", "tolerance");
    moves_left_tolerance_ = json_field<double>(tolerance, "moves_left", "tolerance");
    full_policy_ = json_field<std::string>(model_, "policy", kBundleModel) == "full";
  }

  void add_fault(std::string text) {
    if (result_.faults.size() < kMostFaults) result_.faults.push_back(std::move(text));
  }

  void check_hashes() {
    const auto table = json_field<nlohmann::json>(model_, "files", kBundleModel);
    for (const auto& [name, entry] : table.items())
      if (const std::string fault = file_fault(model_, name, content(name)); !fault.empty())
        add_fault(fault);
    for (const auto& [name, bytes] : files_)
      if (name != kBundleModel && !table.contains(name))
        add_fault(fmt::format("{} is not listed in {}", quote(name), kBundleModel));
    if (bundle_hash(table) != json_field<std::string>(model_, "hash", kBundleModel))
      add_fault(fmt::format("'hash' of {} is not that of its files", kBundleModel));
  }

  std::vector<GoldenPosition> read_golden() {
    std::vector<GoldenPosition> golden;
    std::istringstream in(content(kBundleGolden));
    for (std::string line; std::getline(in, line);) {
      const std::string where = fmt::format("{}, line {}", kBundleGolden, golden.size() + 1);
      try {
        golden.push_back(golden_from_json(nlohmann::json::parse(line), encoding_));
        if (const std::string fault = encoding_fault(golden.back(), encoding_); !fault.empty())
          add_fault(fmt::format("{} ({}): {}", where, golden.back().fen, fault));
      } catch (const std::exception& error) {
        throw ExportError(fmt::format("{}: {}: {}", file_.string(), where, error.what()));
      }
    }
    result_.positions = golden.size();
    if (golden.empty()) add_fault(fmt::format("{} has no positions", kBundleGolden));
    return golden;
  }

  void check_outputs(std::span<const GoldenPosition> golden, std::size_t first,
                     const RunModule& module) {
    ModuleInputs inputs{.batch = static_cast<std::int64_t>(golden.size()),
                        .planes = {},
                        .moves = 1,
                        .move_slots = {}};
    for (const GoldenPosition& position : golden)
      inputs.moves = std::max(inputs.moves, static_cast<std::int64_t>(position.slots.size()));
    for (const GoldenPosition& position : golden) {
      inputs.planes.insert(inputs.planes.end(), position.planes.begin(), position.planes.end());
      inputs.move_slots.insert(inputs.move_slots.end(), position.slots.begin(),
                               position.slots.end());
      inputs.move_slots.resize(
          inputs.move_slots.size() + static_cast<std::size_t>(inputs.moves) - position.slots.size(),
          -1);
    }
    const ModuleOutputs outputs = module(inputs);
    const std::size_t row =
        static_cast<std::size_t>(full_policy_ ? slot_count(encoding_) : inputs.moves);
    if (outputs.policy.size() != row * golden.size() || outputs.wdl.size() != 3 * golden.size() ||
        outputs.moves_left.size() != golden.size())
      throw ExportError(file_.string() + ": the outputs of " + kBundleTorchScript +
                        " have other shapes than its policy form and encoding say");
    for (std::size_t i = 0; i < golden.size(); ++i) {
      const GoldenPosition& position = golden[i];
      const std::string where = fmt::format("position {} ({})", first + i + 1, position.fen);
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

  /// Of the legal moves. A full policy's logits are turned into probabilities.
  std::vector<float> probabilities(std::span<const float> row,
                                   const std::vector<std::int64_t>& slots) const {
    if (!full_policy_)
      return {row.begin(), row.begin() + static_cast<std::ptrdiff_t>(slots.size())};
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
    if (!(difference <= probability_tolerance_))
      add_fault(fmt::format("{}: {} is {:.6f}; expected {:.6f} (tolerance {:g})", where, what,
                            found, expected, probability_tolerance_));
  }
  void compare_moves_left(const std::string& where, float found, float expected) {
    const double difference =
        std::fabs(static_cast<double>(found) - static_cast<double>(expected)) /
        std::max(1.0, std::fabs(static_cast<double>(expected)));
    if (!(difference <= result_.largest_moves_left)) result_.largest_moves_left = difference;
    if (!(difference <= moves_left_tolerance_))
      add_fault(fmt::format("{}: moves left is {:.3f}; expected {:.3f} (relative tolerance {:g})",
                            where, found, expected, moves_left_tolerance_));
  }

  std::filesystem::path file_;
  std::map<std::string, std::string> files_;
  nlohmann::json model_;
  EncodingInfo encoding_;
  double probability_tolerance_ = 0, moves_left_tolerance_ = 0;
  bool full_policy_ = false;
  BundleCheck result_;
};

}  // namespace

BundleCheck check_bundle(const std::filesystem::path& file, const LoadModule& load_module) {
  if (!is_bundle(file)) throw ExportError(file.string() + ": is not a bundle (a zip archive)");
  try {
    return Checker(file, read_archive(file)).run(load_module);
  } catch (const std::exception& error) {
    const std::string text = error.what();
    throw ExportError(text.starts_with(file.string()) ? text : file.string() + ": " + text);
  }
}

}  // namespace faultline
