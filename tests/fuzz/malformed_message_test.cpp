// Hostile messages of pages: mutated, truncated, deeply nested, huge. Each is read or refused
// briefly.
#include <cstddef>
#include <random>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "tests/fuzz/messages.h"
#include "tests/fuzz/texts.h"

namespace faultline::fuzz {
namespace {

void expect_holds(const std::string& text) {
  try {
    check_message(text);
  } catch (const BrokenProperty& broken) {
    ADD_FAILURE() << broken.what() << "\nof " << text.substr(0, 200);
  }
}

TEST(MalformedMessage, TruncatedAndMutatedOnesHaveTheProperties) {
  std::mt19937_64 random(1);
  for (const std::string_view sample : sample_messages()) {
    for (std::size_t size = 0; size <= sample.size(); ++size)
      expect_holds(std::string(sample.substr(0, size)));
    for (int i = 0; i < 2000; ++i) {
      std::string text(sample);
      for (int change = 0; change <= i % 3; ++change)
        text[random() % text.size()] = static_cast<char>(random());
      expect_holds(text);
    }
  }
}

TEST(MalformedMessage, HugeOnesHaveTheProperties) {
  constexpr std::size_t kSize = 1'000'000;
  for (const std::string_view part :
       {"[", "{\"a\":", "{\"id\":", "9", "\"", "\\", " ", "\xff", "[],"}) {
    std::string text = R"({"id":1,"do":"a","b":)";
    while (text.size() < kSize)
      text += part;
    expect_holds(text);
  }
}

}  // namespace
}  // namespace faultline::fuzz
