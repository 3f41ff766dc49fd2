/* faultline for engines and other languages: variants, positions, moves, evaluations, search.
 *
 * Pure C99. docs/library.md describes linking, threads, and what a new version may change.
 *
 * Errors. Functions that can fail return NULL, or a negative number (enum faultline_error), and
 * then faultline_last_error() says what was wrong and what would be right. A function that fails
 * changes nothing. A null pointer where one is not allowed is such an error, too; a pointer that
 * has been freed is not noticed.
 *
 * Memory. What a function named ..._free takes belongs to the caller. All else belongs to the
 * library: texts that a handle returns are valid until that handle is changed (by
 * faultline_position_play, faultline_search_run and so on) or freed; variants and what they return,
 * until the program ends. All texts are UTF-8 (nearly always ASCII) and end with a zero byte.
 *
 * Threads. Variants and evaluators are immutable: all threads may use them at once. A position or a
 * search is used by one thread at a time; only faultline_search_stop may be called by any.
 */
#ifndef FAULTLINE_H
#define FAULTLINE_H

/* NOLINTBEGIN(modernize-*): this is C. */

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define FAULTLINE_API __attribute__((visibility("default")))
#else
#define FAULTLINE_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------------
 * The library
 */

/* The version of this header. */
#define FAULTLINE_VERSION_MAJOR 0
#define FAULTLINE_VERSION_MINOR 1
#define FAULTLINE_VERSION_PATCH 0

/* The version of the library that was loaded: "0.1.0". */
FAULTLINE_API const char* faultline_version(void);

enum faultline_error {
  FAULTLINE_OK = 0,
  FAULTLINE_ERROR_ARGUMENT = -1,  /* a null pointer, or a number out of range */
  FAULTLINE_ERROR_VARIANT = -2,   /* an unknown family, option or value; or two variants at once */
  FAULTLINE_ERROR_FEN = -3,       /* not a position of the variant */
  FAULTLINE_ERROR_MOVE = -4,      /* not a legal move of the position */
  FAULTLINE_ERROR_GAME_OVER = -5, /* nothing to evaluate, or no legal move to search */
  FAULTLINE_ERROR_NETWORK = -6,   /* a file that is no network, or one for another game */
  FAULTLINE_ERROR_MEMORY = -7,    /* the system has not so much */
  FAULTLINE_ERROR_OTHER = -8      /* anything else; the message says what */
};

/* What the last function that failed in the calling thread has to say: "" if none did. Functions
 * that succeed leave it. Valid until the next function fails in this thread. */
FAULTLINE_API const char* faultline_last_error(void);
/* The number of that error (enum faultline_error); FAULTLINE_OK if none failed. */
FAULTLINE_API int faultline_last_error_code(void);

/* ------------------------------------------------------------------------------------------------
 * Variants: families of games, and their options
 */

/* How many families there are; they are numbered from 0. */
FAULTLINE_API size_t faultline_family_count(void);
/* "chess", "escher". NULL if there is no such family. */
FAULTLINE_API const char* faultline_family_name(size_t family);
FAULTLINE_API const char* faultline_family_inventor(size_t family);
/* One sentence about all its variants. */
FAULTLINE_API const char* faultline_family_summary(size_t family);
/* How many options it has; 0 for a family that does not exist. */
FAULTLINE_API size_t faultline_option_count(size_t family);
/* "levels". NULL if there is no such option. */
FAULTLINE_API const char* faultline_option_name(size_t family, size_t option);
/* "5" */
FAULTLINE_API const char* faultline_option_default(size_t family, size_t option);
/* For people: "1 to 6", "on, off". */
FAULTLINE_API const char* faultline_option_allowed(size_t family, size_t option);
FAULTLINE_API const char* faultline_option_help(size_t family, size_t option);

/* A family with values for its options. Never freed. */
typedef struct faultline_variant faultline_variant;

