// The walker's positions and moves as text.
#include <algorithm>
#include <cctype>
#include <sstream>
#include <stdexcept>

#include "tests/rules/data/walker.h"

namespace faultline::walker {
namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);)
    parts.push_back(part);
  return parts;
}

std::string lower(std::string text) {
  for (char& c : text)
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}
std::string coloured(const std::string& letter, bool white) {
  return white ? letter : lower(letter);
}

std::array<int, 2> pair_of(const std::string& text) {
  const auto numbers = split(text, ',');
  return {std::stoi(numbers.at(0)), std::stoi(numbers.at(1))};
}
std::string text_of(const std::array<int, 2>& numbers) {
  return std::to_string(numbers[0]) + "," + std::to_string(numbers[1]);
}

std::string area_name(int area, int columns) {
  static const std::array<std::string, 10> roman{"I",  "II",  "III",  "IV", "V",
                                                 "VI", "VII", "VIII", "IX", "X"};
  return std::string(1, static_cast<char>('A' + area % columns)) + at(roman, area / columns);
}

[[noreturn]] void fail(const std::string& why) {
  throw std::runtime_error(why);
}

}  // namespace

// --- Reading ------------------------------------------------------------------------------------

State::State(std::shared_ptr<const Game> game, const std::string& fen) : game_(std::move(game)) {
  const auto fields = split(fen, ' ');
  const bool counts_checks = game_->ends[0].checks + game_->ends[1].checks > 0;
  std::size_t next = 4;
  counters_.assign(static_cast<std::size_t>(devices()), {0, 0});
  for (int d = 0; d < devices(); ++d)
    if (const Control& c = control_of(d); c.pause == 0 && c.uses > 0)
      at(counters_, d) = {c.uses, c.uses};
  for (auto& hand : hands_)
    hand.assign(game_->types.size(), 0);
  white_ = fields.at(1) == "w";
  if (counts_checks && fields.at(next).find('+') != std::string::npos) {
    const auto left = split(fields.at(next++), '+');
    for (const int side : {0, 1})
      at(checks_given_, side) =
          at(game_->ends, side).checks - std::stoi(left.at(static_cast<std::size_t>(side)));
  }
  if (next + 1 < fields.size()) {
    plies_ = std::stoi(fields[next]);
    move_number_ = std::stoi(fields[next + 1]);
  }
  next += 2;
  for (int p = 0; p < size_of(game_->parts); ++p) {
    const Part& part = at(game_->parts, p);
    displaced_.push_back({part.dx, part.dy});
    if (next >= fields.size()) continue;
    const auto ground = split(fields[next++], '/');
    displaced_.back() = pair_of(ground.at(0));
    if (ground.size() > 1) {
      const int device = size_of(game_->belts) + p;
      at(counters_, device) = pair_of(ground[1]);
      const int files = std::stoi(ground.at(2));
      const int ranks = ground.size() > 3 ? std::stoi(ground[3]) : 0;
      if (files != 0 || ranks != 0) last_ = {device, files, ranks};
    }
  }
  for (int d = 0; d < devices(); ++d)
    if (has_own_field(d) && next < fields.size()) read_device(d, fields[next++]);
  read_pieces(fields.at(0));
  update_geometry();
  read_rights(fields.at(2));
  read_en_passant(fields.at(3));
}

void State::read_device(int device, const std::string& field) {
  const auto parts = split(field, '/');
  at(counters_, device) = pair_of(parts.at(0));
  if (parts.at(1) == "-") return;
  last_text_ = parts[1];
  if (device + 1 == devices()) {
    const int columns = game_->columns / game_->sectors.width;
    std::array<int, 2> areas{-1, -1};
    for (int a = 0; a < columns * size_of(game_->rows) / game_->sectors.height; ++a)
      for (int b = 0; b < columns * size_of(game_->rows) / game_->sectors.height; ++b)
        if (slide_text(a, b) == last_text_) areas = {a, b};
    last_ = {device, areas[0], areas[1]};
    return;
  }
  for (int level = 0; level < game_->levels.count; ++level)
    for (const int sign : {1, -1})
      if (belt_text(device, level, sign) == last_text_) last_ = {device, sign, level};
}

