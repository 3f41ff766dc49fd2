// Reading the specification of an external engine.
#include "engine/uci_engine_spec.h"

#include <algorithm>
#include <charconv>
#include <system_error>

#include "base/quote.h"
#include "engine/child_process.h"

namespace faultline {

namespace {

constexpr std::size_t kShown = 80;  // of a text in a message

int hexadecimal(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// Replaces %XX. The engine reads lines: there can be no control characters.
std::string unescape(std::string_view text, std::string_view where) {
  const auto fail = [&](const std::string& why) {
    throw UciSpecError(std::string(where) + " " + quote(text, kShown) + ": " + why);
  };
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '%') {
      const int high = i + 1 < text.size() ? hexadecimal(text[i + 1]) : -1;
      const int low = i + 2 < text.size() ? hexadecimal(text[i + 2]) : -1;
      if (high < 0 || low < 0)
        fail("% must be followed by two hexadecimal digits; %25 stands for % itself");
      c = static_cast<char>(16 * high + low);
      i += 2;
    }
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') fail("control characters are refused");
    result += c;
  }
  return result;
}

template <class Number>
Number read_number(std::string_view key, std::string_view text, Number low, Number high) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < low || value > high)
    throw UciSpecError("uci: " + std::string(key) + "=" + printable(text, kShown) +
                       ": expected a whole number from " + std::to_string(low) + " to " +
                       std::to_string(high));
  return value;
}

}  // namespace

const std::string* UciEngineSpec::variant_name() const {
  const auto found =
      std::ranges::find(options, "UCI_Variant", &std::pair<std::string, std::string>::first);
  return found == options.end() ? nullptr : &found->second;
}

UciEngineSpec parse_uci_engine_spec(std::string_view text) {
  UciEngineSpec spec;
  const std::size_t question = std::min(text.find('?'), text.size());
  spec.command = unescape(text.substr(0, question), "uci: command");
  try {
    split_command(spec.command);
  } catch (const std::invalid_argument& error) {
    throw UciSpecError("uci: command " + quote(spec.command, kShown) + ": " + error.what() +
                       "; expected uci:COMMAND?key=value&key=value");
  }
  if (question == text.size()) return spec;

  std::vector<std::string> seen;
  std::string_view rest = text.substr(question + 1);
  for (bool more = true; more;) {
    const std::size_t ampersand = std::min(rest.find('&'), rest.size());
    const std::string_view part = rest.substr(0, ampersand);
    more = ampersand < rest.size();
    rest.remove_prefix(std::min(ampersand + 1, rest.size()));

    const std::size_t equals = std::min(part.find('='), part.size());
    const std::string key = unescape(part.substr(0, equals), "uci: option");
    const std::string value =
        unescape(part.substr(std::min(equals + 1, part.size())), "uci: value of " + key + ":");
    if (key.empty())
      throw UciSpecError("uci: " + quote(text, kShown) +
                         " has an empty key; expected COMMAND?key=value&key=value");
    if (std::ranges::find(seen, key) != seen.end())
      throw UciSpecError("uci: " + quote(key) + " is given twice");
    seen.push_back(key);

    if (key == "nodes")
      spec.nodes = read_number<std::uint64_t>(key, value, 1, 1'000'000'000'000'000);
    else if (key == "depth")
      spec.depth = read_number(key, value, 1, 1000);
    else if (key == "movetime")
      spec.movetime = std::chrono::milliseconds(read_number(key, value, 1, 1'000'000'000));
    else if (key == "timeout")
      spec.timeout = std::chrono::seconds(read_number(key, value, 1, 1'000'000));
    else
      spec.options.emplace_back(key, value);
  }
  return spec;
}

}  // namespace faultline