/* Finds a variant by its name: "family" or "family:option=value,option=value", such as
 * "inferno:levels=3". All names of one variant give the same pointer. The first call builds the
 * variant's tables. NULL: FAULTLINE_ERROR_VARIANT. */
FAULTLINE_API const faultline_variant* faultline_variant_find(const char* name);
/* The variant's canonical name, which files have. */
FAULTLINE_API const char* faultline_variant_name(const faultline_variant* variant);
FAULTLINE_API const char* faultline_variant_family(const faultline_variant* variant);
/* One sentence about the variant. */
FAULTLINE_API const char* faultline_variant_summary(const faultline_variant* variant);
FAULTLINE_API const char* faultline_variant_start_fen(const faultline_variant* variant);

/* How networks see its positions: [planes, height, width] floats (docs/export.md). 0 for NULL. */
FAULTLINE_API size_t faultline_variant_planes(const faultline_variant* variant);
FAULTLINE_API size_t faultline_variant_height(const faultline_variant* variant);
FAULTLINE_API size_t faultline_variant_width(const faultline_variant* variant);
/* How many planes of attacked squares follow those in the networks that see them
 * (`net.attack_planes` of their configuration). 0 for NULL. */
FAULTLINE_API size_t faultline_variant_attack_planes(const faultline_variant* variant);
/* "own pawn"; those of attacked squares come last. NULL if there is no such plane. */
FAULTLINE_API const char* faultline_variant_plane_name(const faultline_variant* variant,
                                                       size_t plane);
/* The number of the policy's slots: a full policy has one logit for each. */
FAULTLINE_API int64_t faultline_variant_slots(const faultline_variant* variant);

/* ------------------------------------------------------------------------------------------------
 * Positions, with the game that led to them
 */

enum faultline_colour { FAULTLINE_WHITE = 0, FAULTLINE_BLACK = 1 };

enum faultline_outcome {
  FAULTLINE_ONGOING = 0,
  FAULTLINE_WHITE_WINS = 1,
  FAULTLINE_BLACK_WINS = 2,
  FAULTLINE_DRAW_STALEMATE = 3,
  FAULTLINE_DRAW_KINGS = 4,     /* only kings are left */
  FAULTLINE_DRAW_100_PLIES = 5, /* without a capture or a pawn's move */
  FAULTLINE_DRAW_REPETITION = 6 /* the third occurrence in the game */
};

typedef struct faultline_position faultline_position;

/* The start of a game. To be freed with faultline_position_free. */
FAULTLINE_API faultline_position* faultline_position_start(const faultline_variant* variant);
/* A position without a past, from its FEN (docs/rules.md). NULL: FAULTLINE_ERROR_FEN; the message
 * names the field. To be freed. */
FAULTLINE_API faultline_position* faultline_position_from_fen(const faultline_variant* variant,
                                                              const char* fen);
/* A copy with the game so far. To be freed. */
FAULTLINE_API faultline_position* faultline_position_copy(const faultline_position* position);
/* NULL is allowed. */
FAULTLINE_API void faultline_position_free(faultline_position* position);

FAULTLINE_API const faultline_variant* faultline_position_variant(
    const faultline_position* position);
FAULTLINE_API const char* faultline_position_fen(faultline_position* position);
/* Several lines of text for people. */
FAULTLINE_API const char* faultline_position_picture(faultline_position* position);
/* enum faultline_colour */
FAULTLINE_API int faultline_position_side_to_move(const faultline_position* position);
/* 1 if the side to move is in check, else 0. */
FAULTLINE_API int faultline_position_in_check(const faultline_position* position);
/* Moves played since the start or the FEN. */
FAULTLINE_API int faultline_position_plies(const faultline_position* position);
/* How often the position occurred before in its game. */
FAULTLINE_API int faultline_position_repetitions(const faultline_position* position);
/* enum faultline_outcome, by the rules, with the game so far. */
FAULTLINE_API int faultline_position_outcome(const faultline_position* position);
/* "" for FAULTLINE_ONGOING, "white", "black", "draw:stalemate", ...; NULL for other numbers. */
FAULTLINE_API const char* faultline_outcome_name(int outcome);

