// Starts and halts runs.
#include "web/run_control.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <fstream>
#include <system_error>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "base/atomic_file.h"
#include "record/config.h"
#include "record/run_folder.h"
#include "web/configurations.h"
#include "web/request.h"

namespace faultline::web {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

/// How long a start waits for a failure: what a program finds wrong at once takes less.
constexpr auto kFirstWait = 1s;

/// Makes the folder and what it is in, and takes back what it made unless it is kept.
class NewFolder {
 public:
  explicit NewFolder(const fs::path& folder) {
    for (fs::path missing = folder; !fs::exists(missing); missing = missing.parent_path())
      made_.push_back(missing);
    fs::create_directories(folder);
    for (const char* name : {kStartName, kLogName})
      if (!fs::exists(folder / name)) files_.push_back(folder / name);
  }
  ~NewFolder() {
    std::error_code ignored;
    if (kept_) return;
    for (const fs::path& file : files_)
      fs::remove(file, ignored);
    for (const fs::path& folder : made_)  // the deepest first; those with something in it stay
      fs::remove(folder, ignored);
  }
  NewFolder(const NewFolder&) = delete;
  NewFolder& operator=(const NewFolder&) = delete;
  void keep() { kept_ = true; }

 private:
  std::vector<fs::path> made_;
  std::vector<fs::path> files_;
  bool kept_ = false;
};

}  // namespace

std::string last_log_line(const fs::path& folder) {
  std::ifstream in(folder / kLogName, std::ios::binary | std::ios::ate);
  if (!in) return "";
  constexpr std::streamoff kEnough = 4096;
  in.seekg(std::max<std::streamoff>(0, static_cast<std::streamoff>(in.tellg()) - kEnough));
  std::string last;
  for (std::string line; std::getline(in, line);)
    if (line.find_first_not_of(" \t\r") != std::string::npos) last = line;
  return last;
}

void RunControl::train(const fs::path& folder, const std::string& text) {
  if (RunFolder::holds_run(folder))
    throw RequestError(folder.filename().string() + ": holds a run already; give another folder",
                       "path");
  const Config config = new_configuration(text);
  try {
    RunFolder::require_creatable(folder);
  } catch (const RunError& error) {
    throw RequestError(error.what(), "path");
  }
  if (process(folder)) throw RequestError("a run is being started there already", "path");
  try {
    NewFolder made(folder);
    write_file_atomically(folder / kStartName, text);
    std::vector<std::string> arguments = {"train", (folder / kStartName).string(), "--run",
                                          folder.string()};
    if (config.run.name.empty()) {
      arguments.emplace_back("--set");
      arguments.push_back("run.name=" + folder.filename().string());
    }
    start(folder, std::move(arguments));
    made.keep();
  } catch (const std::system_error& error) {
    throw RequestError(error.what(), "path");
  }
}

void RunControl::resume(const fs::path& folder) {
  if (!RunFolder::holds_run(folder))
    throw RequestError(folder.filename().string() + ": holds no run that could be resumed", "path");
  if (process(folder) || HeldLocks().holder(folder / "lock"))
    throw RequestError("the run goes on already", "path");
  start(folder, {"train", "--run", folder.string(), "--resume"});
}

void RunControl::start(const fs::path& folder, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), program_.string());
  {
    const std::lock_guard lock(mutex_);
    try {
      started_.insert_or_assign(
          folder,
          Started{.process = start_detached(arguments, root_, folder / kLogName), .end = {}});
    } catch (const std::system_error& error) {
      throw RequestError(error.what());
    }
  }
  const auto until = std::chrono::steady_clock::now() + kFirstWait;
  while (process(folder) && std::chrono::steady_clock::now() < until)
    std::this_thread::sleep_for(20ms);
  if (const std::string why = failure(folder); !why.empty()) {
    const std::lock_guard lock(mutex_);
    started_.erase(folder);
    throw RequestError(why, "text");
  }
}

void RunControl::halt(const fs::path& folder) {
  std::optional<pid_t> running = process(folder);
  if (!running) running = HeldLocks().holder(folder / "lock");
  if (!running) throw RequestError("nothing runs there that is known here", "path");
  const std::lock_guard lock(mutex_);
  std::erase_if(halted_, [](pid_t process) { return ::kill(process, 0) != 0; });
  // A second signal would end it before it has saved everything.
  if (halted_.contains(*running)) throw RequestError("it is about to stop already", "path");
  if (::kill(*running, SIGINT) != 0)
    throw RequestError("it cannot be stopped: " + std::generic_category().message(errno), "path");
  halted_.insert(*running);
}

void RunControl::see_ends() {
  for (auto& [folder, started] : started_)
    if (!started.end) {
      started.end = end_of(started.process);
      if (started.end) halted_.erase(started.process);
    }
}

std::optional<pid_t> RunControl::process(const fs::path& folder) {
  const std::lock_guard lock(mutex_);
  see_ends();
  const auto found = started_.find(folder);
  if (found == started_.end() || found->second.end) return std::nullopt;
  return found->second.process;
}

std::string RunControl::failure(const fs::path& folder) {
  const std::lock_guard lock(mutex_);
  see_ends();
  const auto found = started_.find(folder);
  if (found == started_.end() || found->second.end.value_or(0) == 0) return "";
  const std::string line = last_log_line(folder);
  return line.empty() ? "the program " + end_text(*found->second.end) : line;
}

bool RunControl::is_halting(pid_t process) {
  const std::lock_guard lock(mutex_);
  return halted_.contains(process);
}

}  // namespace faultline::web
