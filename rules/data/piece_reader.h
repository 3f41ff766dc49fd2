// [pieces], [hands], [rules] and [ends] of a game's file: everything that names pieces.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/toml_tree.h"
#include "rules/data/board_reader.h"
#include "rules/data/game_file.h"
#include "rules/data/merged_file.h"
#include "rules/data/reading.h"

namespace faultline::data {

/// "K", "+R".
bool is_piece_letter(std::string_view key);

/// Letters of pieces in a text ("QRBN", "Q+R", "*", "not K") or a list of them.
class Letters {
 public:
  Letters(const std::vector<PieceType>& pieces, const MergedFile& file, Findings& findings)
      : pieces_(pieces), file_(file), findings_(findings) {}
  /// In their order. nullopt, and reported, if one is unknown; `says` begins the message about one
  /// that the file removed: "P promotes to".
  std::optional<std::vector<TypeIndex>> read(const TomlValue& value, std::string_view path,
                                             std::string_view says = "") const;
  std::optional<TypeSet> read_set(const TomlValue& value, std::string_view path,
                                  std::string_view says = "") const;
  TypeIndex find(std::string_view letter) const;
  std::string all() const;

 private:
  const std::vector<PieceType>& pieces_;
  const MergedFile& file_;
  Findings& findings_;
};

struct PiecesRead {
  std::vector<PieceType> pieces;
  bool complete = false;  // whether all pieces of the file are there
};
PiecesRead read_pieces(const MergedFile& file, const BoardRead& board, Findings& findings);

/// Levels::descend and Levels::same.
void read_descent(const MergedFile& file, const std::vector<PieceType>& pieces, Board& board,
                  Findings& findings);
std::optional<Hands> read_hands(const MergedFile& file, const BoardRead& board,
                                const std::vector<PieceType>& pieces, Findings& findings);
Rules read_rules(const MergedFile& file, const std::vector<PieceType>& pieces, Findings& findings);
Ends read_ends(const MergedFile& file, const BoardRead& board, const std::vector<PieceType>& pieces,
               Findings& findings);

}  // namespace faultline::data