/* How many legal moves there are; they are numbered from 0 in a fixed order, the same for all
 * functions. A drawn game may still have some. */
FAULTLINE_API int faultline_position_moves(faultline_position* position);
/* A legal move as text: "e2e4", "a7a8q", "1c2-2b3", "@+1". NULL if there is no such move. */
FAULTLINE_API const char* faultline_position_move(faultline_position* position, int move);
/* The number of a legal move, or FAULTLINE_ERROR_MOVE. */
FAULTLINE_API int faultline_position_find_move(faultline_position* position, const char* text);
/* Plays a legal move. FAULTLINE_OK, or FAULTLINE_ERROR_MOVE: the message lists legal moves. A
 * drawn game may be continued. */
FAULTLINE_API int faultline_position_play(faultline_position* position, const char* text);
/* The number of sequences of `depth` legal moves, 0 to 100, into `count`. */
FAULTLINE_API int faultline_position_perft(const faultline_position* position, int depth,
                                           uint64_t* count);

/* What a network sees, into planes[planes * height * width]. `size`: floats that there is room
 * for; FAULTLINE_ERROR_ARGUMENT if that is not enough. */
FAULTLINE_API int faultline_position_encode(const faultline_position* position, float* planes,
                                            size_t size);
/* What a network sees that also sees attacked squares, into
 * planes[(planes + attack planes) * height * width]. */
FAULTLINE_API int faultline_position_encode_with_attacks(const faultline_position* position,
                                                         float* planes, size_t size);
/* The slot of the policy for legal move number `move`; negative if there is no such move. */
FAULTLINE_API int64_t faultline_position_move_slot(faultline_position* position, int move);

/* ------------------------------------------------------------------------------------------------
 * Evaluators: networks, and simple stand-ins for them
 */

typedef struct faultline_evaluator faultline_evaluator;

/* The evaluation of a position, for its side to move. */
typedef struct faultline_evaluation {
  float win, draw, loss; /* probabilities: they add up to 1 */
  float moves_left;      /* plies until the game ends, expected */
} faultline_evaluation;

/* A network. `path`: a checkpoint, a bundle of `faultline export`, or a run's folder (its newest
 * checkpoint). `variant`: of the positions to be evaluated, NULL for the network's own; it may be
 * another option set of the family with the same encoding. `backend`, `precision`: as the options
 * of the command uci; NULL for "auto", by the processor. Computes on the calling thread, on the
 * CPU. NULL: FAULTLINE_ERROR_NETWORK, or FAULTLINE_ERROR_ARGUMENT for a backend or a precision that
 * there is not. To be freed. */
FAULTLINE_API faultline_evaluator* faultline_evaluator_load(const char* path,
                                                            const faultline_variant* variant,
                                                            const char* backend,
                                                            const char* precision);
/* An evaluator that needs no network. `name`: "uniform": every position is a draw, all moves have
 * the same prior; "material": counts pieces, captures and promotions have higher priors than other
 * moves. To be freed. */
FAULTLINE_API faultline_evaluator* faultline_evaluator_builtin(const faultline_variant* variant,
                                                               const char* name);
/* NULL is allowed. Searches that use it may go on. */
FAULTLINE_API void faultline_evaluator_free(faultline_evaluator* evaluator);

FAULTLINE_API const faultline_variant* faultline_evaluator_variant(
    const faultline_evaluator* evaluator);
/* For people: "onednn int8, 6x64, ...", "uniform". Says so where the file of a network does not say
 * how it is to be searched, as those of earlier versions do not. */
FAULTLINE_API const char* faultline_evaluator_description(const faultline_evaluator* evaluator);

