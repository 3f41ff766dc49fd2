// Child processes and their streams.
#include "engine/child_process.h"

#include <cerrno>
#include <cstdlib>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/temporary_folder.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

using Strings = std::vector<std::string>;
using Status = ChildProcess::Status;
using Clock = ChildProcess::Clock;

/// Longer than any test needs, also on a loaded machine.
Clock::time_point eventually() {
  return Clock::now() + 60s;
}
Clock::time_point soon() {
  return Clock::now() + 100ms;
}

Strings shell(const std::string& script) {
  return {"/bin/sh", "-c", script};
}

/// The next line; "(timed out)" and "(ended)" if there is none.
std::string line_of(ChildProcess& child, Clock::time_point deadline = eventually()) {
  std::string line;
  switch (child.read_line(line, deadline)) {
    case Status::Ok:
      return line;
    case Status::TimedOut:
      return "(timed out)";
    case Status::Ended:
      break;
  }
  return "(ended)";
}

TEST(SplitCommand, SplitsAsAShellWithoutExpansion) {
  EXPECT_EQ(split_command("engine"), Strings{"engine"});
  EXPECT_EQ(split_command("  a  b\tc "), (Strings{"a", "b", "c"}));
  EXPECT_EQ(split_command("'my engine' \"a b\"c ''"), (Strings{"my engine", "a bc", ""}));
  EXPECT_EQ(split_command(R"(a\ b 'c\d' "e\"f" $HOME *)"),
            (Strings{"a b", R"(c\d)", "e\"f", "$HOME", "*"}));
  EXPECT_THROW(split_command("a 'b"), std::invalid_argument);
  EXPECT_THROW(split_command(" "), std::invalid_argument);
  EXPECT_THROW(split_command("'' a"), std::invalid_argument);
}

TEST(FindProgram, SearchesPathButNotForPathsWithSlashes) {
  const test::TemporaryFolder folder;
  const std::string file = folder.write("some-engine", "#!/bin/sh\n");
  EXPECT_EQ(find_program(file), "") << "not executable";
  ASSERT_EQ(::chmod(file.c_str(), 0755), 0);
  EXPECT_EQ(find_program(file), file);
  EXPECT_EQ(find_program("some-engine"), "");
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", ("/nowhere:" + folder.path().string()).c_str(), 1);
  EXPECT_EQ(find_program("some-engine"), file);
  ::setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(find_program(folder.path().string()), "") << "a folder";
  EXPECT_NE(find_program("sh"), "");
}

TEST(ChildProcess, ReadsLinesWithoutTheirEnds) {
  ChildProcess child(shell("printf 'one\\n\\r\\ntwo\\r\\nthree'"));
  EXPECT_EQ(line_of(child), "one");
  EXPECT_EQ(line_of(child), "");
  EXPECT_EQ(line_of(child), "two");
  EXPECT_EQ(line_of(child), "three") << "the last line need not end";
  EXPECT_EQ(line_of(child), "(ended)");
  EXPECT_EQ(child.end(eventually()), "exited with status 0");
}

TEST(ChildProcess, PassesArgumentsUnchanged) {
  ChildProcess child({"/bin/sh", "-c", "printf '%s\\n' \"$@\"", "sh", "a b", "", "$HOME"});
  EXPECT_EQ(line_of(child), "a b");
  EXPECT_EQ(line_of(child), "");
  EXPECT_EQ(line_of(child), "$HOME");
}

