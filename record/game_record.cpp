// Serialisation of a finished game.
//
//   number, network's steps     varints
//   network's hash              8 bytes, little-endian
//   start FEN                   varint length, characters
//   outcome | resigned << 7     one byte
//   plies                       varint
//   moves                       4 bytes each, little-endian
//   searched flags              one bit per ply, whole bytes
//   target flags                one bit per ply, whole bytes
//   for each searched ply:      win, draw (2 bytes each)
//   for each target:            varint count, that many varint policy weights
//   for each target:            surprise (2 bytes)
//   asides                      varint
//   for each:                   ply, number of moves (varints), moves (4 bytes each), win, draw
//                               (2 bytes each)
//
// Columns of similar values and mostly one-byte weights compress well.
//
// Version 3 has no asides. Version 2 has no surprises. Version 1 has no hash and no searched flags
// either: its searched plies are its targets, and each target's value comes before its weights.
#include "record/game_record.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace faultline {
namespace {

constexpr std::uint8_t kResigned = 0x80;

class Writer {
 public:
  void byte(std::uint32_t value) { bytes_.push_back(static_cast<std::byte>(value & 0xff)); }
  void fixed(std::uint64_t value, int width) {
    for (int i = 0; i < width; ++i)
      byte(static_cast<std::uint32_t>(value >> (8 * i) & 0xff));
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
  /// One flag per ply, eight to a byte.
  void flags(const std::vector<PlyRecord>& plies, bool PlyRecord::*flag) {
    for (std::size_t i = 0; i < plies.size(); i += 8) {
      std::uint32_t bits = 0;
      for (std::size_t j = i; j < std::min(i + 8, plies.size()); ++j)
        bits |= (plies[j].*flag ? 1U : 0U) << (j - i);
      byte(bits);
    }
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
  template <class T>
  T fixed() {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i)
      value |= std::uint64_t{byte()} << (8 * i);
    return static_cast<T>(value);
  }
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const std::uint64_t next = byte();
      if (shift == 63 && next > 1) break;
      value |= (next & 0x7f) << shift;
      if (next < 0x80) return value;
    }
    throw ReplayError("game record: a number is longer than 64 bits");
  }
  std::uint32_t weight() {
    const std::uint64_t value = varint();
    if (value > std::numeric_limits<std::uint32_t>::max())
      throw ReplayError("game record: a policy weight is longer than 32 bits");
    return static_cast<std::uint32_t>(value);
  }
  /// A count of items that take at least `least_bits` bits each; bounded, so that malformed input
  /// cannot request more memory than the length of the record justifies.
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
  /// One flag per ply, eight to a byte.
  void flags(std::vector<PlyRecord>& plies, bool PlyRecord::*flag) {
    for (std::size_t i = 0; i < plies.size(); i += 8) {
      const std::uint32_t bits = byte();
      for (std::size_t j = i; j < std::min(i + 8, plies.size()); ++j)
        plies[j].*flag = (bits >> (j - i) & 1) != 0;
    }
  }
  bool at_end() const { return at_ == bytes_.size(); }

 private:
  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
};

/// Into `win` and `draw` of a PlyRecord or an Aside.
template <class Valued>
void read_value(Reader& in, Valued& valued) {
  valued.win = in.fixed<std::uint16_t>();
  valued.draw = in.fixed<std::uint16_t>();
  if (valued.win + valued.draw > 65535)
    throw ReplayError("game record: a root value sums to more than 1");
}

void write_asides(Writer& out, const std::vector<PlyRecord>& plies) {
  std::size_t count = 0;
  for (const PlyRecord& ply : plies)
    count += ply.asides.size();
  out.varint(count);
  for (std::size_t i = 0; i < plies.size(); ++i)
    for (const Aside& aside : plies[i].asides) {
      out.varint(i);
      out.varint(aside.moves.size());
      for (const Move move : aside.moves)
        out.fixed(move.bits(), 4);
      out.fixed(aside.win, 2);
      out.fixed(aside.draw, 2);
    }
}

void read_asides(Reader& in, std::vector<PlyRecord>& plies) {
  for (std::size_t left = in.count(48); left > 0; --left) {
    const std::uint64_t ply = in.varint();
    if (ply >= plies.size()) throw ReplayError("game record: an aside of a ply that is not there");
    Aside aside;
    aside.moves.resize(in.count(32));
    if (aside.moves.empty()) throw ReplayError("game record: an aside without moves");
    for (Move& move : aside.moves)
      move = Move::from_bits(in.fixed<std::uint32_t>());
    read_value(in, aside);
    plies[ply].asides.push_back(std::move(aside));
  }
}

