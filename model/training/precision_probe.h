// Which number format trains a network faster on this machine: measured, not guessed.
#pragma once

#include <string>

#include "model/encoding/encoding.h"
#include "model/net_config.h"
#include "model/training/train_params.h"

namespace faultline {

/// Bf16 is preferred where a step takes less than this part of one in fp32, to two decimals: its
/// gradients are coarser.
inline constexpr double kBf16Advantage = 0.9;

struct PrecisionProbe {
  TrainingPrecision faster = TrainingPrecision::Fp32;
  double fp32_seconds = 0;  // of a step on the same batch
  double bf16_seconds = 0;  // infinite where LibTorch cannot train in bf16
};

/// Times a few steps of a throwaway network in both formats, alternately, on a batch of at most
/// `batch` made-up positions: below two seconds for the networks that a CPU can train. Throws as
/// Trainer's constructor does.
PrecisionProbe probe_training_precision(const EncodingInfo& encoding, const NetConfig& net,
                                        const TrainParams& params, const std::string& device,
                                        int batch);

}  // namespace faultline
