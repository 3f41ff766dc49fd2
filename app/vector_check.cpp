// Reads a vector, runs it, and reports differences.
#include "app/vector_check.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>
#include <type_traits>

#include <fmt/core.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "rules/families.h"
#include "rules/perft.h"
#include "rules/position.h"

namespace faultline {
namespace {

using Json = nlohmann::json;

/// Perft counts: perft[0] is that of depth 1.
struct PerftVector {
  std::vector<std::uint64_t> counts;
};
struct MovesVector {
  std::vector<std::string> moves;
  bool check = false;
  std::string outcome;  // "": ongoing
};
struct NextVector {
  std::string move;
  std::string next;
};

/// One line. Exactly one of the last four is present.
struct Vector {
  std::string variant;
  std::string fen;  // empty in a `bad_fen` vector
  std::optional<PerftVector> perft;
  std::optional<MovesVector> moves;
  std::optional<NextVector> next;
  std::optional<std::string> bad_fen;
};

/// Text from a file, safe to print: control characters become \xNN.
std::string printable(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 32 || byte == 127)
      safe += fmt::format("\\x{:02x}", byte);
    else
      safe += c;
  }
  return safe;
}

[[noreturn]] void bad_key(std::string_view key, std::string_view expected) {
  throw VectorFormatError(fmt::format("key '{}' must be {}", printable(key), expected));
}

const Json& required(const Json& object, const char* key, std::string_view expected) {
  const auto found = object.find(key);
  if (found == object.end())
    throw VectorFormatError(fmt::format("key '{}' is missing; it must be {}", key, expected));
  return *found;
}

std::string text_of(const Json& object, const char* key) {
  const Json& value = required(object, key, "a text");
  if (!value.is_string()) bad_key(key, "a text");
  return value.get<std::string>();
}

void refuse_other_keys(const Json& object, std::initializer_list<std::string_view> allowed) {
  for (const auto& [key, value] : object.items())
    if (std::ranges::find(allowed, key) == allowed.end())
      throw VectorFormatError(fmt::format("unknown key '{}'; such a vector has {}", printable(key),
                                          fmt::join(allowed, ", ")));
}

PerftVector parse_perft(const Json& object) {
  constexpr std::string_view kExpected = "a list of node counts for depth 1, 2, …";
  refuse_other_keys(object, {"variant", "fen", "perft"});
  const Json& list = object.at("perft");
  if (!list.is_array() || list.empty()) bad_key("perft", kExpected);
  PerftVector vector;
  for (const Json& count : list) {
    if (!count.is_number_unsigned()) bad_key("perft", kExpected);
    vector.counts.push_back(count.get<std::uint64_t>());
  }
  return vector;
}

MovesVector parse_moves(const Json& object) {
  refuse_other_keys(object, {"variant", "fen", "moves", "check", "outcome"});
  const Json& list = object.at("moves");
  if (!list.is_array()) bad_key("moves", "a list of texts");
  MovesVector vector;
  for (const Json& move : list) {
    if (!move.is_string()) bad_key("moves", "a list of texts");
    vector.moves.push_back(move.get<std::string>());
  }
  const Json& check = required(object, "check", "true or false");
  if (!check.is_boolean()) bad_key("check", "true or false");
  vector.check = check.get<bool>();
  const Json& outcome = required(object, "outcome", "null or a text");
  if (!outcome.is_null()) vector.outcome = text_of(object, "outcome");
  return vector;
}

NextVector parse_next(const Json& object) {
  refuse_other_keys(object, {"variant", "fen", "move", "next"});
  return {text_of(object, "move"), text_of(object, "next")};
}

Vector parse_vector(const std::string& line) {
  Json object;
  try {
    object = Json::parse(line);
  } catch (const Json::exception& error) {
    throw VectorFormatError(fmt::format("not JSON: {}", printable(error.what())));
  }
  if (!object.is_object()) throw VectorFormatError("not a JSON object {…}");

  constexpr std::string_view kKinds[] = {"perft", "moves", "move", "bad_fen"};
  if (std::ranges::count_if(kKinds, [&](auto kind) { return object.contains(kind); }) != 1)
    throw VectorFormatError("a vector has exactly one of the keys perft, moves, move and bad_fen");

  Vector vector;
  vector.variant = text_of(object, "variant");
  if (object.contains("bad_fen")) {
    refuse_other_keys(object, {"variant", "bad_fen", "why"});
    vector.bad_fen = text_of(object, "bad_fen");
    return vector;
  }
  vector.fen = text_of(object, "fen");
  if (object.contains("perft")) vector.perft = parse_perft(object);
  if (object.contains("moves")) vector.moves = parse_moves(object);
  if (object.contains("move")) vector.next = parse_next(object);
  return vector;
}

/// "" if equal; otherwise the missing and the extra elements of two sorted lists.
std::string compare_moves(const std::vector<std::string>& got,
                          const std::vector<std::string>& expected) {
  std::vector<std::string> missing, extra;
  std::ranges::set_difference(expected, got, std::back_inserter(missing));
  std::ranges::set_difference(got, expected, std::back_inserter(extra));
  std::string text;
  if (!missing.empty())
    text +=
        fmt::format("moves missing: {}\n", printable(fmt::format("{}", fmt::join(missing, " "))));
  if (!extra.empty()) text += fmt::format("moves too many: {}\n", fmt::join(extra, " "));
  return text;
}

