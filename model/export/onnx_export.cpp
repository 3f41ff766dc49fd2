// Building the ONNX graph with the protobuf classes of libonnx.
#include "model/export/onnx_export.h"

#include <cstdint>
#include <initializer_list>
#include <numeric>
#include <utility>
#include <variant>
#include <vector>

#include <onnx/onnx_pb.h>

#include "model/export/float_bits.h"
#include "model/export/folded_tensors.h"
#include "model/level_boards.h"
#include "model/network_description.h"

namespace faultline {
namespace {

using onnx::TensorProto;

constexpr int kIrVersion = 8;  // that of opset 17
/// The number of positions, where levels are boards of their own.
constexpr const char* kBatchSize = "boards.batch";

using Ints = std::vector<std::int64_t>;

struct Attribute {
  const char* name;
  std::variant<std::int64_t, Ints> value;
};

/// A size that is known, or the name of one that is not.
using Size = std::variant<std::int64_t, const char*>;

/// Adds nodes and constants to a graph. A node has one output, of its own name.
class Graph {
 public:
  Graph(onnx::GraphProto& graph, ExportPrecision precision)
      : graph_(&graph), half_(precision == ExportPrecision::Fp16) {}

  /// The output of a new node.
  std::string node(const char* type, const std::string& name,
                   std::initializer_list<std::string> inputs,
                   std::initializer_list<Attribute> attributes = {}) {
    onnx::NodeProto& node = add_node(type, name, inputs, attributes);
    node.add_output(name);
    return name;
  }

  /// Two outputs, cut along `axis`.
  std::pair<std::string, std::string> split(const std::string& name, const std::string& input,
                                            std::int64_t axis, const std::string& first,
                                            std::int64_t first_size, const std::string& second,
                                            std::int64_t second_size) {
    const std::string sizes = ints(name + ".sizes", {first_size, second_size});
    onnx::NodeProto& node = add_node("Split", name, {input, sizes}, {{"axis", axis}});
    node.add_output(first);
    node.add_output(second);
    return {first, second};
  }

  std::string ints(const std::string& name, const Ints& all) {
    TensorProto& tensor =
        constant(name, TensorProto::INT64, {static_cast<std::int64_t>(all.size())});
    tensor.set_raw_data(all.data(), all.size() * sizeof(std::int64_t));
    return name;
  }
  std::string whole(const std::string& name, std::int64_t value) {
    constant(name, TensorProto::INT64, {}).set_raw_data(&value, sizeof value);
    return name;
  }
  std::string number(const std::string& name, float value) {
    constant(name, TensorProto::FLOAT, {}).set_raw_data(&value, sizeof value);
    return name;
  }
  std::string floats(const std::string& name, const FloatTensor& values) {
    return stored(name, values, ExportPrecision::Fp32);
  }
  /// Adds weights in the precision of the convolutions.
  std::string weights(const std::string& name, const FloatTensor& values) {
    return stored(name, values, half_ ? ExportPrecision::Fp16 : ExportPrecision::Fp32);
  }

  /// Casts from fp32 to the precision of the convolutions; the next function casts back.
  std::string to_half(const std::string& x) { return half_ ? cast(x, TensorProto::FLOAT16) : x; }
  std::string to_float(const std::string& x) { return half_ ? cast(x, TensorProto::FLOAT) : x; }

  std::string reshape(const std::string& name, const std::string& x,
                      std::initializer_list<std::int64_t> shape) {
    return node("Reshape", name, {x, ints(name + ".shape", shape)});
  }
  /// Reshapes to [batch] and `shape`, where the first dimension is that of all positions' boards.
  std::string reshape_by_position(const std::string& name, const std::string& x,
                                  const Ints& shape) {
    const std::string whole = node("Concat", name + ".by_position",
                                   {kBatchSize, ints(name + ".shape", shape)}, {{"axis", 0}});
    return node("Reshape", name, {x, whole});
  }
  std::string convolution(const std::string& name, const std::string& x,
                          const FoldedConvolution& folded) {
    const std::int64_t size = folded.weight.shape[2], pad = size / 2;
    return node("Conv", name,
                {x, weights(name + ".weight", folded.weight), weights(name + ".bias", folded.bias)},
                {{"kernel_shape", Ints{size, size}}, {"pads", Ints{pad, pad, pad, pad}}});
  }
  std::string linear(const std::string& name, const std::string& x, const FoldedLinear& folded) {
    return node("Gemm", name,
                {x, floats(name + ".weight", folded.weight), floats(name + ".bias", folded.bias)},
                {{"transB", 1}});
  }

