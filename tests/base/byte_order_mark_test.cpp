// The mark that some programs write at the start of a UTF-8 text.
#include "base/byte_order_mark.h"

#include <iterator>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

namespace faultline {
namespace {

std::string rest_after_mark(const std::string& text) {
  std::istringstream in(text);
  skip_byte_order_mark(in);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(ByteOrderMark, IsSkippedOnceAtTheStart) {
  EXPECT_EQ(rest_after_mark("\xef\xbb\xbfText"), "Text");
  EXPECT_EQ(rest_after_mark("Text\xef\xbb\xbf"), "Text\xef\xbb\xbf");
  EXPECT_EQ(rest_after_mark(""), "");
  EXPECT_EQ(rest_after_mark("\xef\xbb\xbf"), "");
  EXPECT_EQ(rest_after_mark("\xff\xfeT"), "\xff\xfeT");
}

TEST(ByteOrderMark, IsTakenOffALine) {
  EXPECT_EQ(without_byte_order_mark("\xef\xbb\xbfline"), "line");
  EXPECT_EQ(without_byte_order_mark("line"), "line");
  EXPECT_EQ(without_byte_order_mark("\xef\xbb"), "\xef\xbb");
}

}  // namespace
}  // namespace faultline
