// Writing fast networks for other programs, and checking what was written.
#include "model/export/fast_export.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <set>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "base/json_fields.h"
#include "base/json_text.h"
#include "base/quote.h"
#include "model/export/encoding_description.h"
#include "model/export/export_options.h"
#include "model/export/golden_positions.h"
#include "model/export/json_text.h"
#include "model/export/plane_source.h"
#include "model/export/safetensors.h"
#include "model/fast/fast_encoder.h"
#include "model/fast/fast_file.h"
#include "rules/families.h"

namespace faultline {
namespace {

using Json = nlohmann::ordered_json;

// Keys of the metadata, besides kFastNetworkKey.
constexpr const char* kEncodingKey = "encoding";
constexpr const char* kEvaluationKey = "evaluation";
constexpr const char* kGoldenKey = "golden";

void require_layout(const FastLayout& found, const FastLayout& expected,
                    const std::string& variant) {
  if (!(found == expected))
    throw ExportError("the fast network's inputs are not those that this program has for " +
                      quote(variant, 100) + "; the program that trained it can export it");
}

/// A group of inputs, the first of which is number `first`.
Json describe_group(const FastInputGroup& group, std::size_t first, const FastLayout& layout,
                    const EncodingDetails& details, const PieceKinds* pieces) {
  constexpr std::string_view kBlacksView = "Black's view: ";
  Json json = {{"name", group.name}, {"first", first}, {"size", group.size}};
  std::string_view name = group.name;
  const bool is_blacks = name.starts_with(kBlacksView);
  if (is_blacks) name.remove_prefix(kBlacksView.size());
  const bool views_differ = std::ranges::any_of(layout.groups, [&](const FastInputGroup& other) {
    return other.name == std::string(kBlacksView) + std::string(name);
  });
  if (views_differ) json["view"] = is_blacks ? "black" : "white";
  if (name == "levels") {
    json["source"] = {{"term", "levels"}};
    json["least"] = 1;
    json["most"] = group.size;
    return json;
  }
  const Json plane = describe_plane(std::string(name), details, pieces);
  json["source"] = plane.at("source");
  if (group.by_cell) return json;
  if (const auto least =
          std::ranges::find(details.least, name, &std::pair<std::string, int>::first);
      least != details.least.end()) {
    json["least"] = least->second;
    json["most"] = least->second + group.size - 1;
    return json;
  }
  const int most = (group.size - 1) / 2;
  if (plane.at("divisor") != most)
    throw ExportError("fast network: inputs " + quote(name, 80) + " are no whole numbers");
  json["least"] = -most;
  json["most"] = most;
  return json;
}

nlohmann::json parsed(const ExportMetadata& metadata, const char* key) {
  const auto text = metadata.find(key);
  if (text == metadata.end()) throw ExportError(fmt::format("'{}' is not in the metadata", key));
  return parse_json(text->second, key);
}

/// What the golden positions of the metadata say that this program does not.
void check_golden(const FastNetwork& network, const nlohmann::json& golden,
                  FastExportCheck& check) {
  constexpr std::size_t kMostShown = 20;
  std::set<std::string> different;
  with_family(
      parse_variant_name(network.variant),
      [&]<class P>(std::type_identity<P>, const typename P::Variant& variant) {
        const auto evaluation =
            FastEncoder<P>::evaluation(variant, std::make_shared<const FastNetwork>(network));
        for (std::size_t i = 0; i < golden.size() && check.faults.size() < kMostShown; ++i) {
          const std::string what = fmt::format("{}[{}]", kGoldenKey, i);
          try {
            const auto fen = json_field<std::string>(golden[i], "fen", what);
            const auto expected = json_field<int>(golden[i], "score", what);
            const int score = evaluation->evaluate(P::from_fen(variant, fen));
            different.insert(fen);
            ++check.positions;
            if (score != expected)
              check.faults.push_back(fmt::format("{} ({}): the score is {}; expected {}", what,
                                                 printable(fen, 200), score, expected));
          } catch (const std::exception& error) {
            check.faults.push_back(what + ": " + error.what());
          }
        }
      });
  if (!check.faults.empty() || different.size() >= kFastGoldenPositions) return;
  const std::size_t least =
      least_golden_positions(encoding_of(network.variant), kFastGoldenPositions);
  if (different.size() < least)
    check.faults.push_back(fmt::format("'{}' has {} different positions; expected at least {}",
                                       kGoldenKey, different.size(), least));
}

}  // namespace

Json describe_fast_network(const FastNetwork& network) {
  Json inputs = Json::array();
  with_family(parse_variant_name(network.variant),
              [&]<class P>(std::type_identity<P>, const typename P::Variant& variant) {
                require_layout(network.layout, FastEncoder<P>::layout(variant), network.variant);
                const EncodingDetails details = Encoder<P>::details(variant);
                const EncodingInfo& info = Encoder<P>::info(variant);
                const PieceKinds* pieces =
                    info.game.empty() ? nullptr : &piece_kinds_of(info.variant);
                std::size_t first = 0;
                for (const FastInputGroup& group : network.layout.groups) {
                  inputs.push_back(describe_group(group, first, network.layout, details, pieces));
                  first += static_cast<std::size_t>(group.size);
                }
              });
  return {
      {"format", 1},
      {"hidden", kFastHidden},
      {"scale", network.scale},
      {"direct_divisor", 32},
      {"hidden_divisor", 8 * network.scale},
      {"rounding", "both divisions are of whole numbers and round towards 0"},
      {"unit",
       fmt::format("hidden[view] = min(max(bias + sum of first[i] over the view's inputs i, 0), "
                   "{})",
                   network.scale)},
      {"score",
       fmt::format("(sum of direct[i] over own inputs - sum of direct[i] over the opponent's) "
                   "/ 32 + (second[0] . hidden[own] + second[1] . hidden[opponent's]) / {} + "
                   "output",
                   8 * network.scale)},
      {"meaning", fmt::format("centipawns for the side to move, whose expected result is 1 / (1 + "
                              "exp(-score / {}))",
                              kFastCentipawns)},
      {"inputs", std::move(inputs)}};
}

std::vector<FastGolden> fast_golden_positions(const FastNetwork& network) {
  const std::vector<GoldenPosition> chosen =
      golden_positions(encoding_of(network.variant), nullptr, kFastGoldenPositions);
  return with_family(
      parse_variant_name(network.variant),
      [&]<class P>(std::type_identity<P>, const typename P::Variant& variant) {
        require_layout(network.layout, FastEncoder<P>::layout(variant), network.variant);
        const auto evaluation =
            FastEncoder<P>::evaluation(variant, std::make_shared<const FastNetwork>(network));
        std::vector<FastGolden> golden;
        std::set<std::string> seen;  // the same position can have several pasts
        for (const GoldenPosition& one : chosen)
          if (seen.insert(one.fen).second)
            golden.push_back({one.fen, evaluation->evaluate(P::from_fen(variant, one.fen))});
        return golden;
      });
}

std::string write_fast_export(const FastNetwork& network) {
  Json golden = Json::array();
  for (const FastGolden& position : fast_golden_positions(network))
    golden.push_back({{"fen", position.fen}, {"score", position.score}});
  return fast_network_file(
      network, {{kEncodingKey, json_text(describe_encoding(encoding_of(network.variant)))},
                {kEvaluationKey, json_text(describe_fast_network(network))},
                {kGoldenKey, json_text(golden)}});
}

bool is_fast_export(std::string_view bytes) {
  try {
    return read_safetensors(bytes, "").metadata.contains(kFastNetworkKey);
  } catch (const ExportError&) {
    return false;
  }
}

FastExportCheck check_fast_export(std::string_view bytes) {
  FastExportCheck check;
  try {
    const FastNetwork network = read_fast_network(bytes, "the network");
    const ExportMetadata metadata = read_safetensors(bytes, "").metadata;
    const auto compare = [&](const char* key, const nlohmann::json& expected) {
      if (parsed(metadata, key) != expected)
        check.faults.push_back(
            fmt::format("'{}' is not what this program says of {}", key, quote(network.variant)));
    };
    compare(kEvaluationKey, describe_fast_network(network));
    compare(kEncodingKey, describe_encoding(encoding_of(network.variant)));
    if (check.faults.empty()) check_golden(network, parsed(metadata, kGoldenKey), check);
  } catch (const std::exception& error) {
    check.faults.emplace_back(error.what());
  }
  return check;
}

}  // namespace faultline