/* Evaluates `count` positions of the evaluator's variant in batches; none may be without legal
 * moves. `evaluations` [count]. `policy`: a probability for each legal move in their order, the
 * positions one after another; `policy_size`: floats that there is room for. NULL and 0: none is
 * wanted. */
FAULTLINE_API int faultline_evaluator_evaluate(const faultline_evaluator* evaluator,
                                               const faultline_position* const* positions,
                                               size_t count, faultline_evaluation* evaluations,
                                               float* policy, size_t policy_size);

/* ------------------------------------------------------------------------------------------------
 * Search
 */

typedef struct faultline_search faultline_search;

/* Tree search (PUCT) with an evaluator, by `threads` threads of its own (1 to 512) on one tree in
 * at most `memory_mb` MiB (1 to 1048576), which are reserved, not used, at once. Its settings are
 * those that the network's file stores (faultline_search_get), or defaults. Keeps the evaluator
 * alive. To be freed. */
FAULTLINE_API faultline_search* faultline_search_new(const faultline_evaluator* evaluator,
                                                     int threads, size_t memory_mb);
/* Alpha-beta search that counts material, with a table of `memory_mb` MiB (1 to 65536), on the
 * calling thread, and helpers if faultline_search_set gives it more "threads". To be freed. */
FAULTLINE_API faultline_search* faultline_search_new_alphabeta(const faultline_variant* variant,
                                                               size_t memory_mb);
/* The same with a fast network (docs/fast-networks.md) in place of material and placement. `path`:
 * a checkpoint, a bundle or an exported file that has one, or a run's folder (its newest
 * checkpoint). `variant`: as for faultline_evaluator_load. NULL: FAULTLINE_ERROR_NETWORK. To be
 * freed. */
FAULTLINE_API faultline_search* faultline_search_new_fast(const char* path,
                                                          const faultline_variant* variant,
                                                          size_t memory_mb);
/* NULL is allowed. A search that was started is ended first. */
FAULTLINE_API void faultline_search_free(faultline_search* search);

/* Changes a setting of a search, and forgets all that was searched. `name`, `value`: of a tree
 * search as in [search] of a run's configuration (docs/config.md), such as "policy_temperature" and
 * "1.7", or "tree_reuse" and "false"; dirichlet_... and what is not about one search are missing.
 * An alpha-beta search has "threads" alone, which is 1 and may be up to 512.
 * FAULTLINE_ERROR_ARGUMENT for a name that there is not (the message lists all) and a value that is
 * not allowed. */
FAULTLINE_API int faultline_search_set(faultline_search* search, const char* name,
                                       const char* value);
/* The value of such a setting. Valid until the next one is asked for. NULL:
 * FAULTLINE_ERROR_ARGUMENT. */
FAULTLINE_API const char* faultline_search_get(faultline_search* search, const char* name);

/* When a search ends: at the first limit reached. Structures with a `size` grow in later versions
 * of the library, at their end: `size` says how much of one the caller knows. */
typedef struct faultline_limits {
  size_t size; /* sizeof(faultline_limits) */
  /* Visits of the root by this search; for alpha-beta, positions visited. 0: no limit. */
  uint64_t visits;
  /* 0: no limit. */
  uint32_t milliseconds;
  /* The depth in plies; of a tree search, the mean of its descents' depths. 0: no limit. */
  uint32_t depth;
  /* How many lines to report, if there are so many moves; 0: one. A tree search has them anyway;
   * for alpha-beta each costs a search. */
  uint32_t lines;
  uint32_t reserved; /* must be 0 */
  /* Only these legal moves are considered, as texts; NULL and 0: all. */
  const char* const* moves;
  size_t move_count;
  /* Called every 100 ms or so by the thread that searches, with `context`; during the call
   * faultline_search_report and faultline_search_line give what was found so far. NULL: none. */
  void (*progress)(void* context);
  void* context;
} faultline_limits;

