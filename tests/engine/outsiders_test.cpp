// Stockfish and Fairy-Stockfish: they play whole games, and agree with us about moves and
// positions.
//
// They are optional (scripts/setup --engines). With FAULTLINE_REQUIRE_OUTSIDERS in the environment,
// a missing one is a failure.
#include <charconv>
#include <cstdlib>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/child_process.h"
#include "engine/uci_searcher.h"
#include "play/game_driver.h"
#include "rules/families.h"
#include "rules/perft.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kStockfish = "stockfish";
constexpr std::string_view kFairyStockfish = "fairy-stockfish";

bool is_installed(std::string_view engine) {
  return !find_program(std::string(engine)).empty();
}
bool is_required() {
  return std::getenv("FAULTLINE_REQUIRE_OUTSIDERS") != nullptr;
}

/// Ends a test whose engine is missing: skipped, or failed where it is required.
#define NEEDS_ENGINE(engine)                                                          \
  if (!is_installed(engine)) {                                                        \
    if (is_required()) FAIL() << (engine) << " is required and not installed";        \
    GTEST_SKIP() << (engine) << " is not installed; scripts/setup --engines does it"; \
  }

/// Our move counts below each root move, by the moves' texts.
using Counts = std::map<std::string, std::uint64_t>;

template <Position P>
Counts perft_by_move(const P& position, int depth) {
  Counts counts;
  typename P::MoveList moves;
  position.legal_moves(moves);
  for (const Move move : moves) {
    P next = position;
    next.play(move);
    counts[position.move_text(move)] = perft(next, depth - 1);
  }
  return counts;
}

/// Stockfish's commands for debugging: `go perft` and `d`.
class Debugger {
 public:
  Debugger(std::string_view engine, const std::string& variant)
      : process_({find_program(std::string(engine))}) {
    send("uci");
    if (engine == kFairyStockfish) send("setoption name UCI_Variant value " + variant);
  }

  Counts perft(const std::string& position, int depth) {
    send("position " + position);
    send("go perft " + std::to_string(depth));
    Counts counts;
    for (std::string line = read(); !line.starts_with("Nodes searched"); line = read()) {
      const std::size_t colon = line.find(": ");
      std::uint64_t count = 0;
      if (colon == std::string::npos) continue;
      const auto [end, error] =
          std::from_chars(line.data() + colon + 2, line.data() + line.size(), count);
      if (error == std::errc{} && end == line.data() + line.size())
        counts[line.substr(0, colon)] = count;
    }
    return counts;
  }

  std::string fen(const std::string& position) {
    send("position " + position);
    send("d");
    std::string line;
    while (!line.starts_with("Fen: "))
      line = read();
    return line.substr(5);
  }

 private:
  void send(const std::string& line) {
    if (process_.write(line + '\n', ChildProcess::Clock::now() + 60s) != ChildProcess::Status::Ok)
      throw std::runtime_error("the engine does not read");
  }
  std::string read() {
    std::string line;
    if (process_.read_line(line, ChildProcess::Clock::now() + 60s) != ChildProcess::Status::Ok)
      throw std::runtime_error("the engine does not answer");
    return line;
  }

  ChildProcess process_;
};

/// Compares moves and FENs along random games.
template <Position P>
void expect_agreement(std::string_view engine, int games, int depth) {
  const auto& variant = P::variant({.family = P::info().name, .options = {}});
  Debugger debugger(engine, P::info().name);
  std::mt19937_64 rng(5);
  for (int game = 0; game < games; ++game) {
    P position = P::start(variant);
    std::string sent = "startpos moves";
    for (int ply = 0; ply < 80; ++ply) {
      if (ply % 16 == 2 * game % 16) {
        ASSERT_EQ(perft_by_move(position, depth), debugger.perft(sent, depth)) << sent;
        ASSERT_EQ(position.fen(), debugger.fen(sent)) << sent;
        ASSERT_EQ(position.fen(), debugger.fen("fen " + position.fen()));
        ASSERT_EQ(position.fen(), P::from_fen(variant, debugger.fen(sent)).fen());
      }
      typename P::MoveList moves;
      position.legal_moves(moves);
      if (moves.size() == 0 || is_over(position.outcome(true))) break;
      const Move move = moves[rng() % moves.size()];
      sent += ' ' + position.move_text(move);
      position.play(move);
    }
  }
}

template <Position P>
void expect_agreement_from(std::string_view engine, const std::string& fen, int depth) {
  const auto& variant = P::variant({.family = P::info().name, .options = {}});
  Debugger debugger(engine, P::info().name);
  EXPECT_EQ(perft_by_move(P::from_fen(variant, fen), depth), debugger.perft("fen " + fen, depth))
      << fen;
}

/// Games as White and as Black against random moves; the engine is to win them by the rules.
template <Position P>
void expect_wins(std::string_view engine) {
  const auto& variant = P::variant({.family = P::info().name, .options = {}});
  const auto pool = std::make_shared<UciEnginePool>(
      parse_uci_engine_spec(std::string(engine) + "?nodes=2000&Hash=1&timeout=60"), P::info().name);
  for (const Colour colour : {Colour::White, Colour::Black}) {
    const Player<P> outsider{.searcher = make_uci_searcher<P>(pool)};
    const Player<P> random{.searcher = make_random_searcher<P>()};
    GameDriver<P> driver(
        PositionHistory<P>(P::start(variant)),
        {colour == Colour::White ? outsider : random, colour == Colour::White ? random : outsider},
        {.max_plies = 400}, std::mt19937_64(7), nullptr);
    EvalBatch<P> batch;
    while (!driver.is_over())
      driver.gather(batch);
    EXPECT_EQ(driver.end().failure, "");
    EXPECT_EQ(driver.end().outcome, win_for(colour));
  }
}

