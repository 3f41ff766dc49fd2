// The fuzzer's properties, on its seed inputs and on past failures.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include "rules/families.h"
#include "tests/fuzz/texts.h"

namespace faultline::fuzz {
namespace {

namespace fs = std::filesystem;

void expect_holds(const std::string& input, const std::string& name) {
  try {
    check_input(input);
  } catch (const BrokenProperty& broken) {
    ADD_FAILURE() << name << ": " << broken.what();
  }
}

TEST(FuzzSeeds, CoverEveryFamilyAndEveryOption) {
  const std::vector<std::string> names = sample_variants();
  for (const FamilyInfo* family : all_families()) {
    EXPECT_NE(std::ranges::find(names, family->name), names.end()) << family->name;
    for (const OptionInfo& option : family->options) {
      if (option.allowed.find("joined by") != std::string::npos)
        continue;  // covered by the vectors
      EXPECT_TRUE(std::ranges::any_of(names,
                                      [&](const std::string& name) {
                                        return name.starts_with(family->name + ":") &&
                                               name.find(option.name + "=") != std::string::npos;
                                      }))
          << family->name << ": no name with " << option.name;
    }
  }
}

TEST(FuzzSeeds, AllHaveTheProperties) {
  for (const std::string& variant : sample_variants()) {
    const std::vector<std::string> inputs = sample_inputs(variant);
    EXPECT_FALSE(inputs.empty()) << variant;
    for (const std::string& input : inputs)
      expect_holds(input, input);
  }
}

TEST(FuzzRegressions, AllHaveTheProperties) {
  const fs::path folder = fs::path(FAULTLINE_SOURCE_DIR) / "tests/fuzz/regressions";
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".md") continue;
    std::ifstream in(entry.path(), std::ios::binary);
    ASSERT_TRUE(in) << entry.path();
    const std::string input{std::istreambuf_iterator<char>(in), {}};
    expect_holds(input, entry.path().filename().string());
  }
}

}  // namespace
}  // namespace faultline::fuzz
