// The encodings of games of files: every shipped game, and games made up at random.
#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "model/encoding/encoding.h"
#include "model/fast/fast_encoder.h"
#include "rules/data/data_position.h"
#include "rules/families/chess.h"
#include "rules/families/gardner.h"
#include "rules/families/inferno.h"
#include "rules/families/shifting.h"
#include "tests/effort.h"
#include "tests/rules/data/random_games.h"
#include "tests/rules/reference/turned_fen.h"

namespace faultline::data {
namespace {

using reference::join;
using reference::split;

const std::filesystem::path kGames = std::filesystem::path(FAULTLINE_SOURCE_DIR) / "games";

std::vector<std::string> shipped_games() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kGames))
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  std::ranges::sort(names);
  return names;
}

GameFile game_file(const std::string& name) {
  const LoadedGame loaded = load_game_file(kGames / (name + ".toml"));
  EXPECT_FALSE(loaded.has_errors()) << loaded.errors();
  return loaded.game.value();
}

template <class B>
std::vector<float> encoded(const DataPosition<B>& position, int repetitions) {
  std::vector<float> planes(DataEncoder<B>::info(position.game()).floats(), -7.0F);
  DataEncoder<B>::encode(position, repetitions, planes);
  // As bits they are the same, in memory that held something else.
  const auto cells = static_cast<std::size_t>(DataEncoder<B>::info(position.game()).cells());
  std::vector<std::uint64_t> words(planes.size() / cells * words_per_plane(cells), 0xA5A5A5A5U);
  std::vector<float> numbers(planes.size() / cells, -7.0F), unpacked(planes.size());
  DataEncoder<B>::encode_bits(position, repetitions, {words, numbers});
  unpack_planes({words, numbers}, cells, unpacked.data());
  EXPECT_EQ(unpacked, planes) << position.fen();
  return planes;
}

template <class B>
std::vector<Move> legal_moves(const DataPosition<B>& position) {
  static thread_local typename DataPosition<B>::MoveList list;
  position.legal_moves(list);
  return {list.begin(), list.end()};
}

using Triple = std::tuple<int, int, int>;
Triple triple(PolicyIndex i) {
  return {i.from, i.to, i.kind};
}
template <class B>
std::vector<PolicyIndex> policy_indices(const DataPosition<B>& position) {
  std::vector<PolicyIndex> indices;
  for (const Move move : legal_moves(position))
    indices.push_back(DataEncoder<B>::policy_index(position, move));
  return indices;
}
std::vector<Triple> sorted(const std::vector<PolicyIndex>& indices) {
  std::vector<Triple> list;
  for (const PolicyIndex index : indices)
    list.push_back(triple(index));
  std::ranges::sort(list);
  return list;
}

/// Calls `visit(position, repetitions)` for positions of random games.
template <class B, class Visit>
void for_random_positions(const GameTables<B>& game, std::uint64_t seed, int positions,
                          Visit&& visit) {
  constexpr int kPlies = 60;
  std::mt19937_64 rng(seed);
  const auto& starts = game.file().starts;
  for (int visited = 0; visited < positions;) {
    auto position = DataPosition<B>::from_fen(game, starts[rng() % starts.size()].fen);
    std::map<std::uint64_t, int> occurred;
    for (int ply = 0; ply < kPlies && visited < positions; ++ply, ++visited) {
      visit(position, occurred[position.key()]++);
      if (testing::Test::HasFatalFailure()) return;
      const std::vector<Move> moves = legal_moves(position);
      if (is_over(position.outcome(!moves.empty()))) {
        ++visited;
        break;
      }
      // Movements of the board and moves that castle or pass are rare.
      std::vector<Move> rare;
      for (const Move m : moves)
        if (m.moves_board() || m.kind() != MoveKind::Normal) rare.push_back(m);
      const std::vector<Move>& from = !rare.empty() && rng() % 3 == 0 ? rare : moves;
      position.play(from[rng() % from.size()]);
    }
  }
}

