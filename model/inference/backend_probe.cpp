// Timing: which backend, precision and batch computes a network fastest on this machine.
#include "model/inference/backend_probe.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <exception>
#include <limits>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/json_text.h"

namespace faultline {
namespace {

using Clock = std::chrono::steady_clock;

/// The batch with which backends are compared.
constexpr std::size_t kFirstBatch = 16;
/// Candidates this much slower with the first batch are not tried with others.
constexpr double kHopeless = 0.8;
/// Rates closer than this are equal.
constexpr double kNoise = 0.97;
/// The first part of the time, in which all candidates are compared.
constexpr double kFirstShare = 0.6;
constexpr std::size_t kMovesPerPosition = 32;

/// Values as at the start of training; speed does not depend on them.
NetworkValues random_network(const NetworkDescription& description) {
  NetworkValues values{description, {}, {}};
  std::mt19937_64 rng(1);
  const auto fill = [&](const std::vector<TensorSpec>& tensors, std::vector<float>& into) {
    for (const TensorSpec& tensor : tensors)
      for (std::int64_t i = 0; i < tensor.numel(); ++i) {
        const double uniform = static_cast<double>(rng() >> 11) * 0x1p-52 - 1;  // -1 to 1
        into.push_back(static_cast<float>(tensor.init_mean + 1.7 * tensor.init_std * uniform));
      }
  };
  const NetworkLayout layout = network_layout(description);
  fill(layout.parameters, values.parameters);
  fill(layout.statistics, values.statistics);
  return values;
}

/// A batch of `count` made-up positions: one plane in eight is set, and in the others single cells,
/// as pieces are, half as many as there are squares. (Some backends visit only what is set.)
void fill_batch(BackendBatch& batch, const EncodingInfo& encoding,
                const std::vector<BoardPlanes>& boards, std::size_t count) {
  batch.resize(count, count * kMovesPerPosition);
  std::mt19937_64 rng(count);
  const auto below = [&](std::size_t limit) { return static_cast<std::int32_t>(rng() % limit); };
  const auto cells = static_cast<std::size_t>(encoding.policy_cells());
  const auto plane_cells = static_cast<std::size_t>(encoding.cells());
  for (std::size_t i = 0; i < count; ++i) {
    const std::span<float> planes = batch.planes(i);
    for (std::size_t at = 0; at < planes.size(); ++at)
      planes[at] = at / plane_cells % 8 == 0 ? 1.0F : 0.0F;
    for (std::size_t piece = 0; piece < cells / 2; ++piece)
      planes[rng() % planes.size()] = 1.0F;
    let_all_boards_exist(boards, planes, plane_cells);
  }
  for (PolicyIndex& move : batch.moves())
    move = {.from = below(cells), .to = below(cells), .kind = below(encoding.policy_kinds.size())};
  for (std::size_t i = 0; i <= count; ++i)
    batch.first_move()[i] = static_cast<std::uint32_t>(i * kMovesPerPosition);
}

/// One backend in one precision.
class Candidate {
 public:
  Candidate(const BackendRegistry& backends, const FoldedNetwork& network,
            const BackendAttributes& attributes)
      : encoding_(&network.encoding),
        boards_(&network.boards),
        attributes_(attributes),
        backend_(backends.find(attributes.name)
                     .create(network, {.device = attributes.device,
                                       .precision = attributes.precision,
                                       .backend = attributes.name})) {}

  const BackendAttributes& attributes() const { return attributes_; }
  InferenceChoice choice(std::size_t batch) const {
    return {.backend = attributes_.name,
            .device = attributes_.device,
            .precision = attributes_.precision,
            .batch = batch};
  }

  /// Positions per second in batches of `count`, timed for about `seconds`; nothing if that is too
  /// short for two batches.
  std::optional<double> rate(std::size_t count, double seconds, const ProbeTiming& timing) {
    const Clock::time_point start = timing.now();
    const auto since = [&](Clock::time_point from) {
      return std::chrono::duration<double>(timing.now() - from).count();
    };
    // The first batch of a size is slower: buffers are allocated, kernels are generated.
    if (estimate_ * static_cast<double>(count) > seconds) return std::nullopt;
    const auto first = batch_of(count);
    run(*first);
    if (since(start) > seconds) return std::nullopt;
    std::optional<double> rate;
    if (attributes_.asynchronous) {
      const auto second = batch_of(count);
      for (int i = 1; i < attributes_.warm_up; ++i)
        for (const auto* batch : {&first, &second})
          run(**batch);
      rate = rate_in_flight({first.get(), second.get()}, count, start, seconds, timing);
    } else {
      double best = std::numeric_limits<double>::infinity();
      do {
        const Clock::time_point began = timing.now();
        run(*first);
        best = std::min(best, since(began));
      } while (since(start) < seconds);
      rate = static_cast<double>(count) / std::max(best, 1e-9);
    }
    estimate_ = std::min(estimate_ > 0 ? estimate_ : 1 / *rate, 1 / *rate);
    return rate;
  }