TEST(ChildProcess, AnswersWhatIsWrittenToIt) {
  ChildProcess child({"/bin/cat"});
  EXPECT_EQ(line_of(child, soon()), "(timed out)");
  EXPECT_EQ(child.write("hello\n", eventually()), Status::Ok);
  EXPECT_EQ(line_of(child), "hello");
  // More than the pipes hold: it writes before it has read all.
  const std::string text(500'000, 'x');
  EXPECT_EQ(child.write(text + "\nafter\n", eventually()), Status::Ok);
  EXPECT_EQ(line_of(child), text.substr(0, ChildProcess::kMostLine));
  EXPECT_EQ(line_of(child), "after");
}

TEST(ChildProcess, CutsLongLines) {
  ChildProcess child(shell("head -c 3000000 /dev/zero; printf '\\nshort\\n'"));
  EXPECT_EQ(line_of(child).size(), ChildProcess::kMostLine);
  EXPECT_EQ(line_of(child), "short");
  EXPECT_EQ(line_of(child), "(ended)");
}

TEST(ChildProcess, TimesOutWhileItGoesOnPrinting) {
  ChildProcess child(shell("while :; do echo x; done"));
  const Clock::time_point deadline = soon();
  std::string line;
  while (child.read_line(line, deadline) == Status::Ok) {
  }
  EXPECT_GE(Clock::now(), deadline);
}

TEST(ChildProcess, TimesOutWhileItDoesNotRead) {
  ChildProcess child({"/bin/sleep", "1000"});
  EXPECT_EQ(child.write(std::string(10'000'000, 'x'), soon()), Status::TimedOut);
}

TEST(ChildProcess, SurvivesWritingToAChildThatHasEnded) {
  ChildProcess child(shell("exit 7"));
  EXPECT_EQ(line_of(child), "(ended)");
  EXPECT_EQ(child.end(eventually()), "exited with status 7");
  EXPECT_EQ(child.write("hello\n", eventually()), Status::Ended);
}

TEST(ChildProcess, TellsWhichSignalEndedIt) {
  ChildProcess child(shell("kill -SEGV $$"));
  EXPECT_EQ(child.end(eventually()), "was ended by signal 11 (Segmentation fault)");
}

TEST(ChildProcess, HasNotEndedWhileItRuns) {
  ChildProcess child({"/bin/cat"});
  EXPECT_EQ(child.end(soon()), std::nullopt);
  child.kill();
  EXPECT_EQ(child.end(Clock::now()), "was ended by signal 9 (Killed)");
}

TEST(ChildProcess, KeepsTheLastLinesOfItsErrors) {
  ChildProcess child(
      shell("i=0; while [ $i -lt 100 ]; do echo line $i >&2; i=$((i + 1)); done; "
            "head -c 1000 /dev/zero | tr '\\0' x >&2"));
  EXPECT_EQ(line_of(child), "(ended)");
  ASSERT_TRUE(child.end(eventually()));
  const Strings lines = child.error_lines();
  ASSERT_EQ(lines.size(), ChildProcess::kMostErrorLines + 1);
  EXPECT_EQ(lines.front(), "line 90");
  EXPECT_EQ(lines[9], "line 99");
  EXPECT_EQ(lines.back(), std::string(ChildProcess::kMostErrorLine, 'x'));
}

// A child that fills its error pipe would otherwise wait for ever.
TEST(ChildProcess, ReadsErrorsWhileItWaitsForOutput) {
  ChildProcess child(shell("head -c 1000000 /dev/zero >&2; echo done"));
  EXPECT_EQ(line_of(child), "done");
}

TEST(ChildProcess, LeavesNoProcessBehind) {
  pid_t shell_pid = 0, helper = 0;
  {
    ChildProcess child(
        shell("trap '' TERM HUP; sleep 1000 & echo $$ $!; while :; do sleep 1; done"));
    const std::string pids = line_of(child);
    std::istringstream(pids) >> shell_pid >> helper;
    ASSERT_GT(shell_pid, 0);
    ASSERT_EQ(::kill(shell_pid, 0), 0);
  }
  EXPECT_EQ(::kill(shell_pid, 0), -1);
  EXPECT_EQ(errno, ESRCH) << "neither running nor a zombie";
  // What it had started is the system's to reap: it may be a zombie for a moment.
  const Clock::time_point deadline = eventually();
  const auto is_running = [&] {
    std::string state;
    std::istringstream(test::read_text("/proc/" + std::to_string(helper) + "/stat")) >> state >>
        state >> state;
    return !state.empty() && state != "Z";
  };
  while (is_running() && Clock::now() < deadline) {
  }
  EXPECT_FALSE(is_running());
}

TEST(ChildProcess, InheritsNoDescriptorsButItsStreams) {
  const int ours = ::open("/dev/null", O_RDONLY);  // without O_CLOEXEC
  ASSERT_GE(ours, 0);
  const ChildProcess other({"/bin/cat"});
  ChildProcess child(shell("ls /proc/$$/fd"));
  ::close(ours);
  std::string all;
  for (std::string line = line_of(child); line != "(ended)"; line = line_of(child))
    all += line + ' ';
  EXPECT_EQ(all, "0 1 2 ");
}

TEST(ChildProcess, CannotBeStartedFromWhatIsNoProgram) {
  EXPECT_THROW(ChildProcess({"/nowhere/engine"}), std::system_error);
  const test::TemporaryFolder folder;
  const std::string file = folder.write("text", "not a program");
  ASSERT_EQ(::chmod(file.c_str(), 0755), 0);
  EXPECT_THROW(ChildProcess({file}), std::system_error);
}

}  // namespace
}  // namespace faultline
