#include "app/browser.h"

#include <cstdlib>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace faultline {
namespace {

bool has_display() {
  for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY"})
    if (const char* value = std::getenv(name); value != nullptr && *value != '\0') return true;
  return false;
}

/// Writes a file for its owner's eyes.
bool write_private(const std::filesystem::path& file, const std::string& text) {
  std::error_code ignored;
  std::filesystem::create_directories(file.parent_path(), ignored);
  ::unlink(file.c_str());
  const int out = ::open(file.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
  if (out < 0) return false;
  const bool written = ::write(out, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  ::close(out);
  return written;
}

/// Starts a program that says nothing here, and does not wait for it: a shell in between makes it
/// nobody's child.
bool start_apart(const std::string& program, const std::string& argument) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::string shell = "sh", option = "-c", one = program, other = argument;
  std::string script = R"(command -v "$0" && { setsid "$0" "$1" & })";
  char* words[] = {shell.data(), option.data(), script.data(), one.data(), other.data(), nullptr};
  pid_t child = 0;
  const int error = ::posix_spawn(&child, "/bin/sh", &files, nullptr, words, environ);
  posix_spawn_file_actions_destroy(&files);
  int status = 0;
  return error == 0 && ::waitpid(child, &status, 0) == child && WIFEXITED(status) &&
         WEXITSTATUS(status) == 0;
}

}  // namespace

bool show_in_browser(const std::string& url, const std::filesystem::path& file) {
  if (!has_display()) return false;
  const std::string page = fmt::format(
      "<!doctype html><meta charset=\"utf-8\"><title>faultline lab</title>"
      "<meta http-equiv=\"refresh\" content=\"0;url={0}\"><a href=\"{0}\">The lab</a>\n",
      url);
  return write_private(file, page) && start_apart("xdg-open", "file://" + file.string());
}

}  // namespace faultline
