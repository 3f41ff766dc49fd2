// Properties that must hold when any bytes are read as a chunk of games or as a record.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace faultline::fuzz {

/// Seed inputs: a chunk of chess games, from the start position and from others.
std::vector<std::byte> sample_chunk();
/// Records of such games in the current version's layout.
std::vector<std::vector<std::byte>> sample_records();

/// A chess chunk with valid checksums around any record bytes; `raw_size` is the length stated in
/// its frame.
std::vector<std::byte> chunk_around(std::span<const std::byte> record, std::uint32_t raw_size);
/// Corrects all checksums of a chunk, as far as its lengths can be followed.
void restore_checksums(std::span<std::byte> chunk);

/// The bytes are scanned as a chess chunk, and every game that passes the scan is read and
/// replayed: each is refused by ReplayError, reported briefly, or sound. Throws BrokenProperty
/// (tests/fuzz/texts.h). Returns how many games were sound.
int check_chunk(std::span<const std::byte> bytes);
/// Checks the bytes of one record of this version. Returns whether it was sound.
bool check_record(std::span<const std::byte> bytes, std::uint32_t version);

}  // namespace faultline::fuzz
