// `faultline analyse`: the best lines of positions, and the mistakes of games.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "analysis/analysis_text.h"
#include "analysis/game_review.h"
#include "analysis/position_analysis.h"
#include "app/commands.h"
#include "app/game_options.h"
#include "app/input_errors.h"
#include "app/net_players.h"
#include "app/output_file.h"
#include "app/position_options.h"
#include "app/whole_number.h"
#include "base/json_text.h"
#include "base/processor.h"
#include "base/progress_line.h"
#include "base/quote.h"
#include "base/stop_signals.h"
#include "base/text.h"
#include "base/text_lines.h"
#include "lab/opening_file.h"
#include "lab/ready_networks.h"
#include "lab/run_match.h"
#include "play/game.h"
#include "play/game_text.h"
#include "play/san.h"
#include "rules/position.h"

namespace faultline {
namespace analyse_command {
namespace {

constexpr int kBadInput = 2;

struct Options {
  std::string input;
  std::string net;  // "": the ready network of each variant
  std::string variant;
  std::optional<std::uint32_t> visits;
  int time_ms = 0;
  std::size_t lines = 5;
  int threads = 0;
  std::optional<std::uint32_t> leaves;
  bool json = false;
  std::string pgn;
  DeviceOptions device;
};

AnalysisSettings settings_of(const Options& options, bool needs_batches) {
  AnalysisSettings settings;
  if (options.time_ms > 0 && options.visits == 0U)
    throw UsageError("--visits 0 does not search: leave out --time-ms, or --visits");
  if (options.time_ms > 0) {
    settings.time = std::chrono::milliseconds(options.time_ms);
    settings.visits = options.visits.value_or(0);  // limited by time alone
  } else {
    settings.visits = options.visits.value_or(settings.visits);
  }
  settings.lines = options.lines;
  settings.threads = options.threads > 0 ? options.threads : available_processors();
  settings.batch = reporting_input_errors([&] { return playing_choice(options.device).batch; });
  constexpr std::uint32_t kLeaves = 8;  // more make the search of one tree worse
  settings.leaves = options.leaves.value_or(needs_batches ? kLeaves : 1);
  return settings;
}

/// What analyses the positions of each variant that occurs.
class Analysts {
 public:
  /// Throws UsageError for a player that cannot analyse.
  Analysts(const Options& options, std::function<void(std::size_t)> progress)
      : options_(&options), progress_(std::move(progress)) {
    if (options.net.empty() || options.net == "material") return;
    player_ = find_named_player(options.net);
    if (player_->kind != PlayerKind::Net && player_->kind != PlayerKind::Uniform && !alpha_beta())
      throw UsageError(quote(options.net) +
                       " cannot analyse; --net takes a net, a run's folder, uniform, material, or "
                       "alphabeta");
    if (!player_->strategy.empty())
      throw UsageError(quote(options.net, 80) +
                       ": an analysis follows no strategy; leave strategy= out");
    if (player_->limits.any() || player_->temperature)
      throw UsageError(quote(options.net, 80) +
                       ": limits of an analysis are --visits and --time-ms, and it has no "
                       "temperature; leave them out");
    if (!alpha_beta()) return;
    if (!player_->search_settings.empty())
      throw UsageError(quote(options.net, 80) +
                       ": an analysis by alpha-beta has no settings but eval; leave out " +
                       quote(player_->search_settings.front()));
    if (options.visits == 0U)
      throw UsageError("--visits 0: " + quote(options.net, 80) +
                       " has no policy; give the number of positions to be searched");
    fast_ = reporting_input_errors([&] { return fast_network_of(*player_); });
  }

  /// What computes the net, on the error stream.
  void print_inference() const {
    if (!has_net()) return;
    require_choice(options_->device);
    print_search_notices({player_->name});
  }

  /// The variant of positions that do not name theirs. Throws UsageError if nothing says.
  std::string variant() const {
    if (!options_->variant.empty()) return options_->variant;
    if (fast_) return fast_->variant;
    if (!has_net()) throw UsageError("which variant? Give --variant, or a net with --net");
    return variant_of("", {*player_});
  }
  /// The variant of games that do not name theirs.
  std::string default_variant() const {
    return options_->variant.empty() && !has_net() && !fast_ ? "chess" : variant();
  }

