/* Reads the files of fast networks, which are not trusted. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "network.h"

enum { FORMAT = 1, MOST_BYTES = 64 << 20 };

struct load {
  struct json_reader reader;
  unsigned char* bytes;
  size_t size, begin; /* of the file, and where its tensors begin */
  const struct json* header;
};

/* White's letter of a piece, or Black's, as it stands on squares. */
static unsigned char piece(const struct json* letter, bool white) {
  const char* const text = json_text(letter);
  const bool promoted = text[0] == '+';
  const char first = text[promoted ? 1 : 0];
  if (first < 'A' || first > 'Z' || text[promoted ? 2 : 1] != '\0')
    json_wrong(letter, "is '%s', not a capital letter, or '+' and one", text);
  return (unsigned char)((white ? first : first - 'A' + 'a') + (promoted ? PROMOTED : 0));
}

/* Whether a text is the first of two words. */
static bool is_first(const struct json* text, const char* first, const char* second) {
  const bool is = strcmp(json_text(text), first) == 0;
  if (!is && strcmp(json_text(text), second) != 0)
    json_wrong(text, "is '%s', not '%s' or '%s'", json_text(text), first, second);
  return is;
}

static void read_group(fast_network* network, const struct json* json) {
  const struct json* const source = json_get(json, "source");
  const struct json* const view = json_find(json, "view");
  const struct json* const term = json_get(source, "term");
  const char* const name = json_text(term);
  const bool for_white = view == NULL || is_first(view, "white", "black");
  const bool for_black = view == NULL || !for_white;
  const bool is_piece = strcmp(name, "piece") == 0, is_hand = strcmp(name, "hand") == 0;
  struct number_group group = {0};
  group.in_view[WHITE] = for_white;
  group.in_view[BLACK] = for_black;
  group.first = json_whole(json_get(json, "first"), network->inputs, network->inputs);
  const long size = json_whole(json_get(json, "size"), 1, MOST_INPUTS - network->inputs);
  network->inputs += size;
  for (int v = WHITE; v <= BLACK && (is_piece || is_hand); ++v) {
    const bool own = is_first(json_get(source, "side"), "own", "enemy");
    group.letter[v] = piece(json_get(source, "letter"), own == (v == WHITE));
  }
  if (is_piece || strcmp(name, "missing-squares") == 0) {
    if (size < network->cells) network->cells = size;
    for (int v = WHITE; v <= BLACK; ++v)
      if (group.in_view[v])
        network->first_of[v][is_piece ? group.letter[v] : MISSING] = group.first;
    return;
  }
  if (is_hand) {
    group.term = HAND;
  } else if (strcmp(name, "levels") == 0) {
    group.term = LEVELS;
  } else if (strcmp(name, "fen-number") == 0) {
    group.term = FEN_NUMBER;
    group.field = (size_t)json_whole(json_get(source, "field"), 0, MOST_FIELDS - 1);
    group.index[WHITE] = (size_t)json_whole(json_get(source, "white"), 0, MOST_NUMBER);
    group.index[BLACK] = (size_t)json_whole(json_get(source, "black"), 0, MOST_NUMBER);
  } else {
    json_wrong(term, "is '%s', which this program does not know", name);
  }
  group.least = json_whole(json_get(json, "least"), -MOST_INPUTS, MOST_INPUTS);
  group.most = group.least + size - 1;
  json_whole(json_get(json, "most"), group.most, group.most);
  if (network->group_count == MOST_GROUPS) json_wrong(json, "is one number too many");
  network->groups[network->group_count++] = group;
}

