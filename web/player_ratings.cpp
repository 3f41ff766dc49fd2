// Reads what measured players, and rates them.
#include "web/player_ratings.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <fstream>
#include <functional>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/options.h"
#include "base/refusals.h"
#include "lab/elo.h"
#include "lab/players.h"
#include "lab/rating.h"
#include "lab/rating_reader.h"
#include "lab/ready_networks.h"
#include "lab/strength_curve.h"
#include "lab/tournament_settings.h"
#include "model/checkpoint.h"
#include "model/checkpoint_file.h"
#include "play/game.h"
#include "web/run_status.h"

namespace faultline::web {
namespace {

namespace fs = std::filesystem;

/// The text of a rated player for find_player(), with the limits that it had; nothing if it is not
/// there any more, or cannot be played against.
using PlayerOf = std::function<std::optional<std::string>(const std::string& name)>;

ReportJson player_json(const std::string& name, const std::string& player, double elo,
                       const Interval& elo_95) {
  const auto whole = [](double value) { return std::lround(value); };
  return {{"name", name},
          {"player", player},
          {"elo", whole(elo)},
          {"low", whole(elo_95.low)},
          {"high", whole(elo_95.high)}};
}

/// `zero`: whose rating is 0; "": their mean is.
ReportJson scale_json(const std::string& of, const std::string& zero, const Ratings& ratings,
                      const PlayerOf& player_of) {
  ReportJson players = ReportJson::array();
  for (const PlayerRating& rated : ratings.players)
    if (const auto player = player_of(rated.name))
      players.push_back(player_json(rated.name, *player, rated.elo, rated.elo_95));
  if (players.empty()) return ReportJson::array();
  return {{{"of", of}, {"zero", zero}, {"players", std::move(players)}}};
}

std::optional<PlayerSpec> found_player(const std::string& text) {
  try {
    PlayerSpec player = find_player(text);
    if (player.kind != PlayerKind::Uci) return player;  // pages start no programs
  } catch (const std::exception&) {
    // Its net is gone, say.
  }
  return std::nullopt;
}

/// With `match`'s limits where the player has none of its own.
std::string with_limits(const PlayerSpec& player, const MoveLimits& match) {
  if (!player.needs_limits() || player.limits.any()) return player.name;
  const MoveLimits limits = limits_of(player, match);
  std::string text = player.name;
  const auto add = [&](const char* name, std::int64_t limit) {
    if (limit == 0) return;
    text += fmt::format("{}{}={}", text.find('?') == std::string::npos ? '?' : '&', name, limit);
  };
  add("visits", limits.visits);
  add("nodes", limits.nodes);
  add("evaluations", limits.evaluations);
  add("ms", limits.time_ms);
  return text;
}

ReportJson curve_scales(const LabFolder& lab, const fs::path& run, const std::string& variant) {
  if (variant_of_run(run) != variant) return ReportJson::array();
  const StrengthCurveSettings usual;
  const std::string& zero = usual.opponents.front();
  const StrengthCurveGames curve = read_strength_curve(run, variant);
  RatingGames games;
  for (const auto& [steps, game] : curve.games)
    games.add(game);
  const Ratings ratings = rate(games, {.anchor = std::pair(zero, 0.0)});
  return scale_json(
      lab.name_of(run), zero, ratings, [&](const std::string& name) -> std::optional<std::string> {
        const auto net = std::ranges::find(curve.nets, name, &StrengthCurveGames::Net::name);
        if (net == curve.nets.end()) return found_player(name) ? std::optional(name) : std::nullopt;
        if (!fs::exists(net->checkpoint)) return std::nullopt;  // the run keeps few
        return fmt::format("{}?visits={}", lab.name_of(net->checkpoint), usual.visits);
      });
}

ReportJson tournament_scales(const LabFolder& lab, const fs::path& folder,
                             const std::string& variant) {
  std::ifstream settings_file(folder / "tournament.json", std::ios::binary);
  const ReportJson settings = ReportJson::parse(settings_file);
  if (find_game(settings.at("variant").get<std::string>()).variant() != variant)
    return ReportJson::array();
  GameSettings played;
  some_options_from_json(options(played), settings, "tournament.json");
  if (!played.search_settings.empty() || played.search_defaults)
    return ReportJson::array();  // they searched otherwise than they would here
  const auto player_of = [&](const std::string& name) -> std::optional<std::string> {
    for (const ReportJson& entrant : settings.at("players")) {
      const bool named = entrant.is_object();
      if ((named ? entrant.at("name") : entrant) != name) continue;
      const auto player = found_player(named ? entrant.at("player") : entrant);
      if (!player) return std::nullopt;
      const std::string weights = named ? entrant.value("weights", "") : "";
      if (!weights.empty() && player->uses_net() &&
          read_checkpoint_info(player->net).weights() != weights)
        return std::nullopt;  // another one has taken its place
      return with_limits(*player, played.limits);
    }
    return std::nullopt;
  };
  std::ifstream in(folder / "games.pgn", std::ios::binary);
  RatingGames games;
  Refusals torn;
  read_rating_games(in, "games.pgn", games, torn);
  return scale_json(lab.name_of(folder), "", rate(games), player_of);
}

/// The matches that scripts/nets plays with a network, each a scale of its own.
ReportJson noted_scales(const fs::path& net) {
  ReportJson scales = ReportJson::array();
  const auto about = CheckpointFile::read(net).header.at("about");
  const ReportJson note = ReportJson::parse(about.at("note").get<std::string>());
  const std::string file = net.string();
  const std::array<std::pair<const char*, std::string>, 2> parts = {
      {{"fast", fmt::format("alphabeta?eval={}&nodes=", file)}, {"network", file + "?visits="}}};
  for (const auto& [part, player] : parts) {
    const ReportJson& match = note.at(part);
    const ReportJson& score = match.at("score");
    const auto limit = match.at(part == std::string("fast") ? "nodes" : "visits").get<int>();
    const auto elo = [&](const char* of) { return elo_of_score(score.at(of).get<double>()); };
    if (!std::isfinite(elo("low")) || !std::isfinite(elo("high"))) continue;
    const auto opponent = match.at("opponent").get<std::string>();
    ReportJson players = {
        player_json(fmt::format("{} {}", net.stem().string(), part), player + std::to_string(limit),
                    elo("value"), {elo("low"), elo("high")}),
        player_json(opponent, opponent, 0, {})};
    scales.push_back(
        {{"of", net.filename().string()}, {"zero", opponent}, {"players", std::move(players)}});
  }
  return scales;
}

}  // namespace

ReportJson PlayerRatings::kept(const fs::path& file, const std::string& variant,
                               const std::function<ReportJson()>& scales) {
  std::error_code error;
  const auto bytes = fs::file_size(file, error);
  if (error) return ReportJson::array();
  const auto changed = fs::last_write_time(file, error);
  {
    const std::lock_guard lock(mutex_);
    const auto known = kept_.find({file, variant});
    if (known != kept_.end() && known->second.bytes == bytes && known->second.changed == changed)
      return known->second.scales;
  }
  ReportJson made = ReportJson::array();
  try {
    made = scales();
  } catch (const std::exception&) {
    // No games with results yet, or files of somebody else's: nothing is known by it.
  }
  const std::lock_guard lock(mutex_);
  kept_[{file, variant}] = {bytes, changed, made};
  return made;
}

ReportJson PlayerRatings::of(const std::string& variant, const ReportJson& entries) {
  ReportJson all = ReportJson::array();
  const auto add = [&](ReportJson scales) {
    for (ReportJson& scale : scales)
      all.push_back(std::move(scale));
  };
  for (const ReportJson& entry : entries) {
    const fs::path path = lab_->root() / entry.at("path").get<std::string>();
    if (entry.at("kind") == "run")
      add(kept(path / "strength_curve.jsonl", variant,
               [&] { return curve_scales(*lab_, path, variant); }));
    else if (entry.at("kind") == "tournament")
      add(kept(path / "games.pgn", variant,
               [&] { return tournament_scales(*lab_, path, variant); }));
  }
  if (const fs::path net = ready_network(variant, ReadyFor::Variant); !net.empty())
    add(kept(net, variant, [&] { return noted_scales(net); }));
  return {{"scales", std::move(all)}};
}

}  // namespace faultline::web