 private:
  onnx::NodeProto& add_node(const char* type, const std::string& name,
                            std::initializer_list<std::string> inputs,
                            std::initializer_list<Attribute> attributes) {
    onnx::NodeProto& node = *graph_->add_node();
    node.set_op_type(type);
    node.set_name(name);
    for (const std::string& input : inputs)
      node.add_input(input);
    for (const auto& [key, value] : attributes) {
      onnx::AttributeProto& attribute = *node.add_attribute();
      attribute.set_name(key);
      if (const auto* const whole = std::get_if<std::int64_t>(&value)) {
        attribute.set_type(onnx::AttributeProto::INT);
        attribute.set_i(*whole);
      } else {
        attribute.set_type(onnx::AttributeProto::INTS);
        for (const std::int64_t one : std::get<Ints>(value))
          attribute.add_ints(one);
      }
    }
    return node;
  }
  std::string cast(const std::string& x, TensorProto::DataType type) {
    const char* suffix = type == TensorProto::FLOAT16 ? ".as_fp16" : ".as_fp32";
    return node("Cast", x + suffix, {x}, {{"to", std::int64_t{type}}});
  }
  TensorProto& constant(const std::string& name, TensorProto::DataType type,
                        const std::vector<std::int64_t>& shape) {
    TensorProto& tensor = *graph_->add_initializer();
    tensor.set_name(name);
    tensor.set_data_type(type);
    for (const std::int64_t size : shape)
      tensor.add_dims(size);
    return tensor;
  }
  std::string stored(const std::string& name, const FloatTensor& values,
                     ExportPrecision precision) {
    const auto type =
        precision == ExportPrecision::Fp16 ? TensorProto::FLOAT16 : TensorProto::FLOAT;
    constant(name, type, values.shape).set_raw_data(to_bytes(values.values, precision));
    return name;
  }

  onnx::GraphProto* graph_;
  bool half_;
};

/// One trunk block: from the previous output to its own.
struct BlockWriter {
  Graph& graph;
  const std::string& name;
  const std::string& x;
  std::int64_t boards;          // per position
  const std::string& existing;  // which of them exist, [batch, boards, 1] floats

  std::string operator()(const FoldedStem& stem) const {
    const std::string convolution = graph.convolution(name + ".conv", x, stem.convolution);
    if (!stem.exchange) return graph.node("Relu", name, {convolution});
    return exchange(graph.node("Relu", name + ".conv_relu", {convolution}), *stem.exchange);
  }
  std::string operator()(const FoldedResidualBlock& block) const {
    const std::string first =
        graph.node("Relu", name + ".relu1", {graph.convolution(name + ".conv1", x, block.first)});
    std::string y = graph.convolution(name + ".conv2", first, block.second);
    if (block.squeeze_excite) y = squeeze_excite(y, *block.squeeze_excite);
    return graph.node("Relu", name, {graph.node("Add", name + ".sum", {y, x})});
  }

 private:
  /// [boards, channels] floats.
  std::string cell_means(const std::string& prefix, const std::string& of) const {
    return graph.node("Flatten", prefix + ".means",
                      {graph.node("GlobalAveragePool", prefix + ".pool", {graph.to_float(of)})},
                      {{"axis", 1}});
  }
  std::string exchange(const std::string& y, const FoldedLinear& folded) const {
    const std::string ex = name + ".exchange";
    const std::int64_t channels = folded.weight.shape[0];
    const std::string means = graph.node(
        "Mul", ex + ".existing_means",
        {graph.reshape_by_position(ex + ".board_means", cell_means(ex, y), {boards, channels}),
         existing});
    const std::string padded =
        graph.node("Pad", ex + ".padded", {means, graph.ints(ex + ".pads", {0, 1, 0, 0, 1, 0})});
    const auto of_boards = [&](const std::string& which, std::int64_t first) {
      Ints index(static_cast<std::size_t>(boards));
      std::iota(index.begin(), index.end(), first);
      return graph.node("Gather", ex + "." + which,
                        {padded, graph.ints(ex + "." + which + "_index", index)}, {{"axis", 1}});
    };
    const std::string axis = graph.ints(ex + ".axis", {1});
    const std::string all =
        graph.node("Div", ex + ".mean_of_all",
                   {graph.node("ReduceSum", ex + ".sum_of_all", {means, axis}),
                    graph.node("Max", ex + ".count",
                               {graph.node("ReduceSum", ex + ".boards", {existing, axis}),
                                graph.number(ex + ".least", 1)})});
    const std::string to_each = graph.node(
        "Add", ex + ".of_all",
        {graph.node("Mul", ex + ".zeroes", {means, graph.number(ex + ".zero", 0)}), all});
    const std::string seen =
        graph.node("Concat", ex + ".seen", {of_boards("above", 0), of_boards("below", 2), to_each},
                   {{"axis", 2}});
    const std::string rows = graph.reshape(ex + ".rows", seen, {-1, 3 * channels});
    const std::string offsets =
        graph.reshape(ex + ".offsets", graph.linear(ex, rows, folded), {-1, channels, 1, 1});
    return graph.node("Relu", name, {graph.node("Add", ex + ".sum", {y, graph.to_half(offsets)})});
  }
  std::string squeeze_excite(const std::string& y, const FoldedSqueezeExcite& folded) const {
    const std::string se = name + ".se";
    const std::int64_t channels = folded.excite.weight.shape[0] / 2;
    const std::string means = cell_means(se, y);
    const std::string squeezed =
        graph.node("Relu", se + ".relu", {graph.linear(se + ".squeeze", means, folded.squeeze)});
    const std::string excited =
        graph.reshape(se + ".channels", graph.linear(se + ".excite", squeezed, folded.excite),
                      {0, 2 * channels, 1, 1});
    const auto [gates, offsets] =
        graph.split(se + ".split", graph.to_half(excited), 1, se + ".gate_logits", channels,
                    se + ".offsets", channels);
    const std::string gated =
        graph.node("Mul", se + ".gated", {y, graph.node("Sigmoid", se + ".gates", {gates})});
    return graph.node("Add", se, {gated, offsets});
  }
};

/// The whole network.
class Exporter {
 public:
  Exporter(onnx::GraphProto& graph, const FoldedNetwork& network, const ExportOptions& options)
      : graph_(graph, options.precision), net_(&network), options_(&options), proto_(&graph) {}

