// The client's side of UCI: one external engine's process.
//
// The protocol: https://backscattering.de/chess/uci (Huber, Meyer-Kahlen 2006).
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/child_process.h"
#include "engine/uci_engine_output.h"
#include "engine/uci_engine_spec.h"

namespace faultline {

/// When the engine's search ends: at the first limit reached, or at `stop`.
struct UciLimits {
  std::uint64_t nodes = 0;  // 0: none
  int depth = 0;            // 0: none
  std::optional<std::chrono::milliseconds> movetime = std::nullopt;
  std::vector<std::string> search_moves = {};  // empty: all
  const std::atomic<bool>* stop = nullptr;     // null: none
};

struct UciAnswer {
  std::string move;  // as the engine wrote it
  UciInfo info;
};

/// A running engine. Used by one thread at a time.
///
/// Nothing waits without limit for an engine. It must start, get ready and stop within
/// `UciEngineSpec::timeout`, and answer within its move time plus the timeout. A search without
/// move time has the timeout from its start and from each line that reports more nodes than before,
/// and `longest_search` in all.
///
/// All functions throw SearcherFailure if the engine fails, with its name, what happened and the
/// last lines of its stderr; its process has ended then. So it has when StopSignals are requested
/// while they wait, except that a search may still obey `stop` for a second. They throw
/// MachineShortage where the machine cannot run the engine, which is not its fault.
class UciClient {
 public:
  /// Starts the engine and sets its options and the variant. Throws UciSpecError if there is no
  /// such program, or if the engine does not have the options, their values or the variant.
  UciClient(const UciEngineSpec& spec, std::string_view variant);
  UciClient(const UciClient&) = delete;
  UciClient& operator=(const UciClient&) = delete;
  ~UciClient();

  const std::string& name() const { return name_; }
  bool has_failed() const { return process_ == nullptr; }
  const std::vector<UciOption>& options() const { return options_; }

  /// Tells the engine that another game begins; returns when it is ready.
  void new_game();
  /// `position`: "startpos" or "fen FEN", and " moves …" if there are any.
  UciAnswer search(const std::string& position, const UciLimits& limits);
  /// The engine is at fault: ends it and throws SearcherFailure. `what`: "played the illegal move
  /// 'e2e5'".
  [[noreturn]] void fail(const std::string& what);

 private:
  using Clock = ChildProcess::Clock;

  void handshake();
  void choose_variant(std::string_view variant);
  /// The engine's own name of a game of a file.
  void choose_named_variant(std::string_view variant, std::string_view name);
  void set_options(const UciEngineSpec& spec);
  void set_option(const UciOption& option, std::string_view value);
  const UciOption* find_option(std::string_view name) const;

  void send(const std::string& line);
  void wait_until_ready();
  /// Reads a line; fails, saying that the engine did not do `expected`, at the deadline.
  std::string read(Clock::time_point deadline, const std::string& expected);
  [[noreturn]] void fail_at_end();
  Clock::time_point after_timeout() const { return Clock::now() + timeout_; }

  std::string name_;
  std::chrono::milliseconds timeout_, longest_search_;
  std::unique_ptr<ChildProcess> process_;  // null after a failure
  std::vector<UciOption> options_;
};

}  // namespace faultline
