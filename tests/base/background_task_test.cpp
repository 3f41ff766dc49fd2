// Work on a second thread: its results are seen, its failures are rethrown, and it ends cleanly.
#include "base/background_task.h"

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>

namespace faultline {
namespace {

TEST(BackgroundTask, WhatItWroteIsThereAfterWaiting) {
  BackgroundTask task;
  task.wait();  // nothing to wait for
  int sum = 0;
  for (int i = 1; i <= 100; ++i) {
    task.start([&sum, i] { sum += i; });
    task.wait();
  }
  EXPECT_EQ(sum, 5050);
}

TEST(BackgroundTask, RunsWhileItsOwnerDoesSomethingElse) {
  BackgroundTask task;
  std::atomic<bool> told{false}, heard{false};
  task.start([&] {
    while (!told)
      std::this_thread::yield();
    heard = true;
  });
  EXPECT_FALSE(heard);
  told = true;
  task.wait();
  EXPECT_TRUE(heard);
}

TEST(BackgroundTask, AFailureIsRethrownOnceAndTheThreadGoesOn) {
  BackgroundTask task;
  task.start([] { throw std::runtime_error("no such position"); });
  EXPECT_THROW(task.wait(), std::runtime_error);
  EXPECT_NO_THROW(task.wait());
  bool done = false;
  task.start([&] { done = true; });
  task.wait();
  EXPECT_TRUE(done);
}

TEST(BackgroundTask, TheDestructorWaitsForWorkThatHasBegun) {
  std::atomic<bool> begun{false};
  bool done = false;
  {
    BackgroundTask task;
    task.start([&] {
      begun = true;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      done = true;
    });
    while (!begun)
      std::this_thread::yield();
  }
  EXPECT_TRUE(done);
}

}  // namespace
}  // namespace faultline
