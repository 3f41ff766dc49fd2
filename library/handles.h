// What stands behind the pointers of faultline.h.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "library/faultline.h"
#include "model/encoding/encoding.h"
#include "play/game.h"
#include "rules/move.h"
#include "search/tree_search_settings.h"

struct faultline_variant {
  const faultline::Game* game;
  faultline::EncodingInfo encoding_with_attacks;
  std::string start_fen;
  std::string summary;
};

struct faultline_position {
  const faultline_variant* variant;
  std::unique_ptr<faultline::GamePosition> position;

  // Texts and moves that were asked for since the position changed.
  struct Moves {
    std::vector<faultline::Move> moves;
    std::vector<std::string> texts;
  };
  struct Shown {
    std::optional<Moves> moves = std::nullopt;
    std::optional<std::string> fen = std::nullopt;
    std::optional<std::string> picture = std::nullopt;
  };
  Shown shown = {};
};

struct faultline_evaluator {
  const faultline_variant* variant;
  std::shared_ptr<faultline::GameEvaluator> evaluator;
  std::string description;
  std::size_t largest_batch;                  // positions
  faultline::TreeSearchSettings search = {};  // how it is to be searched
};

namespace faultline {

/// The handle of a variant's game, which lives until the program ends.
const faultline_variant& variant_of(const Game& game);

/// The file that `path` names: itself, or the newest checkpoint of a run's folder. Throws
/// CheckpointError.
std::filesystem::path find_network(const std::filesystem::path& path);

/// Throws LibraryError if `position` is not of `variant`; `whose`: "evaluator", for the message.
void require_variant(const faultline_position& position, const faultline_variant& variant,
                     const char* whose);

}  // namespace faultline