  PositionAnalyst& of(const Game& game) {
    std::unique_ptr<PositionAnalyst>& analyst = analysts_[game.variant()];
    if (analyst) return *analyst;
    const std::optional<PlayerSpec> player =
        options_->net.empty() ? ready_player_of(game) : player_;
    const bool has_net = player && player->kind == PlayerKind::Net;
    AnalysisSettings settings = settings_of(*options_, has_net);
    if (alpha_beta()) {
      constexpr std::uint32_t kPositions = 200'000;  // a fraction of a second
      settings.alpha_beta = true;
      settings.fast = fast_;
      if (!options_->visits && !settings.time) settings.visits = kPositions;
      require_fitting(game);
    } else if (player)
      settings.search = reporting_input_errors([&] { return search_of(*player).settings; });
    auto made = std::make_unique<PositionAnalyst>(game, evaluator(game, player), settings);
    made->stop = StopSignals::requested;
    made->progress = progress_;
    analyst = std::move(made);
    return *analyst;
  }

 private:
  bool has_net() const { return player_ && player_->kind == PlayerKind::Net; }
  bool alpha_beta() const { return player_ && player_->kind == PlayerKind::AlphaBeta; }
  /// Throws UsageError if the fast network is another game's.
  void require_fitting(const Game& game) const {
    reporting_input_errors([&] { game.alpha_beta_searcher({.table_mb = 1}, fast_, nullptr); });
  }
  /// The ready network of the variant, or uniform.
  static PlayerSpec ready_player_of(const Game& game) {
    const std::filesystem::path net = ready_network(game.variant());
    return find_named_player(net.empty() || !read_checkpoint_info(net).has_network ? "uniform"
                                                                                   : net.string());
  }
  /// `player`: nothing: material.
  std::shared_ptr<GameEvaluator> evaluator(const Game& game,
                                           const std::optional<PlayerSpec>& player) const {
    if (alpha_beta()) return nullptr;
    if (!player) return game.material_evaluator();
    if (player->kind == PlayerKind::Uniform) return game.uniform_evaluator();
    return game.network_evaluator(load_player(*player, game.encoding(), options_->device));
  }

  const Options* options_;
  std::function<void(std::size_t)> progress_;
  std::optional<PlayerSpec> player_;  // nothing: material, or the ready network of each variant
  std::shared_ptr<const FastNetwork> fast_;                           // of alpha-beta, if any
  std::map<std::string, std::unique_ptr<PositionAnalyst>> analysts_;  // by variant
};

/// Positions or games from a file or standard input.
struct Source {
  std::string name;
  std::istream* in;
  std::uintmax_t size = 0;  // in bytes; 0: unknown
};

/// The position of a line as split_position_line() reads it.
std::unique_ptr<GamePosition> parse_position(const Game& game, const std::string& line) {
  const OpeningText text = split_position_line(line);
  auto position = text.start_fen.empty() ? game.start() : game.from_fen(text.start_fen);
  for (const std::string& word : text.moves) {
    const auto move = parse_san(*position, word);
    if (!move) throw UsageError(fmt::format("{} is not legal in {}", quote(word), position->fen()));
    position->play(*move);
  }
  return position;
}

/// Analyses what was given, and prints it in the order of the input.
class Session {
 public:
  explicit Session(const Options& options)
      : options_(&options),
        analysts_(options, [this](std::size_t done) { tick(done); }),
        line_(std::cerr, isatty(STDERR_FILENO) != 0) {
    analysts_.print_inference();
    std::error_code ignored;
    const std::string input = options.input == "-" ? "/dev/stdin" : options.input;
    if (!options.pgn.empty() && std::filesystem::equivalent(options.pgn, input, ignored))
      throw UsageError("--pgn " + options.pgn + ": is the input; write to another file");
    pgn_ = OutputFile(options.pgn, std::ios::trunc);
  }

