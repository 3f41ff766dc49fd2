// libFuzzer target: position and move texts of every family. Whatever is accepted must print back,
// agree with itself, and play on. scripts/fuzz builds and runs it.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <string>
#include <string_view>

#include "rules/families.h"

namespace faultline {
namespace {

/// Others are passed over: tables once built stay, and options multiply.
constexpr std::string_view kVariants[] = {
    "chess",
    "escher",
    "slanted",
    "slanted:board=standard",
    "slanted:board=mini",
    "slanted:army=almost",
    "slanted:army=sort-of-almost",
    "slanted:jumpcheck=off",
    "earthquake",
    "earthquake:dx=8,dy=4",
    "earthquake:dx=-2,dy=1",
    "earthquake:dx=0,dy=-1,fly=on",
    "earthquake:aftershock=2",
    "earthquake:aftershock=3,shock=2",
    "inferno:levels=1",
    "inferno:levels=2",
    "inferno",
    "shifting",
    "shifting:gaps=AIII+DII",
};

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "broken: %s\n", what);
  std::abort();
}

template <class P>
void try_texts(const typename P::Variant& variant, std::string_view fen, std::string_view move) {
  P position;
  try {
    position = P::from_fen(variant, fen);
  } catch (const FenError&) {
    return;
  }
  const std::string printed = position.fen();
  const P again = P::from_fen(variant, printed);
  require(again.fen() == printed, "a printed position reads back as itself");
  require(again.key() == position.key(), "and has the same key");
  typename P::MoveList moves;
  position.legal_moves(moves);
  require(position.count_legal_moves() == moves.size(), "counting agrees with listing");
  if (const auto parsed = position.parse_move(move)) {
    require(position.move_text(*parsed) == move, "a parsed move prints as it was typed");
    position.play(*parsed);
    require(position.key() == position.key_from_scratch(), "keys agree after a move");
    const std::string next = position.fen();
    if (position.full_move_number() <= 99999 && position.plies_since_progress() <= 9999)
      require(P::from_fen(variant, next).fen() == next, "the next position is one");
  }
}

}  // namespace
}  // namespace faultline

/// Input: three lines, a variant's name, a position text and a move text.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace faultline;
  std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto next_line = [&] {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    return line;
  };
  const std::string_view name = next_line();
  if (std::find(std::begin(kVariants), std::end(kVariants), name) == std::end(kVariants)) return 0;
  const std::string_view fen = next_line();
  const std::string_view move = next_line();
  with_family(parse_variant_name(name), [&]<class P>(std::type_identity<P>, const auto& variant) {
    try_texts<P>(variant, fen, move);
    return 0;
  });
  return 0;
}
