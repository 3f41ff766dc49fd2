// The fields of requests, and the lines of play that they name. All throw RequestError with the
// field.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "play/game.h"
#include "web/request.h"

namespace faultline::web {

/// Null if the request has no such field, or null there.
const ReportJson* find_field(const ReportJson& request, const char* name);
std::string text_field(const ReportJson& request, const char* name);
/// "" without the field.
std::string optional_text(const ReportJson& request, const char* name);
/// A whole number from `low` to `high`.
std::int64_t number_field(const ReportJson& request, const char* name, std::int64_t low,
                          std::int64_t high);
std::optional<std::int64_t> optional_number(const ReportJson& request, const char* name,
                                            std::int64_t low, std::int64_t high);
std::vector<std::string> texts_field(const ReportJson& request, const char* name);

/// The game of that name.
const Game& find_named_game(const std::string& name, const char* field = "game");
std::unique_ptr<GamePosition> position_of(const Game& game, const std::string& fen,
                                          const char* field = "fen");

/// Moves played one after the other.
struct PlayedLine {
  const Game* game = nullptr;
  std::unique_ptr<GamePosition> start;
  std::unique_ptr<GamePosition> end;
  std::vector<Move> moves;
};
/// Reads "moves" and plays them from `position` on.
std::vector<Move> played_moves(GamePosition& position, const ReportJson& request);
/// Reads a Place: "game", "fen" (the game's start without it) and "moves".
PlayedLine played_line(const ReportJson& request);

/// "1-0", …; "*" while it goes on.
std::string_view result_text(Outcome outcome);

}  // namespace faultline::web
