// Writing the module's forward function.
#include "model/export/torchscript_source.h"

#include <algorithm>
#include <cstdint>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/export/folded_tensors.h"
#include "model/level_boards.h"
#include "model/network_description.h"

namespace faultline {
namespace {

std::string convolution(const std::string& x, const std::string& name,
                        const FoldedConvolution& folded) {
  const std::int64_t pad = folded.weight.shape[2] / 2;
  return fmt::format(
      "torch.conv2d({}, self.{}.to(working_type), self.{}.to(working_type), [1, 1], [{}, {}])", x,
      attribute_name(name + ".weight"), attribute_name(name + ".bias"), pad, pad);
}

std::string linear(const std::string& x, const std::string& name) {
  return fmt::format("torch.linear({}, self.{}, self.{})", x, attribute_name(name + ".weight"),
                     attribute_name(name + ".bias"));
}

/// One trunk block: changes x.
struct BlockSource {
  const std::string& name;
  int boards;  // per position

  std::string operator()(const FoldedStem& stem) const {
    std::string text =
        fmt::format("  x = torch.relu({})\n", convolution("x", name + ".conv", stem.convolution));
    if (!stem.exchange) return text;
    const std::int64_t channels = stem.exchange->weight.shape[0];
    text += fmt::format("  means = torch.mean(x.to(6), [2, 3]).reshape([-1, {}, {}]) * existing\n",
                        boards, channels);
    text += "  padded = torch.constant_pad_nd(means, [0, 0, 1, 1])\n";
    text +=
        "  mean_of_all = torch.sum(means, [1], True) / torch.clamp_min(torch.sum(existing, [1], "
        "True), 1)\n";
    text += fmt::format(
        "  seen_boards = torch.cat([torch.narrow(padded, 1, 0, {0}), torch.narrow(padded, 1, 2, "
        "{0}), mean_of_all.expand_as(means)], 2)\n",
        boards);
    text += fmt::format("  offsets = {}.to(working_type).reshape([-1, {}, 1, 1])\n",
                        linear("seen_boards", name + ".exchange"), channels);
    return text + "  x = torch.relu(x + offsets)\n";
  }
  std::string operator()(const FoldedResidualBlock& block) const {
    std::string text =
        fmt::format("  y = torch.relu({})\n", convolution("x", name + ".conv1", block.first));
    text += fmt::format("  y = {}\n", convolution("y", name + ".conv2", block.second));
    if (block.squeeze_excite) {
      const std::int64_t channels = block.squeeze_excite->excite.weight.shape[0] / 2;
      text += "  means = torch.mean(y.to(6), [2, 3])\n";
      text += fmt::format("  squeezed = torch.relu({})\n", linear("means", name + ".se.squeeze"));
      text += fmt::format("  excited = {}.to(working_type).view([-1, {}, 1, 1])\n",
                          linear("squeezed", name + ".se.excite"), 2 * channels);
      text += fmt::format(
          "  y = y * torch.sigmoid(torch.narrow(excited, 1, 0, {0})) + torch.narrow(excited, 1, "
          "{0}, {0})\n",
          channels);
    }
    return text + "  x = torch.relu(y + x)\n";
  }
};

/// The step from planes to boards, and which of them exist: [batch, boards, 1] floats
/// (level_boards.h).
std::string boards_of(const FoldedNetwork& network) {
  const EncodingInfo& e = network.encoding;
  return fmt::format(
      "  chosen = torch.tensor([{}], dtype=4, device=planes.device)\n"
      "  x = torch.index_select(torch.constant_pad_nd(x, [0, 0, 0, 0, 0, 1]), 1, chosen)"
      ".reshape([-1, {}, {}, {}])\n"
      "  existing = torch.ne(x[:, 0, 0, 0], 0).to(6).reshape([-1, {}, 1])\n",
      fmt::join(chosen_planes(network.boards, e.plane_count()), ", "), network.board_planes(),
      e.height, e.width, network.board_count());
}

/// [batch, policy cells, dim] of the channels from `first` on.
std::string rows(const char* name, int first, const FoldedNetwork& network) {
  const EncodingInfo& e = network.encoding;
  return fmt::format(
      "  {} = torch.narrow(heads, 1, {}, {}).reshape([-1, {}, {}, {}]).permute([0, 3, 1, 2])"
      ".reshape([-1, {}, {}])\n",
      name, first, network.query_channels(), e.levels, network.config.policy_dim, e.cells(),
      e.policy_cells(), network.config.policy_dim);
}

std::string full_policy(const FoldedNetwork& network) {
  return fmt::format(
      "  turned = keys.transpose(1, 2)\n"
      "  pairs = torch.matmul(queries, turned)\n"
      "  kinds = torch.matmul(self.policy_kind_queries, turned).transpose(1, 2) + "
      "self.policy_kind_biases\n"
      "  policy = (pairs.unsqueeze(3) + kinds.unsqueeze(1)).reshape([-1, {}])\n",
      slot_count(network.encoding));
}

std::string legal_policy(const FoldedNetwork& network) {
  return fmt::format(
      "  slots = move_slots.clamp(0)\n"
      "  kind = slots.remainder({kinds})\n"
      "  pair = torch.floor_divide(slots, {kinds})\n"
      "  to_cell = pair.remainder({cells}).unsqueeze(2).expand([-1, -1, {dim}])\n"
      "  from_cell = torch.floor_divide(pair, {cells}).unsqueeze(2).expand([-1, -1, {dim}])\n"
      "  asked = queries.gather(1, from_cell) + self.policy_kind_queries[kind]\n"
      "  logits = (asked * keys.gather(1, to_cell)).sum([2]) + self.policy_kind_biases[kind]\n"
      "  none = move_slots < 0\n"
      "  policy = torch.softmax(logits.masked_fill(none, {no_move:.1f}), 1)"
      ".masked_fill(none, 0.0)\n",
      fmt::arg("kinds", network.encoding.policy_kinds.size()),
      fmt::arg("cells", network.encoding.policy_cells()),
      fmt::arg("dim", network.config.policy_dim), fmt::arg("no_move", kNoMoveLogit));
}

}  // namespace

std::string attribute_name(std::string tensor) {
  std::ranges::replace(tensor, '.', '_');
  return tensor;
}

bool is_convolution(const FloatTensor& tensor, const std::string& name) {
  const std::string layer = name.substr(0, name.rfind('.'));
  return tensor.shape.size() == 4 || layer == "heads" || layer.ends_with(".conv") ||
         layer.ends_with(".conv1") || layer.ends_with(".conv2");
}

std::string torchscript_source(const FoldedNetwork& network, PolicyForm policy) {
  const bool legal = policy == PolicyForm::Legal;
  std::string text =
      fmt::format("def forward(self, planes: Tensor{}) -> Tuple[Tensor, Tensor, Tensor]:\n",
                  legal ? ", move_slots: Tensor" : "");
  // LibTorch's numbers of types: 5 fp16, 6 fp32. Most CPU builds have no convolution in fp16.
  text +=
      "  working_type = self.heads_weight.dtype\n"
      "  if working_type == 5 and not planes.is_cuda:\n"
      "    working_type = 6\n"
      "  x = planes.to(working_type)\n";
  const bool levels_are_boards = network.config.share_levels;
  if (levels_are_boards) text += boards_of(network);
  for (std::size_t i = 0; i < network.trunk.size(); ++i) {
    const std::string name = block_name(i);
    text += std::visit(BlockSource{name, network.board_count()}, network.trunk[i]);
  }
  text += fmt::format("  heads = {}.to(6)\n", convolution("x", "heads", network.heads));
  text += rows("queries", 0, network);
  text += rows("keys", network.query_channels(), network);
  text += legal ? legal_policy(network) : full_policy(network);
  const int value_channels = network.config.value_channels;
  text += fmt::format(
      "  seen = torch.relu(torch.narrow(heads, 1, {}, {})).permute([0, 2, 3, 1])"
      ".reshape([-1, {}])\n",
      2 * network.query_channels(), value_channels,
      std::int64_t{network.encoding.cells()} * value_channels);
  text += fmt::format("  hidden = torch.relu({})\n", linear("seen", "value.hidden"));
  if (levels_are_boards)
    text += fmt::format("  hidden = torch.sum(hidden.reshape([-1, {}, {}]) * existing, [1])\n",
                        network.board_count(), network.config.value_hidden);
  text += fmt::format("  out = {}\n", linear("hidden", "value.out"));
  text += fmt::format(
      "  wdl = torch.softmax(torch.narrow(out, 1, 0, 3), 1)\n"
      "  moves_left = torch.softplus(out.select(1, 3)) * {:.1f}\n"
      "  return (policy, wdl, moves_left)\n",
      kMovesLeftScale);
  return text;
}

}  // namespace faultline
