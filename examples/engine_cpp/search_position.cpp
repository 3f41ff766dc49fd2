// The best lines of a position of any variant, with faultline's own C++ libraries.
//
//   search_position VARIANT EVALUATOR VISITS [FEN]
//
// EVALUATOR: a network's file (a checkpoint or a bundle), uniform, or material.
#include <cstdint>
#include <cstdio>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "model/checkpoint.h"
#include "model/inference/backend_choice.h"
#include "model/inference/backend_registry.h"
#include "model/net_search.h"
#include "play/analyser.h"
#include "play/game.h"

using namespace faultline;

namespace {

bool is_net(const std::string& name) {
  return name != "uniform" && name != "material";
}

std::shared_ptr<GameEvaluator> find_evaluator(const Game& game, const std::string& name) {
  if (name == "uniform") return game.uniform_evaluator();
  if (name == "material") return game.material_evaluator();
  // The fastest backend and precision of this processor, as `faultline uci` chooses them.
  const BackendRegistry& backends = cpu_backends();
  const InferenceChoice choice = choose_inference(backends, {}, {});
  const std::shared_ptr<Backend> backend =
      load_backend(name, game.encoding(), backends, backend_options(choice));
  std::printf("evaluator  %s\n", backend->describe().c_str());
  return game.network_evaluator(backend);
}

std::string text_of(const GamePosition& root, const std::vector<Move>& line) {
  std::string text;
  const std::unique_ptr<GamePosition> position = root.clone();
  for (const Move move : line) {
    if (!text.empty()) text += ' ';
    text += position->move_text(move);
    position->play(move);
  }
  return text;
}

void search_position(const std::string& variant, const std::string& evaluator_name,
                     std::uint64_t visits, const std::string& fen) {
  const Game& game = find_game(variant);
  const std::unique_ptr<GamePosition> position = fen.empty() ? game.start() : game.from_fen(fen);
  std::printf("variant    %s\n%s\n", game.variant().c_str(), position->picture().c_str());
  const std::shared_ptr<GameEvaluator> evaluator = find_evaluator(game, evaluator_name);

  AnalyserOptions options{.threads = 1, .memory_bytes = std::size_t{64} << 20};
  if (is_net(evaluator_name)) {
    // As the net says that it is to be searched; a setting of your own would come after this.
    const NetSearch own = net_search(evaluator_name);
    std::printf("search     %s\n", own.source.c_str());
    options.search = own.settings;
  }
  const std::unique_ptr<Analyser> analyser = game.analyser(options, evaluator);
  constexpr int kLines = 5;
  const AnalysisReport report =
      analyser->analyse(*position, {.nodes = visits}, kLines, /*report=*/nullptr);
  std::printf("%llu visits, %u evaluations, value %+.3f\n",
              static_cast<unsigned long long>(report.nodes), report.evaluations,
              static_cast<double>(report.value.value()));
  for (const AnalysisLine& line : report.lines)
    std::printf("%8u %+.3f  %s\n", line.visits, static_cast<double>(line.value.value()),
                text_of(*position, line.moves).c_str());
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc < 4 || argc > 5)
      throw std::invalid_argument("usage: search_position VARIANT EVALUATOR VISITS [FEN]");
    search_position(argv[1], argv[2], std::stoull(argv[3]), argc > 4 ? argv[4] : "");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 2;
  }
}
