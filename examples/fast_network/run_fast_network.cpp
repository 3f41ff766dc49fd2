// Evaluates positions with a fast network, knowing nothing of its game but what the file says.
//
//   run_fast_network FILE          computes all golden positions and compares
//   run_fast_network FILE FEN      evaluates one position
//
// FILE is what `faultline export --format fast` wrote, or fast.safetensors of a bundle;
// docs/export.md defines what is in it. Exit code 0: good; 1: a score is not the golden one; 2: the
// input cannot be used.
#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

using nlohmann::json;

namespace {

constexpr int kFormat = 1;
constexpr int kMostFaults = 5;

enum Side { kWhite, kBlack };

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);)
    parts.push_back(part);
  return parts;
}

/// What the inputs need of a square's description.
struct Square {
  int cell[2];    // its policy cell, by side to move
  bool by_fen;    // it exists unless the FEN has '*' there; otherwise,
  int levels[2];  // it exists while the position has so many levels
};

/// The part of an encoding's description that fast networks use.
class Encoding {
 public:
  explicit Encoding(const json& description) {
    for (const json& square : description.at("squares")) {
      const json& exists = square.at("exists");
      const bool by_fen = exists.is_string();
      squares_.push_back({{square.at("cell").at("white"), square.at("cell").at("black")},
                          by_fen,
                          {by_fen ? 0 : exists.at("levels").at(0).get<int>(),
                           by_fen ? 0 : exists.at("levels").at(1).get<int>()}});
    }
    rows_ = description.at("fen_rows").get<std::vector<std::vector<std::vector<std::size_t>>>>();
    if (const auto moved = description.find("moved_cells"); moved != description.end()) {
      moved_field_ = moved->at("field");
      moved_numbers_ = list(moved->at("number"));
      for (const json& table : moved->at("tables"))
        tables_.push_back({list(table.at("value")), {table.at("white"), table.at("black")}});
    }
  }

  struct MovedCells {
    std::vector<int> values;    // of the numbers in the FEN
    std::vector<int> cells[2];  // by side to move, then by square
  };
  const std::vector<Square>& squares() const { return squares_; }
  const std::vector<std::vector<std::vector<std::size_t>>>& rows() const { return rows_; }
  const std::vector<MovedCells>& tables() const { return tables_; }
  std::size_t moved_field() const { return moved_field_; }
  const std::vector<int>& moved_numbers() const { return moved_numbers_; }

 private:
  /// One number or a list of them.
  static std::vector<int> list(const json& value) {
    if (value.is_array()) return value.get<std::vector<int>>();
    return {value.get<int>()};
  }

  std::vector<Square> squares_;
  std::vector<std::vector<std::vector<std::size_t>>> rows_;  // by level, row, column: squares
  std::size_t moved_field_ = 0;
  std::vector<int> moved_numbers_;
  std::vector<MovedCells> tables_;  // empty unless the board moves
};

/// A position from its FEN.
class Position {
 public:
  Position(const Encoding& encoding, const std::string& fen) : encoding_(&encoding), fen_(fen) {
    std::istringstream in(fen);
    for (std::string field; in >> field;)
      fields_.push_back(field);
    if (fields_.size() < 6) fail("it has less than 6 fields");
    if (fields_[1] != "w" && fields_[1] != "b") fail("the side to move is not w or b");
    side_ = fields_[1] == "w" ? kWhite : kBlack;
    read_pieces();
    if (!encoding.tables().empty()) find_table();
  }

  Side side() const { return side_; }
  int levels() const { return levels_; }
  /// The letter of a piece, '*' where there is no square, 0 where there is no piece.
  char piece(std::size_t square) const { return pieces_[square]; }
  bool exists(std::size_t square) const {
    const Square& s = encoding_->squares()[square];
    return s.by_fen ? pieces_[square] != '*' : levels_ >= s.levels[0] && levels_ <= s.levels[1];
  }
  /// The policy cell of a square as a side sees it.
  int cell(std::size_t square, Side view) const {
    return table_ == nullptr ? encoding_->squares()[square].cell[view]
                             : table_->cells[view].at(square);
  }
  /// A number of a field, which has them between commas and slashes; 0 if there are fewer.
  int number(std::size_t field, std::size_t index) const {
    if (field >= fields_.size()) return 0;
    std::string text = fields_[field];
    std::replace(text.begin(), text.end(), '/', ',');
    const std::vector<std::string> parts = split(text, ',');
    return index < parts.size() ? std::stoi(parts[index]) : 0;
  }

