// Parsing, running and exit codes, shared by `faultline` and `faultline-net`.
#include "app/command_line.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <iostream>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/core.h>
#include <poll.h>
#include <unistd.h>

#include "app/commands.h"
#include "app/help_formatter.h"
#include "base/machine_shortage.h"
#include "base/nearest_name.h"
#include "base/quote.h"
#include "rules/families.h"
#include "rules/position.h"
#include "rules/variant.h"

namespace faultline {
namespace {

constexpr int kFailed = 1;
constexpr int kBadInput = 2;
constexpr int kNobodyReads = 128 + SIGPIPE;  // as if SIGPIPE had ended the process, in silence

/// "faultline perft" once a subcommand has been recognised.
std::string speaker(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app.get_name() : app.get_name() + " " + chosen.front()->get_name();
}

int complain(const CLI::App& app, std::string_view message, int code) {
  std::fflush(stdout);
  std::cerr << speaker(app) << ": " << message << std::endl;
  return code;
}

/// Whether nobody reads the standard output any more.
bool reader_is_gone() {
  pollfd output{.fd = STDOUT_FILENO, .events = POLLOUT, .revents = 0};
  return poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

int complain_failure(const CLI::App& app, const std::system_error& error) {
  if (error.code().value() == EPIPE) return kNobodyReads;
  const std::string advice = shortage_advice(error.code());
  return complain(app, error.what() + (advice.empty() ? "" : "; " + advice), kFailed);
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(sub->get_name());
  return names;
}

/// "--games" and so on, of the command that was chosen.
std::vector<std::string> option_names(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  const CLI::App& command = chosen.empty() ? app : *chosen.front();
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames())
      names.push_back("--" + name);
  return names;
}

/// What is wrong with a command line, in more words than CLI11's where these do not tell.
std::string usage_message(const CLI::App& app, const CLI::ParseError& error,
                          std::string_view first) {
  if (app.get_subcommands().empty() && !first.empty()) {
    if (first == "--version") return "--version stands alone";
    if (first.front() == '-')
      return "there is no option " + quote(first, 40) +
             did_you_mean(nearest_name(first, option_names(app)));
    return "there is no command " + quote(first) +
           did_you_mean(nearest_name(first, command_names(app)));
  }
  std::string message = printable(error.what(), 400, "\n");  // it quotes the command line
  constexpr std::string_view kTwice = ": At Most 1 required but received ";
  if (const std::size_t at = message.find(kTwice); at != std::string::npos)
    return message.substr(0, at) + ": is given more than once";
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr)
    for (const std::string& extra : app.remaining(true))
      if (extra.starts_with("--"))
        return message +
               did_you_mean(nearest_name(extra.substr(0, extra.find('=')), option_names(app)));
  return message;
}

int complain_usage(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  complain(app, usage_message(app, error, argc > 1 ? argv[1] : ""), kBadInput);
  std::cerr << fmt::format("Try '{} --help'.\n", speaker(app));
  return kBadInput;
}

/// Sets the formatter of the help, also of all commands.
void set_formatter(CLI::App& app) {
  const auto formatter = std::make_shared<HelpFormatter>();
  app.formatter(formatter);
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; }))
    command->formatter(formatter);
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
    set_formatter(app);
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
  } catch (const std::system_error& error) {
    code = complain_failure(app, error);
  } catch (const std::bad_alloc&) {
    code = complain_failure(app, std::system_error(make_error_code(std::errc::not_enough_memory)));
  } catch (const std::exception& error) {
    code = complain(app, error.what(), kFailed);
  }
  if ((std::fflush(stdout) != 0 || std::ferror(stdout) != 0) && !reader_is_gone())
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