void read_policy(Reader& in, PlyRecord& ply) {
  ply.policy.resize(in.count(8));
  bool any = false;
  for (std::uint32_t& weight : ply.policy) {
    weight = in.weight();
    any = any || weight > 0;
  }
  if (!any) throw ReplayError("game record: a policy target whose weights are all 0");
}

}  // namespace

std::uint32_t GameRecord::target_count() const {
  std::size_t count = 0;
  for (const PlyRecord& ply : plies)
    count += ply.asides.size() + (ply.target ? 1 : 0);
  return static_cast<std::uint32_t>(count);
}

std::uint16_t pack_probability(float p) {
  return static_cast<std::uint16_t>(std::lround(std::clamp(p, 0.0F, 1.0F) * 65535.0F));
}

float unpack_probability(std::uint16_t packed) {
  return static_cast<float>(packed) / 65535.0F;
}

std::uint16_t pack_surprise(double nats) {
  const double units = std::round(nats / kSurpriseUnit);
  return static_cast<std::uint16_t>(
      std::clamp(units, 0.0, double{std::numeric_limits<std::uint16_t>::max()}));
}

float unpack_surprise(std::uint16_t packed) {
  return static_cast<float>(packed) * kSurpriseUnit;
}

std::vector<std::byte> encode_game(const GameRecord& game) {
  Writer out;
  out.varint(game.number);
  out.varint(static_cast<std::uint64_t>(game.net.steps));
  out.fixed(game.net.hash, 8);
  out.text(game.start_fen);
  out.byte(static_cast<std::uint32_t>(game.outcome) | (game.resigned ? kResigned : 0U));
  out.varint(game.plies.size());
  for (const PlyRecord& ply : game.plies)
    out.fixed(ply.move.bits(), 4);
  out.flags(game.plies, &PlyRecord::searched);
  out.flags(game.plies, &PlyRecord::target);
  for (const PlyRecord& ply : game.plies) {
    if (!ply.searched) continue;
    out.fixed(ply.win, 2);
    out.fixed(ply.draw, 2);
  }
  for (const PlyRecord& ply : game.plies) {
    if (!ply.target) continue;
    out.varint(ply.policy.size());
    for (const std::uint32_t weight : ply.policy)
      out.varint(weight);
  }
  for (const PlyRecord& ply : game.plies)
    if (ply.target) out.fixed(ply.surprise, 2);
  write_asides(out, game.plies);
  return out.take();
}

GameRecord decode_game(std::span<const std::byte> bytes, std::uint32_t version) {
  if (version < 1 || version > kRecordVersion)
    throw ReplayError(fmt::format("game record: version {}; this program reads 1 to {}", version,
                                  kRecordVersion));
  Reader in(bytes);
  GameRecord game;
  game.number = in.varint();
  const std::uint64_t steps = in.varint();
  if (steps > std::numeric_limits<std::int64_t>::max())
    throw ReplayError("game record: the network's step count is too large");
  game.net.steps = static_cast<std::int64_t>(steps);
  if (version > 1) game.net.hash = in.fixed<std::uint64_t>();
  game.start_fen = in.text();
  const std::uint32_t outcome = in.byte();
  game.resigned = (outcome & kResigned) != 0;
  if ((outcome & ~std::uint32_t{kResigned}) > static_cast<std::uint32_t>(Outcome::Adjudicated))
    throw ReplayError("game record: unknown outcome");
  game.outcome = static_cast<Outcome>(outcome & ~std::uint32_t{kResigned});
  const std::size_t plies = in.count(33);
  if (plies > kMostPlies)
    throw ReplayError(fmt::format("game record: {} plies; the maximum is {}", plies, kMostPlies));
  game.plies.resize(plies);
  for (PlyRecord& ply : game.plies)
    ply.move = Move::from_bits(in.fixed<std::uint32_t>());
  if (version > 1) in.flags(game.plies, &PlyRecord::searched);
  in.flags(game.plies, &PlyRecord::target);
  if (version > 1) {
    for (PlyRecord& ply : game.plies) {
      if (ply.target && !ply.searched)
        throw ReplayError("game record: a training target that was not searched");
      if (ply.searched) read_value(in, ply);
    }
  }
  for (PlyRecord& ply : game.plies) {
    if (!ply.target) continue;
    if (version == 1) {
      read_value(in, ply);
      ply.searched = true;
    }
    read_policy(in, ply);
  }
  if (version > 2)
    for (PlyRecord& ply : game.plies)
      if (ply.target) ply.surprise = in.fixed<std::uint16_t>();
  if (version > 3) read_asides(in, game.plies);
  if (!in.at_end()) throw ReplayError("game record: extra bytes at its end");
  return game;
}

}  // namespace faultline
