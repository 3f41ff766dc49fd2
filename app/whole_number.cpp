// Reading and judging whole numbers.
#include "app/whole_number.h"

#include <charconv>
#include <optional>
#include <system_error>

#include <fmt/format.h>

#include "base/quote.h"
#include "base/text.h"

namespace faultline {
namespace {

std::optional<std::int64_t> read_number(const std::string& text) {
  std::int64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stopped != end) return std::nullopt;
  return number;
}

std::string grouped_number(std::int64_t number) {
  return (number < 0 ? "-" : "") +
         grouped(static_cast<std::uint64_t>(number < 0 ? -number : number));
}

}  // namespace

CLI::Validator whole_number(std::int64_t least, std::int64_t most) {
  const std::string allowed =
      most == std::numeric_limits<std::int64_t>::max()
          ? fmt::format("{} or more", grouped_number(least))
          : fmt::format("{} to {}", grouped_number(least), grouped_number(most));
  return {[=](std::string& text) {
            const auto number = read_number(text);
            if (number && *number >= least && *number <= most) {
              text = std::to_string(*number);
              return std::string();
            }
            return fmt::format("{} is not a whole number, {}", quote(text, 40), allowed);
          },
          allowed};
}

}  // namespace faultline
