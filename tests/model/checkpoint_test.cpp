// Checkpoint files read without LibTorch: damaged, truncated or mismatched files are refused with
// the reason.
#include "model/checkpoint.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "model/checkpoint_file.h"
#include "tests/model/golden.h"
#include "tests/temporary_folder.h"

namespace faultline {
namespace {

using test::encoding_of;

class Checkpoint : public testing::Test {
 protected:
  std::filesystem::path file() const { return place_.path() / "net.pt"; }
  static std::string golden_bytes() {
    std::ifstream in(test::golden_file("chess.pt"), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  }
  void write(const std::string& bytes) const {
    std::ofstream(file(), std::ios::binary | std::ios::trunc) << bytes;
  }
  /// The error message of loading.
  std::string refusal(const EncodingInfo& expected = encoding_of<ChessPosition>()) const {
    try {
      load_backend(file(), expected, cpu_backends());
    } catch (const CheckpointError& error) {
      return error.what();
    }
    return "accepted";
  }

  test::TemporaryFolder place_;
};

TEST_F(Checkpoint, ReportsItsContent) {
  const CheckpointInfo info = read_checkpoint_info(test::golden_file("chess.pt"));
  EXPECT_EQ(info.steps, 60);
  EXPECT_EQ(info.net.channels, 8);
  EXPECT_EQ(info.net.se_ratio, 4);
  EXPECT_EQ(info.encoding, encoding_of<ChessPosition>());
  EXPECT_EQ(info.parameters,
            network_layout(describe_network(info.encoding, info.net)).parameter_count());
}

TEST_F(Checkpoint, RoundTrips) {
  CheckpointFile::read(test::golden_file("chess.pt")).write(file());
  EXPECT_EQ(read_checkpoint_info(file()).hash,
            read_checkpoint_info(test::golden_file("chess.pt")).hash);
  EXPECT_EQ(refusal(), "accepted");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(place_.path()),
                          std::filesystem::directory_iterator()),
            1)
      << "no temporary file may be left";
}

TEST_F(Checkpoint, WritingIntoAMissingFolderNamesTheFile) {
  const auto path = place_.path() / "absent" / "net.pt";
  try {
    CheckpointFile::read(test::golden_file("chess.pt")).write(path);
    FAIL() << "accepted";
  } catch (const CheckpointError& error) {
    EXPECT_NE(std::string(error.what()).find(path.string()), std::string::npos);
  }
}

TEST_F(Checkpoint, ThatCannotBeWrittenLeavesNoFile) {
  std::filesystem::create_symlink("/dev/full", file().string() + ".tmp");
  try {
    CheckpointFile().write(file());
    FAIL() << "a checkpoint was written to a full disk";
  } catch (const CheckpointError& error) {
    EXPECT_NE(std::string(error.what()).find("No space left"), std::string::npos) << error.what();
  }
  EXPECT_TRUE(std::filesystem::is_empty(place_.path()));
}

TEST_F(Checkpoint, DamageAnywhereIsFound) {
  const std::string good = golden_bytes();
  for (const std::size_t offset :
       {std::size_t{20}, good.size() / 3, good.size() / 2, good.size() - 20, good.size() - 1}) {
    std::string bad = good;
    bad[offset] = static_cast<char>(bad[offset] ^ 1);
    write(bad);
    EXPECT_NE(refusal().find("damaged"), std::string::npos) << "byte " << offset;
    EXPECT_NE(refusal().find(file().string()), std::string::npos);
    EXPECT_THROW(read_checkpoint_info(file()), CheckpointError);
  }
}

TEST_F(Checkpoint, ATruncatedFileIsRefused) {
  const std::string good = golden_bytes();
  for (const std::size_t length : {std::size_t{0}, std::size_t{5}, std::size_t{19}, std::size_t{25},
                                   good.size() / 2, good.size() - 1}) {
    write(good.substr(0, length));
    EXPECT_NE(refusal(), "accepted") << length << " bytes";
    EXPECT_THROW(read_checkpoint_info(file()), CheckpointError);
  }
  write("PNG or whatever this is, it is no checkpoint at all");
  EXPECT_NE(refusal().find("is not a checkpoint"), std::string::npos);
}

TEST_F(Checkpoint, AMissingFileIsNamed) {
  EXPECT_NE(refusal().find(file().string()), std::string::npos);
  EXPECT_NE(refusal().find("No such file"), std::string::npos);
}

TEST_F(Checkpoint, OfAnotherGameIsRefused) {
  write(golden_bytes());
  EXPECT_EQ(refusal(encoding_of<EscherPosition>()),
            "checkpoint " + file().string() + ": is for the family 'chess'; expected 'escher'");
  EncodingInfo newer = encoding_of<ChessPosition>();
  newer.version += 1;
  EXPECT_EQ(refusal(newer),
            "checkpoint " + file().string() + ": has version 1 of the chess encoding; expected 2");
  EncodingInfo other = encoding_of<ChessPosition>();
  other.planes.back() = "zeroes";
  EXPECT_NE(refusal(other).find("planes"), std::string::npos);
}

TEST_F(Checkpoint, WhoseWeightsDoNotFitTheirNetworkIsRefused) {
  const CheckpointFile good = CheckpointFile::read(test::golden_file("chess.pt"));
  CheckpointFile bad = good;
  bad.arrays.at("ema/parameters").pop_back();
  bad.write(file());
  EXPECT_NE(refusal().find("array 'ema/parameters' has "), std::string::npos) << refusal();
  bad = good;
  bad.arrays.erase("ema/statistics");
  bad.write(file());
  EXPECT_NE(refusal().find("array 'ema/statistics' is missing"), std::string::npos) << refusal();
  bad = good;
  bad.arrays.at("ema/parameters")[7] = std::numeric_limits<float>::quiet_NaN();
  bad.write(file());
  EXPECT_NE(refusal().find("not finite"), std::string::npos) << refusal();
  bad = good;
  for (float& value : bad.arrays.at("ema/statistics"))
    value = -1;
  bad.write(file());
  EXPECT_NE(refusal().find("'stem.norm.var' holds a negative variance"), std::string::npos)
      << refusal();
}

TEST_F(Checkpoint, KeepsTheActivationRanges) {
  CheckpointFile checkpoint = CheckpointFile::read(test::golden_file("chess.pt"));
  NetworkValues values = read_values(checkpoint, file());
  EXPECT_FALSE(values.ranges) << "written before there were any";
  const auto blocks = static_cast<std::size_t>(values.description.config.blocks);
  values.ranges = {std::vector<float>(ActivationRanges::count(blocks), 1.5F)};
  write_values(checkpoint, values);
  checkpoint.write(file());
  EXPECT_EQ(read_values(CheckpointFile::read(file()), file()).ranges, values.ranges);
  EXPECT_FALSE(read_values(CheckpointFile::read(file()), file(), WeightsPart::Trained).ranges);
  EXPECT_EQ(read_checkpoint_info(file()).weights_hash,
            read_checkpoint_info(test::golden_file("chess.pt")).weights_hash);

  auto& ranges = checkpoint.arrays.at("ema/activation_ranges");
  ranges[1] = 0;
  checkpoint.write(file());
  EXPECT_NE(refusal().find("'ema/activation_ranges' holds a range that is not positive"),
            std::string::npos)
      << refusal();
  ranges.pop_back();
  checkpoint.write(file());
  EXPECT_NE(refusal().find("array 'ema/activation_ranges' has "), std::string::npos) << refusal();
}

}  // namespace
}  // namespace faultline
