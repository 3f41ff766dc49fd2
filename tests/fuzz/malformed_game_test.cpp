// Game texts that are damaged or never were games: read or refused, never worse.
#include <cstddef>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "tests/fuzz/games.h"

namespace faultline::fuzz {
namespace {

constexpr std::size_t kSize = 50'000;

std::string repeated(std::string_view part) {
  std::string text;
  while (text.size() < kSize)
    text += part;
  return text;
}

TEST(MalformedGame, SeedsHaveTheProperties) {
  for (const std::string& text : sample_games())
    EXPECT_EQ(check_games(text), 2) << text;
}

TEST(MalformedGame, IsReadOrRefusedHoweverItIsDamaged) {
  std::mt19937_64 random(1);
  constexpr std::string_view kBytes = "{}()[];$%\"\\*!?.10 \n\r\tKxa=-+O\xff";
  int read = 0;
  for (const std::string& whole : sample_games())
    for (int round = 0; round < 60; ++round) {
      std::string text = whole;
      for (std::uint64_t change = 0; change <= random() % 4; ++change) {
        const std::size_t at = random() % text.size();
        switch (random() % 4) {
          case 0:
            text[at] = kBytes[random() % kBytes.size()];
            break;
          case 1:
            text.erase(at, 1 + random() % 20);
            break;
          case 2:
            text.insert(at, 1, kBytes[random() % kBytes.size()]);
            break;
          default:
            text.insert(at, whole, random() % whole.size(), random() % 40);
        }
        if (text.empty()) text = whole;
      }
      ASSERT_NO_THROW(read += check_games(text)) << text;
    }
  EXPECT_GT(read, 100);  // most damage concerns one of two games
}

TEST(MalformedGame, IsReadOrRefusedHoweverLongItIs) {
  std::mt19937_64 random(2);
  std::string bytes(kSize, '\0');
  for (char& c : bytes)
    c = static_cast<char>(random());
  std::vector<std::string> texts = {bytes, std::string(kSize, '\0')};
  for (const char* part : {"1 ",
                           "1. ",
                           "(",
                           ")",
                           "{",
                           "}",
                           "[",
                           "]",
                           "[a \"b\"]",
                           "[a \"b\"]\n\n",
                           "\"",
                           "\\",
                           "$9",
                           "!",
                           "*",
                           "1-0 ",
                           ";",
                           "%",
                           "%\n",
                           "\n",
                           "e4 ",
                           "1. e4 ",
                           "[Event \"x\"]\n\n",
                           "(e4) ",
                           "{x} ",
                           "-",
                           "O-O ",
                           "K",
                           "=",
                           "x"})
    texts.push_back(repeated(part));
  for (const std::string& text : texts) {
    EXPECT_NO_THROW(check_games(text)) << text.substr(0, 20);
    EXPECT_NO_THROW(check_games("[White \"" + text + "\"]\n\n1. e4 *\n")) << text.substr(0, 20);
    EXPECT_NO_THROW(check_games("1. e4 {" + text + "} e5 *\n")) << text.substr(0, 20);
  }
}

}  // namespace
}  // namespace faultline::fuzz
