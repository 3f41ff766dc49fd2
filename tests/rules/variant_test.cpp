// Variant names and their error messages.
#include "rules/variant.h"

#include <string>

#include <gtest/gtest.h>

#include "rules/families.h"

namespace faultline {
namespace {

std::string error_of(const std::string& name) {
  try {
    with_family(parse_variant_name(name), [](auto, const auto& v) { return v.canonical_name(); });
    return "";
  } catch (const VariantError& error) {
    return error.what();
  }
}

TEST(VariantName, IsParsed) {
  const VariantName name = parse_variant_name("earthquake:dx=3,aftershock=2");
  EXPECT_EQ(name.family, "earthquake");
  EXPECT_EQ(name.options.at("dx"), "3");
  EXPECT_EQ(name.options.at("aftershock"), "2");
}

TEST(VariantName, ErrorsStateWhatIsAllowed) {
  EXPECT_NE(error_of("ches").find("did you mean 'chess'"), std::string::npos);
  EXPECT_NE(error_of("go").find("families are chess, escher"), std::string::npos);
  EXPECT_NE(error_of("chess:dx=1").find("no option 'dx'"), std::string::npos);
  EXPECT_NE(error_of("chess:dx").find("option=value"), std::string::npos);
  EXPECT_NE(error_of("chess:").find("option=value"), std::string::npos);
  EXPECT_NE(error_of("chess:a=1,a=2").find("twice"), std::string::npos);
  EXPECT_NE(error_of("").find("family"), std::string::npos);
}

}  // namespace
}  // namespace faultline
