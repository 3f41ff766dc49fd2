"""faultline from Python: a small wrapper of its C interface by ctypes. Needs nothing but Python 3.8.

    import faultline
    position = faultline.Variant("escher").start()
    position.play("e2e4")
    search = faultline.Search(faultline.Evaluator.load("escher.zip"))
    print(search.run(position, visits=800).best_move)

The library is looked for where the environment variable FAULTLINE_LIBRARY says, then where the system
finds libfaultline.so.0. docs/library.md and faultline.h describe the functions behind it.
"""
import ctypes as c
import os

_library = c.CDLL(os.environ.get("FAULTLINE_LIBRARY", "libfaultline.so.0"))


class Error(Exception):
    """What a function of the library says was wrong; `code` is its number in faultline.h."""

    def __init__(self):
        super().__init__(_library.faultline_last_error().decode())
        self.code = _library.faultline_last_error_code()


class Evaluation(c.Structure):
    """Chances of the side to move, and the plies that are left."""

    _fields_ = [("win", c.c_float), ("draw", c.c_float), ("loss", c.c_float),
                ("moves_left", c.c_float)]


_PROGRESS = c.CFUNCTYPE(None, c.c_void_p)


# The structures of faultline.h.
class _Limits(c.Structure):
    _fields_ = [("size", c.c_size_t), ("visits", c.c_uint64), ("milliseconds", c.c_uint32),
                ("depth", c.c_uint32), ("lines", c.c_uint32), ("reserved", c.c_uint32),
                ("moves", c.POINTER(c.c_char_p)), ("move_count", c.c_size_t),
                ("progress", _PROGRESS), ("context", c.c_void_p)]


class _Report(c.Structure):
    _fields_ = [("size", c.c_size_t), ("best_move", c.c_char_p), ("value", Evaluation),
                ("mate_plies", c.c_int32), ("lines", c.c_uint32), ("visits", c.c_uint64),
                ("tree_visits", c.c_uint64), ("evaluations", c.c_uint64), ("depth", c.c_int32),
                ("selective_depth", c.c_int32), ("memory_permille", c.c_int32),
                ("reserved", c.c_uint32), ("seconds", c.c_double)]


class _Line(c.Structure):
    _fields_ = [("size", c.c_size_t), ("move", c.c_char_p), ("variation", c.c_char_p),
                ("value", Evaluation), ("visits", c.c_uint32), ("prior", c.c_float),
                ("mate_plies", c.c_int32), ("reserved", c.c_uint32)]


def _fail_if_null(result, function, arguments):
    if result is None:
        raise Error()
    return result


def _fail_if_negative(result, function, arguments):
    if result < 0:
        raise Error()
    return result


def _declare(kind, check, declarations):
    """Gives each function in 'name: parameters' its types; `p` is a pointer, `s` a text."""
    types = {"p": c.c_void_p, "s": c.c_char_p, "i": c.c_int, "z": c.c_size_t, "u": c.c_uint32}
    for declaration in declarations.split():
        name, _, parameters = declaration.partition(":")
        function = getattr(_library, "faultline_" + name)
        function.restype = kind
        function.argtypes = [types[letter] for letter in parameters]
        if check:
            function.errcheck = check


_declare(c.c_char_p, None, "version last_error outcome_name:i")
_declare(c.c_int, None, "last_error_code")
_declare(None, None, "position_free:p evaluator_free:p search_free:p search_stop:p")
_declare(c.c_size_t, None, """
    family_count option_count:z variant_planes:p variant_attack_planes:p variant_height:p variant_width:p""")
_declare(c.c_char_p, _fail_if_null, """
    family_name:z family_inventor:z family_summary:z option_name:zz option_default:zz option_allowed:zz
    variant_name:p variant_summary:p variant_start_fen:p position_fen:p position_picture:p
    position_move:pi evaluator_description:p search_get:ps""")
_declare(c.c_void_p, _fail_if_null, """
    variant_find:s position_start:p position_from_fen:ps position_copy:p position_variant:p
    evaluator_load:spss evaluator_builtin:ps evaluator_variant:p search_new:piz
    search_new_alphabeta:pz search_new_fast:spz""")
