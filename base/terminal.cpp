// Asks the terminal and the environment.
#include "base/terminal.h"

#include <cstdlib>
#include <initializer_list>
#include <string_view>

#include <sys/ioctl.h>
#include <unistd.h>

namespace faultline {
namespace {

std::string_view environment(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : "";
}

}  // namespace

std::size_t terminal_width() {
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
    winsize size{};
    if (ioctl(stream, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  }
  const int columns = std::atoi(environment("COLUMNS").data());
  return columns > 0 ? static_cast<std::size_t>(columns) : 80;
}

bool shows_colours() {
  const std::string_view terminal = environment("TERM");
  return environment("NO_COLOR").empty() && !terminal.empty() && terminal != "dumb" &&
         isatty(STDOUT_FILENO) != 0;
}

}  // namespace faultline
