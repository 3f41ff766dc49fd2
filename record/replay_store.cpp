// The run's games as a folder of chunks.
#include "record/replay_store.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <random>
#include <span>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "base/text.h"
#include "record/chunk.h"

namespace faultline {
namespace {

void write_all(int descriptor, std::span<const std::byte> bytes,
               const std::filesystem::path& file) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0)
      throw ReplayError(
          fmt::format("{}: cannot be written: {}", file.string(), std::strerror(errno)));
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void sync_folder(const std::filesystem::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

/// The number in "000012.chunk", or nothing.
std::optional<std::uint64_t> chunk_number(const std::filesystem::path& file) {
  const std::string stem = file.stem().string();
  if (file.extension() != ".chunk" || stem.empty() || stem.size() > 18 ||
      stem.find_first_not_of("0123456789") != std::string::npos)
    return std::nullopt;
  return std::stoull(stem);
}

std::uint64_t make_run_id() {
  std::random_device device;
  std::uint64_t id = 0;
  while (id == 0)
    id = std::uint64_t{device()} << 32 | device();
  return id;
}

}  // namespace

std::vector<std::filesystem::path> chunks_in(const std::filesystem::path& folder) {
  std::vector<std::pair<std::uint64_t, std::filesystem::path>> files;
  if (!std::filesystem::is_directory(folder)) return {};
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (const auto number = chunk_number(entry.path());
        number && (entry.is_regular_file() || entry.is_symlink()))
      files.emplace_back(*number, entry.path());
  std::sort(files.begin(), files.end());
  std::vector<std::filesystem::path> paths;
  for (auto& [number, file] : files)
    paths.push_back(std::move(file));
  return paths;
}

namespace {

/// Adds the chunk's games, but those whose numbers are there already.
void add_chunk(const std::filesystem::path& file, const std::vector<StoredGame>& games,
               GamesOnDisk& found) {
  GamesOnDisk::Chunk chunk{
      .name = file.filename().string(), .first = found.size(), .intact = games.size()};
  for (std::size_t i = 0; i < games.size(); ++i) {
    if (found.numbers.insert(games[i].number))
      found.targets += games[i].targets;
    else
      chunk.duplicates.push_back(i);
  }
  if (const std::size_t count = chunk.duplicates.size(); count > 0)
    found.messages.push_back(fmt::format("{}: {} skipped, numbered as earlier ones (the first: {})",
                                         file.string(), counted(count, "duplicate"),
                                         games[chunk.duplicates.front()].number));
  if (found.size() > chunk.first) found.chunks.push_back(std::move(chunk));
}

}  // namespace

GamesOnDisk scan_games(const std::filesystem::path& folder, const std::string& variant,
                       std::uint64_t run_id) {
  GamesOnDisk found{.folder = folder, .variant = variant};
  for (const std::filesystem::path& file : chunks_in(folder)) {
    found.next_chunk = *chunk_number(file) + 1;
    ChunkContents contents;
    try {
      contents = scan_chunk(file, variant);
    } catch (const ReplayError& error) {
      found.refused.emplace_back(error.what());
      continue;
    }
    const std::uint64_t id = contents.header.run_id;
    if (id != 0 && run_id != 0 && id != run_id) {
      found.messages.push_back(
          fmt::format("{}: contains {} games of another run (id {:016x}, not {:016x}), skipped",
                      file.string(), contents.games.size(), id, run_id));
      continue;
    }
    if (id != 0) found.run_id = id;
    add_chunk(file, contents.games, found);
    found.messages.insert(found.messages.end(), contents.messages.begin(), contents.messages.end());
  }
  return found;
}

ReplayStore::ReplayStore(std::filesystem::path folder, std::string variant, int chunk_games,
                         std::uint64_t run_id)
    : folder_(std::move(folder)), variant_(std::move(variant)), chunk_games_(chunk_games) {
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (error) throw ReplayError(folder_.string() + ": cannot be created: " + error.message());
  found_ = scan_games(folder_, variant_, run_id);
  if (!found_.refused.empty()) throw ReplayError(found_.refused.front());
  if (run_id != 0) found_.run_id = run_id;
  if (found_.run_id == 0) found_.run_id = make_run_id();
}

ReplayStore::~ReplayStore() {
  try {
    close_chunk();
  } catch (const std::exception&) {
    // The games are written; they are only not protected against a power failure.
  }
}

void ReplayStore::open_chunk() {
  file_ = folder_ / fmt::format("{:06}.chunk", found_.next_chunk++);
  descriptor_ = ::open(file_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0644);
  if (descriptor_ < 0)
    throw ReplayError(
        fmt::format("{}: cannot be created: {}", file_.string(), std::strerror(errno)));
  sync_folder(folder_);
  games_in_chunk_ = 0;
  write_all(descriptor_, chunk_header(variant_, found_.run_id), file_);
}

void ReplayStore::close_chunk() {
  if (descriptor_ < 0) return;
  const int descriptor = descriptor_;
  descriptor_ = -1;
  const bool synced = ::fsync(descriptor) == 0;
  const int error = errno;
  ::close(descriptor);
  if (!synced)
    throw ReplayError(
        fmt::format("{}: cannot be synced: {}", file_.string(), std::strerror(error)));
}

void ReplayStore::append(const GameRecord& game) {
  const std::vector<std::byte> frame = chunk_frame(game);
  try {
    if (descriptor_ < 0) open_chunk();
    write_all(descriptor_, frame, file_);
  } catch (const ReplayError&) {
    if (descriptor_ >= 0) ::close(descriptor_);  // nothing may follow a torn frame
    descriptor_ = -1;
    throw;
  }
  if (++games_in_chunk_ >= chunk_games_) close_chunk();
}

void ReplayStore::sync() {
  if (descriptor_ >= 0 && ::fsync(descriptor_) != 0)
    throw ReplayError(
        fmt::format("{}: cannot be synced: {}", file_.string(), std::strerror(errno)));
}

}  // namespace faultline
