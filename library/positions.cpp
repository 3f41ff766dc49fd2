// faultline.h: positions with their games, and moves.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/quote.h"
#include "library/errors.h"
#include "library/handles.h"
#include "model/export/export_options.h"

namespace faultline {
namespace {

std::unique_ptr<faultline_position> handle_of(const faultline_variant& variant,
                                              std::unique_ptr<GamePosition> position) {
  return std::make_unique<faultline_position>(
      faultline_position{.variant = &variant, .position = std::move(position)});
}

const GamePosition& game_position(const faultline_position* position) {
  return *given(position, "position").position;
}

const faultline_position::Moves& moves_of(faultline_position& handle) {
  if (!handle.shown.moves) {
    faultline_position::Moves found{.moves = handle.position->legal_moves(), .texts = {}};
    for (const Move move : found.moves)
      found.texts.push_back(handle.position->move_text(move));
    handle.shown.moves = std::move(found);
  }
  return *handle.shown.moves;
}

void encode(const GamePosition& position, const EncodingInfo& encoding, float* planes,
            std::size_t size) {
  const std::size_t needed = encoding.floats();
  given(planes, "planes");
  if (size < needed)
    throw LibraryError(FAULTLINE_ERROR_ARGUMENT, "the planes are " + std::to_string(needed) +
                                                     " floats, there is room for " +
                                                     std::to_string(size));
  position.encode(encoding, {planes, needed});
}

std::size_t move_index(const faultline_position::Moves& moves, int index) {
  if (index >= 0 && static_cast<std::size_t>(index) < moves.moves.size())
    return static_cast<std::size_t>(index);
  throw LibraryError(FAULTLINE_ERROR_ARGUMENT, "there is no move " + std::to_string(index) +
                                                   "; the position has " +
                                                   std::to_string(moves.moves.size()));
}

/// How many characters two texts have in common at their beginning.
std::size_t common_beginning(std::string_view a, std::string_view b) {
  return static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

/// Lists the legal moves that begin most like `text`.
[[noreturn]] void refuse_move(faultline_position& handle, std::string_view text) {
  const std::vector<std::string>& legal = moves_of(handle).texts;
  std::size_t common = 0;
  for (const std::string& move : legal)
    common = std::max(common, common_beginning(move, text));
  constexpr std::size_t kNearly = 2;  // shorter than a square's name
  if (common < kNearly) common = 0;
  std::string near;
  for (const std::string& move : legal)
    if (common_beginning(move, text) >= common) near += " " + move;
  const std::string which =
      legal.empty() ? "there are none, the game is over"
      : common == 0 ? "the legal moves are" + near
                    : "legal moves that begin with " + quote(text.substr(0, common)) + ":" + near;
  throw LibraryError(FAULTLINE_ERROR_MOVE, quote(text) + " is not a legal move in " +
                                               handle.position->fen() + "; " + which);
}

/// Throws LibraryError for a move that is not legal.
Move parse_move(faultline_position& handle, const char* text) {
  const auto move = handle.position->parse_move(&given(text, "text"));
  if (!move) refuse_move(handle, text);
  return *move;
}

const char* kept_text(std::optional<std::string>& place, std::string text) {
  return place.emplace(std::move(text)).c_str();
}

}  // namespace
}  // namespace faultline

using faultline::game_position;
using faultline::given;
using faultline::LibraryError;
using faultline::number_of;
using faultline::pointer_of;
using faultline::status_of;

faultline_position* faultline_position_start(const faultline_variant* variant) {
  return pointer_of([&] {
    const faultline_variant& of = given(variant, "variant");
    return faultline::handle_of(of, of.game->start()).release();
  });
}

faultline_position* faultline_position_from_fen(const faultline_variant* variant, const char* fen) {
  return pointer_of([&] {
    const faultline_variant& of = given(variant, "variant");
    return faultline::handle_of(of, of.game->from_fen(&given(fen, "fen"))).release();
  });
}

faultline_position* faultline_position_copy(const faultline_position* position) {
  return pointer_of([&] {
    const faultline_position& from = given(position, "position");
    return faultline::handle_of(*from.variant, from.position->clone()).release();
  });
}

void faultline_position_free(faultline_position* position) {
  delete position;
}

const faultline_variant* faultline_position_variant(const faultline_position* position) {
  return pointer_of([&] { return given(position, "position").variant; });
}

const char* faultline_position_fen(faultline_position* position) {
  return pointer_of([&] {
    auto& fen = given(position, "position").shown.fen;
    return fen ? fen->c_str() : faultline::kept_text(fen, position->position->fen());
  });
}

const char* faultline_position_picture(faultline_position* position) {
  return pointer_of([&] {
    auto& picture = given(position, "position").shown.picture;
    return picture ? picture->c_str()
                   : faultline::kept_text(picture, position->position->picture());
  });
}

int faultline_position_side_to_move(const faultline_position* position) {
  return number_of([&] { return faultline::index(game_position(position).side_to_move()); });
}

int faultline_position_in_check(const faultline_position* position) {
  return number_of([&] { return game_position(position).in_check() ? 1 : 0; });
}

int faultline_position_plies(const faultline_position* position) {
  return number_of([&] { return game_position(position).plies(); });
}

int faultline_position_repetitions(const faultline_position* position) {
  return number_of([&] { return game_position(position).repetitions(); });
}

int faultline_position_outcome(const faultline_position* position) {
  static_assert(static_cast<int>(faultline::Outcome::Repetition) == FAULTLINE_DRAW_REPETITION);
  return number_of([&] { return static_cast<int>(game_position(position).outcome()); });
}

const char* faultline_outcome_name(int outcome) {
  return pointer_of([&] {
    if (outcome < FAULTLINE_ONGOING || outcome > FAULTLINE_DRAW_REPETITION)
      throw LibraryError(FAULTLINE_ERROR_ARGUMENT,
                         "there is no outcome " + std::to_string(outcome) + "; they are 0 to " +
                             std::to_string(FAULTLINE_DRAW_REPETITION));
    return faultline::name(static_cast<faultline::Outcome>(outcome)).data();  // literals
  });
}

int faultline_position_moves(faultline_position* position) {
  return number_of([&] {
    return static_cast<int>(faultline::moves_of(given(position, "position")).moves.size());
  });
}

const char* faultline_position_move(faultline_position* position, int move) {
  return pointer_of([&] {
    const faultline_position::Moves& moves = faultline::moves_of(given(position, "position"));
    return moves.texts[faultline::move_index(moves, move)].c_str();
  });
}

int faultline_position_find_move(faultline_position* position, const char* text) {
  return number_of([&] {
    faultline_position& handle = given(position, "position");
    const faultline::Move move = faultline::parse_move(handle, text);
    const std::vector<faultline::Move>& moves = faultline::moves_of(handle).moves;
    return static_cast<int>(std::ranges::find(moves, move) - moves.begin());
  });
}

int faultline_position_play(faultline_position* position, const char* text) {
  return status_of([&] {
    faultline_position& handle = given(position, "position");
    handle.position->play(faultline::parse_move(handle, text));
    handle.shown = {};
  });
}

int faultline_position_perft(const faultline_position* position, int depth, uint64_t* count) {
  return status_of([&] {
    constexpr int kDeepest = 100;
    const faultline::GamePosition& root = game_position(position);
    given(count, "count");
    if (depth < 0 || depth > kDeepest)
      throw LibraryError(FAULTLINE_ERROR_ARGUMENT,
                         "depth " + std::to_string(depth) + " is not 0 to 100");
    *count = root.perft(depth);
  });
}

int faultline_position_encode(const faultline_position* position, float* planes, size_t size) {
  return status_of([&] {
    const faultline::GamePosition& of = game_position(position);
    faultline::encode(of, position->variant->game->encoding(), planes, size);
  });
}

int faultline_position_encode_with_attacks(const faultline_position* position, float* planes,
                                           size_t size) {
  return status_of([&] {
    const faultline::GamePosition& of = game_position(position);
    faultline::encode(of, position->variant->encoding_with_attacks, planes, size);
  });
}

int64_t faultline_position_move_slot(faultline_position* position, int move) {
  return number_of([&]() -> int64_t {
    faultline_position& handle = given(position, "position");
    const faultline_position::Moves& moves = faultline::moves_of(handle);
    return faultline::slot_of(
        handle.variant->game->encoding(),
        handle.position->policy_index(moves.moves[faultline::move_index(moves, move)]));
  });
}