 private:
  [[noreturn]] void fail(const std::string& reason) const {
    throw std::runtime_error("FEN '" + fen_ + "': " + reason);
  }
  void read_pieces() {
    pieces_.assign(encoding_->squares().size(), 0);
    const std::vector<std::string> levels = split(fields_[0], '|');
    levels_ = static_cast<int>(levels.size());
    if (levels.size() > encoding_->rows().size()) fail("it has too many levels");
    for (std::size_t l = 0; l < levels.size(); ++l) {
      const std::vector<std::string> texts = split(levels[l], '/');
      const auto& rows = encoding_->rows()[l];
      if (texts.size() != rows.size())
        fail("it has " + std::to_string(texts.size()) + " rows, not " +
             std::to_string(rows.size()));
      for (std::size_t r = 0; r < rows.size(); ++r)
        read_row(texts[r], rows[r]);
    }
  }
  void read_row(const std::string& text, const std::vector<std::size_t>& squares) {
    std::size_t column = 0;
    for (std::size_t at = 0; at < text.size();) {
      if (std::isdigit(static_cast<unsigned char>(text[at])) != 0) {
        std::size_t length = 0;
        column += std::stoul(text.substr(at), &length);
        at += length;
      } else {
        if (column >= squares.size()) break;
        pieces_.at(squares[column++]) = text[at++];
      }
    }
    if (column != squares.size())
      fail("the row '" + text + "' has not " + std::to_string(squares.size()) + " squares");
  }
  void find_table() {
    std::vector<int> values;
    for (const int index : encoding_->moved_numbers())
      values.push_back(number(encoding_->moved_field(), static_cast<std::size_t>(index)));
    for (const Encoding::MovedCells& table : encoding_->tables())
      if (table.values == values) table_ = &table;
    if (table_ == nullptr) fail("the encoding has no cells for such a board");
  }

  const Encoding* encoding_;
  std::string fen_;
  std::vector<std::string> fields_;
  Side side_ = kWhite;
  int levels_ = 0;
  std::vector<char> pieces_;
  const Encoding::MovedCells* table_ = nullptr;
};

/// Inputs of which a position has at most one, a number, or one per cell.
struct InputGroup {
  enum class Term { Piece, MissingSquares, Levels, FenNumber };
  Term term;
  std::size_t first;
  bool in_view[2];        // whether they belong to White's view, and to Black's
  bool own;               // Piece
  char letter;            // Piece: White's
  std::size_t field;      // FenNumber
  std::size_t number[2];  // FenNumber: by view
  int least, most;        // of a number
};

InputGroup read_group(const json& group) {
  const json& source = group.at("source");
  const auto term = source.at("term").get<std::string>();
  const std::string view = group.value("view", "");
  InputGroup read{};
  read.first = group.at("first");
  read.in_view[kWhite] = view != "black";
  read.in_view[kBlack] = view != "white";
  read.least = group.value("least", 0);
  read.most = group.value("most", 0);
  if (term == "piece") {
    read.term = InputGroup::Term::Piece;
    read.own = source.at("side") == "own";
    read.letter = source.at("letter").get<std::string>().at(0);
  } else if (term == "missing-squares") {
    read.term = InputGroup::Term::MissingSquares;
  } else if (term == "levels") {
    read.term = InputGroup::Term::Levels;
  } else if (term == "fen-number") {
    read.term = InputGroup::Term::FenNumber;
    read.field = source.at("field");
    read.number[kWhite] = source.at("white");
    read.number[kBlack] = source.at("black");
  } else {
    throw std::runtime_error("input '" + group.at("name").get<std::string>() +
                             "': there is no term '" + term + "'");
  }
  return read;
}

/// Reads safetensors: u64 length of the header, the header in JSON, the tensors' bytes.
class Safetensors {
 public:
  explicit Safetensors(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    if (!in) throw std::runtime_error(file + " cannot be read");
    bytes_.assign(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    std::uint64_t length = 0;
    if (bytes_.size() >= sizeof length) std::memcpy(&length, bytes_.data(), sizeof length);
    if (length == 0 || length > bytes_.size() - sizeof length)
      throw std::runtime_error(file + " is no safetensors file, or cut off");
    begin_ = sizeof length + length;
    header_ = json::parse(bytes_.begin() + sizeof length,
                          bytes_.begin() + static_cast<std::ptrdiff_t>(begin_));
  }

  /// JSON that the metadata have as a text.
  json metadata(const char* key) const {
    const json metadata = header_.value("__metadata__", json::object());
    if (!metadata.contains(key))
      throw std::runtime_error(std::string("the metadata have no '") + key +
                               "'; it is not an exported fast network");
    return json::parse(metadata.at(key).get<std::string>());
  }
  /// The numbers of a tensor.
  std::vector<std::int32_t> tensor(const char* name, std::size_t count) const {
    const json& entry = header_.at(name);
    const auto first = entry.at("data_offsets").at(0).get<std::size_t>();
    const auto end = entry.at("data_offsets").at(1).get<std::size_t>();
    if (first > end || end > bytes_.size() - begin_)
      throw std::runtime_error(std::string("tensor '") + name + "' is cut off");
    const char* const data = bytes_.data() + begin_ + first;
    const std::string type = entry.at("dtype");
    if (type == "I16") return numbers<std::int16_t>(data, end - first, name, count);
    if (type == "I32") return numbers<std::int32_t>(data, end - first, name, count);
    throw std::runtime_error(std::string("tensor '") + name + "' is of the type " + type);
  }

 private:
  template <class T>
  static std::vector<std::int32_t> numbers(const char* data, std::size_t size, const char* name,
                                           std::size_t count) {
    if (size != count * sizeof(T))
      throw std::runtime_error(std::string("tensor '") + name + "' must have " +
                               std::to_string(count) + " numbers");
    std::vector<T> read(count);
    std::memcpy(read.data(), data, size);
    return {read.begin(), read.end()};
  }

  std::vector<char> bytes_;
  std::size_t begin_ = 0;  // of the tensors
  json header_;
};

/// What an engine would take. It computes a position anew, in a microsecond or two.
class FastNetwork {
 public:
  explicit FastNetwork(const Safetensors& file) {
    const json evaluation = file.metadata("evaluation");
    if (evaluation.at("format") != kFormat)
      throw std::runtime_error("its format is not " + std::to_string(kFormat));
    hidden_ = evaluation.at("hidden");
    scale_ = evaluation.at("scale");
    direct_divisor_ = evaluation.at("direct_divisor");
    hidden_divisor_ = evaluation.at("hidden_divisor");
    std::size_t inputs = 0;
    for (const json& group : evaluation.at("inputs")) {
      groups_.push_back(read_group(group));
      inputs += group.at("size").get<std::size_t>();
    }
    first_ = file.tensor("first", inputs * hidden_);
    direct_ = file.tensor("direct", inputs);
    bias_ = file.tensor("bias", hidden_);
    second_ = file.tensor("second", 2 * hidden_);
    output_ = file.tensor("output", 1).front();
  }

