// A run's metrics for TensorBoard: a file of its events, beside metrics.jsonl.
#include "selfplay/tensorboard_events.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <map>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace faultline {
namespace {

/// Castagnoli's polynomial, reflected.
std::uint32_t crc32c(std::string_view bytes) {
  static const std::array<std::uint32_t, 256> table = [] {
    std::array<std::uint32_t, 256> t{};
    for (std::uint32_t i = 0; i < t.size(); ++i) {
      t[i] = i;
      for (int bit = 0; bit < 8; ++bit)
        t[i] = (t[i] >> 1) ^ ((t[i] & 1) != 0 ? 0x82f63b78U : 0U);
    }
    return t;
  }();
  std::uint32_t crc = ~0U;
  for (const char c : bytes)
    crc = table[(crc ^ static_cast<unsigned char>(c)) & 0xffU] ^ (crc >> 8);
  return ~crc;
}
/// The checksum as records store it: masked, so that the checksum of a record that has checksums is
/// not trivial.
std::uint32_t masked_crc(std::string_view bytes) {
  return std::rotr(crc32c(bytes), 15) + 0xa282ead8U;
}

template <class Unsigned>
void append_little_endian(Unsigned value, std::string& out) {
  for (std::size_t i = 0; i < sizeof value; ++i)
    out += static_cast<char>((value >> (8 * i)) & 0xffU);
}

// Protocol Buffers' wire format, as far as events need it.
enum class WireType : std::uint8_t { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };

void append_varint(std::uint64_t value, std::string& out) {
  for (; value >= 0x80; value >>= 7)
    out += static_cast<char>((value & 0x7fU) | 0x80U);
  out += static_cast<char>(value);
}
void append_key(std::uint32_t field, WireType type, std::string& out) {
  append_varint(field << 3 | static_cast<std::uint32_t>(type), out);
}
void append_bytes(std::uint32_t field, std::string_view bytes, std::string& out) {
  append_key(field, WireType::Bytes, out);
  append_varint(bytes.size(), out);
  out += bytes;
}

/// Event.wall_time, the first field of every event.
std::string event_at(double seconds) {
  std::string event;
  append_key(1, WireType::Fixed64, event);
  append_little_endian(std::bit_cast<std::uint64_t>(seconds), event);
  return event;
}

std::string record(std::string_view message) {
  std::string out;
  append_little_endian(std::uint64_t{message.size()}, out);
  append_little_endian(masked_crc(out), out);
  out += message;
  append_little_endian(masked_crc(message), out);
  return out;
}

/// A record by which TensorBoard hides what earlier files have of this step and later ones.
std::string restart_record(double seconds, std::int64_t step) {
  std::string session;
  append_key(1, WireType::Varint, session);  // SessionLog.status
  append_varint(1, session);                 // START
  std::string event = event_at(seconds);
  append_key(2, WireType::Varint, event);  // Event.step
  append_varint(static_cast<std::uint64_t>(step), event);
  append_bytes(7, session, event);  // Event.session_log
  return record(event);
}

constexpr std::string_view kFile = "events.out.tfevents.";

/// A new file of the folder, which TensorBoard, ordering files by name, reads after those that are
/// there: its number is the time, or that of the last file plus one if the clock is behind it.
std::filesystem::path next_file(const std::filesystem::path& folder, double seconds) {
  auto number = static_cast<std::uint64_t>(seconds);
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    std::uint64_t there = 0;
    if (name.starts_with(kFile) &&
        std::from_chars(name.data() + kFile.size(), name.data() + name.size(), there).ec ==
            std::errc())
      number = std::max(number, there + 1);
  }
  return folder / fmt::format("{}{}.faultline", kFile, number);
}

double now() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace

Scalars scalars_of(const nlohmann::ordered_json& metrics) {
  static const std::map<std::string, std::string, std::less<>> tags = {
      {"games", "run/games"},
      {"positions", "run/positions"},
      {"evaluations", "run/evaluations"},
      {"window", "run/window"},
      {"lag", "run/lag"},
      {"learning_rate", "run/learning_rate"},
      {"games_per_second", "speed/games_per_second"},
      {"moves_per_second", "speed/moves_per_second"},
      {"visits_per_second", "speed/visits_per_second"},
      {"evaluations_per_second", "speed/evaluations_per_second"},
      {"steps_per_second", "speed/steps_per_second"},
      {"mean_batch", "speed/mean_batch"},
      {"actors_paused", "speed/actors_paused"},
      {"evaluator_share", "speed/evaluator_share"},
      {"held_out_policy", "held_out/policy"},
      {"held_out_policy_entropy", "held_out/policy_entropy"},
      {"held_out_value", "held_out/value"},
      {"constant_value", "held_out/constant_value"},
      {"mean_plies", "games/mean_plies"},
      {"white_wins", "games/white_wins"},
      {"black_wins", "games/black_wins"},
      {"draws", "games/draws"},
      {"cut", "games/cut"},
      {"searches_cut", "games/searches_cut"},
      {"resign_tests", "games/resign_tests"},
      {"resign_errors", "games/resign_errors"},
  };
  Scalars scalars;
  for (const auto& [key, value] : metrics.items()) {
    if (value.is_object()) {
      for (const auto& [inner, number] : value.items()) {
        const std::string inner_tag = fmt::format("{}/{}", key, inner);
        if (number.is_number()) scalars.emplace_back(inner_tag, number.get<float>());
        if (!number.is_array() || number.size() != 2) continue;
        scalars.emplace_back(inner_tag + "_low", number[0].get<float>());
        scalars.emplace_back(inner_tag + "_high", number[1].get<float>());
      }
    } else if (const auto tag = tags.find(key); tag != tags.end() && value.is_number()) {
      scalars.emplace_back(tag->second, value.get<float>());
    }
  }
  return scalars;
}

std::string scalars_record(double seconds, std::int64_t step, const Scalars& scalars) {
  std::string summary;
  for (const auto& [tag, number] : scalars) {
    std::string value;
    append_bytes(1, tag, value);              // Summary.Value.tag
    append_key(2, WireType::Fixed32, value);  // Summary.Value.simple_value
    append_little_endian(std::bit_cast<std::uint32_t>(number), value);
    append_bytes(1, value, summary);  // Summary.value
  }
  std::string event = event_at(seconds);
  append_key(2, WireType::Varint, event);  // Event.step
  append_varint(static_cast<std::uint64_t>(step), event);
  append_bytes(5, summary, event);  // Event.summary
  return record(event);
}

std::string TensorBoardEvents::add(const nlohmann::ordered_json& metrics) {
  if (failed_) return {};
  errno = 0;
  if (!out_.is_open()) {
    const double seconds = now();
    file_ = next_file(folder_, seconds);
    out_.open(file_, std::ios::binary | std::ios::app);
    std::string first = event_at(seconds);
    append_bytes(3, "brain.Event:2", first);  // Event.file_version
    out_ << record(first);
    if (const auto resumed = metrics.find("resumed_at_step"); resumed != metrics.end())
      out_ << restart_record(seconds, resumed->get<std::int64_t>());
  }
  out_ << scalars_record(now(), metrics.at("steps").get<std::int64_t>(), scalars_of(metrics))
       << std::flush;
  if (out_) return {};
  failed_ = true;
  return fmt::format("{}: cannot be written: {}; TensorBoard gets nothing more from this session",
                     file_.string(), std::generic_category().message(errno));
}

}  // namespace faultline
