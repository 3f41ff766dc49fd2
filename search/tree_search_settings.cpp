// Declares the settings, and reads and writes them as JSON.
#include "search/tree_search_settings.h"

#include <algorithm>
#include <string>

#include <nlohmann/json.hpp>

namespace faultline {

std::vector<Option> options(TreeSearchSettings& settings) {
  std::vector<Option> all = options(settings.params);
  all.push_back(
      {"solver", &settings.params.solver, Anything{},
       "Moves that are proven to win or to lose, because every line to the end of the "
       "game was searched, are selected and played by their proofs instead of their means "
       "(Winands et al. 2008, MCTS-Solver)."});
  all.push_back({"tree_reuse", &settings.tree_reuse, Anything{},
                 "Keep the subtree of the moves played for the next search."});
  return all;
}

bool operator==(const TreeSearchSettings& a, const TreeSearchSettings& b) {
  return to_json(a) == to_json(b);
}

nlohmann::json to_json(const TreeSearchSettings& settings) {
  TreeSearchSettings copy = settings;
  return options_to_json(options(copy));
}

TreeSearchSettings tree_search_settings_from_json(const nlohmann::json& json) {
  TreeSearchSettings settings;
  some_options_from_json(options(settings), json, "search");
  return settings;
}

}  // namespace faultline
