// faultline.h: searches, in the calling thread or in one of their own.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/options.h"
#include "base/quote.h"
#include "base/settings_text.h"
#include "library/errors.h"
#include "library/findings.h"
#include "library/handles.h"
#include "library/sized_struct.h"
#include "model/fast/fast_network.h"
#include "play/analyser.h"
#include "play/game.h"
#include "search/search_result.h"
#include "search/tree_search_settings.h"

namespace faultline {
namespace {

/// What one search was asked for.
struct Task {
  std::unique_ptr<GamePosition> position;
  SearchLimits limits;
  int lines = 1;
  void (*progress)(void* context) = nullptr;
  void* context = nullptr;
};

}  // namespace
}  // namespace faultline

struct faultline_search {
  faultline_search(const faultline_variant& of, const faultline::AnalyserOptions& by,
                   std::shared_ptr<faultline::GameEvaluator> with);
  faultline_search(const faultline_search&) = delete;
  faultline_search& operator=(const faultline_search&) = delete;
  ~faultline_search() { stop = true; }  // the thread is joined first

  const faultline_variant& variant;
  faultline::AnalyserOptions options;
  std::shared_ptr<faultline::GameEvaluator> evaluator;  // null: alpha-beta
  std::unique_ptr<faultline::Analyser> analyser;        // by `options`
  std::string shown;                                    // the setting that was asked for last
  faultline::Findings findings;    // of the last search; written by the thread that searches
  std::atomic<bool> stop = false;  // ends the search that is running
  std::atomic<bool> runs = false;  // in `thread`
  std::exception_ptr failure;      // of the search in `thread`
  std::jthread thread;             // joinable between start and wait
};

