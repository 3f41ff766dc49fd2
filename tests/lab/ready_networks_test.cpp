// Networks that play where none is named.
#include "lab/ready_networks.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "tests/temporary_folder.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;

/// The current folder for as long as it lives.
class CurrentFolder {
 public:
  explicit CurrentFolder(const fs::path& folder) { fs::current_path(folder); }
  ~CurrentFolder() { fs::current_path(before_); }
  CurrentFolder(const CurrentFolder&) = delete;
  CurrentFolder& operator=(const CurrentFolder&) = delete;

 private:
  fs::path before_ = fs::current_path();
};

TEST(ReadyNetworks, AreFoundByVariantThenByWhatFits) {
  const test::TemporaryFolder place;
  const fs::path golden = fs::path(FAULTLINE_SOURCE_DIR) / "tests/model/golden";
  fs::create_directory(place.path() / "nets");
  for (const char* name : {"chess.pt", "inferno.pt"})
    fs::copy_file(golden / name, place.path() / "nets" / name);
  place.write("nets/a.pt", "no network at all");
  const CurrentFolder current(place.path());
  EXPECT_EQ(ready_network("chess"), "nets/chess.pt");
  EXPECT_EQ(ready_network("inferno"), "nets/inferno.pt");
  // Other colours of its levels have the same planes and moves.
  EXPECT_EQ(ready_network("inferno:colours=listed"), "nets/inferno.pt");
  EXPECT_NE(ready_network("inferno:colours=listed", ReadyFor::Variant), "nets/inferno.pt");
  // The shipped one of two levels would fit as a policy/value network, but not as a fast one.
  EXPECT_EQ(ready_network("inferno:levels=2").filename(), "inferno.pt");
  EXPECT_EQ(ready_network("inferno:levels=3"), "");
  EXPECT_EQ(ready_player("chess").kind, PlayerKind::Net);
  EXPECT_EQ(ready_player("chess").net, "nets/chess.pt");
}

}  // namespace
}  // namespace faultline
