#include "json.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DEPTH = 32, MOST_DIGITS = 9 };

union json_block {
  union json_block* next;
  double aligned;
  long long aligned_too;
};

static void* allocate(struct json_reader* reader, size_t size) {
  union json_block* const block = calloc(1, sizeof *block + size);
  if (block == NULL) json_fail(reader, "there is no memory for it");
  block->next = reader->blocks;
  reader->blocks = block;
  return block + 1;
}

void json_free(struct json_reader* reader) {
  while (reader->blocks != NULL) {
    union json_block* const block = reader->blocks;
    reader->blocks = block->next;
    free(block);
  }
}

void json_fail(struct json_reader* reader, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(reader->message, sizeof reader->message, format, arguments);
  va_end(arguments);
  longjmp(reader->failed, 1);
}

/* Appends "root.key[3]". */
static void append_path(const struct json* value, char* path, size_t size) {
  if (value->parent != NULL) append_path(value->parent, path, size);
  const size_t length = strlen(path);
  if (value->name != NULL) {
    snprintf(path + length, size - length, value->parent == NULL ? "%s" : ".%s", value->name);
    return;
  }
  size_t number = 0;
  for (const struct json* before = value->parent->first; before != value; before = before->next)
    ++number;
  snprintf(path + length, size - length, "[%zu]", number);
}

void json_wrong(const struct json* value, const char* format, ...) {
  char path[200] = "", reason[200];
  append_path(value, path, sizeof path);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(reason, sizeof reason, format, arguments);
  va_end(arguments);
  json_fail(value->reader, "%s %s", path, reason);
}

struct parser {
  struct json_reader* reader;
  const char *name, *begin, *at, *end;
  int depth;
};

static void malformed(const struct parser* p) {
  json_fail(p->reader, "%s is no JSON from byte %zu on", p->name, (size_t)(p->at - p->begin));
}

/* The next character that is no space; 0 at the end. */
static char next(struct parser* p) {
  while (p->at < p->end && strchr(" \t\r\n", *p->at) != NULL && *p->at != '\0')
    ++p->at;
  return p->at < p->end ? *p->at : '\0';
}

static void expect(struct parser* p, char character) {
  if (next(p) != character || p->at == p->end) malformed(p);
  ++p->at;
}

static unsigned parse_hex(struct parser* p) {
  unsigned code = 0;
  for (int i = 0; i < 4; ++i, ++p->at) {
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    const char* const digit = *p->at == '\0' ? NULL : strchr(digits, *p->at);
    if (digit == NULL) malformed(p);
    code = 16 * code + (unsigned)(digit - digits) % 16;
  }
  return code;
}

/* What stands behind a backslash, in UTF-8. (Halves of a surrogate pair stay halves.) */
static char* parse_escape(struct parser* p, char* to) {
  static const char names[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
  const char name = *p->at++;
  if (name == 'u') {
    const unsigned code = parse_hex(p);
    if (code == 0) malformed(p);
    if (code >= 0x800) *to++ = (char)(0xe0 | code >> 12);
    if (code >= 0x80) *to++ = (char)(code >= 0x800 ? 0x80 | (code >> 6 & 0x3f) : 0xc0 | code >> 6);
    *to++ = (char)(code >= 0x80 ? 0x80 | (code & 0x3f) : code);
    return to;
  }
  const char* const found = name == '\0' ? NULL : strchr(names, name);
  if (found == NULL) malformed(p);
  *to++ = meanings[found - names];
  return to;
}

static const char* parse_text(struct parser* p) {
  expect(p, '"');
  const char* end = p->at;
  while (end < p->end && *end != '"')
    end += *end == '\\' && end + 1 < p->end ? 2 : 1;
  if (end == p->end) malformed(p);
  char* const text = allocate(p->reader, (size_t)(end - p->at) + 1);
  for (char* to = text; p->at < end;) {
    const char character = *p->at++;
    if (character == '\0') malformed(p);
    if (character == '\\')
      to = parse_escape(p, to);
    else
      *to++ = character;
  }
  ++p->at;
  return text;
}

/* A number, true, false or null. */
static void parse_word(struct parser* p, struct json* value) {
  const char* const begin = p->at;
  while (p->at < p->end && *p->at != '\0' && strchr("+-.0123456789eEtruefalsn", *p->at) != NULL)
    ++p->at;
  const size_t length = (size_t)(p->at - begin);
  if (length == 0) malformed(p);
  char* const text = allocate(p->reader, length + 1);
  memcpy(text, begin, length);
  value->text = text;
  value->type = strchr("-0123456789", *begin) != NULL ? JSON_NUMBER : JSON_OTHER;
}

static struct json* parse_value(struct parser* p, const struct json* parent, const char* name) {
  struct json* const value = allocate(p->reader, sizeof *value);
  value->reader = p->reader;
  value->parent = parent;
  value->name = name;
  const char opening = next(p);
  if (opening == '"') {
    value->type = JSON_TEXT;
    value->text = parse_text(p);
    return value;
  }
  if (opening != '{' && opening != '[') {
    parse_word(p, value);
    return value;
  }
  value->type = opening == '{' ? JSON_OBJECT : JSON_LIST;
  const char closing = opening == '{' ? '}' : ']';
  if (++p->depth > MOST_DEPTH) malformed(p);
  ++p->at;
  const struct json** last = &value->first;
  while (next(p) != closing) {
    if (value->count > 0) expect(p, ',');
    const char* key = NULL;
    if (value->type == JSON_OBJECT) {
      next(p);
      key = parse_text(p);
      expect(p, ':');
    }
    struct json* const item = parse_value(p, value, key);
    *last = item;
    last = &item->next;
    ++value->count;
  }
  ++p->at;
  --p->depth;
  return value;
}

const struct json* json_parse(struct json_reader* reader, const char* name, const char* text,
                              size_t size) {
  struct parser p = {reader, name, text, text, text + size, 0};
  const struct json* const value = parse_value(&p, NULL, name);
  next(&p);
  if (p.at != p.end) malformed(&p);
  return value;
}

const struct json* json_find(const struct json* value, const char* key) {
  if (value->type != JSON_OBJECT) return NULL;
  const struct json* found = value->first;
  while (found != NULL && strcmp(found->name, key) != 0)
    found = found->next;
  return found;
}

const struct json* json_get(const struct json* value, const char* key) {
  const struct json* const found = json_find(value, key);
  if (found == NULL) json_wrong(value, "has no '%s'", key);
  return found;
}

const struct json* json_items(const struct json* value) {
  if (value->type != JSON_LIST) json_wrong(value, "is not a list");
  return value->first;
}

const struct json* json_item(const struct json* value, size_t number) {
  const struct json* item = json_items(value);
  if (number >= value->count) json_wrong(value, "has %zu items only", value->count);
  for (; number > 0; --number)
    item = item->next;
  return item;
}

const char* json_text(const struct json* value) {
  if (value->type != JSON_TEXT) json_wrong(value, "is not a text");
  return value->text;
}

long json_whole(const struct json* value, long least, long most) {
  if (value->type == JSON_NUMBER) {
    const char* at = value->text + (*value->text == '-');
    const char* const digits = at;
    long number = 0;
    for (; *at >= '0' && *at <= '9' && at - digits < MOST_DIGITS; ++at)
      number = 10 * number + (*at - '0');
    if (*value->text == '-') number = -number;
    if (at > digits && *at == '\0' && number >= least && number <= most) return number;
  }
  if (least == most) json_wrong(value, "is not %ld", least);
  json_wrong(value, "is not a whole number from %ld to %ld", least, most);
  return least;
}
