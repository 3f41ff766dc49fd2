// Games of files as families: their names and their objects.
#include <memory>
#include <string>
#include <string_view>

#include "base/interned.h"
#include "rules/data/data_position.h"
#include "rules/data/game_picture.h"
#include "rules/data/known_games.h"
#include "rules/data/refusal.h"

namespace faultline::data {
namespace {

const GameFile& file_of(const VariantName& name) {
  return known_game(name.family.substr(kDataPrefix.size()));
}

template <class B>
constexpr bool holds(int squares) {
  if constexpr (sizeof(B) == sizeof(Bitboard)) return squares <= 64;
  if constexpr (sizeof(B) == sizeof(WideBitboard)) return squares > 64 && squares <= 128;
  return squares > 128;
}

}  // namespace

template <class B>
bool DataPosition<B>::plays(const VariantName& name) {
  return name.family.starts_with(kDataPrefix) && holds<B>(file_of(name).board.all_squares());
}

template <class B>
const GameTables<B>& DataPosition<B>::variant(const VariantName& name) {
  static Interned<std::string, std::unique_ptr<const GameTables<B>>> games;
  const GameFile& file = file_of(name);
  return *games.get(file.name, [&](const std::string&) {
    try {
      auto tables = std::make_unique<const GameTables<B>>(file);
      if (const std::string fault = faulty_start(*tables); !fault.empty())
        throw VariantError(fault);
      return tables;
    } catch (const GameLimit& limit) {
      throw VariantError(limit.message(file, std::string(kDataPrefix) + file.name));
    }
  });
}

template <class B>
VariantDescription DataPosition<B>::describe(const GameTables<B>& game) {
  return describe_game(game.file());
}

template <class B>
struct Members {
  static constexpr auto kPlays = &DataPosition<B>::plays;
  static constexpr const GameTables<B>& (*kVariant)(const VariantName&) = &DataPosition<B>::variant;
  static constexpr auto kDescribe = &DataPosition<B>::describe;
};
template struct Members<Bitboard>;
template struct Members<WideBitboard>;
template struct Members<StackedBitboard>;

}  // namespace faultline::data
