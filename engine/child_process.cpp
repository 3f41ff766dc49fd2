// Child processes by posix_spawn, with poll and non-blocking descriptors.
#include "engine/child_process.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace faultline {

namespace {

using namespace std::chrono_literals;

constexpr auto kPatience = 500ms;

[[noreturn]] void throw_errno(const std::string& what, int error = errno) {
  throw std::system_error(error, std::generic_category(), what);
}

bool is_program(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
         ::access(path.c_str(), X_OK) == 0;
}

/// Our end and the child's, closed on exec. The child's is above the standard streams', so that
/// none overwrites another when they are put in their places.
struct Ends {
  FileDescriptor ours, childs;
};

Ends ends_of(int ours, int childs) {
  Ends ends{FileDescriptor(ours), FileDescriptor(childs)};
  if (childs <= STDERR_FILENO)
    ends.childs = FileDescriptor(::fcntl(childs, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
  if (!ends.childs.is_open() || ::fcntl(ours, F_SETFL, O_NONBLOCK) != 0) throw_errno("fcntl");
  return ends;
}

Ends pipe_to_us() {
  std::array<int, 2> fds{};
  if (::pipe2(fds.data(), O_CLOEXEC) != 0) throw_errno("pipe");
  return ends_of(fds[0], fds[1]);
}

/// A socket instead of a pipe: writing to a child that has ended then need not raise SIGPIPE.
Ends socket_from_us() {
  std::array<int, 2> fds{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds.data()) != 0)
    throw_errno("socketpair");
  return ends_of(fds[0], fds[1]);
}

/// What posix_spawn needs, freed with it.
class SpawnSettings {
 public:
  SpawnSettings() {
    posix_spawn_file_actions_init(&actions_);
    posix_spawnattr_init(&attributes_);
    // A group of its own, and none of the signal settings of the thread that starts it.
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(
        &attributes_,
        static_cast<short>(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF));
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }

  void connect(const FileDescriptor& childs, int stream) {
    posix_spawn_file_actions_adddup2(&actions_, childs.get(), stream);
  }
  /// The rest of the program does not open every file with O_CLOEXEC.
  void close_others() { posix_spawn_file_actions_addclosefrom_np(&actions_, STDERR_FILENO + 1); }

  pid_t start(const std::vector<std::string>& words) const {
    std::vector<char*> argv;
    for (const std::string& word : words)
      argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    pid_t child = 0;
    const int error =
        posix_spawn(&child, words.front().c_str(), &actions_, &attributes_, argv.data(), environ);
    if (error != 0) throw_errno(words.front(), error);
    return child;
  }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

/// What poll() is to wait, rounded up; negative once the deadline is reached.
int milliseconds_until(ChildProcess::Clock::time_point deadline) {
  const auto now = ChildProcess::Clock::now();
  if (now >= deadline) return -1;
  return static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(
                              std::min<ChildProcess::Clock::duration>(deadline - now, 1h))
                              .count());
}

}  // namespace

std::vector<std::string> split_command(std::string_view command) {
  std::vector<std::string> words;
  bool in_word = false;
  char open = 0;  // the quote
  for (std::size_t i = 0; i < command.size(); ++i) {
    const char c = command[i];
    if (open == 0 && (c == ' ' || c == '\t')) {
      in_word = false;
      continue;
    }
    if (!in_word) words.emplace_back();
    in_word = true;
    if (c == open)
      open = 0;
    else if (open == 0 && (c == '\'' || c == '"'))
      open = c;
    else if (c == '\\' && open != '\'' && i + 1 < command.size())
      words.back() += command[++i];
    else
      words.back() += c;
  }
  if (open != 0) throw std::invalid_argument(std::string("the quote ") + open + " is not closed");
  if (words.empty() || words.front().empty()) throw std::invalid_argument("there is no command");
  return words;
}

std::string find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return is_program(name) ? name : "";
  const char* const path = std::getenv("PATH");
  std::string folders = (path != nullptr ? path : "");
  folders += ":/usr/games";
  for (std::size_t begin = 0; begin <= folders.size();) {
    const std::size_t end = std::min(folders.find(':', begin), folders.size());
    const std::string folder = folders.substr(begin, end - begin);
    std::string candidate = (folder.empty() ? "." : folder) + "/" + name;
    if (is_program(candidate)) return candidate;
    begin = end + 1;
  }
  return "";
}

FileDescriptor::FileDescriptor(FileDescriptor&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)) {}

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
  if (this != &other) {
    close();
    fd_ = std::exchange(other.fd_, -1);
  }
  return *this;
}

void FileDescriptor::close() {
  if (fd_ >= 0) ::close(std::exchange(fd_, -1));
}

ChildProcess::ChildProcess(const std::vector<std::string>& words) {
  Ends in = socket_from_us();
  Ends out = pipe_to_us();
  Ends error = pipe_to_us();
  SpawnSettings settings;
  settings.connect(in.childs, STDIN_FILENO);
  settings.connect(out.childs, STDOUT_FILENO);
  settings.connect(error.childs, STDERR_FILENO);
  settings.close_others();
  pid_ = settings.start(words);
  in_ = std::move(in.ours);
  out_ = std::move(out.ours);
  error_ = std::move(error.ours);
}

