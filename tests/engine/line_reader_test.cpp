// Reading lines of bounded length from a pipe.
#include "engine/line_reader.h"

#include <array>
#include <string>
#include <string_view>
#include <thread>

#include <gtest/gtest.h>
#include <unistd.h>

namespace faultline {
namespace {

/// What a reader makes of `text`: lines in brackets, "long" for those that are too long.
std::string read_all(const std::string& text, std::size_t longest) {
  std::array<int, 2> ends{};
  EXPECT_EQ(::pipe(ends.data()), 0);
  std::thread writer([&] {
    std::string_view rest = text;
    while (!rest.empty()) {
      const ssize_t count = ::write(ends[1], rest.data(), std::min<std::size_t>(rest.size(), 4096));
      if (count <= 0) break;
      rest.remove_prefix(static_cast<std::size_t>(count));
    }
    ::close(ends[1]);
  });
  LineReader reader(ends[0], longest, nullptr);
  std::string all, line;
  for (;;) {
    const LineReader::Event event = reader.next(line);
    if (event == LineReader::Event::End) break;
    all += event == LineReader::Event::Line ? "[" + line + "]" : "long";
  }
  writer.join();
  ::close(ends[0]);
  return all;
}

TEST(LineReader, ReadsLinesAndALastOneWithoutLineFeed) {
  EXPECT_EQ(read_all("a\n\nb c\r\nlast", 100), "[a][][b c\r][last]");
  EXPECT_EQ(read_all("", 100), "");
  EXPECT_EQ(read_all("a\n", 100), "[a]");
}

TEST(LineReader, KeepsNulCharacters) {
  EXPECT_EQ(read_all(std::string("a\0b\nc", 5), 100), std::string("[a\0b][c]", 8));
}

TEST(LineReader, SkipsALineThatIsTooLongAndReadsTheNext) {
  EXPECT_EQ(read_all("12345\n123456\n1\n", 5), "[12345]long[1]");
  EXPECT_EQ(read_all(std::string(1'000'000, 'x') + "\nnext\n", 1000), "long[next]");
  EXPECT_EQ(read_all("a\n" + std::string(500'000, 'x'), 1000), "[a]long");
}

TEST(LineReader, EndsWhenInterrupted) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  int asked = 0;
  LineReader reader(ends[0], 100, [&] { return ++asked > 2; });
  std::string line;
  EXPECT_EQ(reader.next(line), LineReader::Event::End);
  ::close(ends[0]);
  ::close(ends[1]);
}

}  // namespace
}  // namespace faultline
