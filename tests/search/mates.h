// Positions of every family with the shortest mate that the side to move can force.
#pragma once

#include <array>
#include <string_view>

namespace faultline::test {

struct MatePosition {
  std::string_view variant;
  std::string_view fen;
  int plies;  // with the mating move
};

/// Mates from random sparse boards. MateSolver proves each in a few hundred thousand positions at
/// most.
inline constexpr std::array kMatePositions = {
    MatePosition{"chess", "4k2r/1N1p1p2/3P2P1/2P1P3/3p1p2/3P1p1b/2P1P3/R2bK2R w KQk - 0 259", 1},
    MatePosition{"chess", "r2Bk2r/7r/2R2n2/1P6/8/8/6r1/R3K3 b - - 0 237", 1},
    MatePosition{"chess", "4k3/P1pp4/8/2P3P1/3p4/R5p1/2P1p3/4K2R w K - 0 121", 3},
    MatePosition{"chess", "r3k2r/Pp1p2p1/8/P6P/1pr3p1/8/P1bn2rP/R3K1Q1 b - - 0 246", 3},
    MatePosition{"chess", "6n1/6b1/8/3Nb3/4k3/2q5/2Pr4/2R1K3 b - - 0 116", 5},
    MatePosition{"chess", "1b4k1/7b/R2q3K/7B/1B2P3/5R2/p2R4/8 w - - 0 181", 5},
    MatePosition{"chess", "4k3/6R1/7P/8/8/7N/8/3rK3 w - - 0 56", 7},
    MatePosition{"chess", "8/3r4/8/1B2p3/1p1R3N/6p1/7p/2k1K3 b - - 0 195", 7},
    MatePosition{"gardner", "1K3/4n/1kr2/3q1/1n3 b - - 0 291", 1},
    MatePosition{"gardner", "1Q3/RP2K/3N1/p2pk/3N1 w - - 0 32", 1},
    MatePosition{"gardner", "3q1/p4/4K/2r2/k4 b - - 0 108", 3},
    MatePosition{"gardner", "3k1/5/p4/1rR1r/K4 b - - 0 94", 3},
    MatePosition{"gardner", "k4/5/N1K1n/1P3/3Q1 w - - 0 277", 5},
    MatePosition{"gardner", "5/1K3/2nP1/P1kPr/2B1n b - - 0 249", 5},
    MatePosition{"gardner", "5/P4/1p1R1/1KPPk/5 w - - 0 219", 7},
    MatePosition{"gardner", "2Q2/2N2/2rPK/1P3/4k w - - 0 252", 7},
    MatePosition{"escher", "4k2r/7R/1R6/8/5Qn1/1P6/8/4K2R w - - 0 16", 1},
    MatePosition{"escher", "4k3/3p4/8/5R2/6N1/8/3N4/R3K2R w - - 0 19", 1},
    MatePosition{"escher", "4k2r/8/8/8/8/pq2P2p/8/R3K3 b - - 0 79", 3},
    MatePosition{"escher", "r3k2r/3q4/8/8/8/8/8/4K2R b - - 0 113", 3},
    MatePosition{"escher", "2B1k2r/2n5/6RR/8/8/8/8/R3KB1R w - - 0 242", 5},
    MatePosition{"escher", "K7/5p1k/2B5/2P4p/4P3/Q7/8/8 w - - 0 131", 5},
    MatePosition{"escher", "8/8/q7/8/8/2p5/1pP5/2k1K3 b - - 0 209", 7},
    MatePosition{"escher", "1k2p3/8/2RP4/8/2P5/3Bp3/4K3/3P1B2 w - - 0 48", 7},
    MatePosition{"slanted:army=almost",
                 "2n7/1ccc4Cu/B6Rr1/CCC2N1C/R2k4/1c3ccc/3U6/2CcKC1C1c/8N1 w - - 0 1", 1},
    MatePosition{"slanted:army=almost,first=black",
                 "3MB1k3/4Cm1m1c/6C3/3U1c2/3CK3/3C4/c2C3c1r/m1u2N4/10 w - - 0 1", 1},
    MatePosition{"slanted:first=black", "1r3k2r1/10/3b6/8/7u/8/10/10/3K6 b kq - 0 1", 3},
    MatePosition{"slanted:board=mini,first=white", "1b5q/k4C2/n3c1/6/1c1K2c1/7n b - - 0 1", 3},
    MatePosition{"slanted:army=sort-of-almost,first=black,jumpcheck=off",
                 "6r3/10/10/8/c7/5K2/9k/N9/10 b - - 0 1", 5},
    MatePosition{"slanted:board=mini,first=white", "4r3/1c1N4/5C/3rK1/C2c4/2k5 b - - 0 1", 5},
    MatePosition{"slanted:army=almost,first=black,jumpcheck=off",
                 "10/9N/c9/8/8/8/6u3/10/5k3K b - - 0 1", 7},
    MatePosition{"slanted:board=mini,jumpcheck=off", "1k6/1C6/6/6/8/R3K2R w KQ - 0 1", 7},
    MatePosition{"earthquake:dx=-4,dy=2,aftershock=9",
                 "6k1/P3pR2/6**/P1B1n1**/3K4/1Q6/5N2/8 w - - 0 173 6,2/1,7/1", 1},
    MatePosition{"earthquake:aftershock=2",
                 "r3k2r/PQ2b1P1/4R3/3p4/4R3/8/8/R1RBK3 w Qkq - 0 265 6,0/1,2/0", 1},
    MatePosition{"earthquake:dx=8,dy=3,aftershock=3,shock=4",
                 "r3k2r/2******/2******/2******/8/8/1r6/4K2R b Kkq - 0 103 2,3/3,1/0", 3},
    MatePosition{"earthquake:dx=8,dy=-2,fly=on,aftershock=9,shock=7",
                 "r2nk3/2Q5/8/3N4/8/8/8/R2qK3 w Qq - 0 49 6,-2/6,1/5", 3},
    MatePosition{"earthquake:dx=8,dy=-2,fly=on", "1Q6/7p/k7/4K1P1/7p/7R/6P1/8 w - - 0 30 8,-2", 5},
    MatePosition{"earthquake:dx=-4,dy=2,aftershock=9",
                 "8/8/****4/****4/1PK5/Pr1pq3/B2r2kp/7r b - - 0 202 -4,2/5,5/-1", 5},
    MatePosition{"earthquake", "1B6/R1p5/8/1P1Pk3/2p5/1p2Q3/KP6/1N6 w - - 0 254 1,0", 7},
    MatePosition{"earthquake:dx=0,dy=2", "8/7k/********/********/8/6R1/7K/8 w - - 0 229 0,2", 7},
    MatePosition{"inferno:levels=2",
                 "r2Rk2r/4BP2/RR6/6Q1/8/8/5QB1/R1R1K3|1k2B3/4R2P/Q7/8/B7/6R1/K4Q2/7N w -|- - 0 149",
                 1},
    MatePosition{
        "inferno:levels=4",
        "4k2r/1n2p2r/1N4qP/7R/1r6/7b/b7/2k1K2R|1B6/6r1/q6K/6p1/3k4/N2P4/8/1B4P1 b Kk|- - 0 237", 1},
    MatePosition{"inferno:levels=6",
                 "7b/8/K7/8/8/k7/2R5/8|K6p/1rR1R2q/6R1/8/6Q1/8/N3p1k1/1R6|8/r4p2/7q/8/8/8/2P1PK2/"
                 "7k|8/K1n2pRk/8/8/1Q4B1/7P/8/2n5|r3k2r/4P3/P7/7p/8/8/8/P1R1K2R|4bp2/B7/P3Q3/p4K2/"
                 "p1B5/1p2k3/8/7N w -|-|-|-|Kkq|- - 0 130",
                 3},
    MatePosition{"inferno:levels=3", "rp2k3/6k1/N1P2n2/5n1R/N1N5/1p4kN/4RK2/R1PPK3 w - - 0 13", 3},
    MatePosition{"inferno:levels=4",
                 "8/K2P1R2/8/Q5k1/8/N6P/8/1N6|7K/8/8/8/7p/8/7k/8|1Nppp3/1k6/8/7p/8/K7/Q3PP2/"
                 "2PP1Prr|NK6/5k2/8/1r6/5Q2/2N2qN1/3p4/3N4 w -|-|-|- - 0 100",
                 5},
    MatePosition{"inferno:levels=3",
                 "r3k2r/n3R3/1R6/1P6/8/6N1/1p4N1/R1R1K2R|1RNNpN2/8/1R6/6PN/1R6/7k/R3R3/1bN3K1|8/"
                 "3kKR2/8/6P1/Rr6/8/R3R2r/1R2Q3 w KQkq|-|- - 0 205",
                 5},
    MatePosition{"inferno:levels=6",
                 "p6k/k2P3p/1P6/6P1/1R4pp/p6K/6P1/1P2P1KQ|r3kr1r/7p/7r/6q1/qn6/6P1/8/R3KrN1|r3k2r/"
                 "3n4/8/3q2n1/1rr5/R3p3/1q5r/4K2R b -|-|Kkq - 0 196",
                 7},
    MatePosition{"inferno:levels=4",
                 "8/pP3k2/8/8/8/8/2p5/1K6|3Rk1p1/k4PB1/1b6/1K6/8/6p1/ppr2PP1/R3KPn1|r5b1/N3p3/4k3/"
                 "5B1b/r5N1/3P4/3Q2K1/2RP4 w -|Q|- - 0 188",
                 7},
    MatePosition{"shifting:gaps=AII+BIII", "k5**/6**/4N1**/6**/2q1P1R1/8/4RB2/4K3 b - - 0 58", 1},
    MatePosition{"shifting", "r3k2r/6R1/2**4/2**2P1/6**/6**/8/R3K2R w - - 0 97", 1},
    MatePosition{"shifting:gaps=BIII+CII", "1N2k1**/6**/3PKP2/7n/8/5P2/4**B1/R3**2 w - - 0 104", 3},
    MatePosition{"shifting:gaps=AII+DII", "8/8/**4**/**4**/8/3r1kP1/5p1K/8 b - - 0 174", 3},
    MatePosition{"shifting:gaps=AII+CIII", "r3k2r/4q3/**2**2/**2**2/8/8/8/4K3 b kq - 0 31", 5},
    MatePosition{"shifting:gaps=AIII+DII", "k7/2K1P3/6**/4n1**/B1**4/2**4/8/8 w - - 0 61", 5},
    MatePosition{"shifting:gaps=BIII+DII", "3p4/6K1/2**4/2**k3/2P2r2/2R2r2/2**4/2**4 b - - 0 256",
                 7},
    MatePosition{"shifting:gaps=CII+DIII", "4k3/4P3/4**R1/pN2**2/p7/8/p1**4/R1**K2R w KQ - 0 41",
                 7},
};

}  // namespace faultline::test
