// An analysis holds its memory budget: what is really allocated, in every family.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

#include <gtest/gtest.h>
#include <malloc.h>

#include "play/analyser.h"
#include "play/game.h"

namespace {

std::atomic<std::size_t> live_bytes = 0;
std::atomic<std::size_t> peak_bytes = 0;

}  // namespace

// The program's own, so that everything is counted. Not inlined: GCC would take malloc and delete
// for a mistake.
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment) {
  const auto multiple = static_cast<std::size_t>(alignment);
  void* const memory = std::aligned_alloc(
      multiple, (std::max<std::size_t>(size, 1) + multiple - 1) / multiple * multiple);
  if (memory == nullptr) throw std::bad_alloc();
  const std::size_t bytes = malloc_usable_size(memory);
  const std::size_t live = live_bytes.fetch_add(bytes) + bytes;
  for (std::size_t peak = peak_bytes;
       peak < live && !peak_bytes.compare_exchange_weak(peak, live);) {
  }
  return memory;
}
void* operator new(std::size_t size) {
  return operator new (size, std::align_val_t{__STDCPP_DEFAULT_NEW_ALIGNMENT__});
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  if (memory == nullptr) return;
  live_bytes -= malloc_usable_size(memory);
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  operator delete(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  operator delete(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  operator delete(memory);
}
// The sanitizers have their own of these.
void* operator new[](std::size_t size) {
  return operator new(size);
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  try {
    return operator new(size);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  try {
    return operator new(size, alignment);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void* operator new[](std::size_t size, const std::nothrow_t& tag) noexcept {
  return operator new(size, tag);
}
void operator delete(void* memory, const std::nothrow_t&) noexcept {
  operator delete(memory);
}
void operator delete(void* memory, std::align_val_t, const std::nothrow_t&) noexcept {
  operator delete(memory);
}
void operator delete[](void* memory, const std::nothrow_t&) noexcept {
  operator delete(memory);
}
void operator delete[](void* memory) noexcept {
  operator delete(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  operator delete(memory);
}

namespace faultline {
namespace {

class AnalyserMemory : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Games, AnalyserMemory,
                         testing::Values("chess", "gardner", "escher", "slanted", "earthquake",
                                         "inferno", "shifting"));

TEST_P(AnalyserMemory, StaysWithinTheBudgetThroughAGame) {
  constexpr std::size_t kBudget = std::size_t{1} << 20;
  // Batches, paths and reports of two threads.
  constexpr std::size_t kBesides = std::size_t{1} << 18;
  const Game& game = find_game(GetParam());
  const auto position = game.start();
  const auto evaluator = game.uniform_evaluator();
  const std::size_t before = live_bytes;
  peak_bytes = before;
  const auto analyser = game.analyser({.threads = 2, .memory_bytes = kBudget}, evaluator);
  for (int ply = 0; ply < 6 && !is_over(position->outcome()); ++ply) {
    const AnalysisReport report = analyser->analyse(*position, {.new_visits = 40000}, 3, nullptr);
    EXPECT_EQ(report.nodes, 40000U);
    EXPECT_LE(peak_bytes - before, kBudget + kBesides) << ply;
    EXPECT_GT(live_bytes - before, kBudget - 1024) << "the test counts what is allocated";
    position->play(report.lines.at(0).moves.at(0));
  }
}

}  // namespace
}  // namespace faultline
