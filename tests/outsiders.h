// Programs that are not ours, for tests that need them: whether they are there, and running them.
//
// They are optional (scripts/setup --exports). With FAULTLINE_REQUIRE_OUTSIDERS in the environment,
// a missing one is a failure.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include <sys/wait.h>

namespace faultline::test {

/// Whether a test must fail, not be skipped, if a program that it needs is missing.
inline bool outsiders_are_required() {
  return std::getenv("FAULTLINE_REQUIRE_OUTSIDERS") != nullptr;
}

/// A text in quotes for a shell command.
inline std::string in_quotes(const std::filesystem::path& text) {
  return "'" + text.string() + "'";
}

/// Runs a shell command; what it printed goes to `log`. The exit code; 128 and more if it did not
/// exit.
inline int run(const std::string& command, const std::filesystem::path& log) {
  const int status = std::system((command + " >" + in_quotes(log) + " 2>&1").c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

/// Where scripts/setup --exports puts packages of npm; another folder in FAULTLINE_NODE_MODULES.
inline std::filesystem::path node_modules() {
  const char* const given = std::getenv("FAULTLINE_NODE_MODULES");
  return given != nullptr
             ? std::filesystem::path(given)
             : std::filesystem::path(FAULTLINE_SOURCE_DIR) / "build/outsiders/node_modules";
}

/// Whether Node can run ONNX files.
inline bool has_onnx_runtime() {
  return std::filesystem::exists(node_modules() / "onnxruntime-node") &&
         run("node --version", "/dev/null") == 0;
}

}  // namespace faultline::test