  void position(const std::string& text) {
    if (!options_->pgn.empty()) throw UsageError("--pgn writes games, and this is a position");
    const Game& game = find_game(analysts_.variant());
    const auto position = parse_position(game, text);
    const PositionAnalysis analysis = analysts_.of(game).analyse(*position);
    if (options_->json)
      fmt::print("{}\n", json_text(with_context({}, game, *position, analysis)));
    else
      fmt::print("{}", analysis_text(*position, analysis));
  }

  /// Positions, one a line.
  void positions(const Source& source) {
    if (!options_->pgn.empty())
      throw UsageError("--pgn writes games, and " + source.name + " has none");
    const Game& game = find_game(analysts_.variant());
    size_ = source.size;
    std::vector<Item> chunk;
    std::size_t number = 0;
    std::uintmax_t bytes = 0;
    const AnalysisSettings settings = settings_of(*options_, false);
    // Enough that the threads seldom wait for the last of a chunk.
    const std::size_t most = static_cast<std::size_t>(settings.threads) * settings.batch * 8;
    TextLines lines(*source.in);
    for (std::string line; !StopSignals::requested() && lines.next(line);) {
      ++number;
      bytes += line.size() + 1;
      if (split_words(line).empty() || line.front() == '#') continue;
      try {
        chunk.push_back({parse_position(game, line), number});
      } catch (const FenError& error) {
        refuse(fmt::format("{}:{}: {}", source.name, number, error.what()));
      } catch (const UsageError& error) {
        refuse(fmt::format("{}:{}: {}", source.name, number, error.what()));
      }
      if (chunk.size() < most) continue;
      print(game, chunk, bytes);
      chunk.clear();
    }
    print(game, chunk, bytes);
  }

  void games(const Source& source) {
    size_ = source.size;
    GameReader reader(*source.in, source.name, analysts_.default_variant());
    for (std::size_t number = 1; !StopSignals::requested(); ++number) {
      try {
        const auto game = reader.next();
        if (!game) break;
        review(*game, number, source);
      } catch (const GameTextError& error) {
        refuse(error.what());
      } catch (const UsageError& error) {  // the net is of another variant
        refuse(fmt::format("{}: game {}: {}", source.name, number, error.what()));
      }
    }
  }

  /// Ends the output. Throws CLI::RuntimeError with the exit code unless all is well.
  void finish() {
    line_.clear();
    pgn_.flush();
    if (StopSignals::requested()) throw CLI::RuntimeError(kInterrupted);
    if (refused_) throw CLI::RuntimeError(kBadInput);
  }
  /// Throws UsageError if the source had nothing to analyse.
  void require_some(const Source& source) const {
    if (found_ || refused_ || StopSignals::requested()) return;
    throw UsageError(source.name + ": has no position or game that can be read");
  }

 private:
  using Clock = std::chrono::steady_clock;
  using Json = nlohmann::ordered_json;

  struct Item {
    std::unique_ptr<GamePosition> position;
    std::size_t line;
  };

  Json with_context(Json json, const Game& game, const GamePosition& position,
                    const PositionAnalysis& analysis) const {
    json["variant"] = game.variant();
    json.update(analysis_json(position, analysis));
    return json;
  }

  void refuse(const std::string& message) {
    line_.clear();
    std::fflush(stdout);
    fmt::print(stderr, "faultline analyse: {}\n", message);
    refused_ = true;
  }

  /// `bytes`: of the input, up to the end of the chunk.
  void print(const Game& game, const std::vector<Item>& chunk, std::uintmax_t bytes) {
    std::vector<const GamePosition*> positions;
    for (const Item& item : chunk)
      positions.push_back(item.position.get());
    begin(positions.size(), bytes);
    const std::vector<PositionAnalysis> analyses = analysts_.of(game).analyse(positions);
    line_.clear();
    for (std::size_t i = 0; i < chunk.size(); ++i) {
      if (!analyses[i].done) continue;
      if (options_->json)
        fmt::print("{}\n", json_text(with_context({{"line", chunk[i].line}}, game, *positions[i],
                                                  analyses[i])));
      else
        fmt::print("{}\n", analysis_text(*positions[i], analyses[i]));
    }
    std::fflush(stdout);
    end(positions.size(), bytes);
  }

