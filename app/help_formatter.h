// The layout of --help.
#pragma once

#include <cstddef>
#include <string>

#include <CLI/CLI.hpp>

namespace faultline {

/// Wraps help at the width of the terminal, and at 100 columns on wider ones.
class HelpFormatter final : public CLI::Formatter {
 public:
  HelpFormatter();

  std::string make_usage(const CLI::App* app, std::string name) const override;
  std::string make_description(const CLI::App* app) const override;
  std::string make_option(const CLI::Option* option, bool is_positional) const override;
  std::string make_subcommand(const CLI::App* command) const override;
  /// The paragraphs are filled, whatever their line breaks; indented lines are examples.
  std::string make_footer(const CLI::App* app) const override;

 private:
  std::size_t width_;
};

}  // namespace faultline
