// What an exported network is like, whatever its format: precision, policy, batch, and the names of
// its inputs and outputs.
#pragma once

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>

#include "model/encoding/encoding.h"

namespace faultline {

/// A network that cannot be exported as asked, or a bundle that cannot be used. The message says
/// why and what would be right.
class ExportError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The number format of the weights and of the convolutions; inputs, outputs and what follows the
/// convolutions are fp32.
enum class ExportPrecision : std::uint8_t { Fp32, Fp16, Bf16 };

/// "fp32", "fp16", "bf16".
std::string_view name(ExportPrecision precision);

/// Legal: an input lists the legal moves' slots, and the output is a probability for each. Full: a
/// logit for every slot.
enum class PolicyForm : std::uint8_t { Legal, Full };

/// "legal", "full".
std::string_view name(PolicyForm form);

struct ExportOptions {
  ExportPrecision precision = ExportPrecision::Fp32;
  PolicyForm policy = PolicyForm::Legal;
  int batch = 0;  // positions; 0: any number
};

/// Texts stored in a file beside the weights: "encoding" and "network", in JSON (docs/export.md).
using ExportMetadata = std::map<std::string, std::string>;

// Inputs.
inline constexpr const char* kPlanesInput = "planes";         // fp32 [batch, planes, height, width]
inline constexpr const char* kMoveSlotsInput = "move_slots";  // int64 [batch, moves], -1 where none
// Outputs, fp32.
inline constexpr const char* kPolicyOutput = "policy";               // [batch, moves]
inline constexpr const char* kPolicyLogitsOutput = "policy_logits";  // [batch, slots]
inline constexpr const char* kWdlOutput = "wdl";                     // [batch, 3]
inline constexpr const char* kMovesLeftOutput = "moves_left";        // [batch], plies

/// What the logit of a slot that holds no move is replaced by: its probability is then 0.
inline constexpr float kNoMoveLogit = -1e30F;

/// Moves are numbered (from * policy cells + to) * kinds + kind.
inline std::int64_t slot_count(const EncodingInfo& encoding) {
  const std::int64_t cells = encoding.policy_cells();
  return cells * cells * static_cast<std::int64_t>(encoding.policy_kinds.size());
}
inline std::int64_t slot_of(const EncodingInfo& encoding, PolicyIndex index) {
  return (std::int64_t{index.from} * encoding.policy_cells() + index.to) *
             static_cast<std::int64_t>(encoding.policy_kinds.size()) +
         index.kind;
}

}  // namespace faultline