  void review(const TextGame& game, std::size_t number, const Source& source) {
    const Game& rules = find_game(game.variant);
    const auto positions = positions_of(rules, game);
    std::vector<const GamePosition*> all;
    for (const auto& position : positions)
      all.push_back(position.get());
    PositionAnalyst& analyst = analysts_.of(rules);
    const auto read = source.size > 0 ? source.in->tellg() : std::istream::pos_type(-1);
    const std::uintmax_t bytes = read < 0 ? size_ : static_cast<std::uintmax_t>(read);
    begin(all.size(), bytes);
    const std::vector<PositionAnalysis> analyses = analyst.analyse(all);
    line_.clear();
    const GameReview review = review_game(game, positions, analyses);
    if (options_->json) {
      for (std::size_t i = 0; i < all.size(); ++i) {
        if (!analyses[i].done) break;
        Json json = with_context({{"game", number}, {"ply", i + 1}}, rules, *all[i], analyses[i]);
        if (i < review.plies.size()) json.update(review_json(review.plies[i]));
        fmt::print("{}\n", json_text(json));
      }
      fmt::print("{}\n",
                 json_text(Json{{"game", number}, {"summary", summary_json(game, review)}}));
    } else {
      fmt::print("{}\n", review_text(game, review));
    }
    std::fflush(stdout);
    if (pgn_.wanted()) write_game(pgn_.stream(), annotated(game, review));
    end(all.size(), bytes);
  }

  void begin(std::size_t positions, std::uintmax_t bytes) {
    found_ = found_ || positions > 0;
    chunk_ = positions;
    chunk_end_ = bytes;
  }
  void end(std::size_t positions, std::uintmax_t bytes) {
    done_ += positions;
    bytes_ = bytes;
  }
  /// `done`: positions of the current chunk.
  void tick(std::size_t done) {
    if (!line_.due()) return;
    const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    const std::size_t all = done_ + done;
    std::vector<std::string> parts = {
        fmt::format("{}, {:.0f}/s", counted(all, "position"),
                    static_cast<double>(all) / std::max(seconds, 1e-3))};
    if (size_ > 0 && chunk_ > 0) {
      const double chunk = static_cast<double>(done) / static_cast<double>(chunk_);
      const double bytes = static_cast<double>(bytes_) +
                           chunk * static_cast<double>(chunk_end_ - std::min(bytes_, chunk_end_));
      const double part = std::min(1.0, bytes / static_cast<double>(size_));
      if (part > 0) parts.push_back(fmt::format(", about {} left", time_left(seconds, part)));
    }
    line_.show(parts);
  }

  const Options* options_;
  Analysts analysts_;
  OutputFile pgn_;
  bool refused_ = false;  // some of the input
  bool found_ = false;    // something to analyse