  void write() {
    const EncodingInfo& e = net_->encoding;
    describe(*proto_->add_input(), kPlanesInput, TensorProto::FLOAT,
             {"batch", e.plane_count(), e.height, e.width},
             "The position from the mover's side, as the metadata 'encoding' describes it.");
    std::string x = graph_.to_half(kPlanesInput);
    if (net_->config.share_levels) x = write_boards(x);
    for (std::size_t i = 0; i < net_->trunk.size(); ++i) {
      const std::string name = block_name(i);
      x = std::visit(BlockWriter{graph_, name, x, net_->board_count(), existing_}, net_->trunk[i]);
    }
    const std::string heads = graph_.to_float(graph_.convolution("heads", x, net_->heads));
    const std::int64_t vectors = net_->query_channels();
    const auto [policy, value] =
        graph_.split("heads.split", heads, 1, "policy.channels", 2 * vectors, "value.channels",
                     net_->config.value_channels);
    const auto [queries, keys] = graph_.split("policy.split", policy, 1, "policy.query_channels",
                                              vectors, "policy.key_channels", vectors);
    const std::string query_rows = rows("policy.queries", queries);
    const std::string key_rows = rows("policy.keys", keys);
    if (options_->policy == PolicyForm::Full)
      write_full_policy(query_rows, key_rows);
    else
      write_legal_policy(query_rows, key_rows);
    write_value(value);
  }

 private:
  void describe(onnx::ValueInfoProto& info, const char* name, TensorProto::DataType type,
                std::initializer_list<Size> shape, const std::string& text) {
    info.set_name(name);
    info.set_doc_string(text);
    onnx::TypeProto::Tensor& tensor = *info.mutable_type()->mutable_tensor_type();
    tensor.set_elem_type(type);
    bool is_batch = true;
    for (const Size& size : shape) {
      onnx::TensorShapeProto::Dimension& dimension = *tensor.mutable_shape()->add_dim();
      if (is_batch && options_->batch > 0)
        dimension.set_dim_value(options_->batch);
      else if (const auto* named = std::get_if<const char*>(&size))
        dimension.set_dim_param(*named);
      else
        dimension.set_dim_value(std::get<std::int64_t>(size));
      is_batch = false;
    }
  }

