// Runs an exported TorchScript network with LibTorch alone, on the golden positions of its bundle.
//
//   run_network MODEL.torchscript.pt GOLDEN.jsonl [POSITION [TOLERANCE]]
//
// prints policy and value of one position (a line of GOLDEN.jsonl, the first by default), computes
// all of them and compares them with the golden outputs. TOLERANCE is the largest difference of a
// probability that is allowed, 1e-4 by default (for fp16, take 1e-2); plies until the game ends may
// differ by ten times as much, relatively. Exit code 0: good; 1: something differs; 2: the input
// cannot be used.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <numeric>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>
#include <torch/script.h>

namespace {

using nlohmann::json;

/// A line of golden.jsonl.
struct Golden {
  std::string fen;
  std::vector<float> planes;  // [planes, height, width]
  std::vector<std::string> moves;
  std::vector<std::int64_t> slots;  // a number for each move
  std::vector<float> policy;        // its probability
  std::vector<float> wdl;           // win, draw, loss
  float moves_left = 0;             // plies
};

/// The size of one position's planes: `encoding.json` in the TorchScript file.
struct Shape {
  std::int64_t planes, height, width;
  std::int64_t cells() const { return height * width; }
};

struct Outputs {
  at::Tensor policy, wdl, moves_left;  // [batch, moves], [batch, 3], [batch]
};

class Network {
 public:
  explicit Network(const std::string& file) {
    std::unordered_map<std::string, std::string> extra = {{"encoding.json", ""}};
    module_ = torch::jit::load(file, at::kCPU, extra);
    module_.eval();
    if (extra["encoding.json"].empty())
      throw std::runtime_error("it has no encoding.json: was it exported by another program?");
    const json encoding = json::parse(extra["encoding.json"]);
    shape_ = {static_cast<std::int64_t>(encoding.at("planes").size()), encoding.at("height"),
              encoding.at("width")};
    // Besides the module itself and the planes, it may ask for the moves.
    asks_moves_ = module_.get_method("forward").num_inputs() == 3;
  }
  const Shape& shape() const { return shape_; }

  /// Evaluates positions [first, first + count) as one batch.
  Outputs evaluate(const std::vector<Golden>& positions, std::size_t first, std::size_t count) {
    const torch::InferenceMode no_gradients;
    std::size_t most_moves = 0;
    for (std::size_t i = first; i < first + count; ++i)
      most_moves = std::max(most_moves, positions[i].slots.size());
    const auto batch = static_cast<std::int64_t>(count);
    at::Tensor planes = torch::empty({batch, shape_.planes, shape_.height, shape_.width});
    at::Tensor slots = torch::full({batch, static_cast<std::int64_t>(most_moves)}, -1, at::kLong);
    for (std::size_t i = 0; i < count; ++i) {
      const Golden& position = positions[first + i];
      std::copy(position.planes.begin(), position.planes.end(),
                planes.data_ptr<float>() + i * position.planes.size());
      std::copy(position.slots.begin(), position.slots.end(),
                slots.data_ptr<std::int64_t>() + i * most_moves);
    }
    std::vector<torch::jit::IValue> inputs = {planes};
    if (asks_moves_) inputs.emplace_back(slots);
    const auto outputs = module_.forward(inputs).toTuple();
    at::Tensor policy = outputs->elements()[0].toTensor();
    if (!asks_moves_) {  // a logit for every slot: those of legal moves count
      const at::Tensor logits = policy.gather(1, slots.clamp_min(0)).masked_fill(slots < 0, -1e30);
      policy = torch::softmax(logits, 1);
    }
    return {policy, outputs->elements()[1].toTensor(), outputs->elements()[2].toTensor()};
  }

 private:
  torch::jit::Module module_;
  Shape shape_{};
  bool asks_moves_ = true;
};

Golden read_golden(const std::string& line, const Shape& shape) {
  const json golden = json::parse(line);
  Golden position;
  position.fen = golden.at("fen");
  position.planes.assign(static_cast<std::size_t>(shape.planes * shape.cells()), 0.0F);
  // [plane, value, cell, ...]; all cells if none is listed.
  for (const json& entry : golden.at("planes")) {
    const auto plane = entry.at(0).get<std::int64_t>();
    const auto value = entry.at(1).get<float>();
    if (plane < 0 || plane >= shape.planes) throw std::runtime_error("there is no such plane");
    float* const cells = position.planes.data() + plane * shape.cells();
    if (entry.size() == 2) std::fill_n(cells, shape.cells(), value);
    for (std::size_t i = 2; i < entry.size(); ++i) {
      const auto cell = entry[i].get<std::int64_t>();
      if (cell < 0 || cell >= shape.cells()) throw std::runtime_error("there is no such cell");
      cells[cell] = value;
    }
  }
  for (const json& move : golden.at("moves")) {
    position.moves.push_back(move.at(0));
    position.slots.push_back(move.at(1));
    position.policy.push_back(move.at(2));
  }
  position.wdl = golden.at("wdl").get<std::vector<float>>();
  position.moves_left = golden.at("moves_left");
  if (position.moves.empty() || position.wdl.size() != 3)
    throw std::runtime_error("it needs moves and three values in 'wdl'");
  return position;
}

std::vector<Golden> read_all(const std::string& file, const Shape& shape) {
  std::ifstream in(file);
  if (!in) throw std::runtime_error(file + " cannot be read");
  std::vector<Golden> positions;
  for (std::string line; std::getline(in, line);)
    try {
      positions.push_back(read_golden(line, shape));
    } catch (const std::exception& error) {
      throw std::runtime_error(file + ", line " + std::to_string(positions.size() + 1) + ": " +
                               error.what());
    }
  if (positions.empty()) throw std::runtime_error(file + " has no positions");
  return positions;
}

void print(const Golden& position, const Outputs& outputs) {
  const float* const wdl = outputs.wdl.data_ptr<float>();
  std::printf("%s\nwin %.1f %%, draw %.1f %%, loss %.1f %%; %.1f plies left\n",
              position.fen.c_str(), 100.0 * wdl[0], 100.0 * wdl[1], 100.0 * wdl[2],
              outputs.moves_left.item<double>());
  const float* const policy = outputs.policy.data_ptr<float>();
  std::vector<std::size_t> order(position.moves.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return policy[a] > policy[b]; });
  order.resize(std::min<std::size_t>(order.size(), 5));
  for (const std::size_t i : order)
    std::printf("  %s  %.1f %%\n", position.moves[i].c_str(), 100.0 * policy[i]);
}

