// Parameters of the typed tests for slanted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "rules/families/slanted.h"
#include "tests/family_traits.h"
#include "tests/rules/reference/slanted.h"
#include "tests/rules/reference/turned_fen.h"

namespace faultline::test {

namespace slanted {

/// "bc4" for "hi4": files mirrored. Works on whole move texts, too.
inline std::string mirrored_squares(const std::string& text, int width) {
  std::string result;
  std::string letters;
  for (const char c : text) {
    if (!reference::is_digit(c)) {
      letters += c;
      continue;
    }
    std::reverse(letters.begin(), letters.end());
    for (const char file : letters)
      result += static_cast<char>('a' + width - 1 - (file - 'a'));
    letters.clear();
    result += c;
  }
  return result + letters;  // a promotion's letter
}

/// Pieces and runs of empty squares in the opposite order; a run may have two digits.
inline std::string mirrored_row(const std::string& row) {
  std::vector<std::string> tokens;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (i > 0 && reference::is_digit(row[i]) && reference::is_digit(row[i - 1]))
      tokens.back() += row[i];
    else
      tokens.emplace_back(1, row[i]);
  }
  std::ranges::reverse(tokens);
  std::string mirrored;
  for (const std::string& token : tokens)
    mirrored += token;
  return mirrored;
}

}  // namespace slanted

template <>
struct FamilyTest<SlantedPosition> : FamilyDefaults<SlantedPosition> {
  /// All combinations that the options allow.
  static std::vector<std::string> option_sets() {
    std::vector<std::string> names;
    for (const std::string board : {"ultra", "standard", "mini"})
      for (const std::string army : {"standard", "almost", "sort-of-almost", "almost-for-black"})
        for (const std::string first : {"white", "black"})
          for (const std::string jumpcheck : {"on", "off"})
            if (board == "ultra" || army == "standard")
              names.push_back(SlantedPosition::variant({"slanted",
                                                        {{"board", board},
                                                         {"army", army},
                                                         {"first", first},
                                                         {"jumpcheck", jumpcheck}}})
                                  .canonical_name());
    return names;
  }
  static reference::SlantedState reference_state(const SlantedVariant& v, const std::string& fen) {
    return {reference::slanted_rules(v), fen};
  }
  /// The boards are symmetric under mirroring the files; only castling distinguishes left and
  /// right.
  static std::vector<Elsewhere<SlantedPosition>> seen_from_elsewhere(const SlantedVariant& v,
                                                                     const SlantedPosition& p) {
    if (reference::split(p.fen(), ' ')[2] != "-") return {};
    const int width = v.board().grid().width;
    const auto turn_fen = [width](const std::string& fen) {
      auto fields = reference::split(fen, ' ');
      fields[0] = reference::change_parts(fields[0], '/', slanted::mirrored_row);
      fields[3] = slanted::mirrored_squares(fields[3], width);
      return reference::join(fields, ' ');
    };
    return {seen_elsewhere(v, p, turn_fen, [width](const std::string& text) {
      return slanted::mirrored_squares(text, width);
    })};
  }
  static std::string sparse_fen(const SlantedVariant& v, Random& rng) {
    const reference::SlantedRules& rules = reference::slanted_rules(v);
    reference::SlantedState state(rules, SlantedPosition::start(v).fen());
    std::ranges::fill(state.board, '.');
    const auto put = [&](char c, int only_rank = -1) {
      const char type = reference::upper(c);
      if (!v.knows({type == 'U'   ? PieceType::Ultra
                    : type == 'M' ? PieceType::Chancellor
                    : type == 'Q' ? PieceType::Queen
                                  : PieceType::Rook,
                    reference::is_white(c) ? Colour::White : Colour::Black}))
        return;
      for (int attempt = 0; attempt < 200; ++attempt) {
        const auto s = static_cast<int>(rng() % state.board.size());
        const int rank = rules.cell(s).rank;
        if (state.on(s) != '.' || rules.is_barrier(s)) continue;
        if (only_rank >= 0 && rank != only_rank) continue;
        if (type == 'C' && (rank == 0 || rank == rules.height - 1)) continue;
        state.on(s) = c;
        return;
      }
    };
    const std::string rights =
        std::vector<std::string>{"-", "-", "K", "Q", "KQ", "kq", "KQkq"}[rng() % 7];
    state.castling = rights;
    for (const char right : rights) {
      if (right == '-') continue;
      state.on(state.castle(right).king) = reference::coloured('K', reference::is_white(right));
      state.on(state.castle(right).rook) = reference::coloured('R', reference::is_white(right));
    }
    for (const char king : {'K', 'k'})
      if (std::ranges::find(state.board, king) == state.board.end()) put(king);
    for (int n = below(rng, 20) + 2; n > 0; --n)
      put("QMRRBNUUCCCCCqmrrbnuuccccc"[below(rng, 26)]);
    // Crabs that may step two squares, and enemies near their destinations.
    for (int n = rules.double_steps && by_chance(rng, 2) ? 3 : 0; n > 0; --n) {
      put('C', 1);
      put('c', 3);
      put('c', rules.height - 2);
      put('C', rules.height - 4);
    }
    state.white = by_chance(rng, 2);
    return state.fen();
  }
  static GamePlan games_from_the_start() {
    return {.seed = 20240901,
            .games = games_of_each(option_sets(), 1, 90),
            .more_than = {.plies = 1500, .elsewhere = 300, .castlings = 10, .promotions = 150}};
  }
  static GamePlan games_on_sparse_boards() {
    return {.seed = 20240902,
            .games = games_of_each(option_sets(), 25, 8),
            .more_than = {.plies = 3000,
                          .checks = 150,
                          .elsewhere = 750,
                          .en_passant = 15,
                          .castlings = 200,
                          .promotions = 1500}};
  }
  static constexpr std::size_t kLeastVectors = 850;
  static constexpr EncodingMark kEncoding = {
      .version = 1, .description = 0xc24025a12a32feab, .behaviour = 0x82aebe1c106bbf72};
};

}  // namespace faultline::test
