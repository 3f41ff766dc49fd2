// Parsing, running and exit codes, shared by `faultline` and `faultline-net`.
#include "app/command_line.h"

#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "app/commands.h"
#include "base/nearest_name.h"
#include "base/quote.h"
#include "rules/families.h"
#include "rules/position.h"
#include "rules/variant.h"

namespace faultline {
namespace {

constexpr int kFailed = 1;
constexpr int kBadInput = 2;

/// "faultline perft" once a subcommand has been recognised.
std::string speaker(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app.get_name() : app.get_name() + " " + chosen.front()->get_name();
}

int complain(const CLI::App& app, std::string_view message, int code) {
  std::fflush(stdout);
  fmt::print(stderr, "{}: {}\n", speaker(app), message);
  return code;
}

int complain_usage(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  std::string message = printable(error.what(), 400, "\n");  // it quotes the command line
  const std::string_view first = argc > 1 ? argv[1] : "";
  if (app.get_subcommands().empty() && !first.empty() && first.front() != '-') {
    std::vector<std::string> names;
    for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; }))
      names.push_back(sub->get_name());
    message = "there is no command " + quote(first);
    message += did_you_mean(nearest_name(first, names));
  }
  complain(app, message, kBadInput);
  fmt::print(stderr, "Try `{} --help`.\n", speaker(app));
  return kBadInput;
}

/// Refuses empty values of options, which nearly always come from a shell's unset variable. Only
/// --fen and --moves may be empty: the start position, no moves.
void refuse_empty_values(CLI::App& app) {
  const CLI::Validator not_empty(
      [](const std::string& value) {
        return value.empty() ? std::string("must not be empty") : std::string();
      },
      "");
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; }))
    for (CLI::Option* option : command->get_options())
      if (!option->get_positional() && option->get_name() != "--fen" &&
          option->get_name() != "--moves")
        option->check(not_empty);
}

}  // namespace

int run_command_line(CLI::App& app, int argc, char** argv) {
  int code = 0;
  try {
    app.require_subcommand(1);
    refuse_empty_values(app);
    app.parse(argc, argv);
  } catch (const CLI::RuntimeError& error) {
    code = error.get_exit_code();
  } catch (const CLI::Success& help) {
    code = app.exit(help);
  } catch (const CLI::ParseError& error) {
    code = complain_usage(app, error, argc, argv);
  } catch (const UsageError& error) {
    code = complain(app, error.what(), kBadInput);
  } catch (const FenError& error) {
    code = complain(app, error.what(), kBadInput);
  } catch (const VariantError& error) {
    code = complain(app, error.what(), kBadInput);
  } catch (const std::exception& error) {
    code = complain(app, error.what(), kFailed);
  }
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
    code = complain(app, "the output could not be written", kFailed);
  return code;
}

std::string built_rules() {
  std::string text;
  for (const FamilyInfo* family : all_families()) {
    text += family->name + ":";
    for (const OptionInfo& option : family->options)
      text += option.name + "=" + option.default_value + "(" + option.allowed + "),";
  }
  return text;
}

}  // namespace faultline