struct Differences {
  double probability = 0;  // absolute
  double moves_left = 0;   // relative, of at least one ply
};

/// NaN counts as a difference without bound.
void add(double& largest, double difference) {
  largest = std::max(largest, std::isnan(difference) ? HUGE_VAL : difference);
}

/// Of the position in row `row` of the outputs.
Differences differences(const Golden& golden, const Outputs& outputs, std::int64_t row) {
  Differences found;
  const at::Tensor policy = outputs.policy[row].contiguous(), wdl = outputs.wdl[row].contiguous();
  for (std::size_t i = 0; i < golden.policy.size(); ++i)
    add(found.probability, std::fabs(policy.data_ptr<float>()[i] - golden.policy[i]));
  for (std::size_t i = 0; i < 3; ++i)
    add(found.probability, std::fabs(wdl.data_ptr<float>()[i] - golden.wdl[i]));
  const double expected = golden.moves_left;
  add(found.moves_left,
      std::fabs(outputs.moves_left[row].item<double>() - expected) / std::max(1.0, expected));
  return found;
}

/// The number that an argument is.
double number(const char* text, const char* what) {
  char* end = nullptr;
  const double value = std::strtod(text, &end);
  if (end == text || *end != '\0' || !(value > 0))
    throw std::runtime_error(std::string(what) + " '" + text + "' is not a positive number");
  return value;
}

int run(int argc, char** argv) {
  if (argc < 3 || argc > 5)
    throw std::runtime_error(
        "usage: run_network MODEL.torchscript.pt GOLDEN.jsonl [POSITION [TOLERANCE]]");
  const double shown = argc > 3 ? number(argv[3], "POSITION") : 1;
  const double tolerance = argc > 4 ? number(argv[4], "TOLERANCE") : 1e-4;

  Network network = [&] {
    try {
      return Network(argv[1]);
    } catch (const c10::Error& error) {
      throw std::runtime_error(std::string(argv[1]) +
                               " cannot be loaded: " + error.what_without_backtrace());
    } catch (const std::exception& error) {
      throw std::runtime_error(std::string(argv[1]) + ": " + error.what());
    }
  }();
  const std::vector<Golden> positions = read_all(argv[2], network.shape());
  if (shown < 1 || shown > static_cast<double>(positions.size()))
    throw std::runtime_error("POSITION '" + std::string(argv[3]) + "' is not in 1 ... " +
                             std::to_string(positions.size()));
  const auto index = static_cast<std::size_t>(shown) - 1;
  print(positions[index], network.evaluate(positions, index, 1));

  constexpr std::size_t kBatch = 64;
  Differences largest;
  int different = 0;
  for (std::size_t first = 0; first < positions.size(); first += kBatch) {
    const std::size_t count = std::min(kBatch, positions.size() - first);
    const Outputs outputs = network.evaluate(positions, first, count);
    for (std::size_t i = 0; i < count; ++i) {
      const Golden& golden = positions[first + i];
      const Differences found = differences(golden, outputs, static_cast<std::int64_t>(i));
      add(largest.probability, found.probability);
      add(largest.moves_left, found.moves_left);
      if (found.probability <= tolerance && found.moves_left <= 10 * tolerance) continue;
      ++different;
      std::printf("line %zu (%s) differs: a probability by %.1e, moves left by %.1e\n",
                  first + i + 1, golden.fen.c_str(), found.probability, found.moves_left);
    }
  }
  std::printf("%zu positions; largest difference of a probability %.1e, of moves left %.1e: %s\n",
              positions.size(), largest.probability, largest.moves_left,
              different == 0 ? "good" : "not good");
  return different == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const c10::Error& error) {
    std::cerr << "error: " << error.what_without_backtrace() << "\n";
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << "\n";
  }
  return 2;
}
