// Documents: cells, JSON and text.
#include "base/document.h"

#include <limits>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace faultline {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kInfinite = std::numeric_limits<double>::infinity();

TEST(Cell, SaysNumbersAsTheyAreRead) {
  EXPECT_EQ(count_cell(12345).text, "12,345");
  EXPECT_EQ(count_cell(-1200).text, "-1,200");
  EXPECT_EQ(number_cell(2.345, 1).text, "2.3");
  EXPECT_EQ(number_cell(kNoNumber, 1).text, "-");
  EXPECT_EQ(share_cell(0.5414).text, "54.1 %");
  EXPECT_EQ(share_cell(0.54, 0.481, 0.6).text, "54.0 % (48.1 to 60.0)");
  EXPECT_EQ(share_cell(kNoNumber, 0, 1).text, "-");
  EXPECT_EQ(elo_cell(79.4, 15, 147).text, "+79 (+15 to +147)");
  EXPECT_EQ(elo_cell(kInfinite, 380, kInfinite).text, "at least +380");
  EXPECT_EQ(elo_cell(-kInfinite, -kInfinite, -380).text, "at most -380");
}

TEST(Document, IsJsonWithNumbersBesideTheirTexts) {
  using enum Column::Kind;
  const Document document{
      .kind = "match",
      .title = "a title",
      .notices = {"beware"},
      .sections = {{"Figures", Facts{{"Games", count_cell(1234), "of 2000"},
                                     {"Elo", elo_cell(kInfinite, 380, kInfinite)},
                                     {"Unknown", {}}}},
                   {"Table",
                    Table{{{"player", Code}, share_column("score", 0.5), elo_column("Elo")},
                          {{{"a"}, share_cell(2.0 / 3, 0.25, 1), {"-"}}}},
                    "a note"}}};
  EXPECT_EQ(to_json(document), Json::parse(R"json({
    "format": 2, "kind": "match", "title": "a title", "subtitle": "", "notices": ["beware"],
    "sections": [
      {"type": "facts", "title": "Figures", "items": [
        {"name": "Games", "value": 1234, "remark": "of 2000"},
        {"name": "Elo", "value": {"value": null, "low": 380, "high": null,
                                  "text": "at least +380"}}]},
      {"type": "table", "title": "Table", "note": "a note",
       "columns": [{"title": "player", "kind": "code"},
                   {"title": "score", "kind": "interval", "axis": [0, 1], "reference": 0.5},
                   {"title": "Elo", "kind": "interval", "reference": 0}],
       "rows": [["a", {"value": 0.666667, "low": 0.25, "high": 1,
                       "text": "66.7 % (25.0 to 100.0)"}, "-"]]}]})json"));
}

TEST(Document, HasCurvesAndPairingsAsPagesDrawThem) {
  Matrix matrix({"a", "b"});
  matrix.cells[0][1] = {0.75, share_cell(0.98, 0), "a against b: 3 of 4"};
  EXPECT_EQ(to_json(Section{"Pairings", std::move(matrix)}), Json::parse(R"({
    "type": "matrix", "title": "Pairings", "names": ["a", "b"], "cells":
    [[null, {"share": 0.75, "note": {"value": 0.98, "text": "98 %"},
      "title": "a against b: 3 of 4"}], [null, null]]})"));
  const Curves curves{
      {{"steps", {1234567, 1234568}}},
      {{"Loss", "nats", "", {{.name = "held out", .values = {0.123456, kNoNumber}}}}}};
  EXPECT_EQ(to_json(Section{"Curves", curves}), Json::parse(R"({
    "type": "curves", "title": "Curves", "axes": [{"name": "steps", "values": [1234567, 1234568]}],
    "charts": [{"title": "Loss", "unit": "nats", "series": [
      {"name": "held out", "values": [0.1235, null]}]}]})"));
}

TEST(Document, IsTextWhoseTablesAreAligned) {
  using enum Column::Kind;
  Matrix matrix({"a|b", "c"});
  matrix.cells[0][1] = {0.75, share_cell(0.98, 0), ""};
  Document document{.kind = "k", .title = "Title", .subtitle = "what it is", .notices = {"beware"}};
  document.sections = {
      {"Figures", Facts{{"Games", {"12"}, "of 20"}, {"Unknown", {}}, {"Decided", {"no"}}}},
      {"Numbers", Table{{{"player", Code}, {"score", Number}}, {{{"ä"}, {"54.0 %"}}}}, "a note"},
      {"Nobody", Table{{{"player"}}}},
      {"Pairings", std::move(matrix)},
      {.title = "Drawn", .content = Curves{{{"ply", {}}}}, .page_only = true}};
  EXPECT_EQ(document_text(document), R"(# Title

what it is

Note: beware

## Figures

- Games:   12 (of 20)
- Decided: no

## Numbers

| player |  score |
|--------|-------:|
| ä      | 54.0 % |

a note

## Nobody

None.

## Pairings

|     |      |   1 |          2 |
|----:|------|----:|-----------:|
|   1 | a\|b |   - | 75 %, 98 % |
|   2 | c    |   - |          - |
)");
}

TEST(Document, TurnsWideTablesOfFewRows) {
  Table wide{{{"variant"}}, {{{"gardner"}}}};
  for (int i = 0; i < 20; ++i) {
    wide.columns.push_back({"column " + std::to_string(i)});
    wide.rows[0].push_back(count_cell(i));
  }
  const std::string text = document_text({.kind = "k", .title = "", .sections = {{"", wide}}});
  EXPECT_TRUE(
      text.starts_with("| variant   | gardner |\n|-----------|--------:|\n"
                       "| column 0  |       0 |\n"))
      << text;
}

TEST(Document, SaysSomePointsOfCurves) {
  Curves curves{{{"ply", {}}}, {{"Moves", "", "", {{.name = "a", .values = {}}}}}};
  for (int ply = 0; ply < 40; ++ply) {
    curves.axes[0].values.push_back(ply);
    curves.charts[0].series[0].values.push_back(20 + ply);
  }
  const std::string text = document_text({.kind = "k", .title = "", .sections = {{"", curves}}});
  EXPECT_EQ(text,
            "Moves:\n\n| ply |    a |\n|----:|-----:|\n|   0 | 20.0 |\n|   8 | 28.0 |\n"
            "|  16 | 36.0 |\n|  32 | 52.0 |\n");
}

}  // namespace
}  // namespace faultline