  /// Positions per second one at a time; nothing if the first one takes longer than `seconds`.
  std::optional<double> rate_alone(double seconds, const ProbeTiming& timing) {
    const auto batch = batch_of(1);
    for (int i = 0; i < 2; ++i) {
      const Clock::time_point start = timing.now();
      run(*batch);
      estimate_ = std::max(std::chrono::duration<double>(timing.now() - start).count(), 1e-9);
      if (i == 0 && estimate_ > seconds) return std::nullopt;
    }
    return 1 / estimate_;
  }
  /// The rate as far as it is known; 0: not at all.
  double estimated_rate() const { return estimate_ > 0 ? 1 / estimate_ : 0; }

 private:
  std::unique_ptr<BackendBatch> batch_of(std::size_t count) const {
    auto batch = backend_->make_batch();
    fill_batch(*batch, *encoding_, *boards_, count);
    return batch;
  }
  void run(BackendBatch& batch) const {
    backend_->submit(batch);
    backend_->wait(batch);
  }
  /// Two batches in flight, as self-play keeps them.
  double rate_in_flight(std::array<BackendBatch*, 2> batches, std::size_t count,
                        Clock::time_point start, double seconds, const ProbeTiming& timing) const {
    const auto since = [&](Clock::time_point from) {
      return std::chrono::duration<double>(timing.now() - from).count();
    };
    const Clock::time_point began = timing.now();
    backend_->submit(*batches[0]);
    std::size_t submitted = 1;
    do {
      backend_->submit(*batches[submitted % 2]);
      ++submitted;
      backend_->wait(*batches[submitted % 2]);
    } while (since(start) < seconds);
    backend_->wait(*batches[(submitted + 1) % 2]);
    return static_cast<double>(submitted * count) / std::max(since(began), 1e-9);
  }

  const EncodingInfo* encoding_;
  const std::vector<BoardPlanes>* boards_;
  BackendAttributes attributes_;
  std::shared_ptr<Backend> backend_;
  double estimate_ = 0;  // seconds per position; 0: not known
};

/// The fastest, or the smallest batch of the same backend and precision that is as fast.
ProbeRate best_of(const std::vector<ProbeRate>& rates) {
  ProbeRate best = *std::ranges::max_element(rates, {}, &ProbeRate::positions_per_second);
  const double enough = kNoise * best.positions_per_second;
  for (const ProbeRate& rate : rates)
    if (rate.choice.backend == best.choice.backend &&
        rate.choice.precision == best.choice.precision && rate.positions_per_second >= enough &&
        rate.choice.batch < best.choice.batch)
      best = rate;
  return best;
}

class Probe {
 public:
  Probe(const ProbeRequest& request, const ProbeTiming& timing)
      : request_(&request), timing_(&timing) {}

  ProbeResult run() {
    FoldedNetwork network = fold(random_network(request_->network));
    // Speed does not depend on the ranges either.
    const auto blocks = static_cast<std::size_t>(network.config.blocks);
    network.ranges = ActivationRanges{std::vector<float>(ActivationRanges::count(blocks), 1.0F)};
    start_ = timing_->now();
    compare(network, candidates());
    ProbeResult result;
    if (!tried_.front().alone) {
      result.best = untimed(tried_.front());
    } else if (std::ranges::any_of(tried_, [](const Tried& t) { return t.alone && !t.rate; })) {
      rates_.clear();
      for (const Tried& tried : tried_)
        if (tried.alone) rates_.push_back({tried.candidate.choice(tried.batch), *tried.alone});
      result.best = *std::ranges::max_element(rates_, {}, &ProbeRate::positions_per_second);
    } else {
      vary_batches();
      result.best = best_of(rates_);
    }
    result.complete = all_tried_ && std::ranges::all_of(
                                        tried_, [](const Tried& t) { return t.rate.has_value(); });
    result.rates = std::move(rates_);
    result.seconds = elapsed();
    return result;
  }

 private:
  struct Tried {
    Candidate candidate;
    std::size_t batch;
    std::optional<double> alone;  // positions/s one at a time
    std::optional<double> rate;   // in batches of `batch`
  };

