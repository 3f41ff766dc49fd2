// Positions of games of files, for tests.
#pragma once

#include <set>
#include <string>

#include <gtest/gtest.h>

#include "rules/data/data_position.h"

namespace faultline::data::test {

inline const std::string kFolder = FAULTLINE_SOURCE_DIR "/games/";

inline GameFile game_file(const std::string& name) {
  const LoadedGame loaded = load_game_file(kFolder + name + ".toml", {kFolder});
  EXPECT_TRUE(loaded.game) << loaded.errors();
  return loaded.game ? *loaded.game : GameFile{};
}

template <class B>
DataPosition<B> position(const GameTables<B>& game, const std::string& fen) {
  return DataPosition<B>::from_fen(game, fen);
}

template <class P>
std::set<std::string> move_texts(const P& p) {
  typename P::MoveList moves;
  p.legal_moves(moves);
  std::set<std::string> texts;
  for (const Move m : moves)
    EXPECT_TRUE(texts.insert(p.move_text(m)).second) << p.fen() << ": twice " << p.move_text(m);
  EXPECT_EQ(p.count_legal_moves(), moves.size()) << p.fen();
  return texts;
}

}  // namespace faultline::data::test
