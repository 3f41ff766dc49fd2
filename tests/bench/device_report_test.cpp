// The parts of the device benchmarks that need no device: rows on disk, operations and bytes per
// position, and the report.
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <span>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "bench/device/report.h"
#include "bench/device/results.h"
#include "model/training/network_work.h"
#include "tests/model/inference/networks.h"
#include "tests/model/inference/shared_levels.h"
#include "tests/temporary_folder.h"

namespace faultline::bench {
namespace {

using nlohmann::ordered_json;
using test::TemporaryFolder;

/// Measures the keys "a", "b", "c"; how many of them were run.
int measure_three(Results& results, bool b_fails) {
  int runs = 0;
  for (const char* name : {"a", "b", "c"})
    results.measure({{"part", "test"}, {"name", name}}, [&]() -> ordered_json {
      ++runs;
      if (b_fails && std::string(name) == "b") throw std::runtime_error("out of memory");
      return {{"rate", runs}};
    });
  return runs;
}

TEST(DeviceResults, ContinueWithWhatIsMissingOrFailed) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "results.jsonl";
  {
    Results results(file, 0);
    EXPECT_EQ(measure_three(results, true), 3);
    EXPECT_EQ(results.failed(), 1);
  }
  std::ofstream(file, std::ios::app) << R"({"key":{"part":"test","name":"c"},"ra)";  // a kill
  {
    Results results(file, 0);
    EXPECT_EQ(measure_three(results, false), 1);
    EXPECT_EQ(results.failed(), 0);
  }
  Results complete(file, 0);
  EXPECT_EQ(measure_three(complete, false), 0);
  Results again(file, 0, true);
  EXPECT_EQ(measure_three(again, false), 3);
  EXPECT_EQ(read_rows(test::read_text(file)).size(), 7U);
}

TEST(DeviceResults, StartNothingWhenTheTimeIsOver) {
  const TemporaryFolder folder;
  Results results(folder.path() / "results.jsonl", 1e-9);
  EXPECT_EQ(measure_three(results, false), 0);
  EXPECT_EQ(results.missing(), 3);
  EXPECT_THROW(Results(folder.path() / "no" / "results.jsonl", 0), std::runtime_error);
}

TEST(DeviceWork, CountsOperationsAndBytesOfEveryConvolution) {
  NetConfig net = test::small_net();
  const EncodingInfo& encoding = test::encoding_of<ChessPosition>();
  const double planes = encoding.plane_count();
  const double c = net.channels, d = net.policy_dim, v = net.value_channels, h = net.value_hidden;
  const NetworkWork work = network_work(describe_network(encoding, net), 30, 1);
  const double convolutions = 9 * planes * c + 4 * 9 * c * c + 2 * c * d + c * v;
  EXPECT_EQ(work.flops, 2 * (64 * convolutions + 64 * v * h + 4 * h));
  // The stem, two blocks with a residual each, queries, keys, the value's convolution.
  EXPECT_EQ(work.activations, 64 * (planes + c + 2 * (4 * c + c) + 2 * (c + d) + c + v));
  EXPECT_EQ(work.to_device, (8 + 4) * planes + 12 * 30);
  EXPECT_EQ(work.from_device, 4 * 30 + 16);

  net.se_ratio = 4;
  const NetworkWork gated = network_work(describe_network(encoding, net), 30, 1);
  EXPECT_EQ(gated.flops - work.flops, 2 * 2 * (c * (c / 4) + 2 * c * (c / 4)));
  EXPECT_EQ(gated.activations - work.activations, 2 * 3 * 64 * c);
}

TEST(DeviceWork, CountsTheBoardsThatExist) {
  NetConfig net = test::small_net();
  net.share_levels = true;
  const NetworkDescription network =
      describe_network(Encoder<InfernoPosition>::info(InfernoVariant{5}), net);
  const auto work = [&](double boards) { return network_work(network, 30, boards); };
  const double of_position = 2 * 4 * net.value_hidden;
  EXPECT_EQ(work(4).flops - of_position, 2 * (work(2).flops - of_position));
  EXPECT_EQ(work(4).activations, 2 * work(2).activations);

  // Five levels left, then one.
  TrainBatch batch;
  batch.count = 2;
  const std::size_t floats = network.encoding.floats();
  batch.planes.resize(2 * floats);
  const auto planes = [&](std::size_t i) {
    return std::span(batch.planes).subspan(i * floats, floats);
  };
  Encoder<InfernoPosition>::encode(InfernoPosition::start(InfernoVariant{5}), 0, planes(0));
  Encoder<InfernoPosition>::encode(test::with_levels_left(InfernoVariant{5}, 1, 3)[0].position, 0,
                                   planes(1));
  batch.moves.resize(60);
  EXPECT_EQ(network_work(network, batch).flops, work(3).flops);
  EXPECT_EQ(network_work(network, batch).to_device, work(3).to_device);
}