  /// The processor's choice first.
  std::vector<BackendAttributes> candidates() const {
    std::vector<BackendAttributes> all =
        backend_candidates(*request_->backends, request_->options, request_->precisions);
    const InferenceChoice expected = choose_by_processor(*request_->backends, request_->options,
                                                         request_->precisions, request_->processor);
    std::stable_partition(all.begin(), all.end(), [&](const BackendAttributes& candidate) {
      return candidate.name == expected.backend && candidate.precision == expected.precision;
    });
    return all;
  }
  static ProbeRate untimed(const Tried& tried) {
    return {tried.candidate.choice(tried.batch), tried.candidate.estimated_rate()};
  }

  double elapsed() const { return std::chrono::duration<double>(timing_->now() - start_).count(); }
  std::vector<std::size_t> batches(const BackendAttributes& attributes) const {
    if (request_->batch) return {*request_->batch};
    return probed_batches(attributes, request_->largest_batch);
  }

  /// Every candidate with one batch, as far as the time goes. The first one may use all of it.
  void compare(const FoldedNetwork& network, const std::vector<BackendAttributes>& all) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      const double left = kFirstShare * timing_->seconds - elapsed();
      if (left <= 0 && !tried_.empty()) {
        all_tried_ = false;
        return;
      }
      const double until = elapsed() + left / static_cast<double>(all.size() - i);
      try {
        Candidate candidate(*request_->backends, network, all[i]);
        const std::vector<std::size_t> sizes = batches(all[i]);
        std::size_t batch = sizes.front();
        for (const std::size_t size : sizes)
          if (size <= kFirstBatch) batch = size;
        const double patience = tried_.empty() ? left : (until - elapsed()) / 4;
        const auto alone = candidate.rate_alone(patience, *timing_);
        auto rate = alone ? candidate.rate(batch, until - elapsed(), *timing_) : std::nullopt;
        if (rate) rates_.push_back({candidate.choice(batch), *rate});
        tried_.push_back({std::move(candidate), rate ? batch : sizes.front(), alone, rate});
      } catch (const std::exception&) {
        // Not for this network after all; if nothing is, say why.
        if (i + 1 == all.size() && tried_.empty()) throw;
      }
    }
  }

  /// The fastest candidates with the other batches.
  void vary_batches() {
    double fastest = 0;
    for (const Tried& tried : tried_)
      fastest = std::max(fastest, tried.rate.value_or(0));
    std::vector<std::pair<Tried*, std::size_t>> rest;
    for (Tried& tried : tried_)
      if (tried.rate.value_or(0) >= kHopeless * fastest)
        for (const std::size_t batch : batches(tried.candidate.attributes()))
          if (batch != tried.batch) rest.emplace_back(&tried, batch);
    for (std::size_t i = 0; i < rest.size(); ++i) {
      const double left = timing_->seconds - elapsed();
      if (left <= 0) return;
      const auto [tried, batch] = rest[i];
      const double share = left / static_cast<double>(rest.size() - i);
      if (const auto rate = tried->candidate.rate(batch, share, *timing_))
        rates_.push_back({tried->candidate.choice(batch), *rate});
    }
  }

  const ProbeRequest* request_;
  const ProbeTiming* timing_;
  Clock::time_point start_ = {};
  std::vector<Tried> tried_;
  bool all_tried_ = true;
  std::vector<ProbeRate> rates_;  // of batches
};

}  // namespace

std::vector<std::size_t> probed_batches(const BackendAttributes& attributes, std::size_t largest) {
  const std::size_t smallest = attributes.runs_on_cpu ? 8 : 64;
  const std::size_t most = attributes.runs_on_cpu ? 128 : 4096;
  if (attributes.asynchronous) largest /= 2;
  largest = std::clamp<std::size_t>(largest, 1, attributes.largest_batch);
  std::vector<std::size_t> batches;
  for (std::size_t batch = smallest; batch <= std::min(most, largest); batch *= 2)
    batches.push_back(batch);
  if (batches.empty()) batches.push_back(largest);
  return batches;
}

ProbeResult probe_backends(const ProbeRequest& request, const ProbeTiming& timing) {
  return Probe(request, timing).run();
}

std::string probe_key(const ProbeRequest& request, const std::string& program,
                      const std::string& processor) {
  const EncodingInfo& encoding = request.network.encoding;
  nlohmann::ordered_json key = {
      {"program", program},
      {"processor", processor},
      {"net", to_json(request.network.config)},
      {"planes", encoding.plane_count()},
      {"cells", {encoding.height, encoding.width, encoding.levels}},
      {"kinds", encoding.policy_kinds.size()},
      {"batch", request.batch.value_or(0)},
      {"largest_batch", request.largest_batch},
      {"candidates", nlohmann::json::array()},
  };
  for (const BackendAttributes& candidate :
       backend_candidates(*request.backends, request.options, request.precisions))
    key["candidates"].push_back(
        {candidate.name, candidate.device, std::string(name(candidate.precision))});
  return json_text(key);
}

}  // namespace faultline
