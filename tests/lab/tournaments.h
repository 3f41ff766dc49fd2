// Small tournaments, and what an action complains of.
#pragma once

#include <exception>
#include <string>
#include <vector>

#include "lab/tournament_settings.h"

namespace faultline::test {

inline TournamentSettings settings_of(const std::vector<std::string>& players) {
  TournamentSettings settings;
  settings.variant = "gardner";
  settings.games = 4;
  settings.max_plies = 30;
  for (const std::string& player : players)
    settings.players.push_back(parse_entrant(player));
  return settings;
}

/// Deterministic players.
inline TournamentSettings three_players() {
  return settings_of({"a=material?visits=6", "b=alphabeta?depth=1", "c=uniform?visits=4"});
}

/// The message of what `action` throws; empty if it throws nothing.
std::string message_of(const auto& action) {
  try {
    action();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

/// A text with every newline as another program may have written it.
inline std::string with_carriage_returns(const std::string& text) {
  std::string changed;
  for (const char c : text)
    changed += c == '\n' ? std::string("\r\n") : std::string(1, c);
  return changed;
}

}  // namespace faultline::test
