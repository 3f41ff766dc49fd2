// Megabytes of malformed input for every parser of the rules: refused with a short message, with
// memory at most proportional to the text.
#include <cstddef>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "rules/families.h"
#include "tests/fuzz/allocations.h"
#include "tests/fuzz/texts.h"

namespace faultline::fuzz {
namespace {

constexpr std::size_t kSize = 3'000'000;
constexpr std::size_t kMegabyte = 1'000'000;

std::string repeated(std::string_view part) {
  std::string text;
  text.reserve(kSize + part.size());
  while (text.size() < kSize)
    text += part;
  return text;
}

std::string random_bytes() {
  std::mt19937_64 random(1);
  std::string text(kSize, '\0');
  for (char& c : text)
    c = static_cast<char>(random());
  return text;
}

/// Texts that are never valid.
std::vector<std::string> malformed_inputs() {
  std::vector<std::string> texts = {random_bytes(), std::string(kSize, '\0')};
  for (const char* part :
       {" ", "/",  "|",  "8",  "1",  "0",    "9", "k", "K",  "*",    "-",    "+",        ",",
        "@", "a1", "8/", "k/", "w ", "KQkq", ":", "=", "a=", "a=b,", "\xff", "\xc3\xa4", "\t"})
    texts.push_back(repeated(part));
  return texts;
}

/// The text with malformed input before, after and inside each of its fields.
std::vector<std::string> stretched(const std::string& text) {
  std::vector<std::string> texts;
  for (const char* part : {" ", "0", "9", "k", "/", "-", "x"}) {
    const std::string long_part = repeated(part);
    texts.push_back(long_part + text);
    texts.push_back(text + long_part);
  }
  const std::string digits = repeated("9");
  for (std::size_t space = text.find(' '); space != std::string::npos;
       space = text.find(' ', space + 1)) {
    texts.push_back(text.substr(0, space) + digits + text.substr(space));
    texts.push_back(text.substr(0, space + 1) + digits + text.substr(space + 1));
  }
  return texts;
}

std::string start_of(const std::string& text) {
  return text.substr(0, 20) + "... (" + std::to_string(text.size()) + " bytes)";
}

/// Calls f(std::type_identity<P>{}) for every family.
template <class F>
void for_each_family(F&& f) {
  std::apply([&](const auto&... p) { (f(std::type_identity<std::decay_t<decltype(p)>>{}), ...); },
             CompiledFamilies{});
}

template <class P>
void expect_refused(const typename P::Variant& variant, const std::string& fen) {
  const std::size_t before = allocated_bytes();
  std::size_t message = 0;
  try {
    P::from_fen(variant, fen);
  } catch (const FenError& error) {
    message = std::string_view(error.what()).size();
  }
  const std::size_t used = allocated_bytes() - before;
  EXPECT_GT(message, 0U) << P::info().name << " accepts " << start_of(fen);
  EXPECT_LE(message, kLongestMessage) << P::info().name << ", " << start_of(fen);
  EXPECT_LE(used, kMegabyte) << P::info().name << ", " << start_of(fen);
}

TEST(MalformedInput, IsNotAPositionOfAnyFamily) {
  const std::vector<std::string> texts = malformed_inputs();
  for_each_family([&]<class P>(std::type_identity<P>) {
    const auto& variant = P::variant({P::info().name, {}});
    const std::string start = P::start(variant).fen();
    for (const std::string& fen : texts)
      expect_refused<P>(variant, fen);
    for (const std::string& fen : stretched(start))
      expect_refused<P>(variant, fen);
  });
}

TEST(MalformedInput, IsNotAMoveOfAnyFamily) {
  const std::vector<std::string> texts = malformed_inputs();
  for_each_family([&]<class P>(std::type_identity<P>) {
    const P start = P::start(P::variant({P::info().name, {}}));
    typename P::MoveList moves;
    start.legal_moves(moves);
    const std::string legal = start.move_text(moves[0]);
    const auto expect_no_move = [&](const std::string& text) {
      const std::size_t before = allocated_bytes();
      const bool parsed = start.parse_move(text).has_value();
      const std::size_t used = allocated_bytes() - before;
      EXPECT_FALSE(parsed) << P::info().name << ", " << start_of(text);
      EXPECT_LE(used, kMegabyte) << P::info().name << ", " << start_of(text);
    };
    for (const std::string& text : texts)
      expect_no_move(text);
    for (const std::string& text : stretched(legal))
      expect_no_move(text);
  });
}

void expect_no_variant(const std::string& name) {
  const std::size_t before = allocated_bytes();
  std::size_t message = 0;
  try {
    with_family(parse_variant_name(name), [](auto, const auto&) { return 0; });
  } catch (const VariantError& error) {
    message = std::string_view(error.what()).size();
  }
  const std::size_t used = allocated_bytes() - before;
  EXPECT_GT(message, 0U) << "accepts " << start_of(name);
  EXPECT_LE(message, kLongestMessage) << start_of(name);
  EXPECT_LE(used, 16 * name.size() + kMegabyte) << start_of(name);
}

TEST(MalformedInput, IsNotAVariantOfAnyFamily) {
  for (const std::string& text : malformed_inputs())
    expect_no_variant(text);
  for (const FamilyInfo* family : all_families()) {
    expect_no_variant(family->name + repeated("x"));
    expect_no_variant(family->name + ":" + repeated("a"));
    expect_no_variant(family->name + ":" + repeated("a") + "=1");
    for (const OptionInfo& option : family->options)
      for (const char* part : {"9", "-", "x", "+", " "})
        expect_no_variant(family->name + ":" + option.name + "=" + repeated(part));
  }
}

}  // namespace
}  // namespace faultline::fuzz
