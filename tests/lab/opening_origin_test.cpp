// What openings come from: hashes of files and nets, and what happens when these change.
#include "lab/opening_origin.h"

#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/temporary_folder.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;

using testing::AllOf;
using testing::HasSubstr;
using testing::MatchesRegex;

std::string refusal(const std::vector<OpeningOrigin>& recorded, const std::string& openings) {
  try {
    check_origins(recorded, openings);
  } catch (const OpeningError& error) {
    return error.what();
  }
  return "";
}

TEST(OpeningOrigin, OfOpeningsThatNeedNoFileIsNothing) {
  EXPECT_TRUE(opening_origins(parse_opening_source("random:6")).empty());
  EXPECT_TRUE(opening_origins(parse_opening_source("balanced:6")).empty());
  EXPECT_TRUE(opening_origins(parse_opening_source("policy:6")).empty());
  EXPECT_EQ(refusal({}, "random:6"), "");
}

TEST(OpeningOrigin, OfAFileIsItsContents) {
  const test::TemporaryFolder folder;
  const std::string file = folder.write("book.txt", "e2e4\nd2d4\n");
  const auto origins = opening_origins(parse_opening_source(file + "?order=random"));
  ASSERT_EQ(origins.size(), 1U);
  EXPECT_EQ(origins[0].source, file);
  EXPECT_THAT(origins[0].hash, MatchesRegex("[0-9a-f]{16}"));
  EXPECT_EQ(refusal(origins, file + "?order=random"), "");
  nlohmann::ordered_json settings = nlohmann::ordered_json::object();
  write_origins({}, settings);
  EXPECT_TRUE(settings.empty());
  EXPECT_TRUE(read_origins(settings, "x").empty());
  write_origins(origins, settings);
  EXPECT_EQ(read_origins(settings, "x"), origins);

  folder.write("book.txt", "e2e4\nd2d3\n");
  EXPECT_THAT(refusal(origins, file),
              AllOf(HasSubstr("the file " + file + " has other contents than when the games here"),
                    HasSubstr("not " + origins[0].hash),
                    HasSubstr("put the file back as it was, or begin again in another folder")));
  folder.write("book.txt", "e2e4\nd2d4\n");
  EXPECT_EQ(refusal(origins, file), "");
  fs::remove(file);
  EXPECT_THAT(refusal(origins, file),
              AllOf(HasSubstr("is gone or cannot be read"), HasSubstr(file)));
  fs::create_directory(file);
  EXPECT_THAT(refusal(origins, file), HasSubstr("is gone or cannot be read"));
}

TEST(OpeningOrigin, OfARunIsTheNetThatItHadThen) {
  const test::TemporaryFolder folder;
  const fs::path golden = fs::path(FAULTLINE_SOURCE_DIR) / "tests/model/golden";
  const fs::path nets = folder.path() / "nets";
  fs::create_directories(nets);
  fs::copy_file(golden / "chess.pt", nets / "000100.pt");
  const std::string openings = "policy:4,net=" + folder.path().string();
  const auto origins = opening_origins(parse_opening_source(openings));
  ASSERT_EQ(origins.size(), 1U);
  EXPECT_EQ(origins[0].source, (nets / "000100.pt").string());

  fs::copy_file(golden / "inferno.pt", nets / "000200.pt");
  EXPECT_EQ(refusal(origins, openings), "") << "a newer one is not asked for";
  EXPECT_EQ(with_origins(parse_opening_source(openings), origins).net,
            (nets / "000100.pt").string());
  EXPECT_EQ(with_origins(parse_opening_source(openings), {}).net, folder.path().string());

  fs::copy_file(golden / "inferno.pt", nets / "000100.pt", fs::copy_options::overwrite_existing);
  EXPECT_THAT(refusal(origins, openings),
              AllOf(HasSubstr("the net " + (nets / "000100.pt").string() + " has other weights"),
                    HasSubstr("put the net back as it was")));
  fs::remove(nets / "000100.pt");
  EXPECT_THAT(refusal(origins, openings), HasSubstr("is gone or cannot be read"));
}

}  // namespace
}  // namespace faultline