  /// Centipawns for the side to move. All sums fit 32 bits.
  int score(const Position& position, const Encoding& encoding) const {
    const Side mover = position.side();
    const Side opponent = mover == kWhite ? kBlack : kWhite;
    int direct = 0, sum = 0;
    for (const Side view : {mover, opponent}) {
      std::vector<std::int32_t> units = bias_;
      for_each_input(position, encoding, view, [&](std::size_t input) {
        direct += view == mover ? direct_.at(input) : -direct_.at(input);
        for (std::size_t h = 0; h < hidden_; ++h)
          units[h] += first_[input * hidden_ + h];
      });
      for (std::size_t h = 0; h < hidden_; ++h)
        sum += std::min(std::max(units[h], 0), scale_) * second_[(view == mover ? 0 : hidden_) + h];
    }
    return direct / direct_divisor_ + sum / hidden_divisor_ + output_;
  }

 private:
  template <class F>
  void for_each_input(const Position& position, const Encoding& encoding, Side view, F&& f) const {
    const auto add = [&](const InputGroup& group, int offset) {
      f(group.first + static_cast<std::size_t>(offset));
    };
    const auto add_number = [&](const InputGroup& group, int number) {
      add(group, std::min(std::max(number, group.least), group.most) - group.least);
    };
    for (const InputGroup& group : groups_) {
      if (!group.in_view[view]) continue;
      if (group.term == InputGroup::Term::Levels) add_number(group, position.levels());
      if (group.term == InputGroup::Term::FenNumber)
        add_number(group, position.number(group.field, group.number[view]));
      if (group.term != InputGroup::Term::Piece && group.term != InputGroup::Term::MissingSquares)
        continue;
      const bool white = group.own == (view == kWhite);
      const char letter =
          white ? group.letter
                : static_cast<char>(std::tolower(static_cast<unsigned char>(group.letter)));
      for (std::size_t s = 0; s < encoding.squares().size(); ++s)
        if (group.term == InputGroup::Term::Piece ? position.piece(s) == letter
                                                  : !position.exists(s))
          add(group, position.cell(s, view));
    }
  }

  std::size_t hidden_ = 0;
  int scale_ = 1, direct_divisor_ = 1, hidden_divisor_ = 1;
  std::vector<InputGroup> groups_;
  std::vector<std::int32_t> first_, direct_, bias_, second_;
  std::int32_t output_ = 0;
};

int run(const std::vector<std::string>& arguments) {
  if (arguments.empty() || arguments.size() > 2)
    throw std::runtime_error("usage: run_fast_network FILE [FEN]");
  const Safetensors file(arguments[0]);
  const Encoding encoding(file.metadata("encoding"));
  const FastNetwork network(file);
  if (arguments.size() == 2) {
    const Position position(encoding, arguments[1]);
    std::printf("%d centipawns for %s\n", network.score(position, encoding),
                position.side() == kWhite ? "white" : "black");
    return 0;
  }
  const json golden = file.metadata("golden");
  int faults = 0;
  for (const json& line : golden) {
    const std::string fen = line.at("fen");
    const int expected = line.at("score");
    const int score = network.score(Position(encoding, fen), encoding);
    if (score != expected && ++faults <= kMostFaults)
      std::printf("%s: %d, expected %d\n", fen.c_str(), score, expected);
  }
  if (faults > kMostFaults) std::printf("and %d more\n", faults - kMostFaults);
  std::printf("%zu positions: %s\n", golden.size(), faults == 0 ? "good" : "not good");
  return faults == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 2;
  }
}