  // Progress.
  ProgressLine line_;
  Clock::time_point start_ = Clock::now();
  std::uintmax_t size_ = 0;       // of the input; 0: unknown
  std::uintmax_t bytes_ = 0;      // of it, done
  std::uintmax_t chunk_end_ = 0;  // and when the current chunk is
  std::size_t chunk_ = 0;         // positions in it
  std::size_t done_ = 0;          // positions before it
};

/// Whether the input names a file, which need not exist: positions other than startpos have blanks.
bool names_a_file(const std::string& input) {
  std::error_code ignored;
  if (std::filesystem::exists(input, ignored)) return true;
  constexpr std::array<std::string_view, 4> kEndings = {".pgn", ".fen", ".epd", ".txt"};
  return (input != "startpos" && split_words(input).size() == 1) ||
         std::ranges::any_of(kEndings, [&](std::string_view end) { return input.ends_with(end); });
}

void analyse(const Options& options) {
  const StopSignals signals;
  Session session(options);
  const bool standard_input = options.input == "-";
  if (split_words(options.input).empty())
    throw UsageError("POSITION is empty; it is startpos, a FEN in quotes, a file, or -");
  std::error_code ignored;
  if (!standard_input && !names_a_file(options.input)) {
    session.position(options.input);
    return session.finish();
  }
  std::ifstream file;
  Source source{.name = standard_input ? "standard input" : options.input, .in = &std::cin};
  if (!standard_input) {
    if (!std::filesystem::exists(options.input, ignored))
      throw UsageError(options.input +
                       ": there is no such file. A position is startpos or a FEN in quotes");
    if (std::filesystem::is_directory(options.input, ignored))
      throw UsageError(options.input + ": is a folder; name a file of games or FENs");
    file.open(options.input, std::ios::binary);
    if (!file) throw UsageError(options.input + ": cannot be opened");
    source.in = &file;
    source.size = std::filesystem::file_size(options.input, ignored);
    if (ignored) source.size = 0;
  }
  if (holds_games(*source.in, options.input))
    session.games(source);
  else
    session.positions(source);
  session.require_some(source);
  session.finish();
}

}  // namespace
}  // namespace analyse_command

void add_analyse(CLI::App& app) {
  using namespace analyse_command;
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("analyse", kAnalyseSummary);
  command
      ->add_option("POSITION", options->input,
                   "a FEN in quotes, startpos, a file of games or FENs, or - for standard input")
      ->required();
  command->add_option(
      "--net", options->net,
      "a net (runs/NAME/nets/000123.pt, or a bundle), a run's folder (its newest net), "
      "untrained:RUN, uniform (search without a net), material, or alphabeta (alpha-beta; "
      "alphabeta?eval=RUN: with a fast network). Default: the variant's ready network, or "
      "uniform");
  command->add_option("--variant", options->variant,
                      "variant of FENs, and of games without a Variant tag (default: the net's)");
  command
      ->add_option("--visits", options->visits,
                   "visits per position; 0: the net's policy and value without search (default "
                   "800, or no limit with --time-ms); of alphabeta, positions searched (200000)")
      ->transform(whole_number(0, 10'000'000));
  command->add_option("--time-ms", options->time_ms, "time limit per position, in milliseconds")
      ->transform(whole_number(1, 3'600'000));
  command->add_option("--lines", options->lines, "the best lines of each position; 0: all moves")
      ->capture_default_str()
      ->transform(whole_number(0, 100'000));
  add_threads_option(*command, options->threads);
  command
      ->add_option("--leaves", options->leaves,
                   "leaves of the tree that are evaluated together; 1 is slower and finds what the "
                   "engine finds (default 8 for nets, else 1)")
      ->transform(whole_number(1, 64));
  add_device_options(*command, options->device);
  command->add_flag("--json", options->json, "print one line of JSON per position");
  command->add_option("--pgn", options->pgn, "write the games with values and marks to this file")
      ->type_name("FILE");
  command->footer(
      "Win, draw, loss and priors are in per cent, for the side to move; plies are those left "
      "until\n"
      "the game ends. A file or standard input has one FEN per line, or \"startpos\", either\n"
      "perhaps followed by \"moves\" and moves, or moves only; or it has games "
      "(docs/game_format.md). Lines and games that cannot be read are reported on stderr and\n"
      "skipped, and the exit code is then 2. Ctrl-C prints what was found so far.\n\n"
      "A game is printed with one line per ply: the expected score (win + draw / 2, in per cent)\n"
      "of the mover before and after the move, and what the move lost. A loss of 5 is marked ?!,\n"
      "of 10 ?, of 20 ??. Moves of the opening (OpeningPlies) are neither marked nor counted.\n"
      "docs/analyse.md describes the JSON.\n\n"
      "Examples:\n"
      "  faultline analyse startpos --variant escher --net material --time-ms 5000\n"
      "  faultline analyse \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\" --net runs/chess --lines 3\n"
      "  faultline analyse startpos --net 'alphabeta?eval=runs/fast' --time-ms 1000\n"
      "  faultline analyse games.pgn --net runs/quickstart --visits 2000 --pgn annotated.pgn\n"
      "  faultline analyse - --net runs/quickstart --visits 0 --json < fens.txt > values.jsonl");
  command->callback([options] { analyse(*options); });
}

}  // namespace faultline
