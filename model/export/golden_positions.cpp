// Choosing golden positions, and their text.
#include "model/export/golden_positions.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>
#include <set>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "base/json_fields.h"
#include "base/quote.h"
#include "model/encoding/encoders.h"
#include "model/export/export_options.h"
#include "rules/families.h"
#include "rules/history.h"

namespace faultline {
namespace {

using Json = nlohmann::ordered_json;

/// Everything but the outputs.
template <Position P>
GoldenPosition encoded(const P& position, int repetitions, const EncodingInfo& encoding) {
  GoldenPosition golden{.fen = position.fen(),
                        .repetitions = repetitions,
                        .planes = std::vector<float>(encoding.floats()),
                        .moves = {},
                        .slots = {},
                        .policy = {}};
  Encoder<P>::encode(position, repetitions, golden.planes);
  typename P::MoveList moves;
  position.legal_moves(moves);
  for (const Move move : moves) {
    golden.moves.push_back(position.move_text(move));
    golden.slots.push_back(slot_of(encoding, Encoder<P>::policy_index(position, move)));
  }
  return golden;
}

PolicyIndex index_of(std::int64_t slot, const EncodingInfo& encoding) {
  const auto kinds = static_cast<std::int64_t>(encoding.policy_kinds.size());
  const std::int64_t pair = slot / kinds, cells = encoding.policy_cells();
  return {static_cast<std::int32_t>(pair / cells), static_cast<std::int32_t>(pair % cells),
          static_cast<std::int32_t>(slot % kinds)};
}

void add_outputs(GoldenPosition& golden, const EncodingInfo& encoding, Backend& backend,
                 BackendBatch& batch) {
  batch.resize(1, golden.slots.size());
  std::ranges::copy(golden.planes, batch.planes().begin());
  std::ranges::transform(golden.slots, batch.moves().begin(),
                         [&](std::int64_t slot) { return index_of(slot, encoding); });
  batch.first_move()[0] = 0;
  batch.first_move()[1] = static_cast<std::uint32_t>(golden.slots.size());
  backend.submit(batch);
  backend.wait(batch);
  golden.policy.assign(batch.priors().begin(), batch.priors().end());
  golden.policy.resize(golden.slots.size());
  std::copy_n(batch.wdl().begin(), golden.wdl.size(), golden.wdl.begin());
  golden.moves_left = batch.moves_left()[0];
}

/// The index of a move picked with the policy's probabilities.
std::size_t picked(const std::vector<float>& policy, std::mt19937_64& rng) {
  double left = static_cast<double>(rng() >> 11) * 0x1p-53;
  for (std::size_t i = 0; i + 1 < policy.size(); ++i) {
    left -= static_cast<double>(policy[i]);
    if (left < 0) return i;
  }
  return policy.size() - 1;
}

/// As few digits as give the float again.
double in_short(float value) {
  std::array<char, 32> text{};
  for (int digits = 6; digits <= 9; ++digits) {
    std::snprintf(text.data(), text.size(), "%.*g", digits, static_cast<double>(value));
    if (std::strtof(text.data(), nullptr) == value) break;
  }
  return std::strtod(text.data(), nullptr);
}

template <class T>
T within(T value, T end, const std::string& what) {
  if (value < 0 || value >= end)
    throw std::runtime_error(what + " is " + std::to_string(value) + "; it must be below " +
                             std::to_string(end));
  return value;
}

}  // namespace

std::vector<GoldenPosition> golden_positions(const EncodingInfo& encoding, Backend& backend,
                                             std::size_t count) {
  return with_family(
      parse_variant_name(encoding.variant),
      [&]<class P>(std::type_identity<P>, const typename P::Variant& variant) {
        std::vector<GoldenPosition> found;
        std::set<std::string> seen;
        std::mt19937_64 rng(1);
        const auto batch = backend.make_batch();
        // Variants with few positions give fewer.
        for (int game = 0; found.size() < count && game < 1000; ++game) {
          PositionHistory<P> history(P::start(variant));
          // Long games would be most of the positions.
          const std::size_t enough =
              std::min(count, found.size() + std::max<std::size_t>(count / 10, 1));
          while (found.size() < enough && !is_over(history.outcome())) {
            GoldenPosition golden = encoded(history.position(), history.repetitions(), encoding);
            add_outputs(golden, encoding, backend, *batch);
            const std::size_t choice =
                rng() % 2 == 0 ? rng() % golden.moves.size() : picked(golden.policy, rng);
            typename P::MoveList moves;
            history.position().legal_moves(moves);
            history.play(moves[choice]);
            // Every third: neighbours are alike.
            if (history.plies() % 3 == 1 &&
                seen.insert(golden.fen + " " + std::to_string(golden.repetitions)).second)
              found.push_back(std::move(golden));
          }
        }
        return found;
      });
}

Json to_json(const GoldenPosition& position, const EncodingInfo& encoding) {
  const auto cells = static_cast<std::size_t>(encoding.cells());
  Json planes = Json::array();
  for (std::size_t plane = 0; plane < encoding.planes.size(); ++plane) {
    const auto values = std::span(position.planes).subspan(plane * cells, cells);
    std::map<float, std::vector<std::size_t>> by_value;
    for (std::size_t cell = 0; cell < cells; ++cell)
      if (values[cell] != 0.0F) by_value[values[cell]].push_back(cell);
    for (const auto& [value, marked] : by_value) {
      Json entry = {plane, in_short(value)};
      if (marked.size() < cells)
        for (const std::size_t cell : marked)
          entry.push_back(cell);
      planes.push_back(std::move(entry));
    }
  }
  Json moves = Json::array();
  for (std::size_t i = 0; i < position.moves.size(); ++i)
    moves.push_back({position.moves[i], position.slots[i], in_short(position.policy[i])});
  return {
      {"fen", position.fen},
      {"repetitions", position.repetitions},
      {"planes", std::move(planes)},
      {"moves", std::move(moves)},
      {"wdl", {in_short(position.wdl[0]), in_short(position.wdl[1]), in_short(position.wdl[2])}},
      {"moves_left", in_short(position.moves_left)}};
}

GoldenPosition golden_from_json(const nlohmann::json& json, const EncodingInfo& encoding) {
  const std::string what = "position";
  GoldenPosition position;
  position.fen = json_field<std::string>(json, "fen", what);
  position.repetitions = json_field<int>(json, "repetitions", what);
  if (position.repetitions < 0) throw std::runtime_error("'repetitions' is negative");
  position.planes.resize(encoding.floats());
  const std::int64_t cells = encoding.cells();
  for (const auto& entry : json_field<std::vector<nlohmann::json>>(json, "planes", what)) {
    const auto plane = within<std::int64_t>(entry.at(0).get<std::int64_t>(), encoding.plane_count(),
                                            "'planes': a plane's index");
    const auto value = entry.at(1).get<float>();
    const auto first = position.planes.begin() + plane * cells;
    if (entry.size() == 2) std::fill_n(first, cells, value);
    for (std::size_t i = 2; i < entry.size(); ++i)
      first[within<std::int64_t>(entry[i].get<std::int64_t>(), cells, "'planes': a cell")] = value;
  }
  for (const auto& move : json_field<std::vector<nlohmann::json>>(json, "moves", what)) {
    position.moves.push_back(move.at(0).get<std::string>());
    position.slots.push_back(within<std::int64_t>(move.at(1).get<std::int64_t>(),
                                                  slot_count(encoding), "a move's slot"));
    position.policy.push_back(move.at(2).get<float>());
  }
  const auto wdl = json_field<std::vector<float>>(json, "wdl", what);
  if (wdl.size() != 3) throw std::runtime_error("'wdl' must be three numbers");
  std::ranges::copy(wdl, position.wdl.begin());
  position.moves_left = json_field<float>(json, "moves_left", what);
  if (position.moves.empty()) throw std::runtime_error("'moves' must not be empty");
  return position;
}

std::string encoding_fault(const GoldenPosition& position, const EncodingInfo& encoding) {
  return with_family(
      parse_variant_name(encoding.variant),
      [&]<class P>(std::type_identity<P>, const typename P::Variant& variant) -> std::string {
        const GoldenPosition ours =
            encoded(P::from_fen(variant, position.fen), position.repetitions, encoding);
        for (std::size_t i = 0; i < ours.planes.size(); ++i)
          if (ours.planes[i] != position.planes[i]) {
            const auto cells = static_cast<std::size_t>(encoding.cells());
            return "plane " + std::to_string(i / cells) + " (" + encoding.planes[i / cells] +
                   "), cell " + std::to_string(i % cells) + ": " +
                   std::to_string(position.planes[i]) + "; this program has " +
                   std::to_string(ours.planes[i]);
          }
        for (std::size_t i = 0; i < std::max(ours.moves.size(), position.moves.size()); ++i)
          if (i >= ours.moves.size() || i >= position.moves.size() ||
              ours.moves[i] != position.moves[i] || ours.slots[i] != position.slots[i])
            return "legal move " + std::to_string(i) +
                   " or its slot is another one than this program's";
        return "";
      });
}

}  // namespace faultline
