// `faultline vectors`: checks the rules against files of test vectors.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "app/commands.h"
#include "app/vector_check.h"

namespace faultline {
namespace vectors_command {
namespace {

std::string shown_name(const std::string& path) {
  return path == "-" ? "standard input" : path;
}

void check_file(const std::string& path, VectorReport& report) {
  if (path == "-") return check_vectors(std::cin, shown_name(path), report);
  // A directory can be opened like a file, but then reading fails.
  if (std::filesystem::is_directory(path))
    throw UsageError(fmt::format("{} is a folder; give the files in it", path));
  std::ifstream file(path, std::ios::binary);
  if (!file) throw UsageError(fmt::format("cannot open {}", path));
  check_vectors(file, path, report);
}

void print_report(const std::string& path, const VectorReport& report) {
  for (const VectorFailure& failure : report.failures) {
    fmt::print("{}:{}: failed\n", path, failure.line);
    std::size_t begin = 0;
    while (begin < failure.difference.size()) {
      const std::size_t end = failure.difference.find('\n', begin);
      fmt::print("    {}\n", failure.difference.substr(begin, end - begin));
      begin = end == std::string::npos ? failure.difference.size() : end + 1;
    }
  }
  fmt::print("{}: {} passed, {} failed, {} skipped", path, report.passed, report.failures.size(),
             report.skipped_count());
  for (const auto& [family, count] : report.skipped)
    fmt::print("{}{} of {}", family == report.skipped.begin()->first ? " (not built: " : ", ",
               count, family);
  fmt::print("{}\n", report.skipped.empty() ? "" : ")");
}

}  // namespace
}  // namespace vectors_command

void add_vectors(CLI::App& app) {
  using namespace vectors_command;
  auto files = std::make_shared<std::vector<std::string>>();
  CLI::App* command = app.add_subcommand("vectors", "check the rules against test vectors");
  command->add_option("FILE", *files, "files of JSON Lines; - reads standard input")->required();
  command->footer(
      "docs/vectors.md describes the format. Exit code 1 if a vector failed, 2 if a line is not "
      "one.\n\n"
      "Examples:\n"
      "  faultline vectors escher.jsonl\n"
      "  faultline moves escher --json | faultline vectors -");
  command->callback([files] {
    std::size_t passed = 0, failed = 0, skipped = 0;
    for (const std::string& path : *files) {
      VectorReport report;
      try {
        check_file(path, report);
      } catch (const VectorFormatError& error) {
        print_report(shown_name(path), report);
        throw UsageError(error.what());
      }
      print_report(shown_name(path), report);
      passed += report.passed;
      failed += report.failures.size();
      skipped += report.skipped_count();
    }
    if (files->size() > 1)
      fmt::print("total: {} passed, {} failed, {} skipped\n", passed, failed, skipped);
    if (failed > 0) throw CLI::RuntimeError(1);
  });
}

}  // namespace faultline
