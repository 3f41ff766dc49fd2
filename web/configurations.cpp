// Reads configurations for pages.
#include "web/configurations.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/program_identity.h"
#include "web/places.h"

namespace faultline::web {
namespace {

namespace fs = std::filesystem;

/// What messages call the text.
constexpr std::string_view kSource = "text";

struct Mistake {
  int line = 0;  // from 1; 0: of none
  std::string text;
};

/// "text:12: …" without the place, and the line.
Mistake mistake_of(std::string_view message) {
  if (message.starts_with("config: ")) message.remove_prefix(8);  // set nowhere
  const std::string start = std::string(kSource) + ":";
  if (!message.starts_with(start)) return {.line = 0, .text = std::string(message)};
  message.remove_prefix(start.size());
  int line = 0;
  const auto [end, error] = std::from_chars(message.data(), message.data() + message.size(), line);
  if (error != std::errc()) return {.line = 0, .text = std::string(message)};
  message.remove_prefix(static_cast<std::size_t>(end - message.data()));
  message.remove_prefix(std::min(message.find_first_not_of(": "), message.size()));
  return {.line = line, .text = std::string(message)};
}

/// The mistake of a text, and the configuration if there is none. `check`: not only of its keys.
std::optional<Mistake> mistake_in(const std::string& text, bool check, Config& config) {
  try {
    config = parse_config(text, std::string(kSource));
    if (check) {
      check_config(config);
      check_new_run(config);
    }
    return std::nullopt;
  } catch (const std::runtime_error& error) {
    return mistake_of(error.what());
  }
}

/// Makes a line a comment. False for one that must stay: others would mean something else.
bool take_out(std::string& text, int line) {
  std::size_t at = 0;
  for (int i = 1; i < line && at != std::string::npos; ++i) {
    at = text.find('\n', at);
    if (at != std::string::npos) ++at;
  }
  if (line < 1 || at >= text.size()) return false;
  const std::size_t first = text.find_first_not_of(" \t", at);
  if (first == std::string::npos || text[first] == '[' || text[first] == '#') return false;
  text.insert(at, "#");
  return true;
}

/// The mistakes in the order in which they are found: one at a time, with the lines of those before
/// left out. `config`: what the others say.
std::vector<Mistake> mistakes_in(std::string text, Config& config) {
  constexpr std::size_t kMost = 20;
  std::vector<Mistake> mistakes;
  while (mistakes.size() < kMost) {
    // Keys contradict each other only where each is right.
    const auto mistake = mistake_in(text, mistakes.empty(), config);
    if (!mistake) break;
    mistakes.push_back(*mistake);
    if (!take_out(text, mistake->line)) break;
  }
  std::ranges::stable_sort(mistakes, {}, &Mistake::line);
  return mistakes;
}

}  // namespace

ReportJson configuration_reply(const ReportJson& request) {
  Config config;
  ReportJson mistakes = ReportJson::array(), keys = ReportJson::array();
  for (Mistake& mistake : mistakes_in(text_field(request, "text"), config))
    mistakes.push_back({{"line", mistake.line}, {"text", std::move(mistake.text)}});
  for (const OptionSection& section : options(config))
    for (const Option& option : section.options)
      keys.push_back({{"name", section.name + "." + option.name},
                      {"help", option.help},
                      {"value", value_text(option)},
                      {"allowed", allowed_text(option)}});
  return {{"mistakes", std::move(mistakes)}, {"keys", std::move(keys)}};
}

ReportJson configurations_reply() {
  std::map<std::string, std::string> found;
  for (const fs::path& folder : shared_folders("configs")) {
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
      const fs::path& file = entry->path();
      if (file.extension() != ".toml" || found.contains(file.stem().string())) continue;
      std::ifstream in(file, std::ios::binary);
      std::string text{std::istreambuf_iterator<char>(in), {}};
      if (in && !text.empty()) found.emplace(file.stem().string(), std::move(text));
    }
  }
  ReportJson configs = ReportJson::array();
  for (auto& [name, text] : found)
    configs.push_back({{"name", name}, {"text", std::move(text)}});
  return {{"configs", std::move(configs)}};
}

Config new_configuration(const std::string& text) {
  Config config;
  if (const auto mistake = mistake_in(text, true, config))
    throw RequestError(mistake->line > 0
                           ? "line " + std::to_string(mistake->line) + ": " + mistake->text
                           : mistake->text,
                       "text");
  return config;
}

}  // namespace faultline::web
