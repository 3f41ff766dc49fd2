// Choosing golden positions.
#include "model/export/golden_positions.h"

#include <algorithm>
#include <array>
#include <memory>
#include <random>
#include <set>
#include <span>
#include <type_traits>
#include <utility>

#include "model/encoding/attack_planes.h"
#include "model/encoding/encoders.h"
#include "model/export/export_options.h"
#include "rules/families.h"
#include "rules/history.h"

namespace faultline {
namespace {

/// Everything but the outputs.
template <Position P>
GoldenPosition encoded(const P& position, int repetitions, const EncodingInfo& encoding) {
  GoldenPosition golden{.fen = position.fen(),
                        .repetitions = repetitions,
                        .planes = std::vector<float>(encoding.floats()),
                        .moves = {},
                        .slots = {},
                        .policy = {}};
  PositionEncoder<P>(encoding).encode(position, repetitions, golden.planes);
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

std::string text_of(const std::string& fen, int repetitions) {
  return fen + " " + std::to_string(repetitions);
}

/// The first `count` different positions in which the game goes on, or all: the nearest to the
/// start first.
template <Position P>
std::vector<PositionHistory<P>> nearest(const P& start, std::size_t count) {
  std::vector<PositionHistory<P>> found;
  std::set<std::string> seen;
  const auto add = [&](PositionHistory<P> history) {
    if (found.size() == count || is_over(history.outcome()) ||
        !seen.insert(text_of(history.position().fen(), history.repetitions())).second)
      return;
    found.push_back(std::move(history));
  };
  add(PositionHistory<P>(start));
  for (std::size_t i = 0; i < found.size() && found.size() < count; ++i) {
    typename P::MoveList moves;
    found[i].position().legal_moves(moves);
    for (const Move move : moves) {
      PositionHistory<P> next = found[i];
      next.play(move);
      add(std::move(next));
    }
  }
  return found;
}

/// Collects the positions of one variant.
template <Position P>
class Chooser {
 public:
  Chooser(const typename P::Variant& variant, const EncodingInfo& encoding, Backend* backend)
      : start_(P::start(variant)),
        encoding_(&encoding),
        backend_(backend),
        batch_(backend != nullptr ? backend->make_batch() : nullptr),
        planes_(encoding.floats()),
        is_lit_(encoding.planes.size()),
        is_used_(encoding.policy_kinds.size()) {}

  std::vector<GoldenPosition> take() { return std::move(found_); }

  /// Adds `count` positions of games in which every other move is random and the others follow the
  /// network. Short games give fewer.
  void walk(std::size_t count) {
    for (int game = 0; found_.size() < count && game < 1000; ++game) {
      PositionHistory<P> history(start_);
      // Long games would be most of the positions.
      const std::size_t enough =
          std::min(count, found_.size() + std::max<std::size_t>(count / 10, 1));
      while (found_.size() < enough && !is_over(history.outcome())) {
        GoldenPosition golden = encoded(history.position(), history.repetitions(), *encoding_);
        find_outputs(golden);
        const bool at_random = rng_() % 2 == 0 || golden.policy.empty();
        const std::size_t choice =
            at_random ? rng_() % golden.moves.size() : picked(golden.policy, rng_);
        typename P::MoveList moves;
        history.position().legal_moves(moves);
        history.play(moves[choice]);
        // Every third: neighbours are alike.
        if (history.plies() % 3 == 1 && seen_.insert(text_of(golden)).second)
          add(std::move(golden));
      }
    }
  }

  /// Adds positions near the start until there are `count`, or all that there are.
  void fill(std::size_t count) {
    if (found_.size() >= count) return;
    for (const PositionHistory<P>& history : nearest(start_, count))
      if (found_.size() < count) add_if_new(history);
  }

  /// Adds positions of random games that light a plane, or have a legal move of a kind, that no
  /// position has yet. What is not found with a bounded effort stays missing.
  void complete() {
    constexpr int kGames = 200, kPlies = 200;
    for (int game = 0; game < kGames && !is_complete(); ++game) {
      PositionHistory<P> history(start_);
      while (history.plies() < kPlies && !is_over(history.outcome())) {
        add_if_useful(history);
        if (history.plies() % 8 == 4) repeat(history);
        typename P::MoveList moves;
        history.position().legal_moves(moves);
        history.play(moves[rng_() % moves.size()]);
      }
    }
  }

 private:
  static std::string text_of(const GoldenPosition& golden) {
    return faultline::text_of(golden.fen, golden.repetitions);
  }
  bool is_complete() const {
    return std::ranges::find(is_lit_, false) == is_lit_.end() &&
           std::ranges::find(is_used_, false) == is_used_.end();
  }

  /// Whether the plane has a value in some cell.
  bool lights(std::span<const float> planes, std::size_t plane) const {
    const auto cells = static_cast<std::size_t>(encoding_->cells());
    return std::ranges::any_of(planes.subspan(plane * cells, cells),
                               [](float value) { return value != 0.0F; });
  }
  bool lights_more(const P& position, int repetitions) {
    PositionEncoder<P>(*encoding_).encode(position, repetitions, planes_);
    for (std::size_t plane = 0; plane < is_lit_.size(); ++plane)
      if (!is_lit_[plane] && lights(planes_, plane)) return true;
    return false;
  }
  bool uses_more(const P& position) const {
    typename P::MoveList moves;
    position.legal_moves(moves);
    return std::ranges::any_of(moves, [&](Move move) {
      return !is_used_[static_cast<std::size_t>(Encoder<P>::policy_index(position, move).kind)];
    });
  }

  /// Adds the outputs, if there is a network.
  void find_outputs(GoldenPosition& golden) {
    if (backend_ != nullptr) add_outputs(golden, *encoding_, *backend_, *batch_);
  }
  void add(GoldenPosition golden) {
    for (std::size_t plane = 0; plane < is_lit_.size(); ++plane)
      is_lit_[plane] = is_lit_[plane] || lights(golden.planes, plane);
    for (const std::int64_t slot : golden.slots)
      is_used_[static_cast<std::size_t>(index_of(slot, *encoding_).kind)] = true;
    found_.push_back(std::move(golden));
  }
  void add_if_useful(const PositionHistory<P>& history) {
    if (lights_more(history.position(), history.repetitions()) || uses_more(history.position()))
      add_if_new(history);
  }
  void add_if_new(const PositionHistory<P>& history) {
    GoldenPosition golden = encoded(history.position(), history.repetitions(), *encoding_);
    if (!seen_.insert(text_of(golden)).second) return;
    find_outputs(golden);
    add(std::move(golden));
  }

  /// Both sides move and move back: the same position again, if that would light a plane.
  void repeat(const PositionHistory<P>& before) {
    if (!lights_more(before.position(), before.repetitions() + 1)) return;
    constexpr int kTries = 20;
    for (int i = 0; i < kTries; ++i) {
      PositionHistory<P> history = before;
      std::array<PolicyIndex, 2> out{};
      bool played = true;
      for (std::size_t ply = 0; ply < 4 && played && !is_over(history.outcome()); ++ply)
        played = ply < 2 ? play_any(history, out[ply]) : play_back(history, out[ply - 2]);
      if (!played || history.repetitions() == 0 || is_over(history.outcome())) continue;
      add_if_useful(history);
      return;
    }
  }
  bool play_any(PositionHistory<P>& history, PolicyIndex& index) {
    typename P::MoveList moves;
    history.position().legal_moves(moves);
    const Move move = moves[rng_() % moves.size()];
    index = Encoder<P>::policy_index(history.position(), move);
    history.play(move);
    return true;
  }
  bool play_back(PositionHistory<P>& history, PolicyIndex index) const {
    typename P::MoveList moves;
    history.position().legal_moves(moves);
    const PolicyIndex back{index.to, index.from, index.kind};
    for (const Move move : moves)
      if (Encoder<P>::policy_index(history.position(), move) == back) {
        history.play(move);
        return true;
      }
    return false;
  }

  P start_;
  const EncodingInfo* encoding_;
  Backend* backend_;  // null: none
  std::unique_ptr<BackendBatch> batch_;
  std::mt19937_64 rng_{1};
  std::vector<float> planes_;  // of the last encoded position
  std::vector<bool> is_lit_;   // by plane
  std::vector<bool> is_used_;  // by kind of move
  std::set<std::string> seen_;
  std::vector<GoldenPosition> found_;
};

}  // namespace

std::vector<GoldenPosition> golden_positions(const EncodingInfo& encoding, Backend* backend,
                                             std::size_t count) {
  return with_family(parse_variant_name(encoding.variant),
                     [&]<class P>(std::type_identity<P>, const typename P::Variant& variant) {
                       Chooser<P> chooser(variant, encoding, backend);
                       chooser.walk(count);
                       chooser.fill(count);
                       chooser.complete();
                       return chooser.take();
                     });
}

std::size_t least_golden_positions(const EncodingInfo& encoding, std::size_t count) {
  return with_family(parse_variant_name(encoding.variant),
                     [&]<class P>(std::type_identity<P>, const typename P::Variant& variant) {
                       return nearest(P::start(variant), count).size();
                     });
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
