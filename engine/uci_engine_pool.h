// The processes of one external engine, used again from game to game.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "engine/uci_client.h"
#include "engine/uci_engine_spec.h"

namespace faultline {

/// Starting an engine costs up to half a second and its tables' memory; `ucinewgame` costs neither.
/// There are as many processes as games that the engine plays at the same time. Thread-safe.
class UciEnginePool {
 public:
  /// Starts a first process, so that a mistake in the specification is reported before any game.
  /// `variant`: a variant's canonical name. Throws UciSpecError, and SearcherFailure if the engine
  /// starts but does not speak UCI.
  UciEnginePool(UciEngineSpec spec, std::string variant);

  const UciEngineSpec& spec() const { return spec_; }
  const std::string& variant() const { return variant_; }
  /// The engine's name as it says (`id name`), or else its program.
  const std::string& name() const { return name_; }

  /// A process that was told of a new game and is ready for it; the caller is its only user. Throws
  /// SearcherFailure if a process that was started for this game fails.
  std::unique_ptr<UciClient> take();
  /// Keeps a process for a later game, unless it has failed.
  void give_back(std::unique_ptr<UciClient> client);

  /// Users say here that they will have up to `processes` more at the same time; with a negative
  /// number, when they have ended.
  void expect(int processes);
  /// How many of the processes that are expected have not been started.
  int to_be_started() const;

 private:
  const UciEngineSpec spec_;
  const std::string variant_;
  std::string name_;
  mutable std::mutex mutex_;  // guards the following
  std::vector<std::unique_ptr<UciClient>> idle_;
  int running_ = 0;   // idle or in use
  int expected_ = 0;  // at the same time
};

}  // namespace faultline