static void read_evaluation(fast_network* network, const struct json* evaluation) {
  json_whole(json_get(evaluation, "format"), FORMAT, FORMAT);
  network->hidden = (size_t)json_whole(json_get(evaluation, "hidden"), 1, MOST_HIDDEN);
  network->scale = (int32_t)json_whole(json_get(evaluation, "scale"), 1, INT16_MAX);
  network->direct_divisor =
      (int32_t)json_whole(json_get(evaluation, "direct_divisor"), 1, MOST_NUMBER);
  network->hidden_divisor =
      (int32_t)json_whole(json_get(evaluation, "hidden_divisor"), 1, MOST_NUMBER);
  network->cells = MOST_INPUTS;
  for (int v = WHITE; v <= BLACK; ++v) {
    for (int p = 0; p < PIECES; ++p)
      network->first_of[v][p] = UNKNOWN_PIECE;
    network->first_of[v][0] = network->first_of[v][MISSING] = NO_INPUT;
  }
  const struct json* json = json_items(json_get(evaluation, "inputs"));
  for (; json != NULL; json = json->next)
    read_group(network, json);
}

static uint16_t read_cell(const fast_network* network, const struct json* json) {
  return (uint16_t)json_whole(json, 0, network->cells - 1);
}

static void read_squares(fast_network* network, const struct json* squares) {
  const struct json* json = json_items(squares);
  if (squares->count > MOST_SQUARES) json_wrong(squares, "has more than %d", MOST_SQUARES);
  for (; json != NULL; json = json->next) {
    const size_t square = network->square_count++;
    const struct json* const cell = json_get(json, "cell");
    const struct json* const exists = json_get(json, "exists");
    network->cell[WHITE][square] = read_cell(network, json_get(cell, "white"));
    network->cell[BLACK][square] = read_cell(network, json_get(cell, "black"));
    if (exists->type == JSON_TEXT) continue; /* unless the FEN has '*' there */
    network->by_levels[square] = true;
    for (size_t i = 0; i < 2; ++i)
      network->levels[square][i] =
          json_whole(json_item(json_get(exists, "levels"), i), 0, MOST_SQUARES);
  }
}

static void read_rows(fast_network* network, const struct json* levels) {
  size_t squares = 0;
  for (const struct json* level = json_items(levels); level != NULL; level = level->next) {
    const struct json* row = json_items(level);
    for (; row != NULL; row = row->next) {
      const struct json* square = json_items(row);
      for (; square != NULL; square = square->next) {
        if (squares == network->square_count) json_wrong(square, "is one square too many");
        network->squares_of_rows[squares++] =
            (uint16_t)json_whole(square, 0, (long)network->square_count - 1);
      }
      if (row->count == 0) json_wrong(row, "is empty");
      network->first_of_row[++network->row_count] = squares;
    }
    if (level->count == 0) json_wrong(level, "is empty");
    network->first_row_of_level[++network->level_count] = network->row_count;
  }
}

/* A number, or a list of `count` of them: the one with this index. */
static const struct json* one_of(const struct json* json, size_t index, size_t count) {
  if (json->type != JSON_LIST && count == 1) return json;
  const struct json* const item = json_item(json, index);
  if (json->count != count) json_wrong(json, "has %zu numbers, not %zu", json->count, count);
  return item;
}

static void* allocate(const struct json* json, size_t count, size_t size) {
  void* const memory = calloc(count + 1, size);
  if (memory == NULL) json_wrong(json, "is too large for the memory");
  return memory;
}

