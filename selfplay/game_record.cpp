// The bytes of a finished game.
//
//   number, net_steps           varints
//   start FEN                   varint length, characters
//   outcome | resigned << 7     one byte
//   plies                       varint
//   moves                       4 bytes each, little-endian
//   target flags                one bit a ply, whole bytes
//   then for each target:       win, draw (2 bytes each), varint count, that many varint visits
//
// Columns of like values and mostly one-byte counts are what the store's compression feeds on.
#include "selfplay/game_record.h"

#include <algorithm>
#include <cmath>

namespace faultline {
namespace {

constexpr std::uint8_t kResigned = 0x80;

class Writer {
 public:
  void byte(std::uint32_t value) { bytes_.push_back(static_cast<std::byte>(value & 0xff)); }
  void fixed(std::uint32_t value, int width) {
    for (int i = 0; i < width; ++i)
      byte(value >> (8 * i));
  }
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7)
      byte(static_cast<std::uint32_t>(value & 0x7f) | 0x80U);
    byte(static_cast<std::uint32_t>(value));
  }
  void text(const std::string& value) {
    varint(value.size());
    for (const char c : value)
      byte(static_cast<unsigned char>(c));
  }
  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
};

class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  std::uint32_t byte() {
    if (at_ >= bytes_.size()) throw ReplayError("game record: ends too early");
    return std::to_integer<std::uint32_t>(bytes_[at_++]);
  }
  std::uint32_t fixed(int width) {
    std::uint32_t value = 0;
    for (int i = 0; i < width; ++i)
      value |= byte() << (8 * i);
    return value;
  }
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const std::uint64_t next = byte();
      value |= (next & 0x7f) << shift;
      if (next < 0x80) return value;
    }
    throw ReplayError("game record: a number is longer than 64 bits");
  }
  /// A count of things that take at least `least_bits` bits each, so that nonsense cannot ask for
  /// more memory than the record is long.
  std::size_t count(std::size_t least_bits) {
    const std::uint64_t value = varint();
    if (value > (bytes_.size() - at_) * 8 / least_bits)
      throw ReplayError("game record: a count is larger than the record");
    return static_cast<std::size_t>(value);
  }
  std::string text() {
    std::string value(count(8), ' ');
    for (char& c : value)
      c = static_cast<char>(byte());
    return value;
  }
  bool at_end() const { return at_ == bytes_.size(); }

 private:
  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
};

}  // namespace

std::uint32_t GameRecord::target_count() const {
  return static_cast<std::uint32_t>(
      std::count_if(plies.begin(), plies.end(), [](const PlyRecord& ply) { return ply.target; }));
}

std::uint16_t pack_probability(float p) {
  return static_cast<std::uint16_t>(std::lround(std::clamp(p, 0.0F, 1.0F) * 65535.0F));
}

float unpack_probability(std::uint16_t packed) {
  return static_cast<float>(packed) / 65535.0F;
}

std::vector<std::byte> encode_game(const GameRecord& game) {
  Writer out;
  out.varint(game.number);
  out.varint(static_cast<std::uint64_t>(game.net_steps));
  out.text(game.start_fen);
  out.byte(static_cast<std::uint32_t>(game.outcome) | (game.resigned ? kResigned : 0U));
  out.varint(game.plies.size());
  for (const PlyRecord& ply : game.plies)
    out.fixed(ply.move.bits(), 4);
  for (std::size_t i = 0; i < game.plies.size(); i += 8) {
    std::uint32_t flags = 0;
    for (std::size_t j = i; j < std::min(i + 8, game.plies.size()); ++j)
      flags |= (game.plies[j].target ? 1U : 0U) << (j - i);
    out.byte(flags);
  }
  for (const PlyRecord& ply : game.plies) {
    if (!ply.target) continue;
    out.fixed(ply.win, 2);
    out.fixed(ply.draw, 2);
    out.varint(ply.visits.size());
    for (const std::uint32_t visits : ply.visits)
      out.varint(visits);
  }
  return out.take();
}

GameRecord decode_game(std::span<const std::byte> bytes) {
  Reader in(bytes);
  GameRecord game;
  game.number = in.varint();
  game.net_steps = static_cast<std::int64_t>(in.varint());
  game.start_fen = in.text();
  const std::uint32_t outcome = in.byte();
  game.resigned = (outcome & kResigned) != 0;
  if ((outcome & ~std::uint32_t{kResigned}) > static_cast<std::uint32_t>(Outcome::Adjudicated))
    throw ReplayError("game record: unknown outcome");
  game.outcome = static_cast<Outcome>(outcome & ~std::uint32_t{kResigned});
  game.plies.resize(in.count(33));
  for (PlyRecord& ply : game.plies)
    ply.move = Move::from_bits(in.fixed(4));
  for (std::size_t i = 0; i < game.plies.size(); i += 8) {
    const std::uint32_t flags = in.byte();
    for (std::size_t j = i; j < std::min(i + 8, game.plies.size()); ++j)
      game.plies[j].target = (flags >> (j - i) & 1) != 0;
  }
  for (PlyRecord& ply : game.plies) {
    if (!ply.target) continue;
    ply.win = static_cast<std::uint16_t>(in.fixed(2));
    ply.draw = static_cast<std::uint16_t>(in.fixed(2));
    ply.visits.resize(in.count(8));
    for (std::uint32_t& visits : ply.visits)
      visits = static_cast<std::uint32_t>(in.varint());
  }
  if (!in.at_end()) throw ReplayError("game record: bytes left over at its end");
  return game;
}

}  // namespace faultline
