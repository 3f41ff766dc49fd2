// What must hold for any bytes that are taken for a chunk of games or for a record.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace faultline::fuzz {

/// Bytes to start from: a chunk of some games of chess, from the start and from elsewhere.
std::vector<std::byte> sample_chunk();
/// Records of such games in the present version's layout.
std::vector<std::vector<std::byte>> sample_records();

/// A chunk of chess with right checksums around any record bytes; `raw_size` is what its frame says
/// of their length.
std::vector<std::byte> chunk_around(std::span<const std::byte> record, std::uint32_t raw_size);
/// Makes all checksums of a chunk right again, as far as its lengths lead.
void restore_checksums(std::span<std::byte> chunk);

/// The bytes are scanned as a chunk of chess, and every game that the scan lets through is read and
/// replayed: each is refused by ReplayError, reported in few words, or sound. Throws BrokenProperty
/// (tests/fuzz/texts.h). Returns how many games were sound.
int check_chunk(std::span<const std::byte> bytes);
/// The same for the bytes of one record of this version. Returns whether it was sound.
bool check_record(std::span<const std::byte> bytes, std::uint32_t version);

}  // namespace faultline::fuzz