namespace faultline {
namespace {

constexpr std::size_t kMostTableMb = 65536;  // of an alpha-beta search
constexpr std::size_t kMostThreads = 512;

// Sizes of the structures in version 0.1.
constexpr std::size_t kLimitsSize = 64, kReportSize = 88, kLineSize = 56;
static_assert(sizeof(void*) != 8 ||
              (sizeof(faultline_limits) == kLimitsSize && sizeof(faultline_report) == kReportSize &&
               sizeof(faultline_line) == kLineSize));

/// Throws LibraryError if a search was started and nobody has waited for it.
faultline_search& idle(faultline_search* search) {
  given(search, "search");
  if (search->thread.joinable())
    throw LibraryError(FAULTLINE_ERROR_ARGUMENT,
                       "a search was started; call faultline_search_wait first");
  return *search;
}

Move parse_search_move(const GamePosition& position, const char* text, std::size_t index) {
  const std::string name = "limits->moves[" + std::to_string(index) + "]";
  const auto move = position.parse_move(&given(text, name.c_str()));
  if (move) return *move;
  throw LibraryError(FAULTLINE_ERROR_MOVE,
                     name + ", " + quote(text) + ", is not a legal move in " + position.fen());
}

/// Throws LibraryError if that cannot be searched.
Task task_of(const faultline_search& search, const faultline_position* position,
             const faultline_limits* limits) {
  require_variant(given(position, "position"), search.variant, "search");
  const auto asked = read_sized(limits, std::min(kLimitsSize, sizeof(faultline_limits)), "limits");
  if (asked.reserved != 0)
    throw LibraryError(FAULTLINE_ERROR_ARGUMENT, "'limits->reserved' must be 0");
  const GamePosition& root = *position->position;
  if (root.legal_moves().empty())
    throw LibraryError(FAULTLINE_ERROR_GAME_OVER, "there is nothing to search: the game is over (" +
                                                      std::string(name(root.outcome())) + ") in " +
                                                      root.fen());
  constexpr std::uint32_t kMost = 1'000'000;
  Task task{.position = root.clone(), .limits = {}};
  task.limits.nodes = asked.visits;
  if (asked.milliseconds > 0) task.limits.time = std::chrono::milliseconds(asked.milliseconds);
  task.limits.depth = static_cast<int>(std::min(asked.depth, kMost));
  if (asked.move_count > 0) given(asked.moves, "limits->moves");
  for (std::size_t i = 0; i < asked.move_count; ++i) {
    const Move move = parse_search_move(root, asked.moves[i], i);
    std::vector<Move>& wanted = task.limits.search_moves;
    if (std::ranges::find(wanted, move) == wanted.end()) wanted.push_back(move);
  }
  task.lines = static_cast<int>(std::clamp(asked.lines, std::uint32_t{1}, kMost));
  task.progress = asked.progress;
  task.context = asked.context;
  return task;
}

void run(faultline_search& search, const Task& task) {
  constexpr std::chrono::milliseconds kInterval{100};
  SearchLimits limits = task.limits;
  limits.stop = &search.stop;
  std::function<void(const AnalysisReport&)> report;
  if (task.progress != nullptr)
    report = [&](const AnalysisReport& now) {
      if (now.lines.empty()) return;
      search.findings = Findings(*task.position, now);
      task.progress(task.context);
    };
  AnalysisReport found =
      search.analyser->analyse(*task.position, limits, task.lines, report, kInterval);
  // Alpha-beta that is stopped at once may have none of several lines, but has the best one.
  if (found.lines.empty())
    found = search.analyser->analyse(*task.position, limits, 1, report, kInterval);
  search.findings = Findings(*task.position, found);
}

void check_range(const char* name, std::size_t value, std::size_t most) {
  if (value >= 1 && value <= most) return;
  throw LibraryError(FAULTLINE_ERROR_ARGUMENT, std::string("'") + name + "' is " +
                                                   std::to_string(value) + "; it should be 1 to " +
                                                   std::to_string(most));
}

AnalyserOptions analyser_options(int threads, std::size_t memory_mb, std::size_t most_mb) {
  if (threads < 1)
    throw LibraryError(FAULTLINE_ERROR_ARGUMENT,
                       "'threads' is " + std::to_string(threads) + "; it should be 1 to 512");
  check_range("threads", static_cast<std::size_t>(threads), kMostThreads);
  check_range("memory_mb", memory_mb, most_mb);
  return {.threads = threads, .memory_bytes = memory_mb << 20};
}

/// Makes one by alpha-beta if there is no evaluator. Errors of the system are
/// FAULTLINE_ERROR_MEMORY.
std::unique_ptr<Analyser> new_analyser(const Game& game, const AnalyserOptions& options,
                                       const std::shared_ptr<GameEvaluator>& evaluator) {
  try {
    return evaluator ? game.analyser(options, evaluator) : game.alpha_beta_analyser(options);
  } catch (const std::runtime_error& error) {  // neither the memory nor the threads
    throw LibraryError(FAULTLINE_ERROR_MEMORY, error.what());
  }
}

/// Lists the settings of a search, bound to `of`.
std::vector<Option> settings_of(const faultline_search& search, AnalyserOptions& of) {
  if (search.evaluator) return options(of.search);
  return {{"threads", &of.threads, Range{1, kMostThreads}, "Threads of an alpha-beta search."}};
}

/// What was found last, or a LibraryError.
const Findings& findings_of(const faultline_search* search) {
  const Findings& found = given(search, "search").findings;
  if (found.lines().empty())
    throw LibraryError(FAULTLINE_ERROR_ARGUMENT, "nothing was searched yet");
  return found;
}

}  // namespace
}  // namespace faultline

using faultline::given;
using faultline::idle;
using faultline::LibraryError;
using faultline::pointer_of;
using faultline::status_of;

faultline_search::faultline_search(const faultline_variant& of,
                                   const faultline::AnalyserOptions& by,
                                   std::shared_ptr<faultline::GameEvaluator> with)
    : variant(of),
      options(by),
      evaluator(std::move(with)),
      analyser(faultline::new_analyser(*of.game, options, evaluator)) {}

faultline_search* faultline_search_new(const faultline_evaluator* evaluator, int threads,
                                       size_t memory_mb) {
  return pointer_of([&] {
    const faultline_evaluator& with = given(evaluator, "evaluator");
    constexpr std::size_t kMostMb = std::size_t{1} << 20;
    faultline::AnalyserOptions options = faultline::analyser_options(threads, memory_mb, kMostMb);
    options.search = with.search;
    return std::make_unique<faultline_search>(*with.variant, options, with.evaluator).release();
  });
}

