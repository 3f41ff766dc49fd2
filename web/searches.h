// Searches for pages: a player's move, an analysis that is published while it goes on, and reviews
// of games (search, analyse, review and stop of page/src/lab/desk.ts).
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "web/request.h"
#include "web/search_players.h"

namespace faultline::web {

struct SearchesOptions {
  int threads = 0;  // of an analysis or a review; 0: one per processor
  /// Of the trees and tables of the connection: half of it is an analysis's, a quarter a search's,
  /// a quarter a review's.
  std::size_t memory_bytes = std::size_t{256} << 20U;
};

/// The searches of one connection: at most one each of search, analysis and review at a time.
/// Called by one thread at a time.
class Searches {
 public:
  /// Called from threads of the searches, one call at a time for each topic; "analysis" and
  /// "review". The report is an object as page/src/lab/desk.ts has it.
  using Publish = std::function<void(const std::string& topic, ReportJson report)>;
  /// What becomes of a request that takes long: one of the two is called, once, from a thread of
  /// the searches; or, if the request is wrong, from the caller's.
  struct Answer {
    std::function<void(ReportJson reply)> reply;
    std::function<void(const RequestError& error)> fail;
  };

  /// `players` must outlive it.
  Searches(SearchPlayers& players, const Publish& publish, SearchesOptions options = {});
  /// Stops everything at once; nothing is published or answered after it.
  ~Searches();
  Searches(const Searches&) = delete;
  Searches& operator=(const Searches&) = delete;

  /// Searches a move, for a second if nothing limits it. A search that was going on is stopped
  /// first, and its answer fails with "stopped".
  void search(const ReportJson& request, const Answer& answer);
  /// Begins an analysis, which is published until its report has "done". One that was going on is
  /// stopped and has published its last report before the new one publishes. Returns {}; throws
  /// RequestError.
  ReportJson analyse(const ReportJson& request);
  /// Likewise for the review of a game.
  ReportJson review(const ReportJson& request);
  /// "search", "analyse" or "review". Returns {} without waiting for the end.
  ReportJson stop(const ReportJson& request);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace faultline::web
