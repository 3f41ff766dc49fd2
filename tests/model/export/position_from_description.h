// Encodes positions, and numbers moves by their text, from nothing but an encoding's description
// and a FEN, as a program that does not know the game would. Written from docs/export.md, without
// the encoders.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace faultline::test {

class DescribedPosition {
 public:
  DescribedPosition(const nlohmann::json& encoding, const std::string& fen, int repetitions)
      : encoding_(&encoding), repetitions_(repetitions) {
    std::istringstream in(fen);
    for (std::string field; in >> field;)
      fields_.push_back(field);
    side_ = fields_.at(1) == "w" ? "white" : "black";
    read_pieces();
    find_cells();
    for (std::size_t s = 0; s < cells_.size(); ++s)
      squares_by_name_[squares()[s].at("name")] = cells_[s];
  }

  std::vector<float> planes() const {
    const nlohmann::json& all = encoding_->at("planes");
    const std::size_t cells =
        encoding_->at("height").get<std::size_t>() * encoding_->at("width").get<std::size_t>();
    std::vector<float> planes(all.size() * cells);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::vector<double> plane = raw_plane(all[i].at("source"), cells);
      for (std::size_t cell = 0; cell < cells; ++cell)
        planes[i * cells + cell] =
            static_cast<float>(plane[cell] / all[i].at("divisor").get<double>());
    }
    return planes;
  }

  /// The slot of a move with this text.
  std::int64_t slot(const std::string& move) const {
    const nlohmann::json& policy = encoding_->at("policy");
    const nlohmann::json& kinds = policy.at("kinds");
    for (std::size_t kind = 0; kind < kinds.size(); ++kind)
      if (const auto cells = cells_of_move(move, kinds[kind], policy))
        return (cells->first * policy.at("cells").get<std::int64_t>() + cells->second) *
                   std::ssize(kinds) +
               static_cast<std::int64_t>(kind);
    throw std::runtime_error("no kind of move has the text " + move);
  }

 private:
  using Cells = std::optional<std::pair<std::int64_t, std::int64_t>>;
  using Places = std::map<std::string, std::int64_t>;  // names and their policy cells

  /// The move's from and to, if it is of this kind.
  Cells cells_of_move(const std::string& move, const nlohmann::json& kind,
                      const nlohmann::json& policy) const {
    if (kind.contains("turns")) {
      const auto turn = kind.at("turns").find(move);
      if (turn == kind.at("turns").end()) return std::nullopt;
      const auto cell = turn->at(side_).get<std::int64_t>();
      return {{cell, cell}};
    }
    const auto text = kind.at("text").get<std::string>();
    if (kind.contains("piece")) {
      if (move != text) return std::nullopt;
      const std::string letter = letter_of(kind.at("piece"), side_ == "white");
      for (std::size_t s = 0; s < pieces_.size(); ++s)
        if (pieces_[s] == letter) return {{cells_[s], cells_[s]}};
      return std::nullopt;
    }
    Places areas;
    if (kind.contains("places"))
      for (const auto& area : policy.at(kind.at("places").get<std::string>()))
        areas[area.at("name")] = area.at("cell").at(side_);
    const Places& places = areas.empty() ? squares_by_name_ : areas;
    const std::size_t to_mark = text.find("{to}");
    if (!text.starts_with("{from}")) {  // a drop
      if (!move.starts_with(text.substr(0, to_mark))) return std::nullopt;
      const auto to = places.find(move.substr(to_mark));
      if (to == places.end()) return std::nullopt;
      return {{to->second, to->second}};
    }
    const std::string between = text.substr(6, to_mark - 6), end = text.substr(to_mark + 4);
    if (kind.contains("others")) {
      nlohmann::json other = kind;
      other["text"] = kind.at("others");
      other.erase("others");
      other.erase("movers");
      if (const Cells cells = cells_of_move(move, other, policy)) return cells;
    }
    if (!move.ends_with(end)) return std::nullopt;
    for (const auto& [name, from] : places) {
      const std::string start = name + between;
      if (!move.starts_with(start) || move.size() < start.size() + end.size()) continue;
      const auto to =
          places.find(move.substr(start.size(), move.size() - start.size() - end.size()));
      if (to == places.end()) continue;
      const auto levels = encoding_->at("levels").get<std::int64_t>();
      if (kind.contains("levels") &&
          (kind.at("levels") == "same") != (from % levels == to->second % levels))
        continue;
      if (kind.contains("movers") && !is_one_of(pieces_[square_named(name)], kind.at("movers")))
        continue;
      return {{from, to->second}};
    }
    return std::nullopt;
  }

  static std::string letter_of(std::string letter, bool white) {
    if (!white)
      for (char& c : letter)
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return letter;
  }
  /// Whether it is a piece of the side to move with one of White's letters.
  bool is_one_of(const std::string& piece, const nlohmann::json& letters) const {
    for (const auto& letter : letters)
      if (piece == letter_of(letter, side_ == "white")) return true;
    return false;
  }
  std::size_t square_named(const std::string& name) const {
    std::size_t s = 0;
    while (squares().at(s).at("name") != name)
      ++s;
    return s;
  }

  const nlohmann::json& squares() const { return encoding_->at("squares"); }
  int level_of(std::size_t square) const {  // from 1
    return cells_.at(square) % encoding_->at("levels").get<int>() + 1;
  }

  void read_pieces() {
    const std::size_t hands = fields_.at(0).find('[');
    if (hands != std::string::npos)
      hands_ = fields_[0].substr(hands + 1, fields_[0].size() - hands - 2);
    std::istringstream levels(fields_.at(0).substr(0, hands));
    pieces_.assign(squares().size(), "");
    std::string level;
    for (level_count_ = 0; std::getline(levels, level, '|'); ++level_count_) {
      const auto& rows = encoding_->at("fen_rows").at(static_cast<std::size_t>(level_count_));
      std::istringstream ranks(level);
      std::string rank;
      for (std::size_t row = 0; std::getline(ranks, rank, '/'); ++row) {
        std::size_t column = 0;
        for (std::size_t i = 0; i < rank.size(); ++i) {
          if (std::isdigit(static_cast<unsigned char>(rank[i])) != 0) {
            std::size_t length = 0;
            for (; i < rank.size() && std::isdigit(static_cast<unsigned char>(rank[i])) != 0; ++i)
              length = 10 * length + static_cast<std::size_t>(rank[i] - '0');
            --i;
            column += length;
          } else {
            const std::size_t length = rank[i] == '+' ? 2 : 1;
            pieces_.at(rows.at(row).at(column).get<std::size_t>()) = rank.substr(i, length);
            i += length - 1;
            ++column;
          }
        }
      }
    }
  }

  /// The numbers of the field that describes the board.
  double number(std::size_t field, std::size_t index) const {
    if (field >= fields_.size()) return 0;
    std::string text = fields_[field];
    for (char& c : text)
      if (c == ',' || c == '/' || c == '+') c = ' ';
    std::istringstream in(text);
    double value = 0;
    for (std::size_t i = 0; i <= index; ++i)
      if (!(in >> value)) return 0;
    return value;
  }

  void find_cells() {
    for (const auto& square : squares())
      cells_.push_back(square.at("cell").at(side_).get<int>());
    if (!encoding_->contains("moved_cells")) return;
    const auto& moved = encoding_->at("moved_cells");
    for (const auto& table : moved.at("tables"))
      if (is_in_force(table, moved)) cells_ = table.at(side_).get<std::vector<int>>();
  }
  /// Whether the table is for the numbers that the FEN has: one, or a list of them.
  bool is_in_force(const nlohmann::json& table, const nlohmann::json& tables) const {
    const auto listed = [](const nlohmann::json& json) {
      return json.is_array() ? json : nlohmann::json::array({json});
    };
    const auto indices = listed(tables.at("number")), values = listed(table.at("value"));
    for (std::size_t i = 0; i < indices.size(); ++i)
      if (number(tables.at("field").get<std::size_t>(), indices[i].get<std::size_t>()) !=
          values.at(i).get<double>())
        return false;
    return true;
  }

  bool exists(std::size_t square) const {
    const auto& rule = squares().at(square).at("exists");
    if (rule.is_string()) return pieces_.at(square) != "*";
    const auto range = rule.at("levels").get<std::vector<int>>();
    return level_count_ >= range.at(0) && level_count_ <= range.at(1);
  }

  /// Whether "own" or "enemy" is White.
  bool is_white(const nlohmann::json& source) const {
    return (source.at("side").get<std::string>() == "own") == (side_ == "white");
  }
  std::string castling_of(int level) const {
    std::istringstream levels(fields_.at(2));
    std::string found;
    for (int i = 1; std::getline(levels, found, '|'); ++i)
      if (i == level) return found;
    return "";
  }

  /// Whether a piece can attack this way.
  bool is_open(const nlohmann::json& way) const {
    for (const std::size_t over : way.at("over"))
      if (!pieces_[over].empty()) return false;
    if (way.contains("hurdle")) {
      const std::string& hurdle = pieces_[way.at("hurdle").get<std::size_t>()];
      if (hurdle.empty() || hurdle == "*") return false;
    }
    return pieces_[way.at("to").get<std::size_t>()] != "*";
  }

  /// How many pieces of a side attack each square.
  std::vector<int> attacks(bool white) const {
    const nlohmann::json& described = encoding_->at("attacks");
    const nlohmann::json& tables = described.at("tables");
    std::size_t in_force = 0;
    while (described.contains("field") && !is_in_force(tables.at(in_force), described))
      ++in_force;
    const nlohmann::json& lines = tables.at(in_force).at("lines");
    std::vector<int> times(squares().size());
    for (std::size_t s = 0; s < squares().size(); ++s) {
      if (pieces_[s].empty()) continue;
      const auto letter = static_cast<unsigned char>(pieces_[s].back());
      if (std::isalpha(letter) == 0 || (std::isupper(letter) != 0) != white) continue;
      std::set<std::size_t> reached;
      for (const std::string pattern : described.at("patterns").at(pieces_[s])) {
        if (tables.at(in_force).contains("ways") &&
            tables.at(in_force).at("ways").contains(pattern))
          for (const auto& way : tables.at(in_force).at("ways").at(pattern).at(s))
            if (is_open(way)) reached.insert(way.at("to").get<std::size_t>());
        for (const auto& line : lines.at(pattern).at(s))
          for (const std::size_t to : line) {
            if (pieces_[to] == "*") break;
            reached.insert(to);
            if (!pieces_[to].empty()) break;
          }
      }
      for (const std::size_t to : reached)
        ++times[to];
    }
    return times;
  }

  static std::vector<std::string> parts(const std::string& text, char separator) {
    std::vector<std::string> found;
    std::istringstream in(text);
    for (std::string part; std::getline(in, part, separator);)
      found.push_back(part);
    return found;
  }

  /// The piece that the turn before moved over the squares of the FEN's field: the one that is
  /// named, or else the only one that can have come that way.
  std::optional<std::size_t> passing_piece(const nlohmann::json& steps) const {
    const std::string& field = fields_.at(3);
    if (field == "-") return std::nullopt;
    if (field.find('/') != std::string::npos)
      return square_named(field.substr(field.find('/') + 1));
    std::set<std::size_t> passed;
    for (const std::string& name : parts(field, '+'))
      passed.insert(square_named(name));
    std::map<std::pair<std::size_t, std::size_t>, std::set<std::size_t>> over;
    for (const auto& step : steps) {
      const auto from = step.at("from").get<std::size_t>(), to = step.at("to").get<std::size_t>();
      const std::string letter = step.at("letter");
      const bool is_white = std::isupper(static_cast<unsigned char>(letter.back())) != 0;
      if (is_white == (side_ == "white") || pieces_[to] != letter || !pieces_[from].empty())
        continue;
      const auto squares = step.at("over").get<std::set<std::size_t>>();
      if (std::ranges::all_of(squares, [&](std::size_t s) { return pieces_[s].empty(); }))
        over[{from, to}].insert(squares.begin(), squares.end());
    }
    for (const auto& [ends, squares] : over)
      if (std::ranges::includes(squares, passed)) return ends.second;
    return std::nullopt;
  }

  std::vector<double> raw_plane(const nlohmann::json& source, std::size_t cells) const {
    const auto term = source.at("term").get<std::string>();
    const int level = source.value("level", 0);
    std::vector<double> plane(cells);
    const auto filled = [&](double value) { return std::vector<double>(cells, value); };
    const auto mark = [&](std::size_t square) {
      if (level > 0 && level_of(square) != level) return;
      plane.at(static_cast<std::size_t>(cells_[square] / encoding_->at("levels").get<int>())) = 1;
    };
    const auto mark_where = [&](const auto& is_marked) {
      for (std::size_t s = 0; s < squares().size(); ++s)
        if (is_marked(s)) mark(s);
    };

    if (term == "constant") return filled(1);
    if (term == "black-to-move") return filled(side_ == "black" ? 1 : 0);
    if (term == "plies-since-progress") return filled(std::stod(fields_.at(4)));
    if (term == "earlier-occurrences") return filled(repetitions_);
    if (term == "fen-number")
      return filled(
          number(source.at("field").get<std::size_t>(), source.at(side_).get<std::size_t>()));
    if (term == "fen-word") {
      const std::string& field = fields_.at(source.at("field").get<std::size_t>());
      return filled(source.at("values").value(field.substr(field.find('/') + 1), 0));
    }
    if (term == "turn-modulo") {
      const auto move = number(source.at("field").get<std::size_t>(), 0);
      const int turn = 2 * static_cast<int>(move) - (side_ == source.at("first") ? 1 : 0);
      return filled(turn % source.at("every").get<int>());
    }
    if (term == "hand") {
      const std::string letter = letter_of(source.at("letter"), is_white(source));
      return filled(static_cast<double>(std::ranges::count(hands_, letter.at(0))));
    }
    if (term == "castling-right") {
      const char wing = source.at("wing").get<std::string>().at(0);
      const char letter = is_white(source) ? wing : static_cast<char>(std::tolower(wing));
      return filled(castling_of(level == 0 ? 1 : level).find(letter) != std::string::npos ? 1 : 0);
    }
    if (term == "piece") {
      const std::string letter = letter_of(source.at("letter"), is_white(source));
      mark_where([&](std::size_t s) { return pieces_[s] == letter; });
    } else if (term == "existing-squares") {
      mark_where([&](std::size_t s) { return exists(s); });
    } else if (term == "missing-squares") {
      mark_where([&](std::size_t s) { return !exists(s); });
    } else if (term == "en-passant-square") {
      for (const std::string& name : parts(fields_.at(3).substr(0, fields_.at(3).find('/')), '+'))
        mark_where([&](std::size_t s) { return squares()[s].at("name") == name; });
    } else if (term == "passing-piece") {
      if (const auto passer = passing_piece(source.at("steps"))) mark(*passer);
    } else if (term == "fen-squares") {
      const std::string& field = fields_.at(source.at("field").get<std::size_t>());
      for (const auto& s :
           source.at("squares").value(field.substr(field.find('/') + 1), nlohmann::json::array()))
        mark(s.get<std::size_t>());
    } else if (term == "square-set") {
      for (const auto& s : source.at(side_))
        if (exists(s.get<std::size_t>())) mark(s.get<std::size_t>());
    } else if (term == "attacks") {
      const std::vector<int> times = attacks(is_white(source));
      mark_where([&](std::size_t s) { return times[s] >= source.at("at_least").get<int>(); });
    } else if (term == "castling-rooks") {
      for (const auto& [letter, name] : source.at("rooks").items())
        if ((std::isupper(static_cast<unsigned char>(letter[0])) != 0) == is_white(source) &&
            castling_of(level == 0 ? 1 : level).find(letter) != std::string::npos)
          mark_where([&, n = name](std::size_t s) { return squares()[s].at("name") == n; });
    } else {
      throw std::runtime_error("the vocabulary has no term " + term);
    }
    return plane;
  }

  const nlohmann::json* encoding_;
  std::vector<std::string> fields_;
  std::string side_;
  int repetitions_;
  int level_count_ = 0;
  std::vector<std::string> pieces_;  // "*": no square; "": none
  std::string hands_;
  std::vector<int> cells_;  // policy cells for the side to move
  Places squares_by_name_;
};

}  // namespace faultline::test
