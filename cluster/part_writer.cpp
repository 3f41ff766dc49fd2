// An actor's finished games on their way to the learner.
#include "cluster/part_writer.h"

#include <cerrno>
#include <span>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/chunk.h"

namespace faultline {
namespace {

[[noreturn]] void throw_errno(const std::filesystem::path& file) {
  throw std::system_error(errno, std::generic_category(), file.string() + ": cannot be written");
}

void write_all_of(int descriptor, std::span<const std::byte> bytes,
                  const std::filesystem::path& file) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw_errno(file);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

}  // namespace

PartWriter::PartWriter(std::filesystem::path folder, std::string variant, std::uint64_t run_id,
                       const PostSettings& settings,
                       std::function<void(std::uint64_t, std::uint64_t)> on_put)
    : folder_(std::move(folder)),
      variant_(std::move(variant)),
      run_id_(run_id),
      settings_(settings),
      on_put_(std::move(on_put)) {}

PartWriter::~PartWriter() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::filesystem::path PartWriter::file(std::uint64_t part, bool finished) const {
  return folder_ / fmt::format("{:06}.part{}", part, finished ? "" : ".tmp");
}

void PartWriter::put(GameRecord&& game) {
  const std::vector<std::byte> frame = chunk_frame(game);
  for (;;) {
    {
      const std::scoped_lock lock(mutex_);
      try {
        append(frame);
        on_put_(game.number, next_);
        break;
      } catch (const std::system_error& error) {
        trouble_ = error.what();
        if (given_up_) return;
      }
    }
    std::this_thread::sleep_for(settings_.tick);
  }
  const std::scoped_lock lock(mutex_);
  trouble_.clear();
  if (open_.games >= settings_.part_games || open_.bytes >= settings_.part_bytes) try_close();
}

void PartWriter::append(const std::vector<std::byte>& frame) {
  // A folder that the learner has removed, or that nobody sees any more.
  struct stat now {};
  if (descriptor_ >= 0 && (::fstat(descriptor_, &now) != 0 || now.st_nlink == 0)) {
    ::close(std::exchange(descriptor_, -1));
    ++next_;
  }
  if (descriptor_ < 0) open();
  try {
    write_all_of(descriptor_, frame, file(next_, false));
  } catch (const std::system_error&) {
    // Nothing may follow a torn frame.
    if (::ftruncate(descriptor_, static_cast<off_t>(open_.bytes)) != 0) {
      ::close(std::exchange(descriptor_, -1));
      ++next_;
    }
    throw;
  }
  ++open_.games;
  open_.bytes += frame.size();
}

void PartWriter::open() {
  std::error_code ignored;
  std::filesystem::create_directories(folder_, ignored);
  const std::filesystem::path name = file(next_, false);
  const int descriptor =
      ::open(name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644);
  if (descriptor < 0) throw_errno(name);
  const std::vector<std::byte> header = chunk_header(variant_, run_id_);
  try {
    write_all_of(descriptor, header, name);
  } catch (const std::system_error&) {
    ::close(descriptor);
    throw;
  }
  descriptor_ = descriptor;
  open_ = {.games = 0, .bytes = header.size()};
  opened_ = std::chrono::steady_clock::now();
}

void PartWriter::close() {
  if (::fsync(descriptor_) != 0) throw_errno(file(next_, false));
  std::error_code error;
  std::filesystem::rename(file(next_, false), file(next_, true), error);
  // Over NFS a rename may have been done although it says that there is no such file.
  if (error && !std::filesystem::exists(file(next_, true)) &&
      error != std::errc::no_such_file_or_directory)
    throw std::system_error(error, file(next_, true).string() + ": cannot be written");
  ::close(std::exchange(descriptor_, -1));
  // A part that is gone was taken by a learner that believed this actor dead.
  if (!error || std::filesystem::exists(file(next_, true))) sent_[next_] = open_;
  ++next_;
  open_ = {};
}

void PartWriter::try_close() {
  if (descriptor_ < 0) return;  // another thread has
  try {
    close();
  } catch (const std::system_error& error) {
    trouble_ = error.what();
  }
}

void PartWriter::send(bool all) {
  const std::scoped_lock lock(mutex_);
  if (descriptor_ < 0 || open_.games == 0) return;
  if (!all && std::chrono::steady_clock::now() - opened_ < settings_.part) return;
  try_close();
}

void PartWriter::give_up() {
  const std::scoped_lock lock(mutex_);
  given_up_ = true;
}

std::uint64_t PartWriter::confirmed_below() {
  const std::scoped_lock lock(mutex_);
  std::error_code error;
  std::erase_if(sent_, [&](const auto& part) {
    return !std::filesystem::exists(file(part.first, true), error) && !error;
  });
  return sent_.empty() ? next_ : sent_.begin()->first;
}

std::size_t PartWriter::unconfirmed() {
  const std::scoped_lock lock(mutex_);
  std::size_t games = open_.games;
  for (const auto& [number, part] : sent_)
    games += part.games;
  return games;
}

std::string PartWriter::trouble() {
  const std::scoped_lock lock(mutex_);
  return trouble_;
}

}  // namespace faultline
