// Properties that must hold when any text is read as a configuration.
#include "tests/fuzz/configs.h"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "record/config.h"
#include "tests/fuzz/texts.h"

namespace faultline::fuzz {
namespace {

bool is_printable(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

void require(bool holds, const std::string& what) {
  if (!holds) throw BrokenProperty(what);
}

}  // namespace

std::string check_toml(std::string_view toml) {
  std::string message;
  try {
    const Config config = parse_config(toml, "x.toml");
    const std::string written = to_toml(config);
    require(to_toml(parse_config(written, "written.toml")) == written,
            "what is written reads back the same: " + written);
    check_config(config);
  } catch (const ConfigError& error) {
    message = error.what();
    require(!message.empty(), "a refusal has a message");
    require(message.size() <= kLongestConfigMessage, "messages are short: " + message);
    require(is_printable(message), "messages can be printed: " + message);
  } catch (const BrokenProperty&) {
    throw;
  } catch (const std::exception& error) {
    throw BrokenProperty(std::string("only ConfigError is thrown, not: ") + error.what());
  }
  return message;
}

std::vector<std::string> sample_configs(const std::string& folder) {
  std::vector<std::string> samples = {
      to_toml(Config{}),
      "[learner]\nreuse = 2.5\n[search]\nfast_visits = 9 # a former name\n",
      "run.name = 'a'\nrun.seed = 0x1F\nnet = { blocks = 2, channels = 8 }\n",
      "[run]\nname = \"\"\"\nlines\\u00e4\"\"\"\nminutes = inf\n",
      "[[search]]\nvisits = [1, [2.5, 'x'], {a.b.c = 1979-05-27T07:32:00Z}]\n",
  };
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".toml") continue;
    std::ifstream in(entry.path(), std::ios::binary);
    samples.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  std::ranges::sort(samples);  // the folder has no order
  return samples;
}

}  // namespace faultline::fuzz