bool tells_who_moves(const EncodingInfo& info) {
  return std::ranges::find(info.planes, "black to move") != info.planes.end();
}

// -------------------------------------------------------------------------------------- checks

template <class B>
void decodes_what_it_encodes(const GameTables<B>& game, int positions) {
  const bool tells = tells_who_moves(DataEncoder<B>::info(game));
  for_random_positions(game, 1, positions, [&](const auto& p, int repetitions) {
    const std::vector<float> planes = encoded(p, repetitions);
    int decoded_repetitions = -1;
    std::optional<DataPosition<B>> decoded;
    ASSERT_NO_THROW(decoded = DataEncoder<B>::decode(game, planes, &decoded_repetitions))
        << p.fen();
    ASSERT_EQ(decoded_repetitions, repetitions);
    ASSERT_EQ(encoded(*decoded, repetitions), planes) << p.fen() << "\n" << decoded->fen();
    ASSERT_EQ(decoded->side_to_move(), tells ? p.side_to_move() : Colour::White);
    if (decoded->side_to_move() == p.side_to_move()) {
      ASSERT_EQ(decoded->key(), p.key()) << p.fen() << "\n" << decoded->fen();
    }
    ASSERT_EQ(sorted(policy_indices(*decoded)), sorted(policy_indices(p))) << p.fen() << "\n"
                                                                           << decoded->fen();
  });
}

template <class B>
void gives_moves_distinct_indices(const GameTables<B>& game, int positions) {
  const EncodingInfo& info = DataEncoder<B>::info(game);
  for_random_positions(game, 2, positions, [&](const auto& p, int) {
    std::set<Triple> seen;
    for (const Move m : legal_moves(p)) {
      const PolicyIndex i = DataEncoder<B>::policy_index(p, m);
      ASSERT_TRUE(i.from >= 0 && i.from < info.policy_cells() && i.to >= 0 &&
                  i.to < info.policy_cells() && i.kind >= 0 &&
                  i.kind < static_cast<int>(info.policy_kinds.size()));
      ASSERT_TRUE(seen.insert(triple(i)).second) << p.fen() << " " << p.move_text(m);
      const std::string& kind = info.policy_kinds[static_cast<std::size_t>(i.kind)];
      ASSERT_EQ(m.is_drop(), kind.starts_with("drop-"));
      ASSERT_EQ(m.kind() == MoveKind::Promotion, kind.starts_with("promote-"));
    }
  });
}

/// What a network should see of a position.
using Seen = std::tuple<std::uint64_t, int, int>;

/// Positions that were seen, and their planes.
class KeysAndPlanes {
 public:
  template <class B>
  void add(const DataPosition<B>& p, int repetitions) {
    const Seen key{p.key(), p.halfmove_clock(), repetitions};
    std::vector<float> planes = encoded(p, repetitions);
    const auto [of_key, is_new_key] = planes_of_.try_emplace(key, planes);
    ASSERT_TRUE(of_key->second == planes) << "same key, different planes: " << p.fen();
    const auto [of_planes, is_new] =
        key_of_.try_emplace({p.side_to_move(), std::move(planes)}, key);
    ASSERT_TRUE(of_planes->second == key) << "same planes, different key: " << p.fen();
  }

 private:
  std::map<Seen, std::vector<float>> planes_of_;
  std::map<std::pair<Colour, std::vector<float>>, Seen> key_of_;
};

