// Fairy-Stockfish's pieces, and moves compared with theirs.
#include "rules/data/fairy_pieces.h"

#include <array>
#include <cstddef>

namespace faultline::data {
namespace {

constexpr std::array<NamedPiece, 29> kPieces = {{{"knight", "N"},
                                                 {"bishop", "B"},
                                                 {"rook", "R"},
                                                 {"queen", "Q"},
                                                 {"fers", "F"},
                                                 {"alfil", "A"},
                                                 {"fersAlfil", "FA"},
                                                 {"silver", "FfW"},
                                                 {"aiwok", "RNF"},
                                                 {"bers", "RF"},
                                                 {"archbishop", "BN"},
                                                 {"chancellor", "RN"},
                                                 {"amazon", "QN"},
                                                 {"knibis", "mNcB"},
                                                 {"biskni", "mBcN"},
                                                 {"kniroo", "mNcR"},
                                                 {"rookni", "mRcN"},
                                                 {"shogiPawn", "fW"},
                                                 {"lance", "fR"},
                                                 {"shogiKnight", "fN"},
                                                 {"gold", "WfF"},
                                                 {"dragonHorse", "BW"},
                                                 {"breakthrough", "fmWfF"},
                                                 {"cannon", "mRcpR"},
                                                 {"horse", "nN"},
                                                 {"elephant", "nA"},
                                                 {"wazir", "W"},
                                                 {"commoner", "K"},
                                                 {"centaur", "KN"}}};

}  // namespace

std::span<const NamedPiece> fairy_pieces() {
  return kPieces;
}

void add_way(MoveSet& ways, const Leg& leg) {
  std::string way;
  for (const Stretch& stretch : leg.stretches) {
    for (const Direction direction : stretch.step)
      way += static_cast<char>('a' + static_cast<int>(direction));
    way += std::to_string(stretch.most) + ' ';
  }
  way += std::to_string(static_cast<int>(leg.hop));
  if (leg.lame) way += 'n';
  if (leg.initial) way += 'i';
  ways[way] |= (leg.moves ? 1 : 0) | (leg.captures ? 2 : 0) | (leg.en_passant ? 4 : 0);
}

MoveSet ways_of(const std::vector<Leg>& legs, bool half_turn) {
  MoveSet ways;
  for (const Leg& leg : legs)
    add_way(ways, half_turn ? mirrored(leg, true) : leg);
  return ways;
}

MoveSet ways_of(std::string_view betza) {
  MoveSet ways;
  for (const BetzaPart& part : read_betza(betza).parts)
    for (const Leg& leg : part.legs)
      add_way(ways, leg);
  return ways;
}

std::string why_no_custom_piece(const std::string& part) {
  const std::size_t atom = part.find_first_of("WFDNAHCZGKRBQ");
  if (atom == std::string::npos || part.find_first_not_of("fbvhrlsmcpgnie") < atom)
    return "its atoms are W F D N A H C Z G and K Q R B";
  const std::string_view before = std::string_view(part).substr(0, atom);
  const std::string_view after = std::string_view(part).substr(atom + 1);
  const bool slides = std::string_view("WFKRBQ").find(part[atom]) != std::string_view::npos;
  if (!after.empty() && !((slides || part[atom] == 'N') && after.size() == 1 && after != "0") &&
      !(part[atom] == 'N' && after == "N"))
    return "its riders are those of W, F, R, B, Q, K and N";
  if (before.find_first_of("pg") != std::string_view::npos &&
      std::string_view("RBQ").find(part[atom]) == std::string_view::npos)
    return "its hoppers are R, B and Q";
  if (before.find('n') != std::string_view::npos &&
      std::string_view("NAD").find(part[atom]) == std::string_view::npos)
    return "its lame leapers are N, A and D";
  return "";
}

}  // namespace faultline::data
