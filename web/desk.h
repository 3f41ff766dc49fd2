// Answers what a page asks of positions: games, players, position, previews, squares, read, write,
// rules and setup (page/src/lab/desk.ts has their types). Nothing is kept between requests, and no
// thread is started.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "web/request.h"

namespace faultline::web {

struct DeskOptions {
  /// The games of files that `games` lists beside the families: names without "data:".
  std::vector<std::string> data_games = {};
  /// The players of a variant, by its canonical name, that `players` lists, the best first; null:
  /// alphabeta alone.
  std::function<std::vector<std::string>(const std::string& variant)> players = nullptr;
};

/// The handlers, by name. They may be called from several threads at once. They throw RequestError
/// with the field for requests that are wrong: of another type, a game, position or move that is
/// none.
Handlers desk_handlers(const DeskOptions& options);

}  // namespace faultline::web
