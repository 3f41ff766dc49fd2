// Position texts: exact round trips, and errors that name the field and change nothing.
#include <string>

#include <gtest/gtest.h>

#include "rules/families/chess.h"
#include "rules/families/escher.h"
#include "rules/families/inferno.h"

namespace faultline {
namespace {

template <class P>
void expect_refused(const std::string& fen, const std::string& field) {
  try {
    P::from_fen({}, fen);
    ADD_FAILURE() << "accepted: " << fen.substr(0, 100);
  } catch (const FenError& error) {
    EXPECT_EQ(error.field(), field) << fen.substr(0, 100) << ": " << error.what();
  }
}

TEST(Fen, RoundTripsAreExact) {
  for (const std::string fen :
       {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b Qk - 12 34",
        "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 9999 99999"})
    EXPECT_EQ(ChessPosition::from_fen({}, fen).fen(), fen);
}

TEST(Fen, CastlingLettersComeInAnyOrderAndArePrintedInOne) {
  EXPECT_EQ(ChessPosition::from_fen({}, "r3k2r/8/8/8/8/8/8/R3K2R w qKkQ - 0 1").fen(),
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
}

TEST(Fen, WhatOtherProgramsWriteIsReadWhereItHasOneMeaning) {
  const auto read = [](const std::string& fen) { return ChessPosition::from_fen({}, fen).fen(); };
  const std::string pieces = "r3k2r/8/8/8/8/8/8/R3K2R w ", plain = pieces + "KQkq - 0 1";
  EXPECT_EQ(read(plain), plain);
  EXPECT_EQ(read(pieces + "KQkq -"), plain) << "without counters";
  EXPECT_EQ(read(pieces + "KQkq - 0 0"), plain);
  EXPECT_EQ(read(pieces + "HAha - 0 1"), plain) << "the rooks' files";
  EXPECT_EQ(read(pieces + "KQkq - bm O-O; id \"a; b\";"), plain) << "operations of EPD";
  EXPECT_EQ(read(pieces + "KQkq - bm O-O; hmvc 7; fmvn 12;"), pieces + "KQkq - 7 12");
  EXPECT_EQ(read(pieces + "KQkq - 7 12 bm O-O;"), pieces + "KQkq - 7 12");
  EXPECT_THROW(read(pieces + "KQkq - hmvc x;"), FenError);
}

TEST(Fen, PieceFieldsAreChecked) {
  const std::string rest = " w - - 0 1";
  for (const std::string pieces :
       {"8/8/8/8/8/8/8",      "8/8/8/8/8/8/8/K6k/8", "9/8/8/8/8/8/8/K6k",
        "44/8/8/8/8/8/8/K6k", "7/8/8/8/8/8/8/K6k",   "0K7/8/8/8/8/8/8/7k",
        "08/8/8/8/8/8/8/K6k", "8/8/8/8/8/8/8/K06k",  "8/8/8/8/8/8/8/K5xk",
        "8/8/8/8/8/8/8/K6*",  "8/8/8/8/8/8/8/8",     "8/8/8/8/8/8/8/KK5k",
        "8/8/8/8/8/8/8/K5kk", "P7/8/8/8/8/8/8/K6k",  "8/8/8/8/8/8/8/K5pk",
        "8/8/8/8/8/8/8/K5Pk", "//////////",          "99999999999999999999/8",
        "8/8/8/8/8/8/8/K6kk", "8/8/8/8/8/8/8/K5-k",  "8/8/8/8/8/8/8/K4\xff\x01k1"})
    expect_refused<ChessPosition>(pieces + rest, "pieces");
}

TEST(Fen, EveryLevelHasACastlingPart) {
  const auto& two_levels = InfernoPosition::variant({"inferno", {{"levels", "2"}}});
  const std::string pieces = "4k3/8/8/8/8/8/8/4K2R|4k3/8/8/8/8/8/8/4K3 w ";
  EXPECT_NO_THROW(InfernoPosition::from_fen(two_levels, pieces + "K|- - 0 1"));
  for (const std::string rights : {"K|", "|-", "|", "K", "K|-|-", "K|--", "K-|-"})
    EXPECT_THROW(InfernoPosition::from_fen(two_levels, pieces + rights + " - 0 1"), FenError)
        << rights;
}

TEST(Fen, OtherFieldsAreChecked) {
  expect_refused<ChessPosition>("k7/8/8/8/8/8/8/7K W - - 0 1", "side");
  expect_refused<ChessPosition>("k7/8/8/8/8/8/8/7K x - - 0 1", "side");
  expect_refused<ChessPosition>("k6R/8/8/8/8/8/8/7K w - - 0 1", "side");
  expect_refused<ChessPosition>("k7/8/8/8/8/8/8/4K2R w KK - 0 1", "castling");
  expect_refused<ChessPosition>("k7/8/8/8/8/8/8/4K2R w Q - 0 1", "castling");
  expect_refused<ChessPosition>("k7/8/8/8/8/8/8/5K1R w K - 0 1", "castling");
  expect_refused<ChessPosition>("k7/8/8/8/8/8/8/4K2R w KX - 0 1", "castling");
  expect_refused<ChessPosition>("k7/8/8/8/4P3/8/8/7K b - e4 0 1", "en passant");
  expect_refused<ChessPosition>("k7/8/8/8/4P3/8/8/7K b - d3 0 1", "en passant");
  expect_refused<ChessPosition>("k7/8/8/8/4P3/8/4N3/7K b - e3 0 1", "en passant");
  expect_refused<ChessPosition>("k7/8/8/8/4P3/8/8/7K w - e3 0 1", "en passant");
  expect_refused<ChessPosition>("k7/8/8/8/8/8/8/7K w - - 10000 1", "plies");
  expect_refused<ChessPosition>("k7/8/8/8/8/8/8/7K w - - 00 1", "plies");
  expect_refused<ChessPosition>("k7/8/8/8/8/8/8/7K w - - +1 1", "plies");
  expect_refused<ChessPosition>("k7/8/8/8/8/8/8/7K w - - x 1", "plies");
  expect_refused<ChessPosition>("k7/8/8/8/8/8/8/7K w - - bm Kg2", "plies");
  expect_refused<ChessPosition>("k7/8/8/8/8/8/8/4K2R w KH - 0 1", "castling");
  expect_refused<ChessPosition>("k7/8/8/8/8/8/8/7K w - - 0 100000", "move");
  expect_refused<ChessPosition>("k7/8/8/8/8/8/8/7K w - - 0 99999999999999999999", "move");
  expect_refused<ChessPosition>("k7/8/8/8/8/8/8/7K w - - 0", "move");
  expect_refused<ChessPosition>("k7/8/8/8/8/8/8/7K w - - 0 1 -", "move");
  expect_refused<ChessPosition>("k7/8/8/8/8/8/8/7K w - - 0 1 ", "move");
  expect_refused<ChessPosition>("k7/8/8/8/8/8/8/7K  w - - 0 1", "side");
  expect_refused<ChessPosition>("", "pieces");
  expect_refused<ChessPosition>(std::string(1'000'000, ' '), "pieces");
  expect_refused<ChessPosition>(std::string(1'000'000, '/'), "side");
  expect_refused<ChessPosition>(std::string(1'000'000, '/') + " w - - 0 1", "pieces");
}

TEST(Fen, EscherRefusesWhatItsBoardCannotHold) {
  expect_refused<EscherPosition>("k7/8/8/8/8/8/8/7K w K - 0 1", "castling");
  expect_refused<EscherPosition>("k6P/8/8/8/8/8/8/7K w - - 0 1", "pieces");
  expect_refused<EscherPosition>("k7/8/8/8/8/8/8/p6K w - - 0 1", "pieces");
  EXPECT_NO_THROW(EscherPosition::from_fen({}, "k6p/8/8/8/8/8/8/P6K w - - 0 1"))
      << "a pawn may be on its own first row";
  // A pawn from a2 would have been carried on; one from c2 would not.
  expect_refused<EscherPosition>("k7/8/8/8/Pp6/8/8/7K b - a3 0 1", "en passant");
  EXPECT_EQ(EscherPosition::from_fen({}, "k7/8/8/8/1pP5/8/8/7K b - c3 0 1").en_passant(), 18);
  expect_refused<EscherPosition>("k7/8/8/8/1pP5/8/2N5/7K b - c3 0 1", "en passant");
  EXPECT_NO_THROW(EscherPosition::from_fen({}, "k7/8/8/8/8/2pP4/8/3N3K b - d2 0 1"))
      << "row 1 may have carried the knight to the pawn's origin";
}

}  // namespace
}  // namespace faultline