  /// Writes the step from planes to boards (level_boards.h), and which of them exist.
  std::string write_boards(const std::string& x) {
    const EncodingInfo& e = net_->encoding;
    graph_.node("Shape", kBatchSize, {x}, {{"start", 0}, {"end", 1}});
    const std::string padded = graph_.node(
        "Pad", "boards.padded", {x, graph_.ints("boards.pads", {0, 0, 0, 0, 0, 1, 0, 0})});
    const std::string planes = graph_.node(
        "Gather", "boards.planes",
        {padded, graph_.ints("boards.chosen", chosen_planes(net_->boards, e.plane_count()))},
        {{"axis", 1}});
    const std::int64_t boards = net_->board_count(), count = net_->board_planes();
    const std::string corner =
        graph_.node("Gather", "boards.corner",
                    {graph_.reshape("boards.cells", planes, {0, boards, count * e.cells()}),
                     graph_.ints("boards.first", {0})},
                    {{"axis", 2}});
    existing_ = graph_.node(
        "Cast", "boards.existing",
        {graph_.node("Cast", "boards.exist", {corner}, {{"to", std::int64_t{TensorProto::BOOL}}})},
        {{"to", std::int64_t{TensorProto::FLOAT}}});
    return graph_.reshape("boards", planes, {-1, count, e.height, e.width});
  }

  /// [batch, levels * dim, height, width] to [batch, policy cells, dim].
  std::string rows(const std::string& name, const std::string& channels) {
    const EncodingInfo& e = net_->encoding;
    const std::int64_t dim = net_->config.policy_dim;
    const std::string apart =
        net_->config.share_levels
            ? graph_.reshape_by_position(name + ".levels", channels, {e.levels, dim, e.cells()})
            : graph_.reshape(name + ".levels", channels, {0, e.levels, dim, e.cells()});
    const std::string turned =
        graph_.node("Transpose", name + ".by_cell", {apart}, {{"perm", Ints{0, 3, 1, 2}}});
    return graph_.reshape(name, turned, {0, e.policy_cells(), dim});
  }

  void write_full_policy(const std::string& queries, const std::string& keys) {
    const std::int64_t slots = slot_count(net_->encoding);
    describe(*proto_->add_output(), kPolicyLogitsOutput, TensorProto::FLOAT, {"batch", slots},
             "A logit for each slot, (from * policy cells + to) * kinds + kind. The policy is the "
             "softmax over the slots of the legal moves.");
    const std::string turned =
        graph_.node("Transpose", "policy.keys_turned", {keys}, {{"perm", Ints{0, 2, 1}}});
    const std::string pairs = graph_.node("MatMul", "policy.pairs", {queries, turned});
    const std::string by_kind =
        graph_.node("MatMul", "policy.kinds_by_key",
                    {graph_.floats("policy.kind_queries", net_->kind_queries), turned});
    const std::string by_key =
        graph_.node("Transpose", "policy.keys_by_kind", {by_kind}, {{"perm", Ints{0, 2, 1}}});
    const std::string kinds = graph_.node(
        "Add", "policy.kinds", {by_key, graph_.floats("policy.kind_biases", net_->kind_biases)});
    const std::string sum = graph_.node(
        "Add", "policy.sum",
        {graph_.node("Unsqueeze", "policy.pairs_1", {pairs, graph_.ints("axis_3", {3})}),
         graph_.node("Unsqueeze", "policy.kinds_1", {kinds, graph_.ints("axis_1", {1})})});
    graph_.reshape(kPolicyLogitsOutput, sum, {0, slots});
  }

  void write_legal_policy(const std::string& queries, const std::string& keys) {
    const auto kinds = static_cast<std::int64_t>(net_->encoding.policy_kinds.size());
    describe(*proto_->add_input(), kMoveSlotsInput, TensorProto::INT64, {"batch", "moves"},
             "The slots of the legal moves, (from * policy cells + to) * kinds + kind, and -1 "
             "behind the last one of positions that have fewer than others.");
    describe(*proto_->add_output(), kPolicyOutput, TensorProto::FLOAT, {"batch", "moves"},
             "A probability for each move of move_slots, 0 where that is -1.");
    const std::string zero = graph_.whole("moves.zero", 0);
    const std::string is_move =
        graph_.node("GreaterOrEqual", "moves.exist", {kMoveSlotsInput, zero});
    const std::string slots = graph_.node("Max", "moves.slots", {kMoveSlotsInput, zero});
    const std::string kind_count = graph_.whole("moves.kind_count", kinds);
    const std::string cell_count = graph_.whole("moves.cell_count", net_->encoding.policy_cells());
    const std::string kind = graph_.node("Mod", "moves.kind", {slots, kind_count});
    const std::string pair = graph_.node("Div", "moves.pair", {slots, kind_count});
    const std::string to = graph_.node("Mod", "moves.to", {pair, cell_count});
    const std::string from = graph_.node("Div", "moves.from", {pair, cell_count});
    const std::string last = graph_.ints("moves.axis", {2});
    const auto gathered = [&](const std::string& name, const std::string& of,
                              const std::string& cells) -> std::string {
      const std::string index = graph_.node("Unsqueeze", name + ".index", {cells, last});
      return graph_.node("GatherND", name, {of, index}, {{"batch_dims", 1}});
    };
    const std::string kind_queries =
        graph_.node("Gather", "moves.kind_queries",
                    {graph_.floats("policy.kind_queries", net_->kind_queries), kind});
    const std::string asked = graph_.node(
        "Add", "moves.queries", {gathered("moves.from_queries", queries, from), kind_queries});
    const std::string products =
        graph_.node("Mul", "moves.products", {asked, gathered("moves.to_keys", keys, to)});
    const std::string scores =
        graph_.node("ReduceSum", "moves.scores", {products, last}, {{"keepdims", 0}});
    const std::string biases =
        graph_.node("Gather", "moves.kind_biases",
                    {graph_.floats("policy.kind_biases", net_->kind_biases), kind});
    const std::string logits =
        graph_.node("Where", "moves.logits",
                    {is_move, graph_.node("Add", "moves.biased", {scores, biases}),
                     graph_.number("moves.no_move", kNoMoveLogit)});
    const std::string shares = graph_.node("Softmax", "moves.shares", {logits}, {{"axis", 1}});
    // A row without any move has shares too.
    graph_.node("Where", kPolicyOutput, {is_move, shares, graph_.number("moves.no_share", 0)});
  }

