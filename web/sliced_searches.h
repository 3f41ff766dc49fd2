// Searches for pages where there are no threads (search, analyse, review and stop of
// page/src/lab/desk.ts): each goes on for a slice of time whenever it is asked to, so that other
// requests come between.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "model/fast/fast_network.h"
#include "play/game.h"
#include "search/tree_search_settings.h"
#include "web/request.h"

namespace faultline::web {

/// Who searches one game.
struct SlicedPlayer {
  std::string name;
  bool alpha_beta = false;                            // instead of a tree search
  bool random = false;                                // random moves, no search
  std::shared_ptr<GameEvaluator> evaluator;           // of a tree search
  bool has_network = false;                           // its leaves are evaluated in batches
  TreeSearchSettings search = {};                     // of a tree search
  std::shared_ptr<const FastNetwork> fast = nullptr;  // of alpha-beta; null: material and placement
};

/// At most one each of search, analysis and review at a time, as in Searches.
class SlicedSearches {
 public:
  /// The player of that name ("" is the best one). Throws RequestError.
  using Load = std::function<SlicedPlayer(const std::string& name, const Game& game)>;
  using Send = std::function<void(ReportJson message)>;

  struct Memory {
    std::size_t search, analysis, review;  // bytes of trees and tables, at least a MiB each
  };

  /// `send` gets whole messages: replies to searches, and reports of the topics.
  SlicedSearches(Load load, Send send, Memory memory);
  ~SlicedSearches();
  SlicedSearches(const SlicedSearches&) = delete;
  SlicedSearches& operator=(const SlicedSearches&) = delete;

  /// Begins a search, which is answered by a message with `id`. One that was going on fails with
  /// "stopped". Throws RequestError.
  void search(const ReportJson& request, const ReportJson& id);
  /// The others return their replies. Throw RequestError.
  ReportJson analyse(const ReportJson& request);
  ReportJson review(const ReportJson& request);
  ReportJson stop(const ReportJson& request);

  bool is_busy() const;
  /// Goes on with one of those that are going on, each in turn. Alpha-beta searches may take a few
  /// times as long as `slice`: an iteration that was cut short is found again in the table.
  void advance(std::chrono::milliseconds slice);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace faultline::web