void State::read_pieces(const std::string& field) {
  const std::string boards = field.substr(0, field.find('['));
  const auto levels = split(boards, '|');
  levels_ = size_of(levels);
  board_.assign(static_cast<std::size_t>(squares()), {});
  for (int level = 0; level < levels_; ++level) {
    const auto rows = split(at(levels, level), '/');
    if (rows.size() != game_->rows.size()) fail("wrong number of rows in " + field);
    for (int row = 0; row < size_of(rows); ++row) {
      std::vector<int> in_order;
      for (const BoardCell& cell : at(game_->rows, size_of(rows) - 1 - row))
        if (cell.square >= 0) in_order.push_back(cell.square);
      std::size_t x = 0;
      const std::string& text = at(rows, row);
      for (std::size_t i = 0; i < text.size(); ++i) {
        const unsigned char c = static_cast<unsigned char>(text[i]);
        if (std::isdigit(c)) {
          std::size_t length = 0;
          x += static_cast<std::size_t>(std::stoi(text.substr(i), &length));
          i += length - 1;
          continue;
        }
        if (x >= in_order.size()) fail("row too long: " + text);
        const int s = in_order[x++];
        if (c == '*') {
          const Sectors& sectors = game_->sectors;
          if (sectors.width > 0)
            gaps_.insert(y_of(s) / sectors.height * (game_->columns / sectors.width) +
                         x_of(s) / sectors.width);
          continue;
        }
        std::string letter(1, text[i]);
        if (c == '+') letter += text[++i];
        const bool white = std::isupper(static_cast<unsigned char>(letter.back())) != 0;
        for (char& l : letter)
          l = static_cast<char>(std::toupper(static_cast<unsigned char>(l)));
        const int type = game_->find_type(letter);
        if (type < 0) fail("no piece " + letter);
        at(board_, level * level_size() + s) = {type, white};
      }
      if (x != in_order.size()) fail("row too short: " + text);
    }
  }
  if (field.find('[') == std::string::npos) return;
  for (std::size_t i = field.find('[') + 1; i < field.size() && field[i] != ']'; ++i) {
    const unsigned char c = static_cast<unsigned char>(field[i]);
    if (c == '-') continue;
    const int type = game_->find_type(std::string(1, static_cast<char>(std::toupper(c))));
    if (type < 0) fail("no piece in hand " + field);
    ++at(at(hands_, std::isupper(c) ? 0 : 1), type);
  }
}

/// What may castle in a start.
std::vector<Game::Right> State::find_rights() const {
  std::vector<Game::Right> found;
  for (int k = 0; k < squares(); ++k) {
    const Piece king = piece(k);
    if (!king) continue;
    const auto& castlings = kind(king).castlings;
    for (int c = 0; c < size_of(castlings); ++c) {
      const Castling& castling = at(castlings, c);
      Game::Right right{king.white, k, -1, c, castling.side, ""};
      if (castling.rook >= 0) {
        right.rook = level_of(k) * level_size() + castling.rook;
        right.side = x_of(right.rook) > x_of(k) ? 1 : -1;
        if (!piece(right.rook) || piece(right.rook).white != king.white) right.rook = -1;
      } else {
        const int rook_type = game_->find_type("R");
        for (int s = 0; s < squares(); ++s) {
          if (level_of(s) != level_of(k) || y_of(s) != y_of(k)) continue;
          const int away = (x_of(s) - x_of(k)) * castling.side;
          if (away <= 0 || !(piece(s) == Piece{rook_type, king.white})) continue;
          const int so_far = right.rook < 0 ? 0 : (x_of(right.rook) - x_of(k)) * castling.side;
          if (right.rook < 0 || away < so_far) right.rook = s;
        }
      }
      if (right.rook >= 0) found.push_back(right);
    }
  }
  return found;
}

void State::read_rights(const std::string& field) {
  const auto levels = split(field, '|');
  for (int level = 0; level < size_of(levels); ++level)
    for (const char c : at(levels, level)) {
      if (c == '-') continue;
      const bool white = std::isupper(static_cast<unsigned char>(c)) != 0;
      int rook = -1;  // of the first start that fits
      for (const Game::Right& right : game_->rights) {
        if (level_of(right.king) != level || right.white != white) continue;
        const std::string file(1, static_cast<char>('A' + x_of(right.rook)));
        const std::string letter(1, c);
        const Piece king = piece(right.king);
        if ((right.letter == letter || coloured(file, white) == letter) && king &&
            king.white == white && piece(right.rook) && piece(right.rook).white == white &&
            right.castling < size_of(kind(king).castlings) && (rook < 0 || rook == right.rook)) {
          rook = right.rook;
          rights_.insert(right);
        }
      }
    }
}

void State::read_en_passant(const std::string& field) {
  if (field == "-") return;
  const auto parts = split(field, '/');
  for (const std::string& name : split(parts.at(0), '+'))
    passed_.push_back(find_square(name));
  const auto passers = possible_passers();
  if (parts.size() > 1)
    passer_ = find_square(parts[1]);
  else if (!passers.empty())
    passer_ = passers.front();
  if (passer_ < 0) passed_.clear();
  keep_live_en_passant();
}

// --- Writing ------------------------------------------------------------------------------------

std::string State::square_name(int s) const {
  const std::string& name = at(game_->squares, base_of(s)).name;
  return game_->has_levels ? std::to_string(level_of(s) + 1) + name : name;
}

int State::find_square(const std::string& name) const {
  for (int s = 0; s < squares(); ++s)
    if (square_name(s) == name) return s;
  fail("no square " + name);
}

std::string State::join(int from, int to) const {
  return square_name(from) + (game_->has_levels ? "-" : "") + square_name(to);
}

