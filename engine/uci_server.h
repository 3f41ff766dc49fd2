// The engine's side of the Universal Chess Interface: commands in, answers out. docs/uci.md says
// what it decides where the protocol leaves a choice.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "engine/engine_analyser.h"
#include "engine/search_control.h"
#include "engine/uci_options.h"
#include "engine/uci_output.h"
#include "play/game.h"

namespace faultline {

/// Is what the value of the option Net stands for.
struct UciNet {
  std::filesystem::path file;
  TreeSearchSettings search = {};
  std::string notice = {};  // what the user should know of it; empty: nothing
  EngineEvaluator stronger = EngineEvaluator::Net;  // or Fast: what Evaluator auto is with it
  std::string why = {};                             // a description of that; set by UciServer
};

struct UciSetup {
  std::string name = "faultline";
  UciSettings settings = {};  // `net` as the user wrote it
  const BackendRegistry* backends = nullptr;
  /// The net that the Net option's value names. Throws an exception that says why there is none.
  std::function<UciNet(const std::string&)> find_net = {};
  /// The net that plays a variant where none is set; nothing: alpha-beta does without.
  std::function<std::optional<UciNet>(const std::string&)> find_ready_net = {};
  AnalyserFactory make_analyser = faultline::make_analyser;
  std::uint64_t seed = 1;  // of the choices at a temperature above 0
};

/// Reads commands on the caller's thread and searches on one of its own. `go`, `position`,
/// `setoption`, `ucinewgame`, `bench`, `quit` and the end of the input end a running search first,
/// and with it comes its `bestmove`. All but the end of the input also end a bench.
class UciServer {
 public:
  /// `write`: see UciOutput. Throws what `find_net` throws, CheckpointError for a net that cannot
  /// be read or does not fit the variant, VariantError for an unknown variant.
  UciServer(UciSetup setup, std::function<void(std::string_view)> write);
  ~UciServer();
  UciServer(const UciServer&) = delete;
  UciServer& operator=(const UciServer&) = delete;

  /// One line, without its line feed; it may hold anything. False after `quit`.
  bool hear(std::string_view line);
  /// Reports that a line was dropped because it is longer than `most` bytes.
  void refuse_long_line(std::size_t most);

 private:
  void introduce();
  void set_option(std::string_view line);
  void set_net(const std::string& value);
  void set_variant(const std::string& name);
  void set_position(std::string_view line);
  /// Says why there is no position from now on.
  void drop_position(const std::string& reason);
  void go(std::string_view line);
  void show_position();
  /// The last move and what the moves did to the board, a line each.
  std::string played_text() const;
  void bench();
  Analyser& prepare(bool complain);
  /// The net that plays, and with which of its networks, where Evaluator leaves it open.
  std::pair<EngineEvaluator, UciNet*> settled();

  /// Runs `job` on the searching thread, which must be idle.
  void start(std::function<void()> job);
  void wait_until_idle();
  /// Stops what runs and waits for its answer.
  void finish();
  void work();

  UciSetup setup_;
  UciOutput output_;
  UciSettings settings_;
  std::vector<Option> options_;   // bound to settings_
  UciNet net_;                    // of settings_.net
  UciNet ready_net_;              // of ready_for_, without settings_.net; may be empty
  std::string ready_for_;         // a variant
  std::string said_;              // what plays, as it was last reported
  bool variant_is_set_ = false;   // by the user
  bool variant_is_valid_ = true;  // false: the last value of UCI_Variant was refused
  const Game* game_ = nullptr;
  std::unique_ptr<GamePosition> position_;  // null: the last one was refused
  std::unique_ptr<GamePosition> start_;     // the last `position` without its moves
  std::vector<Move> played_;                // these moves
  bool is_bench_ = false;                   // the last job

  // Used by the searching thread while a job runs, by the reading thread at other times.
  EngineAnalyser analyser_;
  std::mt19937_64 rng_;

  SearchControl control_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::function<void()> job_;  // guarded by mutex_; empty while idle
  bool is_quitting_ = false;   // guarded by mutex_
  std::thread thread_;         // last: it uses the others
};

}  // namespace faultline
