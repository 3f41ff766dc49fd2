// The players of pages' searches.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/device_options.h"
#include "model/inference/backend_registry.h"

namespace faultline::web {

/// Players with what they compute with, loaded once for all connections. Thread-safe.
class SearchPlayers {
 public:
  /// `backends` must outlive it. Throws std::invalid_argument for a device that is missing.
  explicit SearchPlayers(const BackendRegistry& backends, const DeviceOptions& device = {});
  ~SearchPlayers();
  SearchPlayers(const SearchPlayers&) = delete;
  SearchPlayers& operator=(const SearchPlayers&) = delete;

  /// Who plays the variant where no player is named, and who else does, the best first: "fast" and
  /// "net" are the parts of its ready network (lab/ready_networks.h). Throws VariantError.
  std::vector<std::string> players_of(const std::string& variant);

  struct State;
  State& state() { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

}  // namespace faultline::web