/// "q"; "+" where a piece becomes its own promoted form.
std::string State::promotion_text(int from, int to) const {
  const std::string& letter = at(game_->types, to).letter;
  return letter == "+" + at(game_->types, from).letter ? "+" : lower(letter);
}

/// "@+1"; with the part's name or number in front where several can shift.
std::string State::shift_text(int part, int files, int ranks) const {
  const int n = files + ranks;
  const auto shifting = std::ranges::count_if(game_->parts, &Part::shifts);
  const std::string& name = at(game_->parts, part).name;
  return "@" + (shifting < 2 ? "" : (name.empty() ? std::to_string(part + 1) : name) + ":") +
         (files > 0   ? "+"
          : files < 0 ? "-"
          : ranks > 0 ? "^"
                      : "v") +
         std::to_string(n < 0 ? -n : n);
}

std::string State::slide_text(int from, int to) const {
  const int columns = game_->columns / game_->sectors.width;
  return area_name(from, columns) + "-" + area_name(to, columns);
}
std::string State::belt_text(int belt, int level, int sign) const {
  const Belt& b = at(game_->belts, belt);
  const std::string where = game_->has_levels && b.level < 0 ? std::to_string(level + 1) + ":" : "";
  return "@" + where + (b.name.empty() ? std::to_string(belt + 1) : b.name) +
         (sign > 0 ? "+" : "-");
}

std::string State::pieces_text() const {
  std::string text;
  for (int level = 0; level < levels_; ++level) {
    if (level > 0) text += '|';
    for (int y = size_of(game_->rows) - 1; y >= 0; --y) {
      int empty = 0;
      const auto flush = [&] {
        if (empty > 0) text += std::to_string(empty);
        empty = 0;
      };
      for (const BoardCell& cell : at(game_->rows, y)) {
        if (cell.square < 0) continue;
        const int s = level * level_size() + cell.square;
        if (exists(s) && !piece(s)) {
          ++empty;
          continue;
        }
        flush();
        text += exists(s) ? coloured(at(game_->types, piece(s).type).letter, piece(s).white) : "*";
      }
      flush();
      if (y > 0) text += '/';
    }
  }
  if (!game_->has_hands) return text;
  text += '[';
  for (const int side : {0, 1})
    for (int t = 0; t < size_of(game_->types); ++t)
      for (int n = 0; n < at(at(hands_, side), t); ++n)
        text += coloured(at(game_->types, t).letter, side == 0);
  return text + ']';
}

std::string State::rights_text() const {
  std::string text;
  for (int level = 0; level < levels_; ++level) {
    std::vector<std::tuple<int, int, std::string>> letters;
    for (const Game::Right& r : rights_)
      if (level_of(r.king) == level) letters.emplace_back(r.white ? 0 : 1, -x_of(r.rook), r.letter);
    std::ranges::sort(letters);
    letters.erase(std::unique(letters.begin(), letters.end()), letters.end());
    if (level > 0) text += '|';
    for (const auto& [side, x, letter] : letters)
      text += letter;
    if (letters.empty()) text += '-';
  }
  return text;
}

/// The passer only where another piece can have passed.
std::string State::en_passant_text() const {
  std::string text;
  for (const int s : passed_)
    text += (text.empty() ? "" : "+") + square_name(s);
  if (text.empty()) return "-";
  return possible_passers().size() == 1 ? text : text + "/" + square_name(passer_);
}

std::string State::fen() const {
  std::string text =
      pieces_text() + (white_ ? " w " : " b ") + rights_text() + " " + en_passant_text();
  if (game_->ends[0].checks + game_->ends[1].checks > 0)
    text += " " + std::to_string(game_->ends[0].checks - checks_given_[0]) + "+" +
            std::to_string(game_->ends[1].checks - checks_given_[1]);
  text += " " + std::to_string(plies_) + " " + std::to_string(move_number_);
  for (int p = 0; p < size_of(game_->parts); ++p) {
    const Part& part = at(game_->parts, p);
    const int device = size_of(game_->belts) + p;
    text += " " + text_of(at(displaced_, p));
    if (!part.shifts || part.control.uses == 0) continue;
    const bool was_last = last_[0] == device;
    text += "/" + text_of(at(counters_, device)) + "/" + std::to_string(was_last ? last_[1] : 0);
    if (part.ranks[0] != 0 || part.ranks[1] != 0)
      text += "/" + std::to_string(was_last ? last_[2] : 0);
  }
  for (int d = 0; d < devices(); ++d)
    if (has_own_field(d))
      text += " " + text_of(at(counters_, d)) + "/" + (last_[0] == d ? last_text_ : "-");
  return text;
}

/// Belts and sectors that players move, if that is limited: "white,black/last move".
bool State::has_own_field(int device) const {
  const int belts = size_of(game_->belts);
  const bool is_part = device >= belts && device + 1 < devices();
  const Control& c = control_of(device);
  return !is_part && c.instead && (c.counts() || !c.undo);
}

}  // namespace faultline::walker
