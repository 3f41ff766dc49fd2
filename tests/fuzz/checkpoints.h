// Properties that must hold when any bytes are read as a checkpoint.
#pragma once

#include <string>
#include <string_view>

namespace faultline::fuzz {

/// Reads `bytes` as a checkpoint, its description, its weights and its network, and has the network
/// evaluate one empty board. Each step must succeed or throw CheckpointError; anything else is a
/// failure, and other exceptions propagate. True if a network could be built.
bool check_checkpoint(std::string_view bytes);

/// `bytes` with the last eight replaced by the correct content hash.
std::string rehashed(std::string_view bytes);

/// A file with this header text and these bytes of arrays, and with a valid hash.
std::string checkpoint_with(std::string_view header, std::string_view arrays);

/// A small valid file whose header has the keys of a trained one.
std::string small_checkpoint();
/// Its header, and the bytes of its arrays.
std::string small_header();
std::string small_arrays();

}  // namespace faultline::fuzz