std::string compare(std::string_view what, std::string_view got, std::string_view expected) {
  if (got == expected) return "";
  return fmt::format("{}: got '{}', expected '{}'\n", what, got, printable(expected));
}

template <Position P>
std::string run_perft(const P& position, const PerftVector& vector) {
  std::string difference;
  int depth = 0;
  for (const std::uint64_t expected : vector.counts) {
    ++depth;
    if (const std::uint64_t got = perft(position, depth); got != expected)
      difference += fmt::format("perft({}): got {}, expected {}\n", depth, got, expected);
  }
  return difference;
}

template <Position P>
std::string run_moves(const P& position, const MovesVector& vector) {
  std::string difference;
  typename P::MoveList moves;
  position.legal_moves(moves);
  std::vector<std::string> texts;
  for (const Move move : moves) {
    texts.push_back(position.move_text(move));
    if (position.parse_move(texts.back()) != move)
      difference += fmt::format("move '{}' is not read back as itself\n", texts.back());
  }
  std::ranges::sort(texts);
  std::vector<std::string> expected = vector.moves;
  std::ranges::sort(expected);
  difference += compare_moves(texts, expected);
  if (position.count_legal_moves() != moves.size())
    difference += fmt::format("count_legal_moves(): got {}, but legal_moves() lists {}\n",
                              position.count_legal_moves(), moves.size());
  if (position.in_check() != vector.check)
    difference += fmt::format("check: got {}, expected {}\n", position.in_check(), vector.check);
  difference += compare("outcome", name(position.outcome(!moves.empty())), vector.outcome);
  return difference;
}

template <Position P>
std::string run_next(P position, const NextVector& vector) {
  const auto move = position.parse_move(vector.move);
  if (!move) return fmt::format("move '{}' is not legal here\n", printable(vector.move));
  position.play(*move);
  std::string difference = compare("next", position.fen(), vector.next);
  if (position.key() != position.key_from_scratch())
    difference += fmt::format("key after {}: got {:016x}, computed from scratch {:016x}\n",
                              vector.move, position.key(), position.key_from_scratch());
  return difference;
}

/// "" if the vector passes.
template <Position P>
std::string run(const typename P::Variant& variant, const Vector& vector) {
  std::string difference = compare("canonical name", variant.canonical_name(), vector.variant);
  if (vector.bad_fen) {
    try {
      const P position = P::from_fen(variant, *vector.bad_fen);
      return difference + fmt::format("bad_fen '{}' was accepted as '{}'\n",
                                      printable(*vector.bad_fen), position.fen());
    } catch (const FenError&) {
      return difference;
    }
  }
  try {
    const P position = P::from_fen(variant, vector.fen);
    difference += compare("fen printed back", position.fen(), vector.fen);
    if (vector.perft) difference += run_perft(position, *vector.perft);
    if (vector.moves) difference += run_moves(position, *vector.moves);
    if (vector.next) difference += run_next(position, *vector.next);
  } catch (const FenError& error) {
    difference += fmt::format("'{}' was refused: {}\n", printable(vector.fen), error.what());
  }
  return difference;
}

bool is_built(const std::string& family) {
  return std::ranges::any_of(all_families(),
                             [&](const FamilyInfo* info) { return info->name == family; });
}

std::string run(const VariantName& name, const Vector& vector) {
  try {
    return with_family(name, [&]<class P>(std::type_identity<P>, const auto& variant) {
      return run<P>(variant, vector);
    });
  } catch (const VariantError& error) {
    return fmt::format("variant '{}' was refused: {}\n", printable(vector.variant), error.what());
  }
}

}  // namespace

std::size_t VectorReport::skipped_count() const {
  std::size_t count = 0;
  for (const auto& [family, vectors] : skipped)
    count += vectors;
  return count;
}

VectorReport check_vectors(std::istream& in, const std::string& source) {
  VectorReport report;
  check_vectors(in, source, report);
  return report;
}

void check_vectors(std::istream& in, const std::string& source, VectorReport& report) {
  std::string line;
  for (std::size_t number = 1; std::getline(in, line); ++number) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    try {
      const Vector vector = parse_vector(line);
      const VariantName name = parse_variant_name(vector.variant);
      if (!is_built(name.family)) {
        ++report.skipped[name.family];
      } else if (std::string difference = run(name, vector); !difference.empty()) {
        report.failures.push_back({number, std::move(difference)});
      } else {
        ++report.passed;
      }
    } catch (const VectorFormatError& error) {
      throw VectorFormatError(fmt::format("{}:{}: {}", source, number, error.what()));
    } catch (const VariantError& error) {
      throw VectorFormatError(
          fmt::format("{}:{}: key 'variant': {}", source, number, error.what()));
    }
  }
  if (in.bad()) throw VectorFormatError(fmt::format("{}: reading failed", source));
}

}  // namespace faultline