template <class B>
void shows_what_the_key_has(const GameTables<B>& game, int positions) {
  KeysAndPlanes all;
  int visited = 0;
  for_random_positions(game, 3, positions, [&](const DataPosition<B>& p, int repetitions) {
    all.add(p, repetitions);
    if (++visited % 16 != 0) return;
    // Two plies in either order lead to the same positions.
    std::vector<Move> moves = legal_moves(p);
    moves.resize(std::min<std::size_t>(moves.size(), 6));
    for (const Move m : moves) {
      DataPosition<B> next = p;
      next.play(m);
      all.add(next, 0);
      std::vector<Move> replies = legal_moves(next);
      replies.resize(std::min<std::size_t>(replies.size(), 4));
      for (const Move reply : replies) {
        DataPosition<B> after = next;
        after.play(reply);
        all.add(after, 0);
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  });
}

/// Returns how many positions were mirrored.
template <class B>
int mirrors(const GameTables<B>& game, int positions) {
  int mirrored = 0;
  for_random_positions(game, 4, positions, [&](const auto& p, int repetitions) {
    const std::vector<float> planes = encoded(p, repetitions);
    const std::vector<PolicyIndex> moves = policy_indices(p);
    std::vector<float> image = planes;
    std::vector<PolicyIndex> image_moves = moves;
    if (!DataEncoder<B>::mirror(p, image, image_moves)) {
      ASSERT_EQ(image, planes);
      ASSERT_EQ(image_moves, moves);
      return;
    }
    ++mirrored;
    std::optional<DataPosition<B>> there;
    ASSERT_NO_THROW(there = DataEncoder<B>::decode(game, image, nullptr)) << p.fen();
    ASSERT_EQ(encoded(*there, repetitions), image) << p.fen() << "\n" << there->fen();
    ASSERT_EQ(sorted(policy_indices(*there)), sorted(image_moves)) << p.fen() << "\n"
                                                                   << there->fen();
    ASSERT_TRUE(DataEncoder<B>::mirror(*there, image, image_moves));
    ASSERT_EQ(image, planes);
    ASSERT_EQ(image_moves, moves);
  });
  return mirrored;
}

/// The position as the other side sees it, from its text alone.
class TurnedFen {
 public:
  TurnedFen(const GameFile& file, const std::string& symmetry)
      : file_(file), ranks_(symmetry != "none"), files_(symmetry == "half-turn") {}

  /// Nothing where a movement of the board is remembered.
  std::optional<std::string> operator()(const std::string& fen) const {
    std::vector<std::string> fields = split(fen, ' ');
    fields[0] = pieces(fields[0]);
    fields[1] = fields[1] == "w" ? "b" : "w";
    fields[2] = castling(fields[2]);
    fields[3] = en_passant(fields[3]);
    std::size_t next = 4;
    if (file_.ends.sides[0].checks + file_.ends.sides[1].checks > 0)
      fields[next] = exchanged(fields[next], '+'), ++next;
    for (next += 2; next < fields.size(); ++next) {
      if (!fields[next].ends_with("/-")) return std::nullopt;
      fields[next] = exchanged(fields[next].substr(0, fields[next].size() - 2), ',') + "/-";
    }
    return join(fields, ' ');
  }

 private:
  static std::string exchanged(const std::string& two, char separator) {
    const std::vector<std::string> parts = split(two, separator);
    return parts[1] + separator + parts[0];
  }
  static std::string other_case(std::string text) {
    for (char& c : text)
      c = static_cast<char>(std::isupper(c) != 0 ? std::tolower(c) : std::toupper(c));
    return text;
  }
  /// Capitals first.
  static std::string sides_exchanged(const std::string& letters) {
    std::string capitals, small;
    for (const char c : other_case(letters))
      (std::isupper(c) != 0 ? capitals : small) += c;
    return capitals + small;
  }
  std::string pieces(std::string text) const {
    std::string hands;
    if (const std::size_t open = text.find('['); open != std::string::npos) {
      hands = "[" + sides_exchanged(text.substr(open + 1, text.size() - open - 2)) + "]";
      text.resize(open);
    }
    std::vector<std::string> levels = split(text, '|');
    for (std::string& level : levels) {
      std::vector<std::string> rows = split(level, '/');
      if (ranks_) std::ranges::reverse(rows);
      for (std::string& row : rows)
        if (files_) row = reversed(row);
      level = join(rows, '/');
    }
    return other_case(join(levels, '|')) + hands;
  }
  static std::string reversed(const std::string& row) {
    std::string result;
    for (std::size_t i = 0; i < row.size();) {
      std::size_t end = i + 1;
      const bool is_run = std::isdigit(row[i]) != 0;
      if (row[i] == '+') ++end;
      while (is_run && end < row.size() && std::isdigit(row[end]) != 0)
        ++end;
      result.insert(0, row.substr(i, end - i));
      i = end;
    }
    return result;
  }
  static std::string castling(const std::string& text) {
    std::vector<std::string> levels = split(text, '|');
    for (std::string& level : levels)
      level = sides_exchanged(level);
    return join(levels, '|');
  }
  std::string square(const std::string& name) const {
    const auto& rows = file_.board.rows;
    const int level = file_.board.levels.count > 1 ? name.front() - '1' : 0;
    const std::string of_level = file_.board.levels.count > 1 ? name.substr(1) : name;
    for (std::size_t r = 0; r < rows.size(); ++r)
      for (std::size_t c = 0; c < rows[r].size(); ++c)
        if (rows[r][c].name == of_level) {
          const auto& row = rows[ranks_ ? rows.size() - 1 - r : r];
          const Cell& cell = row[files_ ? row.size() - 1 - c : c];
          return file_.square_name(static_cast<Square>(cell.square + level * file_.board.squares));
        }
    ADD_FAILURE() << name;
    return "-";
  }
  std::string en_passant(const std::string& text) const {
    if (text == "-") return text;
    const std::vector<std::string> parts = split(text, '/');
    std::vector<std::string> squares = split(parts[0], '+');
    for (std::string& name : squares)
      name = square(name);
    return join(squares, '+') + (parts.size() > 1 ? "/" + square(parts[1]) : "");
  }

  const GameFile& file_;
  bool ranks_, files_;
};

template <class B>
std::vector<std::uint16_t> fast_inputs(const DataPosition<B>& p, Colour view, bool mirrored) {
  std::vector<std::uint16_t> inputs;
  DataFastEncoder<B>::inputs(p, view, mirrored, inputs);
  std::ranges::sort(inputs);
  return inputs;
}

/// Returns how many positions were turned.
template <class B>
int encodes_a_turned_position_the_same(const GameTables<B>& game, int positions) {
  const EncodingInfo& info = DataEncoder<B>::info(game);
  if (tells_who_moves(info)) return 0;
  const TurnedFen turn(game.file(), info.symmetry);
  int turned = 0;
  for_random_positions(game, 5, positions, [&](const auto& p, int) {
    const auto fen = turn(p.fen());
    if (!fen) return;
    ++turned;
    std::optional<DataPosition<B>> there;
    ASSERT_NO_THROW(there = DataPosition<B>::from_fen(game, *fen)) << p.fen() << "\n" << *fen;
    ASSERT_EQ(encoded(*there, 1), encoded(p, 1)) << p.fen() << "\n" << *fen;
    ASSERT_EQ(sorted(policy_indices(*there)), sorted(policy_indices(p))) << p.fen();
    for (const Colour view : {Colour::White, Colour::Black})
      ASSERT_EQ(fast_inputs(*there, ~view, false), fast_inputs(p, view, false)) << p.fen();
  });
  return turned;
}

template <class B>
void gives_fast_networks_what_they_need(const GameTables<B>& game, int positions) {
  const FastLayout layout = DataFastEncoder<B>::layout(game);
  ASSERT_LT(layout.inputs(), 65536U);
  const EncodingInfo& info = DataEncoder<B>::info(game);
  for_random_positions(game, 6, positions, [&](const auto& p, int) {
    for (const Colour view : {Colour::White, Colour::Black})
      for (const bool mirrored : {false, true}) {
        const std::vector<std::uint16_t> inputs = fast_inputs(p, view, mirrored);
        ASSERT_EQ(std::ranges::adjacent_find(inputs), inputs.end());
        ASSERT_LT(inputs.back(), layout.inputs());
        std::size_t begin = 0;
        int pieces = 0;
        for (const FastInputGroup& group : layout.groups) {
          const std::size_t end = begin + static_cast<std::size_t>(group.size);
          std::set<int> cells;
          for (const std::uint16_t input : inputs)
            if (input >= begin && input < end) cells.insert(static_cast<int>(input - begin));
          if (!group.by_cell) {
            ASSERT_EQ(cells.size(), 1U) << group.name;
          } else if (group.name != "gaps" && group.size == info.policy_cells()) {
            pieces += static_cast<int>(cells.size());
          }
          begin = end;
        }
        if (info.levels == 1 || !any(game.gaps)) {
          ASSERT_EQ(pieces, count(p.occupied())) << p.fen();
        }
      }
  });
}

template <class B>
void describes_itself(const GameTables<B>& game) {
  const EncodingInfo& info = DataEncoder<B>::info(game);
  const auto unique = [](const std::vector<std::string>& names) {
    return std::set<std::string>(names.begin(), names.end()).size() == names.size();
  };
  EXPECT_TRUE(unique(info.planes));
  EXPECT_TRUE(unique(info.policy_kinds));
  EXPECT_EQ(info.squares.size(), game.squares);
  const auto start = DataPosition<B>::start(game);
  for (Square s = 0; s < game.squares; ++s)
    EXPECT_EQ(info.squares[s].cell, DataEncoder<B>::policy_cell(start, s));
}

// ------------------------------------------------------------------------------------- the tests

/// How games look to Black, and whether they are the same with left and right exchanged.
struct Symmetries {
  std::string game;
  std::string symmetry;
  bool tells_who_moves;
  bool mirrors;
};

TEST(DataEncoding, FindsSymmetries) {
  const std::vector<Symmetries> expected = {
      {"chess", "mirror", false, true},          {"chess960", "mirror", false, true},
      {"crazyhouse", "mirror", false, true},     {"shogi", "half-turn", false, true},
      {"escher", "half-turn", false, false},     {"xiangqi", "mirror", false, true},
      {"inferno-makruk", "mirror", false, true}, {"inferno-escher", "half-turn", false, false},
      {"shifting", "mirror", false, true},       {"carousel", "mirror", true, false},
      {"quadrants", "mirror", true, false},      {"courier", "mirror", false, false},
      {"horde", "mirror", true, true},           {"racing-kings", "none", true, true},
      {"slanted-ultra", "none", true, true},     {"spartan", "mirror", true, true},
      {"earthquake", "half-turn", true, false}};
  for (const Symmetries& of : expected)
    with_tables(game_file(of.game), [&]<class B>(const GameTables<B>& game) {
      const EncodingInfo& info = DataEncoder<B>::info(game);
      EXPECT_EQ(info.symmetry, of.symmetry) << of.game;
      EXPECT_EQ(tells_who_moves(info), of.tells_who_moves) << of.game;
      EXPECT_EQ(mirrors(game, 100) > 0, of.mirrors) << of.game;
    });
}

/// Planes by name.
std::map<std::string, std::vector<float>> by_name(const EncodingInfo& info,
                                                  const std::vector<float>& planes) {
  std::map<std::string, std::vector<float>> result;
  const auto cells = static_cast<std::ptrdiff_t>(info.cells());
  for (std::size_t i = 0; i < info.planes.size(); ++i) {
    const auto begin = planes.begin() + static_cast<std::ptrdiff_t>(i) * cells;
    result[info.planes[i]] = {begin, begin + cells};
  }
  return result;
}

/// A move by cells and the kind's name.
std::tuple<int, int, std::string> named(const EncodingInfo& info, PolicyIndex i) {
  return {i.from, i.to, info.policy_kinds[static_cast<std::size_t>(i.kind)]};
}

/// Compiled families and the same games from files look alike.
template <class P>
void looks_like(const std::string& variant_name, const std::string& file) {
  const auto& variant = P::variant(parse_variant_name(variant_name));
  const EncodingInfo& of_family = Encoder<P>::info(variant);
  with_tables(game_file(file), [&]<class B>(const GameTables<B>& game) {
    const EncodingInfo& info = DataEncoder<B>::info(game);
    EXPECT_EQ(info.symmetry, of_family.symmetry);
    EXPECT_EQ(info.board_changes, of_family.board_changes);
    EXPECT_EQ(info.squares, of_family.squares);
    for_random_positions(game, 7, 150, [&](const auto& p, int repetitions) {
      const P family = P::from_fen(variant, p.fen());
      std::vector<float> planes(of_family.floats());
      Encoder<P>::encode(family, repetitions, planes);
      ASSERT_EQ(by_name(of_family, planes), by_name(info, encoded(p, repetitions))) << p.fen();
      for (const Move move : legal_moves(p)) {
        const auto same = family.parse_move(p.move_text(move));
        ASSERT_TRUE(same.has_value());
        ASSERT_EQ(named(of_family, Encoder<P>::policy_index(family, *same)),
                  named(info, DataEncoder<B>::policy_index(p, move)));
      }
    });
  });
}

TEST(DataEncoding, ShowsFilesOfCompiledFamiliesAsTheseDo) {
  looks_like<ChessPosition>("chess", "chess");
  looks_like<GardnerPosition>("gardner", "gardner");
  looks_like<ShiftingPosition>("shifting", "shifting");
  looks_like<InfernoPosition>("inferno", "inferno5");
}

TEST(DataEncoding, EncodesRandomGames) {
  constexpr std::uint64_t kGamesTried = test::effort(60);
  constexpr int kPositions = 40;
  int encoded_games = 0, turned = 0, mirrored = 0;
  for (std::uint64_t seed = 0; seed < kGamesTried; ++seed) {
    SCOPED_TRACE(seed);
    const LoadedGame loaded = load_game_text(test::random_game_file(seed), "random.toml");
    if (loaded.has_errors()) continue;
    try {
      with_tables(*loaded.game, [&]<class B>(const GameTables<B>& game) {
        DataPosition<B>::start(game);
        describes_itself(game);
        decodes_what_it_encodes(game, kPositions);
        if (HasFatalFailure()) return;
        gives_moves_distinct_indices(game, kPositions);
        if (HasFatalFailure()) return;
        shows_what_the_key_has(game, kPositions);
        if (HasFatalFailure()) return;
        mirrored += mirrors(game, kPositions) > 0 ? 1 : 0;
        if (HasFatalFailure()) return;
        turned += encodes_a_turned_position_the_same(game, kPositions) > 0 ? 1 : 0;
        if (HasFatalFailure()) return;
        gives_fast_networks_what_they_need(game, kPositions / 4);
        ++encoded_games;
      });
    } catch (const GameLimit&) {
    } catch (const FenError&) {  // a side is in check at the start
    }
  }
  EXPECT_GT(encoded_games, test::effort(30));
  RecordProperty("turned", turned);
  RecordProperty("mirrored", mirrored);
}

class ShippedGame : public testing::TestWithParam<std::string> {};

TEST_P(ShippedGame, IsEncoded) {
  constexpr int kPositions = test::effort(300);
  with_tables(game_file(GetParam()), [&](const auto& game) {
    describes_itself(game);
    decodes_what_it_encodes(game, kPositions);
    if (HasFatalFailure()) return;
    gives_moves_distinct_indices(game, kPositions);
    if (HasFatalFailure()) return;
    shows_what_the_key_has(game, kPositions);
    if (HasFatalFailure()) return;
    const int mirrored = mirrors(game, kPositions);
    if (HasFatalFailure()) return;
    const int turned = encodes_a_turned_position_the_same(game, kPositions);
    if (HasFatalFailure()) return;
    gives_fast_networks_what_they_need(game, kPositions / 4);
    RecordProperty("mirrored", mirrored);
    RecordProperty("turned", turned);
  });
}
INSTANTIATE_TEST_SUITE_P(Games, ShippedGame, testing::ValuesIn(shipped_games()),
                         [](const auto& game) {
                           std::string name = game.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace faultline::data
