// The one description of the network: its tensors and their order, which old checkpoints rely on.
#include "model/network_description.h"

#include <set>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "model/checkpoint_file.h"
#include "tests/model/golden.h"
#include "tests/model/inference/networks.h"

namespace faultline {
namespace {

using test::encoding_of;

TEST(NetworkDescription, OrdersTheTensorsAsCheckpointsHaveThem) {
  // Written before the description existed; tests/model/golden/README.md.
  for (const char* name : {"chess", "inferno"}) {
    const auto path = test::golden_file(name + std::string(".pt"));
    const auto file = CheckpointFile::read(path);
    const CheckpointInfo info = info_of(file, path);
    const NetworkLayout layout = network_layout(describe_network(info.encoding, info.net));
    EXPECT_EQ(layout_to_json(layout), file.header.at("layout")) << name;
  }
}

TEST(NetworkDescription, NamesEveryTensorOnce) {
  const auto description = describe_network(encoding_of<InfernoPosition>(), test::small_net(4));
  std::set<std::string> names;
  std::size_t tensors = 0;
  description.for_each_tensor([&](const TensorSpec& t) {
    names.insert(t.name);
    ++tensors;
  });
  EXPECT_EQ(names.size(), tensors);
  EXPECT_TRUE(names.contains("blocks.1.se.excite.bias"));
  const NetworkLayout layout = network_layout(description);
  EXPECT_EQ(layout.parameters.size() + layout.statistics.size(), tensors);
}

TEST(NetworkDescription, PutsWhatDecaysFirst) {
  const NetworkLayout layout =
      network_layout(describe_network(encoding_of<ChessPosition>(), test::small_net()));
  std::int64_t offset = 0;
  for (const TensorSpec& t : layout.parameters) {
    EXPECT_EQ(t.role == TensorRole::Weight, offset < layout.decaying) << t.name;
    EXPECT_EQ(t.role == TensorRole::Weight, t.shape.size() > 1 && t.name != "policy.kind_query")
        << t.name;
    offset += t.numel();
  }
  EXPECT_EQ(offset, layout.parameter_count());
}

std::string refusal(const EncodingInfo& encoding, const NetConfig& net) {
  try {
    describe_network(encoding, net);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

TEST(NetworkDescription, RefusesShapesOutsideTheirLimits) {
  NetConfig net;
  net.channels = 0;
  EXPECT_TRUE(refusal(encoding_of<ChessPosition>(), net).starts_with("'net.channels' is 0, but must be "))
      << refusal(encoding_of<ChessPosition>(), net);
  EncodingInfo encoding = encoding_of<ChessPosition>();
  encoding.height = 2'000'000'000;
  EXPECT_EQ(refusal(encoding, {}), "encoding.height is 2000000000; it must lie between 1 and 64");
  encoding.height = -1;
  EXPECT_NE(refusal(encoding, {}), "accepted");
}

}  // namespace
}  // namespace faultline