/// The engine finds a mate in two (three plies), and says so.
template <Position P>
void expect_mate_in_two(std::string_view engine, const std::string& fen) {
  const auto& variant = P::variant({.family = P::info().name, .options = {}});
  const auto pool = std::make_shared<UciEnginePool>(
      parse_uci_engine_spec(std::string(engine) + "?depth=12&Hash=1&timeout=60"), P::info().name);
  const auto searcher = make_uci_searcher<P>(pool);
  UniformEvaluator<P> unused;
  EvalBatch<P> batch;
  std::mt19937_64 rng(1);
  const SearchResult result = run_search<P>(*searcher, &unused, batch,
                                            PositionHistory<P>(P::from_fen(variant, fen)), {}, rng);
  EXPECT_EQ(result.mate_plies, 3);
  EXPECT_FLOAT_EQ(result.value.value(), 1);
  EXPECT_EQ(result.variation.size(), 3U);
  EXPECT_GT(result.nodes, 0U);
  EXPECT_GT(result.depth, 0);
}

const std::vector<std::string> kChessPositions = {
    // Castling through and out of attacks, en passant that exposes a king, promotions.
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8"};

TEST(Stockfish, WinsAtChessAgainstRandomMoves) {
  NEEDS_ENGINE(kStockfish);
  expect_wins<ChessPosition>(kStockfish);
}

TEST(Stockfish, AgreesWithUsAboutChess) {
  NEEDS_ENGINE(kStockfish);
  expect_agreement<ChessPosition>(kStockfish, 4, 3);
  for (const std::string& fen : kChessPositions)
    expect_agreement_from<ChessPosition>(kStockfish, fen, 3);
}

TEST(Stockfish, AnnouncesMate) {
  NEEDS_ENGINE(kStockfish);
  expect_mate_in_two<ChessPosition>(kStockfish, "7k/8/5K2/8/8/8/8/6R1 w - - 0 1");
}

TEST(Stockfish, ReportsWinDrawAndLossRates) {
  NEEDS_ENGINE(kStockfish);
  const auto pool = std::make_shared<UciEnginePool>(
      parse_uci_engine_spec("stockfish?nodes=2000&timeout=60"), "chess");
  const auto searcher = make_uci_searcher<ChessPosition>(pool);
  UniformEvaluator<ChessPosition> unused;
  EvalBatch<ChessPosition> batch;
  std::mt19937_64 rng(1);
  const SearchResult result = run_search<ChessPosition>(
      *searcher, &unused, batch, PositionHistory<ChessPosition>(ChessPosition::start({})), {}, rng);
  EXPECT_GT(result.value.draw, 0.5F);
  EXPECT_NEAR(result.value.win + result.value.draw + result.value.loss, 1, 1e-5);
}

TEST(Stockfish, CannotPlayGardner) {
  NEEDS_ENGINE(kStockfish);
  EXPECT_THROW(UciEnginePool(parse_uci_engine_spec("stockfish?timeout=60"), "gardner"),
               UciSpecError);
}

TEST(FairyStockfish, WinsAtChessAgainstRandomMoves) {
  NEEDS_ENGINE(kFairyStockfish);
  expect_wins<ChessPosition>(kFairyStockfish);
}

TEST(FairyStockfish, WinsAtGardnerAgainstRandomMoves) {
  NEEDS_ENGINE(kFairyStockfish);
  expect_wins<GardnerPosition>(kFairyStockfish);
}

TEST(FairyStockfish, AgreesWithUsAboutChess) {
  NEEDS_ENGINE(kFairyStockfish);
  expect_agreement<ChessPosition>(kFairyStockfish, 4, 3);
  for (const std::string& fen : kChessPositions)
    expect_agreement_from<ChessPosition>(kFairyStockfish, fen, 3);
}

TEST(FairyStockfish, AgreesWithUsAboutGardner) {
  NEEDS_ENGINE(kFairyStockfish);
  expect_agreement<GardnerPosition>(kFairyStockfish, 8, 3);
  for (const std::string fen : {"1k3/3P1/1K3/p3P/5 w - - 0 1", "r1bqk/1P3/4p/2p2/R3K w - - 3 9",
                                "rnbqk/ppppp/5/PPPPP/RNBQK b - - 0 1"})
    expect_agreement_from<GardnerPosition>(kFairyStockfish, fen, 4);
}

TEST(FairyStockfish, AnnouncesMateInGardner) {
  NEEDS_ENGINE(kFairyStockfish);
  expect_mate_in_two<GardnerPosition>(kFairyStockfish, "4k/5/2K2/5/R4 w - - 0 1");
}

TEST(FairyStockfish, CannotPlayEscher) {
  NEEDS_ENGINE(kFairyStockfish);
  EXPECT_THROW(UciEnginePool(parse_uci_engine_spec("fairy-stockfish?timeout=60"), "escher"),
               UciSpecError);
}

}  // namespace
}  // namespace faultline
