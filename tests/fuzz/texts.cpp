// Properties of texts, over the list of families: new families are covered automatically.
#include "tests/fuzz/texts.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <random>
#include <set>
#include <tuple>

#include "rules/families.h"

namespace faultline::fuzz {
namespace {

void require(bool holds, const std::string& what) {
  if (!holds) throw BrokenProperty(what);
}

/// FNV-1a: which moves an input plays.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 14695981039346656037U;
  for (const char c : text)
    hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  return hash;
}

template <class P>
void require_reads_back(const typename P::Variant& variant, const P& position) {
  const std::string printed = position.fen();
  try {
    const P again = P::from_fen(variant, printed);
    require(again.fen() == printed, "a printed position reads back as itself: " + printed);
    require(again.key() == position.key(), "and has the same key: " + printed);
    require(again.in_check() == position.in_check(), "and the same check: " + printed);
  } catch (const FenError& error) {
    throw BrokenProperty("a printed position is refused: " + printed + ": " + error.what());
  }
}

template <class P>
void check_position(const typename P::Variant& variant, const P& position,
                    typename P::MoveList& moves) {
  const std::string fen = position.fen();
  require(position.key() == position.key_from_scratch(), "keys agree: " + fen);
  require_reads_back(variant, position);
  moves.clear();
  position.legal_moves(moves);
  require(position.count_legal_moves() == moves.size(), "counting agrees with listing: " + fen);
  std::set<std::string> texts;
  for (const Move move : moves)
    require(texts.insert(position.move_text(move)).second,
            "no two moves have the same text: " + position.move_text(move) + " in " + fen);
  require(!position.picture().empty(), "there is a picture");
  static_cast<void>(position.outcome(!moves.empty()));
}

template <class P>
void check_move(const P& position, Move move) {
  const std::string text = position.move_text(move);
  const auto parsed = position.parse_move(text);
  require(parsed && *parsed == move, "a move reads back: " + text + " in " + position.fen());
}

template <class P>
void check_texts(const typename P::Variant& variant, std::string_view fen, std::string_view move,
                 std::uint64_t random) {
  constexpr int kPlies = 6;
  P position;
  try {
    position = P::from_fen(variant, fen);
  } catch (const FenError& error) {
    require(std::string_view(error.what()).size() <= kLongestMessage, "messages are short");
    return;
  }
  typename P::MoveList moves;
  check_position<P>(variant, position, moves);
  if (const auto parsed = position.parse_move(move)) {
    require(position.move_text(*parsed) == move, "a move is written in one way only");
    require(std::find(moves.begin(), moves.end(), *parsed) != moves.end(), "and is legal");
    position.play(*parsed);
    check_position<P>(variant, position, moves);
  }
  for (int ply = 0; ply < kPlies && moves.size() > 0; ++ply) {
    const Move chosen = moves[random % moves.size()];
    random = random * 6364136223846793005U + 1442695040888963407U;
    check_move(position, chosen);
    position.play(chosen);
    check_position<P>(variant, position, moves);
  }
}

std::string_view take_line(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(line.size() + 1, text.size()));
  return line;
}

/// The values listed by "on, off" and "-2 to 4"; other descriptions yield words that are not
/// values, which is harmless.
std::vector<std::string> values_of(const OptionInfo& option) {
  std::vector<std::string> values;
  std::string_view rest = option.allowed;
  while (!rest.empty()) {
    const std::string_view item = rest.substr(0, rest.find(", "));
    rest.remove_prefix(std::min(item.size() + 2, rest.size()));
    const std::size_t to = item.find(" to ");
    int low = 0;
    int high = -1;
    if (to != std::string_view::npos) {
      std::from_chars(item.data(), item.data() + to, low);
      std::from_chars(item.data() + to + 4, item.data() + item.size(), high);
    }
    if (high < low) values.emplace_back(item);
    for (int value = low; value <= high; ++value)
      values.push_back(std::to_string(value));
  }
  return values;
}

template <class P>
void add_samples(std::vector<std::string>& names) {
  constexpr int kMixtures = 30;
  const FamilyInfo& family = P::info();
  std::set<std::string> known;
  const auto add = [&](const VariantName& name) {
    try {
      const std::string canonical = P::variant(name).canonical_name();
      if (known.insert(canonical).second) names.push_back(canonical);
    } catch (const VariantError&) {  // invalid values, or invalid combinations
    }
  };
  add({family.name, {}});
  for (const OptionInfo& option : family.options)
    for (const std::string& value : values_of(option))
      add({family.name, {{option.name, value}}});
  std::mt19937_64 random(1);
  for (int i = 0; i < kMixtures; ++i) {
    VariantName name{family.name, {}};
    for (const OptionInfo& option : family.options) {
      const std::vector<std::string> values = values_of(option);
      name.options[option.name] = values[random() % values.size()];
    }
    add(name);
  }
}

template <class P>
std::vector<std::string> inputs_of(const typename P::Variant& variant) {
  constexpr int kPlies = 60;
  std::vector<std::string> inputs;
  const std::string name = variant.canonical_name();
  std::mt19937_64 random(hash_of(name));
  P position = P::start(variant);
  typename P::MoveList moves;
  for (int ply = 0; ply <= kPlies; ++ply) {
    moves.clear();
    position.legal_moves(moves);
    if (moves.size() == 0) break;
    const Move move = moves[random() % moves.size()];
    if (ply % 10 == 0)
      inputs.push_back(name + "\n" + position.fen() + "\n" + position.move_text(move));
    position.play(move);
  }
  return inputs;
}

}  // namespace

void check_input(std::string_view input) {
  const std::uint64_t random = hash_of(input);
  const std::string_view name = take_line(input);
  const std::string_view fen = take_line(input);
  const std::string_view move = take_line(input);
  try {
    with_family(parse_variant_name(name), [&]<class P>(std::type_identity<P>, const auto& variant) {
      const std::string canonical = variant.canonical_name();
      require(P::variant(parse_variant_name(canonical)).canonical_name() == canonical,
              "a canonical name is its own canonical name: " + canonical);
      check_texts<P>(variant, fen, move, random);
      return 0;
    });
  } catch (const VariantError&) {
    return;
  }
}

std::vector<std::string> sample_variants() {
  std::vector<std::string> names;
  std::apply([&](const auto&... p) { (add_samples<std::decay_t<decltype(p)>>(names), ...); },
             CompiledFamilies{});
  return names;
}

std::vector<std::string> sample_inputs(const std::string& variant) {
  return with_family(
      parse_variant_name(variant),
      []<class P>(std::type_identity<P>, const typename P::Variant& v) { return inputs_of<P>(v); });
}

}  // namespace faultline::fuzz
