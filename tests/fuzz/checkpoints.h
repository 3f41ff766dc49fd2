// What must hold for the reader of checkpoints, whatever bytes it is given.
#pragma once

#include <string>
#include <string_view>

namespace faultline::fuzz {

/// Reads `bytes` as a checkpoint, its description, its weights and its network, and lets the
/// network answer one empty board. Each step must succeed or throw CheckpointError; anything else
/// is a failure: another exception passes through. True if a network came out.
bool check_checkpoint(std::string_view bytes);

/// `bytes` with the content hash that they should have in place of their last eight.
std::string rehashed(std::string_view bytes);

/// A file with this header text and these bytes of arrays, and with a valid hash.
std::string checkpoint_with(std::string_view header, std::string_view arrays);

/// A small valid file whose header has the keys of one that was trained.
std::string small_checkpoint();
/// Its header, and the bytes of its arrays.
std::string small_header();
std::string small_arrays();

}  // namespace faultline::fuzz