_declare(c.c_int, _fail_if_negative, """
    position_side_to_move:p position_in_check:p position_plies:p position_repetitions:p
    position_outcome:p position_moves:p position_play:ps position_perft:pip position_encode:ppz
    position_encode_with_attacks:ppz
    evaluator_evaluate:ppzppz search_run:ppp search_start:ppp search_wait:p search_is_running:p
    search_set:pss search_clear:p search_report:pp search_line:pup""")
_declare(c.c_int64, _fail_if_negative, "position_move_slot:pi variant_slots:p")


def version():
    return _library.faultline_version().decode()


def families():
    """The names of all families of variants."""
    return [_library.faultline_family_name(i).decode()
            for i in range(_library.faultline_family_count())]


class Variant:
    """A game by its name, such as "escher" or "inferno:levels=3"."""

    def __init__(self, name):
        self._handle = _library.faultline_variant_find(name.encode())
        self.name = _library.faultline_variant_name(self._handle).decode()
        self.summary = _library.faultline_variant_summary(self._handle).decode()
        self.planes_shape = (_library.faultline_variant_planes(self._handle),
                             _library.faultline_variant_height(self._handle),
                             _library.faultline_variant_width(self._handle))

    def start(self):
        return Position(_library.faultline_position_start(self._handle))

    def position(self, fen):
        return Position(_library.faultline_position_from_fen(self._handle, fen.encode()))


class Position:
    """A position and the game that led to it."""

    def __init__(self, handle):
        self._handle = handle

    def __del__(self):
        _library.faultline_position_free(self._handle)

    def copy(self):
        return Position(_library.faultline_position_copy(self._handle))

    def __str__(self):
        return _library.faultline_position_picture(self._handle).decode()

    @property
    def fen(self):
        return _library.faultline_position_fen(self._handle).decode()

    @property
    def side_to_move(self):
        return ("white", "black")[_library.faultline_position_side_to_move(self._handle)]

    @property
    def in_check(self):
        return _library.faultline_position_in_check(self._handle) == 1

    @property
    def repetitions(self):
        return _library.faultline_position_repetitions(self._handle)

    @property
    def outcome(self):
        """"" while the game goes on; "white", "black", "draw:stalemate" and so on."""
        outcome = _library.faultline_position_outcome(self._handle)
        return _library.faultline_outcome_name(outcome).decode()

    @property
    def moves(self):
        """The legal moves."""
        return [_library.faultline_position_move(self._handle, i).decode()
                for i in range(_library.faultline_position_moves(self._handle))]

    def play(self, move):
        _library.faultline_position_play(self._handle, move.encode())

    def perft(self, depth):
        count = c.c_uint64()
        _library.faultline_position_perft(self._handle, depth, c.byref(count))
        return count.value

    def planes(self, attacks=False):
        """What a network sees: floats in the order [planes, height, width]; with `attacks` what those
        see that were trained with `net.attack_planes`."""
        variant = _library.faultline_position_variant(self._handle)
        planes = _library.faultline_variant_planes(variant)
        encode = _library.faultline_position_encode
        if attacks:
            planes += _library.faultline_variant_attack_planes(variant)
            encode = _library.faultline_position_encode_with_attacks
        count = (planes * _library.faultline_variant_height(variant) *
                 _library.faultline_variant_width(variant))
        floats = (c.c_float * count)()
        encode(self._handle, floats, count)
        return list(floats)

    def move_slots(self):
        """The legal moves' slots in a network's full policy."""
        return [_library.faultline_position_move_slot(self._handle, i)
                for i in range(_library.faultline_position_moves(self._handle))]


class Evaluator:
    """A network, or a simple stand-in for one."""

    def __init__(self, handle):
        self._handle = handle
        self.description = _library.faultline_evaluator_description(handle).decode()

    def __del__(self):
        _library.faultline_evaluator_free(self._handle)

    @classmethod
    def load(cls, path, variant=None, backend=None, precision=None):
        """A checkpoint, a bundle, or a run's folder."""
        texts = [text.encode() if text else None for text in (backend, precision)]
        return cls(_library.faultline_evaluator_load(
            os.fsencode(path), variant._handle if variant else None, *texts))

    @classmethod
    def builtin(cls, variant, name):
        """ "uniform" or "material"."""
        return cls(_library.faultline_evaluator_builtin(variant._handle, name.encode()))

    def evaluate(self, positions):
        """For each position an Evaluation and a dictionary: moves with their probabilities."""
        moves = [position.moves for position in positions]
        handles = (c.c_void_p * len(positions))(*[position._handle for position in positions])
        evaluations = (Evaluation * len(positions))()
        policy = (c.c_float * sum(map(len, moves)))()
        _library.faultline_evaluator_evaluate(self._handle, handles, len(positions), evaluations,
                                              policy, len(policy))
        shares = iter(policy)
        return [(evaluation, {move: next(shares) for move in legal})
                for evaluation, legal in zip(evaluations, moves)]