static void read_moved_cells(fast_network* network, const struct json* moved) {
  const struct json* const number = json_get(moved, "number");
  const struct json* const tables = json_get(moved, "tables");
  const struct json* json = json_items(tables);
  network->moved_field = (size_t)json_whole(json_get(moved, "field"), 0, MOST_FIELDS - 1);
  network->moved_count = number->type == JSON_LIST ? number->count : 1;
  if (network->moved_count < 1 || network->moved_count > MOST_MOVED)
    json_wrong(number, "is not one number to %d", MOST_MOVED);
  for (size_t i = 0; i < network->moved_count; ++i)
    network->moved_index[i] =
        (size_t)json_whole(one_of(number, i, network->moved_count), 0, MOST_NUMBER);
  network->tables = allocate(tables, tables->count, sizeof *network->tables);
  for (; json != NULL; json = json->next) {
    struct moved_cells* const table = &network->tables[network->table_count++];
    for (size_t i = 0; i < network->moved_count; ++i)
      table->values[i] = json_whole(one_of(json_get(json, "value"), i, network->moved_count),
                                    -MOST_NUMBER, MOST_NUMBER);
    for (int v = WHITE; v <= BLACK; ++v) {
      const struct json* const cells = json_get(json, v == WHITE ? "white" : "black");
      const struct json* cell = json_items(cells);
      if (cells->count != network->square_count)
        json_wrong(cells, "has %zu cells, not %zu", cells->count, network->square_count);
      uint16_t* to = table->cells[v] = allocate(cells, cells->count, sizeof *to);
      for (; cell != NULL; cell = cell->next)
        *to++ = read_cell(network, cell);
    }
  }
}

static void read_golden(fast_network* network, const struct json* golden) {
  const struct json* json = json_items(golden);
  network->golden = allocate(golden, golden->count, sizeof *network->golden);
  for (; json != NULL; json = json->next) {
    const char* const fen = json_text(json_get(json, "fen"));
    fast_network_golden* const position = &network->golden[network->golden_count++];
    position->fen = allocate(json, strlen(fen), 1);
    strcpy(position->fen, fen);
    position->score = (int)json_whole(json_get(json, "score"), -MOST_NUMBER, MOST_NUMBER);
  }
}

/* The file's bytes, which are little-endian, as a number. */
static uint64_t unsigned_at(const unsigned char* bytes, size_t count) {
  uint64_t number = 0;
  for (size_t i = count; i > 0; --i)
    number = number << 8 | bytes[i - 1];
  return number;
}
static int16_t int16_at(const unsigned char* bytes) {
  const int number = (int)unsigned_at(bytes, 2);
  return (int16_t)(number > INT16_MAX ? number - 0x10000 : number);
}
static int32_t int32_at(const unsigned char* bytes) {
  const int64_t number = (int64_t)unsigned_at(bytes, 4);
  return (int32_t)(number > INT32_MAX ? number - 0x100000000 : number);
}

/* The bytes of a tensor that must have this type and so many numbers. */
static const unsigned char* tensor(const struct load* load, const char* name, const char* type,
                                   size_t count) {
  const struct json* const json = json_get(load->header, name);
  const struct json* const dtype = json_get(json, "dtype");
  const struct json* const offsets = json_get(json, "data_offsets");
  const size_t begin = (size_t)json_whole(json_item(offsets, 0), 0, MOST_BYTES);
  const size_t end = (size_t)json_whole(json_item(offsets, 1), 0, MOST_BYTES);
  const size_t width = strcmp(type, "I16") == 0 ? 2 : 4;
  if (strcmp(json_text(dtype), type) != 0)
    json_wrong(dtype, "is %s, not %s", json_text(dtype), type);
  if (begin > end || end - begin != count * width)
    json_wrong(offsets, "are not those of %zu bytes", count * width);
  if (end > load->size - load->begin) json_wrong(json, "is cut off");
  return load->bytes + load->begin + begin;
}

static void read_tensors(fast_network* network, const struct load* load) {
  const size_t inputs = (size_t)network->inputs, hidden = network->hidden;
  const unsigned char* bytes = tensor(load, "first", "I16", inputs * hidden);
  network->first = allocate(load->header, inputs * hidden, sizeof *network->first);
  for (size_t i = 0; i < inputs * hidden; ++i)
    network->first[i] = int16_at(bytes + 2 * i);
  bytes = tensor(load, "direct", "I32", inputs);
  network->direct = allocate(load->header, inputs, sizeof *network->direct);
  for (size_t i = 0; i < inputs; ++i)
    network->direct[i] = int32_at(bytes + 4 * i);
  bytes = tensor(load, "bias", "I16", hidden);
  for (size_t h = 0; h < hidden; ++h)
    network->bias[h] = int16_at(bytes + 2 * h);
  bytes = tensor(load, "second", "I16", 2 * hidden);
  for (size_t h = 0; h < 2 * hidden; ++h)
    network->second[h / hidden][h % hidden] = int16_at(bytes + 2 * h);
  network->output = int32_at(tensor(load, "output", "I32", 1));
}

