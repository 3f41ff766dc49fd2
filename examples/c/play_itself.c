/* A game of any variant against itself, in C99, through faultline.h alone.
 *
 *   play_itself [VARIANT [EVALUATOR [VISITS [PLIES]]]]
 *
 * EVALUATOR: a network (a file, a bundle, or a run's folder), uniform, material, or alphabeta.
 * Prints the legal moves and the evaluation of the start, then the moves with what the search
 * found. */
#include <faultline.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ends the program with the library's message. */
static void fail(const char* what) {
  fprintf(stderr, "error: %s: %s\n", what, faultline_last_error());
  exit(2);
}

static unsigned long number(const char* text, const char* name) {
  char* end = NULL;
  const unsigned long value = strtoul(text, &end, 10);
  if (*text < '0' || *text > '9' || *end != '\0' || value > 1000000000UL) {
    fprintf(stderr, "error: %s '%s' is not a number\n", name, text);
    exit(2);
  }
  return value;
}

/* Null for alphabeta, which evaluates positions itself. */
static faultline_evaluator* load_evaluator(const faultline_variant* variant, const char* name) {
  faultline_evaluator* evaluator;
  if (strcmp(name, "alphabeta") == 0) return NULL;
  if (strcmp(name, "uniform") == 0 || strcmp(name, "material") == 0)
    evaluator = faultline_evaluator_builtin(variant, name);
  else
    evaluator = faultline_evaluator_load(name, variant, NULL, NULL);
  if (evaluator == NULL) fail(name);
  printf("evaluator  %s\n", faultline_evaluator_description(evaluator));
  return evaluator;
}

static void print_moves(faultline_position* position) {
  const int count = faultline_position_moves(position);
  int i;
  printf("moves      %d:", count);
  for (i = 0; i < count; ++i)
    printf(" %s", faultline_position_move(position, i));
  printf("\n");
}

/* What the evaluator says without search: the chances, and the likeliest move. */
static void print_evaluation(const faultline_evaluator* evaluator, faultline_position* position) {
  const faultline_position* const batch[1] = {position};
  const int count = faultline_position_moves(position);
  faultline_evaluation value;
  float* const policy = malloc((size_t)count * sizeof *policy);
  int i, likeliest = 0;
  if (policy == NULL) exit(1);
  if (faultline_evaluator_evaluate(evaluator, batch, 1, &value, policy, (size_t)count) < 0)
    fail("evaluating");
  for (i = 1; i < count; ++i)
    if (policy[i] > policy[likeliest]) likeliest = i;
  printf("evaluation win %.4f, draw %.4f, loss %.4f, %.1f plies left; %s with %.4f\n", value.win,
         value.draw, value.loss, value.moves_left, faultline_position_move(position, likeliest),
         policy[likeliest]);
  free(policy);
}

int main(int argc, char** argv) {
  const char* const variant_name = argc > 1 ? argv[1] : "escher";
  const char* const evaluator_name = argc > 2 ? argv[2] : "material";
  const unsigned long visits = argc > 3 ? number(argv[3], "VISITS") : 400;
  const unsigned long plies = argc > 4 ? number(argv[4], "PLIES") : 200;
  faultline_limits limits = FAULTLINE_LIMITS_INIT;
  unsigned long ply;

  const faultline_variant* const variant = faultline_variant_find(variant_name);
  if (variant == NULL) fail(variant_name);
  faultline_position* const position = faultline_position_start(variant);
  if (position == NULL) fail("the start");
  printf("variant    %s (faultline %s)\n", faultline_variant_name(variant), faultline_version());
  faultline_evaluator* const evaluator = load_evaluator(variant, evaluator_name);
  print_moves(position);
  if (evaluator != NULL) print_evaluation(evaluator, position);

  faultline_search* const search = evaluator != NULL ? faultline_search_new(evaluator, 1, 64)
                                                     : faultline_search_new_alphabeta(variant, 64);
  if (search == NULL) fail("the search");
  limits.visits = visits;

  for (ply = 1; ply <= plies; ++ply) {
    faultline_report report = FAULTLINE_REPORT_INIT;
    faultline_line line = FAULTLINE_LINE_INIT;
    if (faultline_position_outcome(position) != FAULTLINE_ONGOING) break;
    if (faultline_search_run(search, position, &limits) < 0 ||
        faultline_search_report(search, &report) < 0 || faultline_search_line(search, 0, &line) < 0)
      fail("searching");
    printf("%3lu. %-8s %+.3f  visits %llu, line %s\n", ply, report.best_move,
           report.value.win - report.value.loss, (unsigned long long)report.visits, line.variation);
    if (faultline_position_play(position, report.best_move) < 0) fail("playing");
  }
  printf("%s\n%s\n", faultline_position_picture(position), faultline_position_fen(position));
  printf("result     %s\n", faultline_position_outcome(position) == FAULTLINE_ONGOING
                                ? "unfinished"
                                : faultline_outcome_name(faultline_position_outcome(position)));

  faultline_search_free(search);
  faultline_evaluator_free(evaluator);
  faultline_position_free(position);
  return 0;
}
