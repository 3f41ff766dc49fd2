// A child process that is spoken to in lines of text.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace faultline {

/// Splits a command line at spaces. Quotes, '…' or "…", and backslashes keep characters together,
/// as in a shell; nothing is expanded. Throws std::invalid_argument for an open quote or a command
/// without words.
std::vector<std::string> split_command(std::string_view command);

/// The program's path: itself if it contains a slash, else the first match in PATH or in
/// /usr/games, where distributions put chess engines. Empty if there is no such executable file.
std::string find_program(const std::string& name);

/// A file descriptor that is closed with its owner.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(FileDescriptor&& other) noexcept;
  FileDescriptor& operator=(FileDescriptor&& other) noexcept;
  ~FileDescriptor() { close(); }

  int get() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }
  void close();

 private:
  int fd_ = -1;
};

/// A running program with its three standard streams. Children may be started by several threads at
/// the same time. They are in process groups of their own: Ctrl-C ends the parent only, which then
/// ends them; if the parent is killed they find their input closed. Used by one thread at a time.
class ChildProcess {
 public:
  using Clock = std::chrono::steady_clock;

  enum class Status { Ok, TimedOut, Ended };

  /// Longer lines are cut to this.
  static constexpr std::size_t kMostLine = 64 * 1024;
  /// How much of the standard error is kept: the last lines, each cut.
  static constexpr std::size_t kMostErrorLines = 10;
  static constexpr std::size_t kMostErrorLine = 200;

  /// Starts `words`: a path and arguments. Throws std::system_error.
  explicit ChildProcess(const std::vector<std::string>& words);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  /// Closes the child's input and gives it half a second to end, then asks it with SIGTERM for as
  /// long, then kills it. To end it politely, write what makes it quit before.
  ~ChildProcess();

  /// Writes all of `text`; Ended if the child does not take it any more.
  Status write(std::string_view text, Clock::time_point deadline);
  /// Reads one line, without its line end ("\n" or "\r\n"). Lines that came before the end of the
  /// output or before the deadline are returned first.
  Status read_line(std::string& line, Clock::time_point deadline);

  /// Ends the child, and what it has started, at once.
  void kill();
  /// "exited with status 3", "was ended by signal 11 (Segmentation fault)", once it has ended;
  /// waits for that until the deadline.
  std::optional<std::string> end(Clock::time_point deadline);
  /// Whether a SIGKILL has ended it: nothing does that to itself.
  bool was_killed() const;
  /// The last lines of its standard error, after reading what has arrived.
  std::vector<std::string> error_lines();

 private:
  /// The output is read no further while this much of it waits for read_line().
  static constexpr std::size_t kMostWaiting = 1024 * 1024;

  /// Waits until something can be read (or written, if `writing`), and reads it.
  Status exchange(bool writing, Clock::time_point deadline);
  void read_output();
  /// Whether there was anything.
  bool read_errors();
  bool has_ended(Clock::time_point deadline);

  FileDescriptor in_, out_, error_;  // our ends, non-blocking
  pid_t pid_ = -1;
  std::optional<int> wait_status_;  // once it has ended
  std::string output_;              // read and not yet returned
  bool skip_line_ = false;          // the rest of a line that was cut is still to come
  std::string error_line_;          // incomplete
  std::deque<std::string> error_lines_;
};

}  // namespace faultline
