// `faultline rate`: ratings of the players of recorded games.
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "app/commands.h"
#include "app/input_errors.h"
#include "app/print_document.h"
#include "base/quote.h"
#include "base/refusals.h"
#include "lab/rating.h"
#include "lab/rating_document.h"
#include "lab/rating_reader.h"

namespace faultline {
namespace rate_command {
namespace {

struct Options {
  std::vector<std::string> files;
  std::string anchor;
  double prior = RatingSettings().prior_elo;
  std::string observation = "opening";
  bool pairs = false;
  bool strict = false;
  bool json = false;
};

/// "NAME=ELO"; the name may contain '='.
std::pair<std::string, double> parse_anchor(const std::string& text) {
  const std::size_t equals = text.rfind('=');
  double elo = 0;
  if (equals != std::string::npos && equals > 0) {
    const char* const begin = text.data() + equals + 1;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(begin, end, elo);
    if (error == std::errc() && stop == end && begin != end) return {text.substr(0, equals), elo};
  }
  throw UsageError("--anchor " + quote(text) + ": must be NAME=ELO, as in --anchor stockfish=3000");
}

void read(const std::string& file, RatingGames& games, Refusals& refused) {
  if (file == "-") return read_rating_games(std::cin, "standard input", games, refused);
  if (std::filesystem::is_directory(file))
    throw UsageError(file + ": is a folder; a tournament's games are in its games.pgn");
  std::ifstream in(file, std::ios::binary);
  if (!in) throw UsageError(file + ": cannot be opened");
  read_rating_games(in, file, games, refused);
}

void run_rate(const Options& options) {
  RatingSettings settings{
      .prior_elo = options.prior,
      .observation = options.observation == "game" ? Observation::Game : Observation::Opening};
  if (!options.anchor.empty()) settings.anchor = parse_anchor(options.anchor);
  RatingGames games;
  Refusals refused;
  for (auto file = options.files.begin(); file != options.files.end(); ++file) {
    // Games that count twice make intervals too narrow.
    if (std::find(options.files.begin(), file, *file) != file)
      throw UsageError(quote(*file) + " is given twice");
    read(*file, games, refused);
  }
  if (refused.count() > 0) {
    if (options.strict || games.games().empty()) throw UsageError(refused.first());
    fmt::print(stderr, "faultline rate: {}\n", refused.warning("game"));
  }
  if (games.games().empty())
    throw UsageError(fmt::format(
        "there is no game with a result between two players ({} without a result, {} of a player "
        "against itself)",
        games.without_result(), games.against_itself()));
  const Ratings ratings = rate(games, settings);
  print(rating_document(ratings, options.pairs || options.json), options.json);
}

}  // namespace
}  // namespace rate_command

void add_rate(CLI::App& app) {
  using namespace rate_command;
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("rate", "rate the players of recorded games");
  command->add_option("FILES", options->files, "games as PGN; -: standard input")->required();
  command->add_option("--anchor", options->anchor, "give this player this rating (default: mean 0)")
      ->type_name("NAME=ELO");
  command
      ->add_option("--prior", options->prior,
                   "standard deviation of players' strengths that is assumed before any game, in "
                   "Elo; it bounds the ratings of players that won or lost everything")
      ->capture_default_str()
      ->check(CLI::Range(1.0, 10'000.0))
      ->type_name("ELO");
  command
      ->add_option("--observation", options->observation,
                   "what intervals count as one observation: the games of an opening together, "
                   "where the Round tags name it (PAIR.GAME), or each game (opening, game)")
      ->capture_default_str()
      ->check(CLI::IsMember({"opening", "game"}));
  command->add_flag("--pairs", options->pairs,
                    "also print the likelihood of superiority for every two players, and each "
                    "pairing's score and residual");
  command->add_flag("--strict", options->strict,
                    "refuse files with a game that cannot be read, instead of leaving it out");
  command->add_flag("--json", options->json, "print one JSON object");
  command->footer(
      "Strengths are fitted by maximum likelihood with draws (Davidson's model) and an advantage\n"
      "of the first move for each variant. A difference of D Elo means that wins and losses are\n"
      "in the ratio 10^(D/400) : 1; with many draws the score is then closer to one half than\n"
      "Elo's curve, and differences are larger than those that 'faultline match' prints.\n"
      "Each interval is for the difference to the mean, or to the anchor. Games without a result\n"
      "('*') are left out. docs/ratings.md has the formulas.\n\n"
      "Examples:\n"
      "  faultline rate games.pgn\n"
      "  faultline rate tournaments/*/games.pgn --anchor uniform=0 --pairs\n"
      "  cat games.pgn | faultline rate - --json");
  command->callback([options] { reporting_input_errors([&] { run_rate(*options); }); });
}

}  // namespace faultline