ChildProcess::~ChildProcess() {
  in_.close();
  if (has_ended(Clock::now() + kPatience)) return;
  ::kill(-pid_, SIGTERM);
  if (has_ended(Clock::now() + kPatience)) return;
  ::kill(-pid_, SIGKILL);
  has_ended(Clock::time_point::max());
}

ChildProcess::Status ChildProcess::write(std::string_view text, Clock::time_point deadline) {
  while (!text.empty()) {
    const ssize_t written =
        ::send(in_.get(), text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      // It may be waiting for us to read before it reads.
      const Status status = exchange(true, deadline);
      if (status != Status::Ok) return status;
    } else if (errno == ENOBUFS || errno == ENOMEM) {
      throw_errno("send");  // it is not the child that failed
    } else if (errno != EINTR) {
      return Status::Ended;
    }
  }
  return Status::Ok;
}

ChildProcess::Status ChildProcess::read_line(std::string& line, Clock::time_point deadline) {
  for (;;) {
    const std::size_t end = output_.find('\n');
    if (skip_line_) {
      output_.erase(0, end == std::string::npos ? end : end + 1);
      skip_line_ = end == std::string::npos && out_.is_open();
      if (end != std::string::npos) continue;
    } else if (end != std::string::npos || output_.size() > kMostLine ||
               (!out_.is_open() && !output_.empty())) {
      line = output_.substr(0, std::min(end, kMostLine));
      skip_line_ = end == std::string::npos && out_.is_open();
      output_.erase(0, end == std::string::npos ? end : end + 1);
      if (line.ends_with('\r')) line.pop_back();
      return Status::Ok;
    }
    if (!out_.is_open()) return Status::Ended;
    const Status status = exchange(false, deadline);
    if (status != Status::Ok) return status;
  }
}

ChildProcess::Status ChildProcess::exchange(bool writing, Clock::time_point deadline) {
  const int wait = milliseconds_until(deadline);
  if (wait < 0) return Status::TimedOut;
  // poll() ignores negative descriptors.
  const bool reads = out_.is_open() && output_.size() < kMostWaiting;
  std::array<pollfd, 3> fds{{{.fd = reads ? out_.get() : -1, .events = POLLIN, .revents = 0},
                             {.fd = error_.get(), .events = POLLIN, .revents = 0},
                             {.fd = writing ? in_.get() : -1, .events = POLLOUT, .revents = 0}}};
  if (::poll(fds.data(), fds.size(), wait) < 0 && errno != EINTR) throw_errno("poll");
  if (fds[0].revents != 0) read_output();
  if (fds[1].revents != 0) read_errors();
  return Status::Ok;
}

void ChildProcess::read_output() {
  std::array<char, 16 * 1024> buffer{};
  const ssize_t got = ::read(out_.get(), buffer.data(), buffer.size());
  if (got > 0)
    output_.append(buffer.data(), static_cast<std::size_t>(got));
  else if (got == 0 || (errno != EAGAIN && errno != EINTR))
    out_.close();
}

bool ChildProcess::read_errors() {
  std::array<char, 4 * 1024> buffer{};
  const ssize_t got = ::read(error_.get(), buffer.data(), buffer.size());
  if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) error_.close();
  if (got <= 0) return false;
  for (const char c : std::string_view(buffer.data(), static_cast<std::size_t>(got))) {
    if (c != '\n') {
      if (error_line_.size() < kMostErrorLine) error_line_ += c;
      continue;
    }
    error_lines_.push_back(std::exchange(error_line_, {}));
    if (error_lines_.size() > kMostErrorLines) error_lines_.pop_front();
  }
  return true;
}

void ChildProcess::kill() {
  if (has_ended(Clock::now())) return;
  ::kill(-pid_, SIGKILL);
  has_ended(Clock::time_point::max());
}

bool ChildProcess::has_ended(Clock::time_point deadline) {
  for (auto pause = 1ms; !wait_status_; pause = std::min(2 * pause, 16ms)) {
    siginfo_t info{};
    if (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
        info.si_pid == pid_) {
      // Its number stays taken until it is waited for: this ends only what it has left behind.
      ::kill(-pid_, SIGKILL);
      int status = 0;
      while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
      }
      wait_status_ = status;
    } else if (Clock::now() >= deadline) {
      return false;
    } else {
      std::this_thread::sleep_for(pause);
    }
  }
  return true;
}

bool ChildProcess::was_killed() const {
  return wait_status_ && WIFSIGNALED(*wait_status_) && WTERMSIG(*wait_status_) == SIGKILL;
}

std::optional<std::string> ChildProcess::end(Clock::time_point deadline) {
  if (!has_ended(deadline)) return std::nullopt;
  if (WIFEXITED(*wait_status_))
    return "exited with status " + std::to_string(WEXITSTATUS(*wait_status_));
  const int signal = WTERMSIG(*wait_status_);
  const char* const description = ::sigdescr_np(signal);
  return "was ended by signal " + std::to_string(signal) + " (" +
         (description != nullptr ? description : "unknown") + ")";
}

std::vector<std::string> ChildProcess::error_lines() {
  // Bounded: the child may be writing all the time.
  for (int i = 0; i < 256 && error_.is_open() && read_errors(); ++i) {
  }
  std::vector<std::string> lines(error_lines_.begin(), error_lines_.end());
  if (!error_line_.empty()) lines.push_back(error_line_);
  return lines;
}

}  // namespace faultline
