// Takes the games of an actor's part into the run.
#include "cluster/part_intake.h"

#include <optional>
#include <span>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "base/unreadable_file.h"
#include "record/chunk.h"

namespace faultline {
namespace {

constexpr std::uintmax_t kLargestPart = std::uintmax_t{1} << 28;

/// The part's games, as they are; nothing if it is none of this run, which `taken` then says.
std::optional<ChunkContents> contents_of(std::span<const std::byte> bytes,
                                         const std::filesystem::path& file,
                                         const std::string& variant, std::uint64_t run_id,
                                         TakenPart& taken) {
  std::optional<ChunkContents> contents;
  try {
    contents = scan_chunk(bytes, file, variant);
  } catch (const ReplayError& error) {
    taken.faults.emplace_back(error.what());
    return std::nullopt;
  }
  taken.faults = contents->messages;
  if (contents->header.bytes > 0 && contents->header.run_id != run_id) {
    taken.faults.push_back(fmt::format("{}: has games of another run (id {:016x}, not {:016x})",
                                       file.string(), contents->header.run_id, run_id));
    return std::nullopt;
  }
  return contents;
}

}  // namespace

TakenPart PartIntake::take(const std::filesystem::path& file) const {
  TakenPart taken;
  if (const auto reason = why_unreadable(file)) {
    taken.faults.push_back(*reason);
    return taken;
  }
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) {
    taken.faults.push_back(file.string() + ": is no file");
    return taken;
  }
  taken.bytes = std::filesystem::file_size(file, error);
  if (taken.bytes > kLargestPart) {
    taken.faults.push_back(fmt::format("{}: is larger than any part ({})", file.string(),
                                       bytes_text(static_cast<double>(taken.bytes))));
    return taken;
  }
  std::vector<std::byte> bytes;
  try {
    bytes = read_chunk_file(file);
  } catch (const ReplayError& failure) {
    taken.faults.emplace_back(failure.what());
    return taken;
  }
  const auto contents = contents_of(bytes, file, variant_, run_id_, taken);
  if (!contents) return taken;
  for (const StoredGame& game : contents->games) {
    if (numbers_->is_finished(game.number)) {
      ++taken.known;
      continue;
    }
    std::optional<ArrivedGame> arrived;
    try {
      GameRecord record = read_frame(std::span(bytes).subspan(game.offset), game);
      // No fault of its actor: another network plays since. What no network has seen any plays so.
      if (orders_ != nullptr && record.net != NetworkIdentity{} &&
          record.net != orders_->current().net) {
        ++taken.known;
        continue;
      }
      GameSamples samples = decoder_->decode(record);
      arrived.emplace(ArrivedGame{std::move(record), std::move(samples)});
    } catch (const ReplayError& failure) {
      taken.faults.emplace_back(failure.what());
      continue;
    }
    std::optional<GameRecord> chosen;
    if (check_->chooses(game.number)) chosen = arrived->game;
    if (!arrivals_->store(std::move(*arrived))) {
      ++taken.known;
      continue;
    }
    ++taken.stored;
    if (chosen) taken.chosen.push_back(*std::move(chosen));
  }
  return taken;
}

}  // namespace faultline
