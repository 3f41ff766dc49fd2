/* Positions from their FENs, and what a network says of them. */
#include "fast_network.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "network.h"

/* Part of a FEN, from begin to end. */
struct span {
  const char *begin, *end;
};

struct position {
  struct span fields[MOST_FIELDS];
  size_t field_count, level_count;
  enum view side; /* to move */
  unsigned char pieces[MOST_SQUARES];
  long in_hand[PIECES];
  const uint16_t* cells[2];
  char* error; /* of the size of fast_network_error */
};

/* Says what is wrong with the FEN. */
static bool refuse(const struct position* position, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const size_t length = strlen(position->error);
  vsnprintf(position->error + length, sizeof(fast_network_error) - length, format, arguments);
  va_end(arguments);
  return false;
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/* A number from digits at the span's begin, which moves behind them; at most MOST_NUMBER. */
static long read_digits(struct span* text) {
  long number = 0;
  for (; text->begin < text->end && is_digit(*text->begin); ++text->begin)
    if (number <= MOST_NUMBER / 10 - 1) number = 10 * number + (*text->begin - '0');
  return number;
}

/* The number with this index in a field, which has them between ',', '/' and '+'; 0 if it has
 * fewer. */
static bool read_number(const struct position* position, size_t field, size_t index, long* number) {
  *number = 0;
  if (field >= position->field_count) return true;
  struct span part = position->fields[field];
  for (; index > 0 && part.begin < part.end; ++part.begin)
    if (strchr(",/+", *part.begin) != NULL) --index;
  if (part.begin == part.end) return true;
  const bool negative = *part.begin == '-';
  if (negative) ++part.begin;
  const char* const digits = part.begin;
  *number = read_digits(&part) * (negative ? -1 : 1);
  if (part.begin > digits && (part.begin == part.end || strchr(",/+", *part.begin) != NULL))
    return true;
  const struct span whole = position->fields[field];
  return refuse(position, "field %zu is '%.*s', not a list of numbers", field,
                (int)(whole.end - whole.begin), whole.begin);
}

static bool read_row(const fast_network* network, struct position* position, size_t row,
                     struct span* board) {
  const char* const begin = board->begin;
  size_t column = network->first_of_row[row];
  const size_t end = network->first_of_row[row + 1];
  while (board->begin < board->end && *board->begin != '/' && *board->begin != '|') {
    if (is_digit(*board->begin)) {
      column += (size_t)read_digits(board);
      continue;
    }
    const char* const next = board->begin + 1;
    const bool promoted = *board->begin == '+' && next < board->end && strchr("/|", *next) == NULL;
    if (promoted) ++board->begin;
    const unsigned char letter = (unsigned char)*board->begin++;
    if (letter >= PROMOTED) return refuse(position, "it has a byte that is no letter");
    if (column < end)
      position->pieces[network->squares_of_rows[column]] =
          (unsigned char)(letter + (promoted ? PROMOTED : 0));
    ++column;
  }
  return column == end ||
         refuse(position, "the row '%.*s' has not %zu squares", (int)(board->begin - begin), begin,
                end - network->first_of_row[row]);
}

static bool read_level(const fast_network* network, struct position* position, struct span* board) {
  if (position->level_count == network->level_count)
    return refuse(position, "it has more than %zu levels", network->level_count);
  const size_t first = network->first_row_of_level[position->level_count++];
  const size_t expected = network->first_row_of_level[position->level_count] - first;
  size_t rows = 1;
  for (const char* at = board->begin; at < board->end && *at != '|'; ++at)
    if (*at == '/') ++rows;
  if (rows != expected) return refuse(position, "it has %zu rows, not %zu", rows, expected);
  for (size_t r = 0; r < rows; ++r) {
    if (!read_row(network, position, first + r, board)) return false;
    if (r + 1 < rows) ++board->begin; /* the '/' */
  }
  return true;
}

/* The pieces, and behind them those in hand, in brackets. */
static bool read_board(const fast_network* network, struct position* position) {
  struct span board = position->fields[0];
  const char* const hands = memchr(board.begin, '[', (size_t)(board.end - board.begin));
  for (const char* at = hands; at != NULL && at < board.end; ++at)
    ++position->in_hand[(unsigned char)*at];
  if (hands != NULL) board.end = hands;
  if (!read_level(network, position, &board)) return false;
  while (board.begin < board.end) {
    ++board.begin; /* the '|' */
    if (!read_level(network, position, &board)) return false;
  }
  const long count = (long)position->level_count;
  for (size_t s = 0; s < network->square_count; ++s)
    if (network->by_levels[s] && (count < network->levels[s][0] || count > network->levels[s][1]))
      position->pieces[s] = MISSING;
  return true;
}

/* Where the squares lie as each side sees them. */
static bool find_cells(const fast_network* network, struct position* position) {
  position->cells[WHITE] = network->cell[WHITE];
  position->cells[BLACK] = network->cell[BLACK];
  if (network->tables == NULL) return true;
  long values[MOST_MOVED] = {0};
  for (size_t i = 0; i < network->moved_count; ++i)
    if (!read_number(position, network->moved_field, network->moved_index[i], &values[i]))
      return false;
  for (size_t t = 0; t < network->table_count; ++t) {
    if (memcmp(network->tables[t].values, values, sizeof values) != 0) continue;
    position->cells[WHITE] = network->tables[t].cells[WHITE];
    position->cells[BLACK] = network->tables[t].cells[BLACK];
    return true;
  }
  return refuse(position, "the encoding has no cells for such a board");
}

static bool read_fen(const fast_network* network, const char* fen, struct position* position) {
  for (const char* at = fen; *at != '\0'; at += strspn(at, " ")) {
    const char* const end = at + strcspn(at, " ");
    if (end == at) continue; /* spaces in front */
    if (position->field_count == MOST_FIELDS)
      return refuse(position, "it has more than %d fields", MOST_FIELDS);
    position->fields[position->field_count++] = (struct span){at, end};
    at = end;
  }
  if (position->field_count < 6)
    return refuse(position, "it has %zu fields; at least 6 are needed", position->field_count);
  const struct span side = position->fields[1];
  if (side.end - side.begin != 1 || strchr("wb", *side.begin) == NULL)
    return refuse(position, "the side to move is '%.*s', not w or b", (int)(side.end - side.begin),
                  side.begin);
  position->side = *side.begin == 'w' ? WHITE : BLACK;
  return read_board(network, position) && find_cells(network, position);
}

/* Lists the inputs that are 1 as a side sees the position, `count` of them. An engine would make
 * the list from its own board. */
static bool list_inputs(const fast_network* network, const struct position* position,
                        enum view view, long* inputs, size_t* count) {
  *count = 0;
  for (size_t s = 0; s < network->square_count; ++s) {
    const unsigned char on_square = position->pieces[s];
    const long first = network->first_of[view][on_square];
    if (first == UNKNOWN_PIECE)
      return refuse(position, "the game has no piece '%s%c'", on_square >= PROMOTED ? "+" : "",
                    on_square % PROMOTED);
    if (first != NO_INPUT) inputs[(*count)++] = first + position->cells[view][s];
  }
  for (size_t g = 0; g < network->group_count; ++g) {
    const struct number_group* const group = &network->groups[g];
    if (!group->in_view[view]) continue;
    long number = (long)position->level_count;
    if (group->term == HAND) number = position->in_hand[group->letter[view]];
    if (group->term == FEN_NUMBER &&
        !read_number(position, group->field, group->index[view], &number))
      return false;
    if (number < group->least) number = group->least;
    if (number > group->most) number = group->most;
    inputs[(*count)++] = group->first + number - group->least;
  }
  return true;
}

/* The hidden units (the sums over the inputs, clamped) times `second`. In an exported network units
 * fit 16 bits and all other sums 32; the wider types are for damaged ones. */
static int64_t hidden_sum(const fast_network* network, const long* inputs, size_t count,
                          const int16_t* second) {
  int32_t units[MOST_HIDDEN];
  const size_t hidden = network->hidden;
  for (size_t h = 0; h < hidden; ++h)
    units[h] = network->bias[h];
  for (size_t i = 0; i < count; ++i) {
    const int16_t* const row = network->first + (size_t)inputs[i] * hidden;
    for (size_t h = 0; h < hidden; ++h)
      units[h] += row[h];
  }
  int64_t sum = 0;
  for (size_t h = 0; h < hidden; ++h) {
    const int32_t unit = units[h] < 0 ? 0 : units[h] < network->scale ? units[h] : network->scale;
    sum += unit * second[h];
  }
  return sum;
}

int fast_network_score(const fast_network* network, const char* fen, int* score,
                       fast_network_error* error) {
  struct position position;
  memset(&position, 0, sizeof position);
  position.error = error->text;
  snprintf(error->text, sizeof error->text, "FEN '%.300s': ", fen);
  if (!read_fen(network, fen, &position)) return 0;
  int64_t direct = 0, sum = 0;
  for (int turn = 0; turn < 2; ++turn) {
    const enum view view = turn == 0 ? position.side : position.side == WHITE ? BLACK : WHITE;
    long inputs[MOST_SQUARES + MOST_GROUPS];
    size_t count;
    if (!list_inputs(network, &position, view, inputs, &count)) return 0;
    for (size_t i = 0; i < count; ++i)
      direct += turn == 0 ? network->direct[inputs[i]] : -(int64_t)network->direct[inputs[i]];
    sum += hidden_sum(network, inputs, count, network->second[turn]);
  }
  *score =
      (int)(direct / network->direct_divisor + sum / network->hidden_divisor + network->output);
  return 1;
}

const fast_network_golden* fast_network_positions(const fast_network* network, size_t* count) {
  *count = network->golden_count;
  return network->golden;
}
