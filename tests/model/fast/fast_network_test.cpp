// Fast networks: their inputs, what they compute, and their files.
#include "model/fast/fast_network.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/encoding/encoders.h"
#include "model/fast/fast_encoder.h"
#include "model/fast/fast_file.h"
#include "rules/families.h"
#include "tests/model/random_positions.h"
#include "tests/temporary_folder.h"

namespace faultline {
namespace {

using test::random_positions;
using test::TemporaryFolder;

template <class P>
class FastNetworkOfFamily : public testing::Test {
 public:
  static const typename P::Variant& variant() {
    return P::variant(VariantName{P::info().name, {}});
  }
  static std::vector<std::uint16_t> inputs(const P& position, Colour view) {
    std::vector<std::uint16_t> inputs;
    FastEncoder<P>::inputs(position, view, false, inputs);
    return inputs;
  }
  static FastNetwork random_network(std::uint64_t seed) {
    FastTrainer trainer(FastEncoder<P>::layout(variant()), seed);
    std::vector<float> values(trainer.parameters().size());
    std::mt19937_64 rng(seed);
    std::normal_distribution<float> normal(0, 0.2F);
    for (float& value : values)
      value = normal(rng);
    const std::vector<float> none(values.size());
    trainer.restore(1, values, none, none);
    return trainer.network(variant().canonical_name());
  }
};

template <class Tuple>
struct TypesOf;
template <class... P>
struct TypesOf<std::tuple<P...>> {
  using type = testing::Types<P...>;
};
TYPED_TEST_SUITE(FastNetworkOfFamily, typename TypesOf<CompiledFamilies>::type);

/// By the description in fast_network.h, in wide numbers.
int score_by_definition(const FastNetwork& net, const std::vector<std::uint16_t>& own,
                        const std::vector<std::uint16_t>& enemy) {
  std::int64_t direct = 0, sum = 0;
  for (const int side : {0, 1}) {
    std::array<std::int64_t, kFastHidden> hidden{};
    std::ranges::copy(net.bias, hidden.begin());
    for (const std::uint16_t input : side == 0 ? own : enemy) {
      direct += (side == 0 ? 1 : -1) * net.direct[input];
      for (std::size_t h = 0; h < kFastHidden; ++h)
        hidden[h] += net.first[input * kFastHidden + h];
    }
    for (std::size_t h = 0; h < kFastHidden; ++h) {
      EXPECT_LE(std::abs(hidden[h]), 32767);
      sum += std::clamp<std::int64_t>(hidden[h], 0, net.scale) *
             net.second[static_cast<std::size_t>(side) * kFastHidden + h];
    }
  }
  return static_cast<int>(direct / 32 + sum / (8 * net.scale) + net.output);
}

TYPED_TEST(FastNetworkOfFamily, ScoresAsItsDescriptionSays) {
  using P = TypeParam;
  const auto net = std::make_shared<const FastNetwork>(this->random_network(3));
  const auto evaluation = FastEncoder<P>::evaluation(this->variant(), net);
  std::set<int> scores;
  for (const auto& sample : random_positions<P>(300, 1)) {
    const Colour mover = sample.position.side_to_move();
    const int score = evaluation->evaluate(sample.position);
    EXPECT_EQ(score, score_by_definition(*net, this->inputs(sample.position, mover),
                                         this->inputs(sample.position, ~mover)));
    scores.insert(score);
  }
  EXPECT_GT(scores.size(), 100U);
}

TYPED_TEST(FastNetworkOfFamily, InputsAreDistinctAndWithinTheLayout) {
  using P = TypeParam;
  const FastLayout layout = FastEncoder<P>::layout(this->variant());
  for (const auto& sample : random_positions<P>(200, 2))
    for (const Colour view : {Colour::White, Colour::Black}) {
      const std::vector<std::uint16_t> inputs = this->inputs(sample.position, view);
      EXPECT_EQ(std::set(inputs.begin(), inputs.end()).size(), inputs.size());
      EXPECT_LT(*std::ranges::max_element(inputs), layout.inputs());
      std::size_t pieces = 0;
      sample.position.for_each_piece([&](Colour, PieceType, Square) { ++pieces; });
      EXPECT_GE(inputs.size(), pieces);
    }
}

/// The planes of the mover's pieces are the inputs, one for each that is not 0.
TYPED_TEST(FastNetworkOfFamily, PiecesAreThoseOfThePlanes) {
  using P = TypeParam;
  const EncodingInfo& encoding = Encoder<P>::info(this->variant());
  const FastLayout layout = FastEncoder<P>::layout(this->variant());
  std::map<std::string, std::size_t> first;
  std::size_t next = 0;
  for (const FastInputGroup& group : layout.groups) {
    first[group.name] = next;
    next += static_cast<std::size_t>(group.size);
  }
  const auto levels = static_cast<std::size_t>(encoding.levels);
  const auto cells = static_cast<std::size_t>(encoding.cells());
  std::vector<float> planes(encoding.floats());
  for (const auto& sample : random_positions<P>(100, 3)) {
    const Colour mover = sample.position.side_to_move();
    Encoder<P>::encode(sample.position, sample.repetitions, planes);
    const std::string view =
        encoding.symmetry == "none" && mover == Colour::Black ? "Black's view: " : "";
    std::set<std::uint16_t> expected;
    for (std::size_t plane = 0; plane < encoding.planes.size(); ++plane) {
      std::string name = encoding.planes[plane];
      std::size_t level = 0;
      if (name.starts_with("level ")) {
        level = static_cast<std::size_t>(std::stoi(name.substr(6))) - 1;
        name = name.substr(name.find(": ") + 2);
      }
      const auto group = first.find(view + name);
      if (group == first.end() || (!name.starts_with("own ") && !name.starts_with("enemy ")) ||
          name.find('/') != std::string::npos)
        continue;
      for (std::size_t cell = 0; cell < cells; ++cell)
        if (planes[plane * cells + cell] != 0)
          expected.insert(static_cast<std::uint16_t>(group->second + cell * levels + level));
    }
    const std::vector<std::uint16_t> all = this->inputs(sample.position, mover);
    std::size_t pieces = 0;
    sample.position.for_each_piece([&](Colour, PieceType, Square) { ++pieces; });
    EXPECT_EQ(std::set(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(pieces)), expected);
  }
}

TYPED_TEST(FastNetworkOfFamily, FilesHoldTheWholeNetwork) {
  const FastNetwork net = this->random_network(5);
  EXPECT_EQ(read_fast_network(fast_network_file(net), "file"), net);
}

TEST(FastNetwork, LearnsWhatMaterialIsWorth) {
  using P = ChessPosition;
  const auto& variant = P::variant(VariantName{"chess", {}});
  FastTrainer trainer(FastEncoder<P>::layout(variant), 1);
  const auto balance = [](const P& position) {
    int queens = 0;
    position.for_each_piece([&](Colour c, PieceType t, Square) {
      if (t == PieceType::Queen) queens += c == position.side_to_move() ? 1 : -1;
    });
    return queens;
  };
  FastBatch batch;
  const auto samples = random_positions<P>(2'000, 7);
  for (const auto& sample : samples) {
    const Colour mover = sample.position.side_to_move();
    for (const Colour view : {mover, ~mover}) {
      FastEncoder<P>::inputs(sample.position, view, false, batch.inputs);
      batch.first.push_back(static_cast<std::uint32_t>(batch.inputs.size()));
    }
    batch.expected.push_back(
        0.5F + 0.4F * static_cast<float>(std::clamp(balance(sample.position), -1, 1)));
  }
  const auto net = [&] { return std::make_shared<const FastNetwork>(trainer.network("chess")); };
  EXPECT_EQ(FastEncoder<P>::evaluation(variant, net())->evaluate(samples[50].position), 0)
      << "before it has learned";
  const double before = trainer.evaluate(batch);
  for (int i = 0; i < 150; ++i)
    trainer.step(batch, 0.01);
  EXPECT_LT(trainer.evaluate(batch), before - 0.02);
  const auto evaluation = FastEncoder<P>::evaluation(variant, net());
  const P up = P::from_fen(variant, "4k3/8/8/8/8/8/8/3QK3 w - - 0 1");
  const P down = P::from_fen(variant, "3qk3/8/8/8/8/8/8/4K3 w - - 0 1");
  EXPECT_GT(evaluation->evaluate(up), 100);
  EXPECT_LT(evaluation->evaluate(down), -100);
}

TEST(FastNetwork, GoesOnAsIfItHadNotStopped) {
  using P = EscherPosition;
  const auto& variant = P::variant(VariantName{"escher", {}});
  FastBatch batch;
  for (const auto& sample : random_positions<P>(64, 7)) {
    const Colour mover = sample.position.side_to_move();
    for (const Colour view : {mover, ~mover}) {
      FastEncoder<P>::inputs(sample.position, view, false, batch.inputs);
      batch.first.push_back(static_cast<std::uint32_t>(batch.inputs.size()));
    }
    batch.expected.push_back(static_cast<float>(batch.expected.size() % 3) / 2);
  }
  FastTrainer whole(FastEncoder<P>::layout(variant), 1);
  for (int i = 0; i < 20; ++i)
    whole.step(batch, 0.01);
  FastTrainer first(FastEncoder<P>::layout(variant), 1);
  for (int i = 0; i < 10; ++i)
    first.step(batch, 0.01);
  CheckpointFile file;
  write_fast_training(file, first);
  auto second = read_fast_training(file, "net.pt");
  ASSERT_TRUE(second.has_value());
  for (int i = 0; i < 10; ++i)
    second->step(batch, 0.01);
  EXPECT_EQ(second->parameters(), whole.parameters());
  EXPECT_EQ(second->steps(), 20);
}

TEST(FastNetwork, ANetworkOfAnotherBoardIsRefused) {
  using P = InfernoPosition;
  const auto& two = P::variant(parse_variant_name("inferno:levels=2"));
  const auto& five = P::variant(parse_variant_name("inferno:levels=5"));
  FastTrainer trainer(FastEncoder<P>::layout(two), 1);
  const auto net = std::make_shared<const FastNetwork>(trainer.network("inferno:levels=2"));
  EXPECT_NO_THROW(FastEncoder<P>::evaluation(two, net));
  EXPECT_THROW(FastEncoder<P>::evaluation(five, net), FastNetworkError);
}

TEST(FastNetwork, DamagedFilesAreRefusedWithTheirName) {
  const TemporaryFolder place;
  FastTrainer trainer(
      FastEncoder<GardnerPosition>::layout(GardnerPosition::variant(VariantName{"gardner", {}})),
      1);
  const std::string whole = fast_network_file(trainer.network("gardner"));
  const std::filesystem::path path = place.path() / "net.safetensors";
  const auto refusal = [&](const std::string& bytes) -> std::string {
    std::ofstream(path, std::ios::binary) << bytes;
    try {
      load_fast_network(path);
    } catch (const FastNetworkError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal(whole), "");
  for (std::size_t size = 0; size < whole.size(); size += size < 2'000 ? 37 : 1'999)
    EXPECT_NE(refusal(whole.substr(0, size)).find(path.string()), std::string::npos) << size;
  std::string other = whole;
  const std::size_t at = other.find("I16");
  other.replace(at, 3, "I17");
  EXPECT_NE(refusal(other).find("I17"), std::string::npos);
  other = whole;
  const std::size_t scale = other.find("\\\"scale\\\":");
  ASSERT_NE(scale, std::string::npos);
  other[scale + 10] = '9';
  EXPECT_NE(refusal(other).find("'scale'"), std::string::npos);
}

}  // namespace
}  // namespace faultline
