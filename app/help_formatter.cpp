// CLI11's own layout, wrapped.
#include "app/help_formatter.h"

#include <algorithm>
#include <utility>

#include "base/terminal.h"
#include "base/wrapped_text.h"

namespace faultline {
namespace {

constexpr std::size_t kMostColumns = 100;  // longer lines are hard to read
constexpr std::size_t kNameColumns =
    30;  // at most, of options; their descriptions stand beside them

}  // namespace

HelpFormatter::HelpFormatter() : width_(std::min(terminal_width(), kMostColumns)) {
  column_width(std::min(kNameColumns, width_ / 3));
}

std::string HelpFormatter::make_usage(const CLI::App* app, std::string name) const {
  return wrapped(CLI::Formatter::make_usage(app, std::move(name)), width_, 4);
}

std::string HelpFormatter::make_description(const CLI::App* app) const {
  return wrapped(CLI::Formatter::make_description(app), width_);
}

std::string HelpFormatter::make_option(const CLI::Option* option, bool is_positional) const {
  return wrapped(CLI::Formatter::make_option(option, is_positional), width_, column_width_);
}

std::string HelpFormatter::make_subcommand(const CLI::App* command) const {
  return wrapped(CLI::Formatter::make_subcommand(command), width_, column_width_);
}

std::string HelpFormatter::make_footer(const CLI::App* app) const {
  return wrapped_paragraphs(CLI::Formatter::make_footer(app), width_) + '\n';
}

}  // namespace faultline
