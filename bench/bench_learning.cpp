// What a network learns from the games that a run has played: shapes of networks and settings of
// training compared on the same games, without self-play.
//
//   bench_learning RUN [--games N] [--set section.key=value ...] [--out NET.pt]
//
// The run's games arrive in their order, as they did in the run; each is learned from as often as
// `learner.replay_ratio` says. The last twentieth is held out. Prints the losses on it, in nats:
// policy and its targets' entropy, value against the run's own targets and against the games'
// results.
#include <algorithm>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "base/cpu_clock.h"
#include "model/encoding/attack_planes.h"
#include "model/encoding/encoders.h"
#include "model/training/trainer.h"
#include "record/config.h"
#include "record/stored_games.h"
#include "rules/families.h"
#include "selfplay/held_out.h"
#include "selfplay/learner.h"

namespace faultline {
namespace {

/// A trainer that nobody plays with.
class OfflineTrainer final : public RunTrainer {
 public:
  explicit OfflineTrainer(Trainer trainer) : trainer_(std::move(trainer)) {}
  std::string describe() const override { return faultline::describe(trainer_.net()); }
  const EncodingInfo& encoding() const override { return trainer_.encoding(); }
  std::int64_t steps() const override { return trainer_.steps(); }
  double learning_rate() const override { return trainer_.learning_rate(); }
  void set_learning_rate(double rate) override { trainer_.set_learning_rate(rate); }
  StepLosses step(const TrainBatch& batch) override { return trainer_.step(batch); }
  StepLosses evaluate(const TrainBatch& batch) override { return trainer_.evaluate(batch); }
  void save(const std::filesystem::path& file, const TreeSearchSettings& search) const override {
    trainer_.save(file, search);
  }
  std::string playing_file(const TreeSearchSettings&) const override { return {}; }
  PlayingNet publish() override { throw std::logic_error("nobody plays"); }

 private:
  Trainer trainer_;
};

struct Options {
  std::filesystem::path run;
  std::size_t games = 0;
  std::vector<std::string> set;
  std::filesystem::path net;
};

/// Mean losses over every eighth position of the games.
HeldOutLosses losses(const GameDecoder& decoder, const std::vector<StoredGame>& games,
                     RunTrainer& trainer) {
  HeldOutLosses sum;
  HeldOut held_out(trainer.encoding(), 256);
  for (const StoredGame& game : games)
    if (const auto some = held_out.add(decoder.decode(read_game(game)), trainer))
      sum.add(*some, 1e18);
  return sum;
}

void learn(const EncodingInfo& family, const Config& config, const Options& options) {
  std::vector<StoredGame> games =
      all_games(scan_games(options.run / "games", canonical_variant(config)));
  if (games.size() < 20) throw std::runtime_error("the run has fewer than 20 games");
  const auto held_out = games.end() - static_cast<std::ptrdiff_t>(games.size() / 20);
  const std::vector<StoredGame> last(held_out, games.end());
  games.erase(held_out, games.end());
  if (options.games > 0 && games.size() > options.games) games.resize(options.games);

  TrainParams params = config.learner.train;
  if (params.precision == TrainingPrecision::Auto) params.precision = TrainingPrecision::Bf16;
  OfflineTrainer trainer(Trainer(config.net.attack_planes ? with_attack_planes(family) : family,
                                 config.net, params, "cpu",
                                 static_cast<std::uint64_t>(config.run.seed)));
  const GameDecoder decoder(config.run.variant, value_targets(config.learner));
  Learner learner(config, trainer);
  const CpuClock clock;
  for (std::size_t i = 0; i < games.size(); ++i) {
    GameSamples samples = decoder.decode(read_game(games[i]));
    const std::uint64_t positions = samples.size();
    learner.add(std::move(samples), positions);
    while (learner.may_step())
      learner.step(static_cast<double>(i) / static_cast<double>(games.size()));
  }
  const double seconds = clock.seconds();
  const HeldOutLosses own = losses(decoder, last, trainer);
  const HeldOutLosses result = losses(GameDecoder(config.run.variant, {}), last, trainer);
  fmt::print(
      "{} games, {} positions, {} steps, {:.0f} CPU seconds; {} held out: policy {:.3f} (entropy "
      "{:.3f}), value {:.3f} (constant {:.3f}), result {:.3f} (constant {:.3f})\n",
      games.size(), learner.positions(), trainer.steps(), seconds, own.positions, own.policy,
      own.policy_entropy, own.value, own.constant_value(), result.value, result.constant_value());
  if (!options.net.empty()) trainer.save(options.net, playing_search(config.search));
}

}  // namespace
}  // namespace faultline

int main(int argc, char** argv) {
  using namespace faultline;
  Options options;
  CLI::App app{"What a network learns from the games that a run has played."};
  app.add_option("RUN", options.run, "A run's folder")->required();
  app.add_option("--games", options.games, "Learn from the run's first so many games only");
  app.add_option("--set", options.set, "section.key=value, as of faultline train");
  app.add_option("--out", options.net, "Write the network to this file");
  CLI11_PARSE(app, argc, argv);
  try {
    Config config = load_config(options.run / "config.toml");
    for (const std::string& text : options.set)
      set_option(config, text);
    with_family(parse_variant_name(config.run.variant),
                [&]<Position P>(std::type_identity<P>, const typename P::Variant& variant) {
                  learn(Encoder<P>::info(variant), config, options);
                });
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_learning: {}\n", error.what());
    return 1;
  }
}
