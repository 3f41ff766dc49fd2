// posix_spawn with the three standard streams as files.
#include "tests/app/run_program.h"

#include <csignal>
#include <stdexcept>
#include <system_error>
#include <thread>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace faultline {
namespace {

pid_t start(const std::vector<std::string>& arguments, posix_spawn_file_actions_t& files) {
  std::vector<std::string> words = {FAULTLINE_PROGRAM};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words)
    argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t child = 0;
  const int error = posix_spawn(&child, FAULTLINE_PROGRAM, &files, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  if (error != 0) throw std::system_error(error, std::generic_category(), FAULTLINE_PROGRAM);
  return child;
}

int end_of(pid_t child) {
  int status = 0;
  if (waitpid(child, &status, 0) != child) throw std::runtime_error("waitpid failed");
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

ProgramResult run_faultline(const std::vector<std::string>& arguments, std::string_view input) {
  const TemporaryFolder folder;
  const std::string in = folder.write("in", input);
  const std::string out = folder.write("out", "");
  const std::string err = folder.write("err", "");

  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, in.c_str(), O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, out.c_str(), O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, err.c_str(), O_WRONLY, 0);

  const int code = end_of(start(arguments, files));
  return {code, test::read_text(out), test::read_text(err)};
}

KilledRuns kill_until_done(const std::vector<std::string>& arguments,
                           std::chrono::milliseconds first, std::chrono::milliseconds step) {
  KilledRuns runs;
  for (; runs.killed < 200; ++runs.killed) {
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    const pid_t child = start(arguments, files);
    std::this_thread::sleep_for(first + step * runs.killed);
    kill(child, SIGKILL);
    if (const int code = end_of(child); code != 128 + SIGKILL) {
      runs.exit_code = code;
      break;
    }
  }
  return runs;
}

}  // namespace faultline