/* faultline_limits limits = FAULTLINE_LIMITS_INIT; */
#define FAULTLINE_LIMITS_INIT \
  { sizeof(faultline_limits), 0, 0, 0, 0, 0, NULL, 0, NULL, NULL }

/* Searches a position until a limit is reached or faultline_search_stop is called (without a limit,
 * only that ends it). At least the position itself is evaluated. What an earlier search of the
 * same game found is reused. With one thread and no limit of time, new searches of one position
 * have one result. */
FAULTLINE_API int faultline_search_run(faultline_search* search, const faultline_position* position,
                                       const faultline_limits* limits);
/* Searches in two steps, so that the caller can do something else meanwhile: another thread begins
 * to search a copy of the position, and faultline_search_wait waits for it to end and returns what
 * faultline_search_run would. Mistakes in the arguments are reported by faultline_search_start. In
 * between, no other function may be called with the search but faultline_search_stop and
 * faultline_search_is_running. */
FAULTLINE_API int faultline_search_start(faultline_search* search,
                                         const faultline_position* position,
                                         const faultline_limits* limits);
FAULTLINE_API int faultline_search_wait(faultline_search* search);
/* 1 between faultline_search_start and the end of that search, else 0. */
FAULTLINE_API int faultline_search_is_running(const faultline_search* search);
/* Ends the search that is running, soon; it then has its result like any other. Nothing happens if
 * none is, so that one that another thread is just about to run is not stopped: where that can
 * happen, use faultline_search_start. Any thread may call it. */
FAULTLINE_API void faultline_search_stop(faultline_search* search);
/* Forgets all that was searched. */
FAULTLINE_API int faultline_search_clear(faultline_search* search);

typedef struct faultline_report {
  size_t size;                /* sizeof(faultline_report): set it before the call */
  const char* best_move;      /* as text */
  faultline_evaluation value; /* of the position, for its side to move */
  int32_t mate_plies;         /* a proven mate: see faultline_line */
  uint32_t lines;             /* for faultline_search_line */
  uint64_t visits;            /* by this search, as in faultline_limits */
  uint64_t tree_visits;       /* of the root, with those kept from earlier searches */
  uint64_t evaluations;       /* positions evaluated by this search */
  int32_t depth;              /* as in faultline_limits */
  int32_t selective_depth;    /* the longest line searched, in plies */
  int32_t memory_permille;    /* of the memory in use */
  uint32_t reserved;
  double seconds; /* that the search took */
} faultline_report;

#define FAULTLINE_REPORT_INIT \
  { sizeof(faultline_report), NULL, {0, 0, 0, 0}, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }

typedef struct faultline_line {
  size_t size;                /* sizeof(faultline_line): set it before the call */
  const char* move;           /* the first move, as text */
  const char* variation;      /* all moves, with blanks between them */
  faultline_evaluation value; /* of the first move, for the side to move at the root */
  /* Visits of the first move (0 for alpha-beta): their shares are the search's policy. */
  uint32_t visits;
  float prior; /* by the evaluator */
  /* Plies to a proven mate, the mating move included: positive if the side to move mates, negative
   * if it is mated, 0 if nothing is proven. */
  int32_t mate_plies;
  uint32_t reserved;
} faultline_line;

#define FAULTLINE_LINE_INIT \
  { sizeof(faultline_line), NULL, NULL, {0, 0, 0, 0}, 0, 0, 0, 0 }

/* What the last search found. FAULTLINE_ERROR_ARGUMENT if there was none. The texts are valid until
 * the next search. */
FAULTLINE_API int faultline_search_report(const faultline_search* search, faultline_report* report);
/* A line of it, 0 being the best. */
FAULTLINE_API int faultline_search_line(const faultline_search* search, uint32_t index,
                                        faultline_line* line);

#ifdef __cplusplus
}
#endif

/* NOLINTEND(modernize-*) */

#endif /* FAULTLINE_H */
