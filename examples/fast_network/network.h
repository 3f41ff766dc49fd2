/* What a fast network is in memory: for read_network.c, which reads it, and fast_network.c, which
 * evaluates positions with it. */
#ifndef FAST_NETWORK_NETWORK_H
#define FAST_NETWORK_NETWORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fast_network.h"

/* What there is room for; what a file has more is an error. */
enum {
  MOST_HIDDEN = 256,
  MOST_INPUTS = 65536,
  MOST_SQUARES = 1024,
  MOST_GROUPS = 64, /* of numbers */
  MOST_FIELDS = 16, /* of a FEN */
  MOST_MOVED = 4,   /* numbers that say how the board has moved */
  MOST_NUMBER = 999999999
};

enum view { WHITE, BLACK };

/* What stands on a square: 0, a letter of a FEN, PROMOTED + the letter behind a '+', or MISSING for
 * a square that does not exist now. */
enum { PROMOTED = 128, MISSING = '*', PIECES = 256 };

/* In place of the number of an input. */
enum { NO_INPUT = -1, UNKNOWN_PIECE = -2 };

/* Inputs of which one is 1: a number, clamped. */
struct number_group {
  enum term { LEVELS, FEN_NUMBER, HAND } term;
  bool in_view[2];
  long first, least, most;
  size_t field, index[2];  /* FEN_NUMBER: which number of which field, by view */
  unsigned char letter[2]; /* HAND: by view */
};

/* Cells of squares, where the board moves and its numbers are these. */
struct moved_cells {
  long values[MOST_MOVED];
  uint16_t* cells[2]; /* by side to move, then by square */
};

struct fast_network {
  /* Inputs. */
  long inputs, cells;       /* cells: of the smallest group with an input per cell */
  long first_of[2][PIECES]; /* by view: of what stands on a square, the input of cell 0 */
  struct number_group groups[MOST_GROUPS];
  size_t group_count;
  /* The board. */
  size_t square_count, row_count, level_count;
  uint16_t cell[2][MOST_SQUARES]; /* by side to move */
  bool by_levels[MOST_SQUARES];   /* it exists while the position has as many levels as these */
  long levels[MOST_SQUARES][2];
  uint16_t squares_of_rows[MOST_SQUARES]; /* as a FEN lists them */
  size_t first_of_row[MOST_SQUARES + 1];
  size_t first_row_of_level[MOST_SQUARES + 1];
  struct moved_cells* tables; /* none unless the board moves */
  size_t table_count, moved_field, moved_count, moved_index[MOST_MOVED];
  /* Weights. */
  size_t hidden;
  int32_t scale, direct_divisor, hidden_divisor, output;
  int16_t *first, bias[MOST_HIDDEN], second[2][MOST_HIDDEN];
  int32_t* direct;

  fast_network_golden* golden;
  size_t golden_count;
};

#endif
