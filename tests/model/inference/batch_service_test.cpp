// Batches of several threads in those of simulated devices: answers, errors, networks, shares.
#include "model/inference/batch_service.h"

#include <atomic>
#include <chrono>
#include <cmath>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/inference/folded_network.h"
#include "model/inference/simulated_device.h"

namespace faultline {
namespace {

using std::chrono::milliseconds;
using testing::AllOf;
using testing::HasSubstr;

MakeBackend maker(const SimulatedDevice& device) {
  return [device](const FoldedNetwork&) { return make_simulated_backend(device); };
}
BatchService service_of(const std::vector<SimulatedDevice>& devices,
                        const ServiceSettings& settings = {}) {
  std::vector<MakeBackend> makers;
  for (const SimulatedDevice& device : devices)
    makers.push_back(maker(device));
  return {std::move(makers), FoldedNetwork{}, {}, settings};
}

/// Fills a batch with numbers that follow from `first`, two moves each.
void fill(BackendBatch& batch, std::size_t count, int first) {
  batch.resize(count, 2 * count);
  batch.first_move()[0] = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const float number = static_cast<float>(first + static_cast<int>(i)) / 100;
    std::ranges::fill(batch.planes(i), number);
    batch.moves()[2 * i] = {(first + static_cast<int>(i)) % 5, 0, 0};
    batch.moves()[2 * i + 1] = {0, 0, 0};
    batch.first_move()[i + 1] = static_cast<std::uint32_t>(2 * (i + 1));
  }
}
/// Whether these are the answers to that batch, by the network of so many steps.
void expect_answers(const BackendBatch& batch, int first, std::int64_t steps) {
  for (std::size_t i = 0; i < batch.count(); ++i) {
    const int number = first + static_cast<int>(i);
    // Win to draw is as their logits say.
    EXPECT_NEAR(std::log(batch.wdl()[3 * i] / batch.wdl()[3 * i + 1]),
                static_cast<float>(number) / 100 - static_cast<float>(steps), 1e-3)
        << number;
    EXPECT_NEAR(std::log(batch.priors()[2 * i] / batch.priors()[2 * i + 1]), number % 5, 1e-3);
  }
}

void on_threads(int count, const std::function<void(int)>& body) {
  std::vector<std::thread> threads;
  for (int t = 0; t < count; ++t)
    threads.emplace_back(body, t);
  for (std::thread& thread : threads)
    thread.join();
}

TEST(BatchService, ThreadsShareBatchesAndEachGetsItsOwnAnswers) {
  BatchService service = service_of({{.rate = 2e5}}, {.slot = 64});
  on_threads(4, [&](int t) {
    std::vector<std::unique_ptr<BackendBatch>> flying;
    for (int i = 0; i < 3; ++i)
      flying.push_back(service.make_batch());
    std::vector<int> first(flying.size());
    for (int turn = 0; turn < 60; ++turn) {
      BackendBatch& batch = *flying[static_cast<std::size_t>(turn) % flying.size()];
      int& number = first[static_cast<std::size_t>(turn) % flying.size()];
      if (turn >= 3) {
        service.wait(batch);
        expect_answers(batch, number, 0);
      }
      number = t * 50 + turn;
      fill(batch, 1 + static_cast<std::size_t>((t + turn) % 20), number);
      service.submit(batch);
    }
    for (std::size_t i = 0; i < flying.size(); ++i) {
      service.wait(*flying[i]);
      expect_answers(*flying[i], first[i], 0);
    }
  });
  const ServedBatches served = service.served().front();
  EXPECT_EQ(served.positions, [] {
    std::uint64_t sum = 0;
    for (int t = 0; t < 4; ++t)
      for (int turn = 0; turn < 60; ++turn)
        sum += 1 + static_cast<std::uint64_t>((t + turn) % 20);
    return sum;
  }());
  EXPECT_LT(served.batches, 200U);  // of 240
}

TEST(BatchService, ABatchThatFillsASlotOrHasManyMovesHasOneOfItsOwn) {
  BatchService service = service_of({{}}, {.slot = 8});
  const auto batch = service.make_batch();
  fill(*batch, 100, 3);
  service.submit(*batch);
  service.wait(*batch);
  expect_answers(*batch, 3, 0);
  batch->resize(2, 400);
  std::ranges::fill(batch->moves(), PolicyIndex{});
  batch->first_move()[1] = 1;
  batch->first_move()[2] = 400;
  std::ranges::fill(batch->planes(), 0.0F);
  service.submit(*batch);
  service.wait(*batch);
  EXPECT_NEAR(batch->priors()[399], 1.0F / 399, 1e-6);
  EXPECT_EQ(service.served().front().batches, 2U);
}

TEST(BatchService, ADeviceHasFourFullSlotsAtOnceAndNoMore) {
  const auto device = make_simulated_backend({.rate = 1e3});
  BatchService service({[&](const FoldedNetwork&) { return device; }}, {}, {}, {.slot = 8});
  std::vector<std::unique_ptr<BackendBatch>> batches;
  for (int i = 0; i < 10; ++i) {
    batches.push_back(service.make_batch());
    fill(*batches.back(), 8, i);
    service.submit(*batches.back());
  }
  for (int i = 0; i < 10; ++i) {
    service.wait(*batches[static_cast<std::size_t>(i)]);
    expect_answers(*batches[static_cast<std::size_t>(i)], i, 0);
  }
  EXPECT_EQ(device->most_in_flight(), 4U);
}

TEST(BatchService, AThreadAloneDoesNotWaitForOthersButForThoseThatMayCome) {
  const auto seconds_of = [](int parts) {
    BatchService service =
        service_of({{.rate = 1e9}}, {.patience = std::chrono::microseconds(50'000)});
    std::vector<std::unique_ptr<BackendBatch>> batches;
    for (int i = 0; i < parts; ++i)
      batches.push_back(service.make_batch());
    const auto begin = std::chrono::steady_clock::now();
    fill(*batches[0], 1, 0);
    service.submit(*batches[0]);
    service.wait(*batches[0]);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  EXPECT_LT(std::min(seconds_of(1), seconds_of(1)), 0.045);
  EXPECT_GE(seconds_of(2), 0.05);
}

TEST(BatchService, ANetworkIsReplacedWhileBatchesAreInFlightAndEachSaysWhichComputedIt) {
  std::int64_t newest_made = 0;  // a new backend has the newest network
  std::vector<MakeBackend> makers;
  for (const double rate : {1e6, 5e5})
    makers.push_back([&newest_made, rate](const FoldedNetwork& network) {
      auto made = make_simulated_backend({.rate = rate});
      made->replace(network, {.steps = newest_made});
      return made;
    });
  BatchService service(makers, FoldedNetwork{}, {}, {.slot = 32});
  std::atomic<bool> ended = false;
  std::atomic<std::int64_t> published = 0;
  std::thread publisher([&] {
    for (std::int64_t steps = 1; steps <= 5; ++steps) {
      newest_made = steps;
      service.replace(FoldedNetwork{}, {.steps = steps});
      published = steps;
      std::this_thread::sleep_for(milliseconds(10));
    }
    ended = true;
  });
  std::atomic<std::int64_t> newest = 0;
  on_threads(3, [&](int t) {
    const auto batch = service.make_batch();
    std::int64_t last = 0;
    for (bool once_more = true; once_more;) {
      once_more = !ended;
      const std::int64_t least = published;
      fill(*batch, 7, t);
      service.submit(*batch);
      service.wait(*batch);
      ASSERT_TRUE(batch->network());
      last = batch->network()->steps;
      EXPECT_GE(last, least);  // nothing that is reserved after a publication has the old network
      expect_answers(*batch, t, last);
    }
    if (t == 0) newest = last;
  });
  publisher.join();
  EXPECT_EQ(newest, 5);
}

TEST(BatchService, ADevicesErrorReachesAllWhoWaitAndAllWhoComeLater) {
  BatchService service = service_of({{.rate = 1e5, .fails_at = 3}}, {.slot = 16});
  std::atomic<int> failed = 0;
  on_threads(3, [&](int t) {
    const auto first = service.make_batch(), second = service.make_batch();
    try {
      for (;;) {
        fill(*first, 5, t);
        service.submit(*first);
        fill(*second, 5, t);
        service.submit(*second);
        service.wait(*first);
        service.wait(*second);
      }
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "the simulated device fails");
      ++failed;
    }
  });
  EXPECT_EQ(failed, 3);
  EXPECT_THROW(service.replace(FoldedNetwork{}, {}), std::runtime_error);
  EXPECT_THROW(service.make_batch()->resize(1, 1), std::runtime_error);
}

TEST(BatchService, ADeviceThatHangsIsAnErrorWithTheStateOfItsSlots) {
  const ServiceSettings settings{.slot = 4, .longest = milliseconds(100)};
  const auto message_of = [](BatchService& service) -> std::string {
    const auto batch = service.make_batch();
    try {
      fill(*batch, 3, 0);
      service.submit(*batch);
      service.wait(*batch);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "";
  };
  BatchService hanging = service_of({{.hangs_at = 1}}, settings);
  EXPECT_THAT(message_of(hanging),
              AllOf(HasSubstr("the device simulated:0 has not answered: slot 0 in flight for 1"),
                    HasSubstr("with 3 positions, 0 ranges being written")));
  // One that does not even take a batch; its thread is left behind, and ends when it does.
  const auto stuck = make_simulated_backend({.stuck_at = 1});
  {
    BatchService service({[&](const FoldedNetwork&) { return stuck; }}, FoldedNetwork{}, {},
                         settings);
    EXPECT_THAT(message_of(service), HasSubstr("the device simulated:0 does not return: slot 0"));
  }
  stuck->release();
  while (stuck.use_count() > 1)
    std::this_thread::sleep_for(milliseconds(1));
}

TEST(BatchService, ABatchThatIsGivenUpDoesNotHoldUpOthers) {
  BatchService service = service_of({{}}, {.slot = 16});
  auto given_up = service.make_batch();
  const auto batch = service.make_batch();
  given_up->resize(3, 9);
  fill(*batch, 4, 1);
  service.submit(*batch);
  given_up.reset();
  service.wait(*batch);
  expect_answers(*batch, 1, 0);
  EXPECT_EQ(service.served().front().positions, 7U);
  EXPECT_THROW(service.submit(*batch), std::invalid_argument);
}

TEST(BatchService, OfTwoDevicesTheFasterOneDoesMore) {
  BatchService service = service_of(
      {{.rate = 1.5e4, .name = "simulated:0"}, {.rate = 6e4, .name = "simulated:1"}}, {.slot = 64});
  EXPECT_EQ(service.attributes().device, "simulated:0,simulated:1");
  const auto end = std::chrono::steady_clock::now() + milliseconds(300);
  on_threads(4, [&](int t) {
    std::vector<std::unique_ptr<BackendBatch>> flying;
    for (int i = 0; i < 6; ++i) {
      flying.push_back(service.make_batch());
      fill(*flying.back(), 32, t);
      service.submit(*flying.back());
    }
    while (std::chrono::steady_clock::now() < end)
      for (const auto& batch : flying) {
        service.wait(*batch);
        fill(*batch, 32, t);
        service.submit(*batch);
      }
    for (const auto& batch : flying)
      service.wait(*batch);
  });
  const auto served = service.served();
  EXPECT_GT(served[0].positions, 0U);
  EXPECT_GT(served[1].positions, 2 * served[0].positions);
}

}  // namespace
}  // namespace faultline
