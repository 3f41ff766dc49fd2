// What a match, a tournament, a study or a survey found, as a document: made once by the code that
// knows the result, and shown as text, as JSON and on pages by code that does not
// (docs/documents.md).
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace faultline {

inline constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

/// What a person reads, and the number behind it if it is one, perhaps with an interval.
struct Cell {
  std::string text = {};
  double value = kNoNumber;
  double low = kNoNumber;  // the interval's ends, which may be infinite; kNoNumber: there is none
  double high = kNoNumber;
};

/// "12,345".
Cell count_cell(std::int64_t count);
/// "3.25"; "-" if the value is not finite, here and below.
Cell number_cell(double value, int decimals);
/// "54.0 %".
Cell share_cell(double share, int decimals = 1);
/// "54.0 % (48.1 to 60.0)".
Cell share_cell(double share, double low, double high);
/// "+79 (+15 to +147)"; "at least +380" and "at most -380" where the Elo is infinite.
Cell elo_cell(double elo, double low, double high);

/// Figures by name. Those with an empty text are not shown.
struct Fact {
  /// A constructor, as GCC 12 warns of lists of aggregates within aggregates.
  Fact(std::string of, Cell is, std::string because = {})
      : name(std::move(of)), value(std::move(is)), remark(std::move(because)) {}

  std::string name;
  Cell value;
  std::string remark;
};
using Facts = std::vector<Fact>;

struct Column {
  enum class Kind : std::uint8_t {
    Text,
    Code,    // text as it is typed: keys, names of players
    Number,  // aligned on the right
    OnAxis,  // pages draw its cells' intervals on an axis
  };
  std::string title;
  Kind kind = Kind::Text;
  /// The ends of the axis; without them it is as long as the cells need, with `reference`.
  double low = kNoNumber;
  double high = kNoNumber;
  double reference = kNoNumber;  // a line across the axis
};
/// A share with its interval, from 0 to 1, with a line at one half or elsewhere.
Column share_column(std::string title, double reference = kNoNumber);
/// A difference in Elo with its interval and a line at 0.
Column elo_column(std::string title);

struct Table {
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows = {};  // of a cell per column
};

/// Values over the points of an axis; kNoNumber where there is none.
struct Series {
  std::string name;
  std::vector<double> values;
  std::vector<double> low = {};  // of intervals; empty: none
  std::vector<double> high = {};
  std::string style = {};  // "reference": a line to compare with; "white", "draw", "black"
};
struct Chart {
  std::string title;
  std::string unit = {};  // "share", "elo", "nats", "per second", "plies", ""
  std::string note = {};
  std::vector<Series> series = {};
};
struct Axis {
  std::string name;
  std::vector<double> values;
};
struct Curves {
  std::vector<Axis> axes;  // what the charts can be drawn over
  std::vector<Chart> charts = {};
};

/// Players against each other.
struct Matrix {
  struct Entry {
    double share = kNoNumber;  // of the points, for the row's player; kNoNumber: no games
    Cell note = {};
    std::string title = {};  // what pages show of it under the pointer
    bool empty() const { return share != share && note.text.empty(); }
  };
  explicit Matrix(std::vector<std::string> players)
      : names(std::move(players)), cells(names.size(), std::vector<Entry>(names.size())) {}

  std::vector<std::string> names;
  std::vector<std::vector<Entry>> cells;  // [row][column]
};

struct Section {
  std::string title;
  std::variant<Facts, Table, Curves, Matrix> content;
  std::string note = {};
  bool page_only = false;  // too much for a terminal, or said elsewhere in the document
};

struct Document {
  std::string kind;  // "match"
  std::string title;
  std::string subtitle = {};
  std::vector<std::string> notices = {};  // what the reader should be warned of
  std::vector<Section> sections = {};
};

/// Markdown whose tables are aligned: to be read in a terminal, or pasted.
std::string document_text(const Document& document);

/// docs/documents.md describes it.
nlohmann::ordered_json to_json(const Document& document);
nlohmann::ordered_json to_json(const Section& section);
/// A number with so many significant digits, whole numbers with all; null if it is not finite.
nlohmann::ordered_json json_number(double value, int digits = 6);

}  // namespace faultline
