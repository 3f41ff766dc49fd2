// The engine with the project's own searches: limits end them, and what they find is reported.
#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/uci_server.h"
#include "rules/families.h"
#include "tests/engine/scripted_analyser.h"

namespace faultline {
namespace {

using testing::HasSubstr;
using testing::Not;

class RealEngine {
 public:
  explicit RealEngine(EngineEvaluator evaluator) {
    UciSetup setup;
    setup.settings.evaluator = evaluator;
    setup.settings.hash = 8;
    setup.backends = &cpu_backends();
    server_ = std::make_unique<UciServer>(std::move(setup),
                                          [this](std::string_view text) { out_.add(text); });
  }
  void hear(const std::string& line) { server_->hear(line); }
  /// The answer to `go`, with the info lines before it.
  std::string search(const std::string& go) {
    const std::size_t before = out_.all().size();
    server_->hear(go);
    out_.wait_for("bestmove", ++searches_);
    std::string text;
    const auto lines = out_.all();
    for (std::size_t i = before; i < lines.size(); ++i)
      text += lines[i] + "\n";
    return text;
  }

 private:
  test::WrittenLines out_;
  std::size_t searches_ = 0;
  std::unique_ptr<UciServer> server_;
};

constexpr EngineEvaluator kEvaluators[] = {EngineEvaluator::Uniform, EngineEvaluator::Material,
                                           EngineEvaluator::AlphaBeta};

TEST(UciSearch, AMateInOneIsFoundAndReportedAsProven) {
  for (const EngineEvaluator evaluator : kEvaluators) {
    RealEngine engine(evaluator);
    engine.hear("position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1");
    const std::string found = engine.search("go nodes 20000");
    EXPECT_THAT(found, HasSubstr("score mate 1 "));
    EXPECT_THAT(found, HasSubstr("bestmove a1a8\n"));
  }
}

TEST(UciSearch, GoMateEndsWhenTheMateIsProven) {
  for (const EngineEvaluator evaluator : kEvaluators) {
    RealEngine engine(evaluator);
    engine.hear("position fen 7k/8/5K2/8/8/8/8/6R1 w - - 0 1");  // f6f7 h8h7 g1h1 mate
    EXPECT_THAT(engine.search("go mate 2"), HasSubstr("score mate 2 "));
  }
}

TEST(UciSearch, EveryKindOfLimitEndsASearchInEveryFamily) {
  for (const FamilyInfo* family : all_families()) {
    for (const EngineEvaluator evaluator : kEvaluators) {
      RealEngine engine(evaluator);
      engine.hear("setoption name UCI_Variant value " + family->name);
      for (const char* go : {"go nodes 100", "go depth 1", "go depth 2", "go movetime 5",
                             "go wtime 50 btime 50", "go wtime -1 btime -1", "go nodes 0"}) {
        const std::string found = engine.search(go);
        EXPECT_THAT(found, HasSubstr(" pv ")) << family->name << " " << go;
        EXPECT_THAT(found, Not(HasSubstr("info string"))) << family->name << " " << go;
      }
    }
  }
}

TEST(UciSearch, NodesAreCountedAndLimited) {
  RealEngine engine(EngineEvaluator::Uniform);
  EXPECT_THAT(engine.search("go nodes 500"), HasSubstr(" nodes 500 "));
  EXPECT_THAT(engine.search("go nodes 700"), HasSubstr(" nodes 700 ")) << "with a tree kept";
}

TEST(UciSearch, MaterialIsCounted) {
  for (const EngineEvaluator evaluator : {EngineEvaluator::Material, EngineEvaluator::AlphaBeta}) {
    RealEngine engine(evaluator);
    engine.hear("position fen 4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1");
    EXPECT_THAT(engine.search("go nodes 3000"), HasSubstr("bestmove e4d5"));
  }
}

}  // namespace
}  // namespace faultline