const char* const kRows = R"(
{"key":{"part":"context","what":"device"},"value":"NVIDIA H200"}
{"key":{"part":"status","name":"limits"},"state":"stopped"}
{"key":{"part":"status","name":"limits"},"state":"done","seconds":12,"gpu_percent":50,"gpu_mib":1234}
{"key":{"part":"limits","what":"matrix bf16"},"value":8e14}
{"key":{"part":"limits","what":"copy"},"value":4.0e12,"device":{"uuid":"a","watts":600,"sm_mhz":1500,"sm_mhz_highest":2000}}
{"key":{"part":"inference","variant":"escher","net":"6x64","format":"bf16","threads":1,"batch":256},"error":"too early"}
{"key":{"part":"inference","variant":"escher","net":"6x64","format":"bf16","threads":1,"batch":256},"rate":1000000,"flops":8e7,"activation_bytes":1e5,"to_device":6000,"from_device":100,"submitting":1e-4,"waiting":2e-5,"device":{"uuid":"a","watts":500,"sm_mhz":1950,"sm_mhz_highest":2000}}
{"key":{"part":"inference","variant":"escher","net":"6x64","format":"bf16","threads":1,"batch":64},"rate":500000,"flops":8e7}
{"key":{"part":"selfplay","config":"a.toml","variant":"escher","net":"6x64","format":"bf16","threads":15},"rate":800000,"alone":1,"share":1,"rate_publishing":760000,"publication":0.02,"cores":7.5}
{"key":{"part":"selfplay","config":"b.toml","variant":"inferno","net":"6x64","format":"bf16","threads":15},"rate":1,"alone":1,"share":1}
{"key":{"part":"profile","what":"inference","variant":"escher","net":"6x64","format":"bf16","batch":200},"wall":1e-3,"busy":2e-4,"calls":67,"kernels":[{"name":"squeeze_excite","seconds":5e-5,"calls":10}]}
{"key":{"part":"run","what":"training"},"config":"a.toml","batch":1000,"watts":300,"middle":{"seconds":60,"steps":500,"evaluations":2e7},"metrics":{"seconds":120,"steps":2000,"evaluations":6e7}}
{"key":{"part":"run","what":"ratings"},"tournament":{"sections":[{"title":"Ratings","columns":[{"title":"player"},{"title":"Elo"}],"rows":[["30s",{"value":7.1,"text":"+7"}]]}]}}
{"key":{"part":"training","variant":"escher","net":"6x64","format":"fp32","batch":1024},"error":"CUDA out of memory"}
not JSON
{"key":{"part":"limi
)";

TEST(DeviceReport, HoldsRatesAgainstTheLimits) {
  const std::string report = device_report(read_rows(kRows));
  const auto has = [&](const std::string& text) {
    EXPECT_NE(report.find(text), std::string::npos) << text << "\nis not in\n" << report;
  };
  // 1,000,000 positions/s of 80 MFLOP are 80 TFLOP/s, a tenth of the 800 that were measured; 100 kB
  // each are 100 GB/s, 2.5 % of 4 TB/s; transfers were not measured.
  has("| escher 6x64 | bf16 | 1 | 256 | 1,000,000 | 80 | 10.0 % | 100 | 2.5 % | 6 | – | 100 | 20 | "
      "500 | 1,950 | 500 |");
  has("| matrix product, bf16 | 800 TFLOP/s | 990 TFLOP/s | 80.8 % |");
  has("| limits | done | 12 | 50.0 % | 1,234 |");
  has("CUDA out of memory");
  has("| 600 | 1,500 (75 %) |");
  // The best row without search has a million, which no other game is held against.
  has("| 7.5 | 800,000 | 1 | 100.0 % | 1,000,000 | 80.0 % | 760,000 | 95.0 % | 20 |");
  has("| – | 1 | 1 | 100.0 % | – | – | – | – | – |");
  // 80 MFLOP at 800 TFLOP/s; 0.2 ms for 200 positions; 40 million evaluations in a minute.
  has("| its operations at the measured matrix rate | 0.1 |\n| device busy | 1 |\n| without "
      "search, "
      "at its best | 1 |\n| self-play | 1.25 |\n| self-play, a network per second | 1.32 |\n"
      "| self-play beside the learner | 1.5 |\n");
  has("| `squeeze_excite` | 10 | 50 | 25.0 % |");
  has("666,667 evaluations/s and 25,000 samples/s in its second half");
  has("- 36 kJ, 300 W on average, 600 J per million evaluations");
  has("| 30s | +7 |");
  EXPECT_EQ(report.find("too early"), std::string::npos) << "replaced by a later row";
  EXPECT_EQ(report.find("## Training"), std::string::npos) << "no row was measured";
}

TEST(DeviceReport, RefusesRowsOfTwoDevices) {
  const std::string other = R"({"key":{"part":"limits","what":"copy"},"device":{"uuid":"b"}})";
  EXPECT_THROW(device_report(read_rows(kRows + other)), std::invalid_argument);
}

TEST(DeviceReport, NeedsNoRows) {
  EXPECT_NE(device_report({}).find("# What this device does"), std::string::npos);
  // Rows of other programs, or with fields of other types, are no reason to have no report.
  const auto rows = read_rows(R"({"key":{"part":"inference"},"rate":"fast"}
{"key":{"part":"outputs","net":7},"policy":3}
{"key":{"part":"tests"}}
{"key":{"part":"run"},"tournament":{"sections":[{"title":"Ratings"}]},"metrics":{}}
{"key":{"part":"new"},"value":1})");
  EXPECT_EQ(rows.size(), 5U);
  EXPECT_NE(device_report(rows).find("Evaluations without search"), std::string::npos);
}

}  // namespace
}  // namespace faultline::bench
