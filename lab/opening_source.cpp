// Parses where openings come from.
#include "lab/opening_source.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "base/options.h"
#include "base/quote.h"
#include "base/settings_text.h"
#include "base/text.h"

namespace faultline {
namespace {

using Kind = OpeningSource::Kind;

constexpr int kMostPlies = 100;

const std::vector<std::string> kKinds = {"random", "balanced", "policy"};

[[noreturn]] void refuse(std::string_view text, const std::string& reason) {
  throw OpeningError(fmt::format("--openings {}: {}", quote(text), reason));
}

bool is_whole(std::string_view text) {
  return !text.empty() && text.size() < 9 &&
         std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; });
}

/// "PLIES,key=value,…" of the kind.
OpeningSource generated(std::string_view text, Kind kind, std::string_view rest) {
  OpeningSource source{.kind = kind};
  const std::size_t comma = std::min(rest.find(','), rest.size());
  const std::string plies(rest.substr(0, comma));
  if (!is_whole(plies) || std::stoi(plies) > kMostPlies)
    refuse(text, fmt::format("{} must be followed by a number of plies from 0 to {}, as in {}:8",
                             kKinds[static_cast<std::size_t>(kind)], kMostPlies,
                             kKinds[static_cast<std::size_t>(kind)]));
  source.plies = std::stoi(plies);
  if (comma == rest.size()) return source;
  std::vector<Option> options;
  if (kind == Kind::Balanced)
    options = {{"depth", &source.depth, Range{1, 8}, "Depth of the alpha-beta search, in plies."},
               {"value", &source.max_value, Range{0.01, 1}, "Largest |win - loss|."}};
  if (kind == Kind::Policy)
    options = {{"temperature", &source.temperature, Range{0, 10}, "Of the policy."},
               {"net", &source.net, Anything{}, "A player that has a net."}};
  if (options.empty()) refuse(text, "random takes no settings but its number of plies");
  try {
    assign_settings(options, rest.substr(comma + 1), ',', fmt::format("--openings {}", text));
  } catch (const OptionError& error) {
    throw OpeningError(error.what());
  }
  return source;
}

OpeningSource from_file(std::string_view text, bool must_exist) {
  OpeningSource source{.kind = Kind::File, .plies = 0, .file = std::filesystem::path(text)};
  const std::size_t mark = text.rfind('?');
  if (mark != std::string_view::npos && !std::filesystem::exists(source.file)) {
    source.file = std::filesystem::path(text.substr(0, mark));
    std::string order = "file";
    try {
      assign_settings({{"order", &order, Choices{{"file", "random"}}, "Of the openings."},
                       {"strict", &source.strict, Anything{}, "Refuse faulty openings."}},
                      text.substr(mark + 1), '&', fmt::format("--openings {}", text));
    } catch (const OptionError& error) {
      throw OpeningError(error.what());
    }
    source.shuffled = order == "random";
  }
  if (must_exist && !std::filesystem::is_regular_file(source.file)) {
    const std::string word(text.substr(0, text.find_first_of(":?")));
    const char* const found =
        std::filesystem::is_directory(source.file) ? "that is a folder" : "there is no such file";
    refuse(text, fmt::format("{}; openings are {}{}", found, kOpeningsHelp,
                             did_you_mean(nearest_name(word, kKinds))));
  }
  return source;
}

OpeningSource parse(std::string_view text, bool must_exist) {
  if (is_whole(text)) return generated(text, Kind::Random, text);
  for (std::size_t i = 0; i < kKinds.size(); ++i) {
    if (text == kKinds[i]) return generated(text, static_cast<Kind>(i), "");
    if (text.starts_with(kKinds[i] + ":"))
      return generated(text, static_cast<Kind>(i), text.substr(kKinds[i].size() + 1));
  }
  return from_file(text, must_exist);
}

}  // namespace

OpeningSource parse_opening_source(std::string_view text) {
  return parse(text, true);
}

OpeningSource recorded_opening_source(std::string_view text) {
  return parse(text, false);
}

std::string text(const OpeningSource& source) {
  switch (source.kind) {
    case Kind::Random:
      break;
    case Kind::Balanced:
      return fmt::format("balanced:{},depth={},value={:g}", source.plies, source.depth,
                         source.max_value);
    case Kind::Policy:
      return fmt::format("policy:{},temperature={:g}{}", source.plies, source.temperature,
                         source.net.empty() ? "" : ",net=" + source.net);
    case Kind::File:
      return source.file.string() + (source.shuffled ? "?order=random" : "") +
             (source.strict ? (source.shuffled ? "&strict=true" : "?strict=true") : "");
  }
  return fmt::format("random:{}", source.plies);
}

std::string describe(const OpeningSource& source) {
  const std::string plies = counted(source.plies, "ply", "plies");
  switch (source.kind) {
    case Kind::Random:
      break;
    case Kind::Balanced:
      return fmt::format("balanced random openings of {}", plies);
    case Kind::Policy:
      return fmt::format("openings of {} drawn from {} policy at temperature {:g}", plies,
                         source.net.empty() ? "a net's" : source.net + "'s", source.temperature);
    case Kind::File:
      return "openings of " + source.file.string();
  }
  return fmt::format("random openings of {}", plies);
}

}  // namespace faultline