static void read_bytes(struct load* load, const char* file) {
  FILE* const in = fopen(file, "rb");
  if (in == NULL) json_fail(&load->reader, "it cannot be opened");
  const long size = fseek(in, 0, SEEK_END) == 0 ? ftell(in) : -1;
  if (size >= 0 && size <= MOST_BYTES) load->bytes = malloc((size_t)size + 1);
  rewind(in);
  if (load->bytes != NULL) load->size = fread(load->bytes, 1, (size_t)size, in);
  fclose(in);
  if (load->bytes == NULL || load->size != (size_t)size)
    json_fail(&load->reader, "it cannot be read, or is too large");
}

/* JSON that the metadata have as a text. */
static const struct json* metadata(struct load* load, const char* key) {
  const struct json* const all = json_find(load->header, "__metadata__");
  const struct json* const found = all == NULL ? NULL : json_find(all, key);
  if (found == NULL)
    json_fail(&load->reader, "its metadata have no '%s'; it is not an exported fast network", key);
  const char* const text = json_text(found);
  return json_parse(&load->reader, key, text, strlen(text));
}

/* Safetensors: the length of the header in 8 bytes, the header in JSON, the tensors. */
static void load_network(fast_network* network, struct load* load, const char* file) {
  enum { LENGTH_BYTES = 8 };
  read_bytes(load, file);
  const uint64_t length = load->size < LENGTH_BYTES ? 0 : unsigned_at(load->bytes, LENGTH_BYTES);
  if (length == 0 || length > load->size - LENGTH_BYTES)
    json_fail(&load->reader, "it is no safetensors file, or cut off");
  load->begin = LENGTH_BYTES + (size_t)length;
  load->header =
      json_parse(&load->reader, "header", (const char*)load->bytes + LENGTH_BYTES, (size_t)length);
  read_evaluation(network, metadata(load, "evaluation"));
  const struct json* const encoding = metadata(load, "encoding");
  read_squares(network, json_get(encoding, "squares"));
  read_rows(network, json_get(encoding, "fen_rows"));
  const struct json* const moved = json_find(encoding, "moved_cells");
  if (moved != NULL) read_moved_cells(network, moved);
  read_golden(network, metadata(load, "golden"));
  read_tensors(network, load);
}

/* False: the reader has a message. (What longjmp() must not lose is the caller's.) */
static bool try_to_load(fast_network* network, struct load* load, const char* file) {
  if (setjmp(load->reader.failed) != 0) return false;
  load_network(network, load, file);
  return true;
}

fast_network* fast_network_load(const char* file, fast_network_error* error) {
  struct load load;
  memset(&load, 0, sizeof load);
  strcpy(load.reader.message, "there is no memory for it");
  fast_network* network = calloc(1, sizeof *network);
  if (network == NULL || !try_to_load(network, &load, file)) {
    snprintf(error->text, sizeof error->text, "%.200s: %s", file, load.reader.message);
    fast_network_free(network);
    network = NULL;
  }
  json_free(&load.reader);
  free(load.bytes);
  return network;
}

void fast_network_free(fast_network* network) {
  if (network == NULL) return;
  for (size_t i = 0; i < network->table_count; ++i) {
    free(network->tables[i].cells[WHITE]);
    free(network->tables[i].cells[BLACK]);
  }
  for (size_t i = 0; i < network->golden_count; ++i)
    free(network->golden[i].fen);
  free(network->tables);
  free(network->golden);
  free(network->first);
  free(network->direct);
  free(network);
}
