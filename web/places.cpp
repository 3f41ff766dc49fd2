// Reads the fields of requests.
#include "web/places.h"

#include <fmt/format.h>

#include "base/quote.h"
#include "play/game_text.h"
#include "play/san.h"
#include "rules/position.h"
#include "rules/variant.h"

namespace faultline::web {
namespace {

[[noreturn]] void refuse(const char* name, std::string_view wanted) {
  throw RequestError(fmt::format("{} must be {}", name, wanted), name);
}

const ReportJson& needed(const ReportJson& request, const char* name, std::string_view wanted) {
  const ReportJson* const field = find_field(request, name);
  if (field == nullptr) refuse(name, wanted);
  return *field;
}

}  // namespace

const ReportJson* find_field(const ReportJson& request, const char* name) {
  if (!request.is_object()) throw RequestError("a request must be an object");
  const auto found = request.find(name);
  return found == request.end() || found->is_null() ? nullptr : &*found;
}

std::string text_field(const ReportJson& request, const char* name) {
  const ReportJson& field = needed(request, name, "a text");
  if (!field.is_string()) refuse(name, "a text");
  return field.get<std::string>();
}

std::string optional_text(const ReportJson& request, const char* name) {
  return find_field(request, name) == nullptr ? "" : text_field(request, name);
}

std::int64_t number_field(const ReportJson& request, const char* name, std::int64_t low,
                          std::int64_t high) {
  const std::string wanted = fmt::format("a whole number from {} to {}", low, high);
  const ReportJson& field = needed(request, name, wanted);
  // A page's numbers are floating point: 20.0 is one of them.
  if (!field.is_number()) refuse(name, wanted);
  const auto value = field.get<double>();
  if (!(value >= static_cast<double>(low) && value <= static_cast<double>(high)))
    refuse(name, wanted);
  const auto whole = static_cast<std::int64_t>(value);
  if (static_cast<double>(whole) != value) refuse(name, wanted);
  return whole;
}

std::optional<std::int64_t> optional_number(const ReportJson& request, const char* name,
                                            std::int64_t low, std::int64_t high) {
  if (find_field(request, name) == nullptr) return std::nullopt;
  return number_field(request, name, low, high);
}

std::vector<std::string> texts_field(const ReportJson& request, const char* name) {
  const ReportJson& field = needed(request, name, "a list of texts");
  if (!field.is_array()) refuse(name, "a list of texts");
  std::vector<std::string> texts;
  for (const ReportJson& text : field) {
    if (!text.is_string()) refuse(name, "a list of texts");
    texts.push_back(text.get<std::string>());
  }
  return texts;
}

const Game& find_named_game(const std::string& name, const char* field) {
  try {
    return find_game(name);
  } catch (const VariantError& error) {
    throw RequestError(error.what(), field);
  }
}

std::unique_ptr<GamePosition> position_of(const Game& game, const std::string& fen,
                                          const char* field) {
  try {
    return fen.empty() ? game.start() : game.from_fen(fen);
  } catch (const FenError& error) {
    throw RequestError(error.what(), field);
  }
}

std::vector<Move> played_moves(GamePosition& position, const ReportJson& request) {
  std::vector<Move> moves;
  for (const std::string& text : texts_field(request, "moves")) {
    std::optional<Move> move = position.parse_move(text);
    if (!move) move = parse_san(position, text);
    if (!move)
      throw RequestError(fmt::format("move {}, {}, is not legal in {}", moves.size() + 1,
                                     quote(text), position.fen()),
                         "moves");
    position.play(*move);
    moves.push_back(*move);
  }
  return moves;
}

PlayedLine played_line(const ReportJson& request) {
  PlayedLine line;
  line.game = &find_named_game(text_field(request, "game"));
  line.start = position_of(*line.game, optional_text(request, "fen"));
  line.end = line.start->clone();
  line.moves = played_moves(*line.end, request);
  return line;
}

std::string_view result_text(Outcome outcome) {
  return text(result_of(outcome));
}

}  // namespace faultline::web
