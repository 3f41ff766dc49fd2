/* Evaluates positions with a fast network, in C99.
 *
 *   run_fast_network FILE          computes all golden positions and compares
 *   run_fast_network FILE FEN      evaluates one position
 *
 * Exit code 0: good; 1: a score is not the golden one; 2: the input cannot be used. */
#include <stdio.h>

#include "fast_network.h"

enum { MOST_FAULTS = 5 };

static int refuse(const fast_network_error* error) {
  fprintf(stderr, "error: %s\n", error->text);
  return 2;
}

static int evaluate(const fast_network* network, const char* fen) {
  fast_network_error error;
  int score;
  if (!fast_network_score(network, fen, &score, &error)) return refuse(&error);
  printf("%d centipawns for the side to move\n", score);
  return 0;
}

static int check_golden(const fast_network* network) {
  size_t count, faults = 0;
  const fast_network_golden* const golden = fast_network_positions(network, &count);
  for (size_t i = 0; i < count; ++i) {
    fast_network_error error;
    int score;
    if (!fast_network_score(network, golden[i].fen, &score, &error)) return refuse(&error);
    if (score != golden[i].score && ++faults <= MOST_FAULTS)
      printf("%s: %d, expected %d\n", golden[i].fen, score, golden[i].score);
  }
  if (faults > MOST_FAULTS) printf("and %zu more\n", faults - MOST_FAULTS);
  printf("%zu positions: %s\n", count, faults == 0 ? "good" : "not good");
  return faults == 0 ? 0 : 1;
}

int main(int argc, char** argv) {
  if (argc < 2 || argc > 3) {
    fprintf(stderr, "error: usage: run_fast_network FILE [FEN]\n");
    return 2;
  }
  fast_network_error error;
  fast_network* const network = fast_network_load(argv[1], &error);
  if (network == NULL) return refuse(&error);
  const int code = argc == 3 ? evaluate(network, argv[2]) : check_golden(network);
  fast_network_free(network);
  return code;
}