  void write_value(const std::string& channels) {
    describe(*proto_->add_output(), kWdlOutput, TensorProto::FLOAT, {"batch", 3},
             "Probabilities that the side to move wins, draws, loses.");
    describe(*proto_->add_output(), kMovesLeftOutput, TensorProto::FLOAT, {"batch"},
             "Plies until the game ends.");
    const std::int64_t seen = std::int64_t{net_->encoding.cells()} * net_->config.value_channels;
    const std::string turned =
        graph_.node("Transpose", "value.by_cell", {graph_.node("Relu", "value.relu", {channels})},
                    {{"perm", Ints{0, 2, 3, 1}}});
    std::string hidden =
        graph_.node("Relu", "value.hidden_relu",
                    {graph_.linear("value.hidden", graph_.reshape("value.seen", turned, {0, seen}),
                                   net_->value_hidden)});
    if (net_->config.share_levels)
      hidden = graph_.node("ReduceSum", "value.hidden_sum",
                           {graph_.node("Mul", "value.existing",
                                        {graph_.reshape_by_position(
                                             "value.by_board", hidden,
                                             {net_->board_count(), net_->config.value_hidden}),
                                         existing_}),
                            graph_.ints("value.boards_axis", {1})},
                           {{"keepdims", 0}});
    const auto [wdl, moves_left] =
        graph_.split("value.split", graph_.linear("value.out", hidden, net_->value_out), 1,
                     "value.wdl_logits", 3, "value.moves_left_logit", 1);
    graph_.node("Softmax", kWdlOutput, {wdl}, {{"axis", 1}});
    const std::string plies = graph_.node("Mul", "value.plies",
                                          {graph_.node("Softplus", "value.softplus", {moves_left}),
                                           graph_.number("value.plies_scale", kMovesLeftScale)});
    graph_.node("Squeeze", kMovesLeftOutput, {plies, graph_.ints("value.axis", {1})});
  }

  Graph graph_;
  std::string existing_;  // [batch, boards, 1] floats, where levels are boards of their own
  const FoldedNetwork* net_;
  const ExportOptions* options_;
  onnx::GraphProto* proto_;
};

}  // namespace

bool has_onnx() {
  return true;
}

std::string write_onnx(const FoldedNetwork& network, const ExportOptions& options,
                       const ExportMetadata& metadata) {
  if (options.precision == ExportPrecision::Bf16)
    throw ExportError("ONNX: opset " + std::to_string(kOnnxOpset) +
                      " has no convolution in bf16; choose fp32 or fp16 (bf16 is for TorchScript "
                      "and safetensors)");
  onnx::ModelProto model;
  model.set_ir_version(kIrVersion);
  model.set_producer_name("faultline");
  onnx::OperatorSetIdProto& opset = *model.add_opset_import();
  opset.set_domain("");
  opset.set_version(kOnnxOpset);
  for (const auto& [key, text] : metadata) {
    onnx::StringStringEntryProto& entry = *model.add_metadata_props();
    entry.set_key(key);
    entry.set_value(text);
  }
  onnx::GraphProto& graph = *model.mutable_graph();
  graph.set_name("faultline " + network.encoding.variant + " " + describe(network.config));
  Exporter(graph, network, options).write();
  std::string bytes;
  if (!model.SerializeToString(&bytes))
    throw ExportError("ONNX: the network is too large for one file (2 GiB)");
  return bytes;
}

}  // namespace faultline