class Line:
    """A move that was searched, and how play would continue."""

    def __init__(self, line):
        self.move = line.move.decode()
        self.variation = line.variation.decode().split()
        self.value = Evaluation.from_buffer_copy(line.value)
        self.visits, self.prior, self.mate_plies = line.visits, line.prior, line.mate_plies


class Result:
    """What a search found; the best line first."""

    def __init__(self, handle):
        report = _Report(size=c.sizeof(_Report))
        _library.faultline_search_report(handle, c.byref(report))
        self.best_move = report.best_move.decode()
        self.value = Evaluation.from_buffer_copy(report.value)
        self.visits, self.evaluations = report.visits, report.evaluations
        self.mate_plies, self.depth, self.seconds = report.mate_plies, report.depth, report.seconds
        self.lines = []
        for i in range(report.lines):
            line = _Line(size=c.sizeof(_Line))
            _library.faultline_search_line(handle, i, c.byref(line))
            self.lines.append(Line(line))


class Search:
    """Tree search with an evaluator; what it found is reused for the next position of a game.

    `settings`: those of [search] (docs/config.md) that are not to be the network's own, as in
    Search(evaluator, policy_temperature=1.7, tree_reuse=False)."""

    def __init__(self, evaluator, threads=1, memory_mb=64, **settings):
        self._handle = _library.faultline_search_new(evaluator._handle, threads, memory_mb)
        for name, value in settings.items():
            self.set(name, value)

    def set(self, name, value):
        """Changes a setting, and forgets what was searched."""
        text = str(value).lower() if isinstance(value, bool) else str(value)
        _library.faultline_search_set(self._handle, name.encode(), text.encode())

    def get(self, name):
        """The value of a setting, as text."""
        return _library.faultline_search_get(self._handle, name.encode()).decode()

    @classmethod
    def alphabeta(cls, variant, memory_mb=64):
        search = cls.__new__(cls)
        search._handle = _library.faultline_search_new_alphabeta(variant._handle, memory_mb)
        return search

    @classmethod
    def fast(cls, path, variant=None, memory_mb=64):
        """By alpha-beta with a fast network; `path` as in faultline_search_new_fast."""
        search = cls.__new__(cls)
        search._handle = _library.faultline_search_new_fast(
            os.fsencode(path), variant._handle if variant else None, memory_mb)
        return search

    def __del__(self):
        if hasattr(self, "_handle"):
            _library.faultline_search_free(self._handle)

    @staticmethod
    def _limits(visits, milliseconds, depth, lines, moves, progress=None):
        texts = (c.c_char_p * len(moves))(*[move.encode() for move in moves])
        return _Limits(size=c.sizeof(_Limits), visits=visits, milliseconds=milliseconds,
                       depth=depth, lines=lines, moves=texts, move_count=len(moves),
                       progress=progress or _PROGRESS())

    def run(self, position, visits=0, milliseconds=0, depth=0, lines=1, moves=(), progress=None):
        """Searches until the first limit; `progress(result)` is called now and then."""
        callback = _PROGRESS(lambda _: progress(Result(self._handle))) if progress else None
        limits = self._limits(visits, milliseconds, depth, lines, moves, callback)
        _library.faultline_search_run(self._handle, position._handle, c.byref(limits))
        return Result(self._handle)

    def start(self, position, visits=0, milliseconds=0, depth=0, lines=1, moves=()):
        """Begins to search in the background; wait() gives the result."""
        limits = self._limits(visits, milliseconds, depth, lines, moves)
        _library.faultline_search_start(self._handle, position._handle, c.byref(limits))

    def stop(self):
        """Ends the search that is running. Any thread may call it."""
        _library.faultline_search_stop(self._handle)

    def wait(self):
        _library.faultline_search_wait(self._handle)
        return Result(self._handle)
