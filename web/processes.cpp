// Finds and starts processes.
#include "web/processes.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <sstream>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace faultline::web {
namespace {

namespace fs = std::filesystem;

/// Whether a process has the file open. File systems that are stacked list their locks under
/// another device than the file's.
bool has_open(pid_t process, const struct stat& file) {
  std::error_code error;
  for (fs::directory_iterator entry(fmt::format("/proc/{}/fd", process), error), end;
       !error && entry != end; entry.increment(error)) {
    struct stat open {};
    if (::stat(entry->path().c_str(), &open) == 0 && open.st_dev == file.st_dev &&
        open.st_ino == file.st_ino)
      return true;
  }
  return false;
}

void require(int error, const std::string& what) {
  if (error != 0) throw std::system_error(error, std::generic_category(), what);
}

/// What posix_spawn() is told, released with it.
struct SpawnSettings {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;

  SpawnSettings() {
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
  }
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;
};

}  // namespace

HeldLocks::HeldLocks(const fs::path& list) {
  // "1: FLOCK  ADVISORY  WRITE 8648 fe:00:10953695 0 EOF"; of those that wait, "1: -> FLOCK  …".
  std::ifstream in(list);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string number, kind, mode, access, place;
    pid_t process = 0;
    if (!(words >> number >> kind >> mode >> access >> process >> place) || kind != "FLOCK")
      continue;
    unsigned major = 0, minor = 0;
    unsigned long long inode = 0;
    if (std::sscanf(place.c_str(), "%x:%x:%llu", &major, &minor, &inode) == 3 && process > 0)
      locks_.emplace(inode, Lock{.process = process, .device = makedev(major, minor)});
  }
}

std::optional<pid_t> HeldLocks::holder(const fs::path& file) const {
  struct stat found {};
  if (::stat(file.c_str(), &found) != 0) return std::nullopt;
  const auto [begin, end] = locks_.equal_range(found.st_ino);
  for (auto lock = begin; lock != end; ++lock)
    if (lock->second.device == found.st_dev || has_open(lock->second.process, found))
      return lock->second.process;
  return std::nullopt;
}

pid_t start_detached(const std::vector<std::string>& words, const fs::path& folder,
                     const fs::path& log) {
  SpawnSettings settings;
  auto* const actions = &settings.actions;
  posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(actions, STDOUT_FILENO, log.c_str(),
                                   O_WRONLY | O_CREAT | O_APPEND, 0644);
  posix_spawn_file_actions_adddup2(actions, STDOUT_FILENO, STDERR_FILENO);
  posix_spawn_file_actions_addclosefrom_np(actions, STDERR_FILENO + 1);  // sockets above all
  posix_spawn_file_actions_addchdir_np(actions, folder.c_str());
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&settings.attributes, &none);
  posix_spawnattr_setsigdefault(&settings.attributes, &all);
  posix_spawnattr_setflags(&settings.attributes,
                           POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  std::vector<std::string> texts = words;
  std::vector<char*> arguments;
  for (std::string& text : texts)
    arguments.push_back(text.data());
  arguments.push_back(nullptr);
  pid_t child = -1;
  require(::posix_spawn(&child, arguments.front(), actions, &settings.attributes, arguments.data(),
                        environ),
          words.front() + ": cannot be started");
  return child;
}

std::optional<int> end_of(pid_t child) {
  int status = 0;
  const pid_t ended = ::waitpid(child, &status, WNOHANG);
  if (ended == 0 || (ended < 0 && errno == EINTR)) return std::nullopt;
  return ended < 0 ? 0 : status;
}

std::string end_text(int status) {
  if (WIFSIGNALED(status))
    return fmt::format("was ended by signal {} ({})", WTERMSIG(status),
                       ::strsignal(WTERMSIG(status)));
  return fmt::format("exited with status {}", WEXITSTATUS(status));
}

}  // namespace faultline::web