faultline_search* faultline_search_new_alphabeta(const faultline_variant* variant,
                                                 size_t memory_mb) {
  return pointer_of([&] {
    const faultline_variant& of = given(variant, "variant");
    const faultline::AnalyserOptions options =
        faultline::analyser_options(1, memory_mb, faultline::kMostTableMb);
    return std::make_unique<faultline_search>(of, options, nullptr).release();
  });
}

faultline_search* faultline_search_new_fast(const char* path, const faultline_variant* variant,
                                            size_t memory_mb) {
  return pointer_of([&] {
    faultline::AnalyserOptions options =
        faultline::analyser_options(1, memory_mb, faultline::kMostTableMb);
    options.fast = std::make_shared<const faultline::FastNetwork>(
        faultline::load_fast_network(faultline::find_network(&given(path, "path"))));
    const faultline_variant& of =
        variant != nullptr ? *variant
                           : faultline::variant_of(faultline::find_game(options.fast->variant));
    return std::make_unique<faultline_search>(of, options, nullptr).release();
  });
}

int faultline_search_set(faultline_search* search, const char* name, const char* value) {
  return status_of([&] {
    faultline::AnalyserOptions options = idle(search).options;
    const std::vector<faultline::Option> known = faultline::settings_of(*search, options);
    faultline::assign_setting(
        known, std::string(&given(name, "name")) + "=" + &given(value, "value"), "search");
    search->analyser = faultline::new_analyser(*search->variant.game, options, search->evaluator);
    search->options = options;
    search->findings = {};
  });
}

const char* faultline_search_get(faultline_search* search, const char* name) {
  return pointer_of([&] {
    faultline::AnalyserOptions settings = idle(search).options;
    const std::vector<faultline::Option> known = faultline::settings_of(*search, settings);
    search->shown =
        faultline::value_text(faultline::find_setting(known, &given(name, "name"), "search"));
    return search->shown.c_str();
  });
}

void faultline_search_free(faultline_search* search) {
  delete search;
}

int faultline_search_run(faultline_search* search, const faultline_position* position,
                         const faultline_limits* limits) {
  return status_of([&] {
    const faultline::Task task = faultline::task_of(idle(search), position, limits);
    search->stop = false;
    faultline::run(*search, task);
  });
}

int faultline_search_start(faultline_search* search, const faultline_position* position,
                           const faultline_limits* limits) {
  return status_of([&] {
    auto task =
        std::make_shared<const faultline::Task>(faultline::task_of(idle(search), position, limits));
    search->stop = false;
    search->failure = nullptr;
    search->runs = true;
    try {
      search->thread = std::jthread([search, task = std::move(task)] {
        try {
          faultline::run(*search, *task);
        } catch (...) {
          search->failure = std::current_exception();
        }
        search->runs = false;
      });
    } catch (...) {
      search->runs = false;
      throw;
    }
  });
}

int faultline_search_wait(faultline_search* search) {
  return status_of([&] {
    given(search, "search");
    if (!search->thread.joinable())
      throw LibraryError(FAULTLINE_ERROR_ARGUMENT, "no search was started");
    search->thread.join();
    if (search->failure) std::rethrow_exception(std::exchange(search->failure, nullptr));
  });
}

int faultline_search_is_running(const faultline_search* search) {
  return faultline::number_of([&] { return given(search, "search").runs ? 1 : 0; });
}

void faultline_search_stop(faultline_search* search) {
  status_of([&] { given(search, "search").stop = true; });
}

int faultline_search_clear(faultline_search* search) {
  return status_of([&] {
    idle(search).analyser->clear();
    search->findings = {};
  });
}

int faultline_search_report(const faultline_search* search, faultline_report* report) {
  return status_of([&] {
    faultline::write_sized(faultline::findings_of(search).report(), report,
                           std::min(faultline::kReportSize, sizeof(faultline_report)), "report");
  });
}

int faultline_search_line(const faultline_search* search, uint32_t index, faultline_line* line) {
  return status_of([&] {
    const auto& lines = faultline::findings_of(search).lines();
    if (index >= lines.size())
      throw LibraryError(FAULTLINE_ERROR_ARGUMENT, "there is no line " + std::to_string(index) +
                                                       "; the search found " +
                                                       std::to_string(lines.size()));
    faultline::write_sized(lines[index].line(), line,
                           std::min(faultline::kLineSize, sizeof(faultline_line)), "line");
  });
}
