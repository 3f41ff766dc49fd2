/* Evaluates positions with a fast network, knowing nothing of its game but what the network's file
 * says. The file is what `faultline export --format fast` wrote, or fast.safetensors of a bundle;
 * docs/export.md defines what is in it. C99, for C and C++, without other libraries. */
#ifndef FAST_NETWORK_H
#define FAST_NETWORK_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A network never changes: any number of threads may use it at once. */
typedef struct fast_network fast_network;

/* What was wrong, after a function failed. */
typedef struct fast_network_error {
  char text[800];
} fast_network_error;

/* A position, and the score in centipawns that the file says it has. */
typedef struct fast_network_golden {
  char* fen;
  int score;
} fast_network_golden;

/* Reads a file. Returns NULL if it cannot be used; `error` then names the file and the field. No
 * argument may be NULL. */
fast_network* fast_network_load(const char* file, fast_network_error* error);
/* NULL is allowed. */
void fast_network_free(fast_network* network);

/* Writes the score of a position, in centipawns for the side to move, and returns 1. Returns 0 if
 * the FEN is none of the network's game; `error` then says why. */
int fast_network_score(const fast_network* network, const char* fen, int* score,
                       fast_network_error* error);

/* The file's own positions, `count` of them, which live as long as the network. */
const fast_network_golden* fast_network_positions(const fast_network* network, size_t* count);

#ifdef __cplusplus
}
#endif

#endif
