// Network and training settings, and checkpoint headers that store them, older ones included.
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "model/device_options.h"
#include "model/net_config.h"
#include "model/training/train_params.h"

namespace faultline {
namespace {

/// The error message of `action`, or "".
template <class F>
std::string refusal(F&& action) {
  try {
    action();
  } catch (const std::exception& error) {
    return error.what();
  }
  return {};
}

TEST(TrainParams, ReadHeadersWithTheNamesOfEarlierVersions) {
  const auto json = nlohmann::json::parse(R"({"beta2": 0.99, "ema_decay": 0.75, "grad_clip": 2.5,
      "learning_rate": 0.0005, "momentum": 0.8, "moves_left_weight": 0.1, "optimizer": "sgd",
      "policy_weight": 1.5, "threads": 1, "value_weight": 0.5, "weight_decay": 0.001})");
  const TrainParams params = train_params_from_json(json);
  EXPECT_EQ(params.optimizer, OptimizerKind::SgdNesterov);
  EXPECT_EQ(params.learning_rate, 0.0005);
  EXPECT_EQ(params.weight_decay, 0.001);
  EXPECT_EQ(params.momentum, 0.8);
  EXPECT_EQ(params.beta2, 0.99);
  EXPECT_EQ(params.gradient_clip, 2.5);
  EXPECT_EQ(params.policy_weight, 1.5);
  EXPECT_EQ(params.value_weight, 0.5);
  EXPECT_EQ(params.moves_left_weight, 0.1);
  EXPECT_EQ(params.threads, 1);
}

TEST(TrainParams, RoundTripThroughAHeader) {
  TrainParams params;
  params.optimizer = OptimizerKind::SgdNesterov;
  params.learning_rate = 1e-9;  // as a schedule may set it
  params.threads = 3;
  const nlohmann::json json = to_json(params);
  EXPECT_EQ(json.at("optimizer"), "sgd");
  EXPECT_EQ(to_json(train_params_from_json(json)), json);
}

TEST(TrainParams, OutOfRangeAreRefusedNamingTheKey) {
  TrainParams params;
  EXPECT_NO_THROW(check(params));
  params.beta2 = 1;
  EXPECT_EQ(refusal([&] { check(params); }),
            "'learner.beta2' is 1, but must be a number, 0 to 0.99999");
  nlohmann::json json = to_json(TrainParams{});
  json["optimizer"] = "adam";
  EXPECT_EQ(refusal([&] { train_params_from_json(json); }),
            "train: key 'optimizer' is '\"adam\"', but must be one of: sgd, adamw");
  json.erase("optimizer");
  EXPECT_EQ(refusal([&] { train_params_from_json(json); }), "train: key 'optimizer' is missing");
}

TEST(NetConfig, RoundTripsThroughAHeader) {
  NetConfig net;
  net.blocks = 12;
  net.se_ratio = 4;
  EXPECT_EQ(net_config_from_json(to_json(net)), net);
  NetConfig without_attacks{.blocks = 6, .channels = 64};  // as those of earlier versions
  without_attacks.attack_planes = false;
  EXPECT_EQ(net_config_from_json(nlohmann::json::parse(
                R"({"blocks": 6, "channels": 64, "policy_dim": 32, "se_ratio": 0,
                    "value_channels": 8, "value_hidden": 64})")),
            without_attacks);
}

TEST(NetConfig, OutOfRangeIsRefusedNamingTheKey) {
  NetConfig net;
  net.blocks = 81;
  EXPECT_EQ(refusal([&] { check(net); }),
            "'net.blocks' is 81, but must be a whole number, 1 to 80");
  net = {};
  net.channels = 4;
  net.se_ratio = 8;
  EXPECT_EQ(refusal([&] { check(net); }),
            "'net.se_ratio' is 8, but must not exceed 'net.channels', which is 4");
}

TEST(DeviceOptions, PrecisionsAreParsedByName) {
  DeviceOptions device;
  const Option precision = options(device).at(2);
  assign(precision, "--precision", std::string("bf16"), "bf16");
  EXPECT_EQ(fixed_precision(device.precision), Precision::Bf16);
  EXPECT_EQ(refusal([&] { assign(precision, "--precision", std::string("fp16"), "fp16"); }),
            "'--precision' is fp16, but must be one of: auto, fp32, bf16, int8");
}

TEST(DeviceOptions, APrecisionIsAutoUnlessItIsNamed) {
  EXPECT_EQ(fixed_precision(DeviceOptions{}.precision), std::nullopt);
  for (const Precision precision : kPrecisions) {
    EXPECT_EQ(fixed_precision(precision_choice(precision)), precision);
    EXPECT_EQ(precision_named(name(precision)), precision);
  }
  EXPECT_THROW(precision_named("auto"), std::invalid_argument);
}

TEST(DeviceOptions, DeviceNamesAreValidWithoutTheDevices) {
  for (const char* name : {"auto", "cpu", "cuda", "cuda:0", "cuda:15"})
    EXPECT_TRUE(is_device_name(name)) << name;
  for (const char* name : {"", "gpu", "cuda:", "cuda:x", "cuda:-1", "cuda:1000", "cpu:0"})
    EXPECT_FALSE(is_device_name(name)) << name;
}

}  // namespace
}  // namespace faultline
