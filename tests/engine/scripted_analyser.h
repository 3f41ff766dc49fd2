// An analyser that does what a test tells it, and the lines that an engine has written.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "play/analyser.h"
#include "play/game.h"

namespace faultline::test {

/// Shared by a test and the analysers that are made for it.
struct Script {
  std::mutex mutex;
  std::condition_variable changed;
  // Set by the test.
  bool ends_by_itself = true;  // else it ends when it is stopped
  bool fails = false;          // throws instead
  bool finds_nothing = false;  // returns without a line
  std::optional<int> mate_plies = std::nullopt;
  // What happened.
  std::vector<SearchLimits> searches = {};  // their limits, without the pointers
  std::vector<int> lines = {};
  int cleared = 0;

  template <class F>
  auto with_lock(F&& f) {
    const std::lock_guard lock(mutex);
    return f(*this);
  }
  void wait_for_searches(std::size_t count) {
    std::unique_lock lock(mutex);
    if (!changed.wait_for(lock, std::chrono::seconds(60), [&] { return searches.size() >= count; }))
      throw std::runtime_error("the search did not begin");
  }
};

class ScriptedAnalyser final : public Analyser {
 public:
  explicit ScriptedAnalyser(Script& script) : script_(script) {}

  /// One report with the legal moves as lines, in their order.
  AnalysisReport analyse(const GamePosition& position, const SearchLimits& limits, int lines,
                         const std::function<void(const AnalysisReport&)>& report,
                         std::chrono::milliseconds) override {
    AnalysisReport found;
    found.nodes = 10;
    found.depth = found.selective_depth = 1;
    bool ends = true;
    {
      const std::lock_guard lock(script_.mutex);
      script_.searches.push_back(limits);
      script_.searches.back().stop = nullptr;
      script_.lines.push_back(lines);
      script_.changed.notify_all();
      if (script_.fails) throw std::runtime_error("out of order");
      if (script_.finds_nothing) return {};
      ends = script_.ends_by_itself;
      const auto moves = limits.search_moves.empty() ? position.legal_moves() : limits.search_moves;
      for (std::size_t i = 0; i < std::min(moves.size(), static_cast<std::size_t>(lines)); ++i)
        found.lines.push_back({.moves = {moves[i]},
                               .value = {},
                               .visits = static_cast<std::uint32_t>(100 - i),
                               .prior = 0.01F,
                               .mate_plies = script_.mate_plies});
    }
    if (report) report(found);
    while (!ends && !*limits.stop)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return found;
  }
  void clear() override {
    script_.with_lock([](Script& script) { ++script.cleared; });
  }

 private:
  Script& script_;
};

class WrittenLines {
 public:
  void add(std::string_view text) {
    const std::lock_guard lock(mutex_);
    // A write is whole lines.
    if (text.empty() || text.back() != '\n') lines_.emplace_back("(a broken line)");
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      lines_.emplace_back(text.substr(begin, end - begin));
      begin = end + 1;
    }
    changed_.notify_all();
  }
  std::vector<std::string> all() {
    const std::lock_guard lock(mutex_);
    return lines_;
  }
  std::size_t count(std::string_view prefix) {
    const std::lock_guard lock(mutex_);
    return count_locked(prefix);
  }
  /// Waits for that many lines that start with `prefix`.
  void wait_for(std::string_view prefix, std::size_t count = 1) {
    std::unique_lock lock(mutex_);
    if (!changed_.wait_for(lock, std::chrono::seconds(60),
                           [&] { return count_locked(prefix) >= count; }))
      throw std::runtime_error("no line " + std::string(prefix));
  }
  /// The lines that are not an `info` about the search.
  std::vector<std::string> answers() {
    std::vector<std::string> found = all();
    std::erase_if(found, [](const std::string& line) { return line.starts_with("info depth"); });
    return found;
  }

 private:
  std::size_t count_locked(std::string_view prefix) const {
    return static_cast<std::size_t>(std::ranges::count_if(
        lines_, [&](const std::string& line) { return line.starts_with(prefix); }));
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> lines_;
};

}  // namespace faultline::test
