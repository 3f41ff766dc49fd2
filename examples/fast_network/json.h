/* Reads the JSON of network files: trees of values that know where they stand, so that what is
 * wrong with one can be named. C99.
 *
 * Functions return only if all is well. Otherwise they write the reader's message and jump to where
 * its owner called setjmp(). */
#ifndef FAST_NETWORK_JSON_H
#define FAST_NETWORK_JSON_H

#include <setjmp.h>
#include <stddef.h>

/* Set to zeroes, then call setjmp(failed) before anything else, and json_free() at the end. */
struct json_reader {
  jmp_buf failed;
  char message[512];
  union json_block* blocks; /* all memory of the values */
};

enum json_type { JSON_OBJECT, JSON_LIST, JSON_TEXT, JSON_NUMBER, JSON_OTHER };

struct json {
  struct json_reader* reader;
  enum json_type type;
  const char* name;          /* its key in an object, the root's name, or NULL in a list */
  const struct json* parent; /* NULL: the root */
  const struct json* next;   /* in the same object or list */
  const struct json* first;  /* of an object or a list */
  size_t count;              /* of them */
  const char* text;          /* of a text, decoded; of a number, as it is written */
};

/* Writes a message, as printf() does, and jumps. */
void json_fail(struct json_reader* reader, const char* format, ...);
/* The same, after "root.key[3] ": where the value stands. */
void json_wrong(const struct json* value, const char* format, ...);
void json_free(struct json_reader* reader);

/* `name`: of the root, for messages. The text need not end with a zero. */
const struct json* json_parse(struct json_reader* reader, const char* name, const char* text,
                              size_t size);

/* The value of a key; NULL if there is none, or no object. */
const struct json* json_find(const struct json* value, const char* key);
/* The value of a key that must be there. */
const struct json* json_get(const struct json* value, const char* key);
/* The first of a list's values. */
const struct json* json_items(const struct json* value);
/* The value with this number of a list that must have it. */
const struct json* json_item(const struct json* value, size_t number);
const char* json_text(const struct json* value);
/* A whole number in this range. */
long json_whole(const struct json* value, long least, long most);

#endif
