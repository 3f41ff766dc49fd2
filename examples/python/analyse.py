#!/usr/bin/env python3
"""Lists a position's moves, evaluates it, and searches it, with libfaultline.

    analyse.py VARIANT [--net NET] [--fen FEN] [--moves "MOVE ..."] [--visits N] [--lines N]
               [--set NAME=VALUE] [--json]
"""
import argparse
import json
import sys

import faultline


def analyse(options):
    variant = faultline.Variant(options.variant)
    position = variant.position(options.fen) if options.fen else variant.start()
    for move in options.moves.split():
        position.play(move)
    if options.net in ("uniform", "material"):
        evaluator = faultline.Evaluator.builtin(variant, options.net)
    else:
        evaluator = faultline.Evaluator.load(options.net, variant, options.backend,
                                             options.precision)
    found = {"version": faultline.version(), "variant": variant.name, "fen": position.fen,
             "side": position.side_to_move, "moves": position.moves, "outcome": position.outcome,
             "perft": position.perft(2), "evaluator": evaluator.description}
    if position.outcome:
        return found, position
    [(value, policy)] = evaluator.evaluate([position])
    found["evaluation"] = {"win": value.win, "draw": value.draw, "loss": value.loss,
                           "moves_left": value.moves_left, "policy": policy}
    search = faultline.Search(evaluator)
    for name, value in options.set:
        search.set(name, value)
    result = search.run(position, visits=options.visits, lines=options.lines)
    found["best"] = result.best_move
    found["lines"] = [{"move": line.move, "visits": line.visits, "line": line.variation,
                       "win": line.value.win, "draw": line.value.draw, "loss": line.value.loss}
                      for line in result.lines]
    return found, position


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("variant")
    parser.add_argument("--net", default="uniform",
                        help="a checkpoint, a bundle, a run's folder; uniform or material")
    parser.add_argument("--fen", default="")
    parser.add_argument("--moves", default="", help="to be played first")
    parser.add_argument("--visits", type=int, default=400)
    parser.add_argument("--lines", type=int, default=3)
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE",
                        type=lambda text: text.split("=", 1),
                        help="a setting of the search instead of the net's own")
    parser.add_argument("--backend")
    parser.add_argument("--precision")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    try:
        found, position = analyse(options)
    except faultline.Error as error:
        sys.exit(f"error: {error}")
    if options.json:
        print(json.dumps(found))
        return
    print(position)
    print(found["fen"])
    print(len(found["moves"]), "moves:", *found["moves"])
    if found["outcome"]:
        print("the game is over:", found["outcome"])
        return
    value = found["evaluation"]
    print("evaluated by %s: win %.3f, draw %.3f, loss %.3f" % (
        found["evaluator"], value["win"], value["draw"], value["loss"]))
    for line in found["lines"]:
        print("%8d %+.3f  %s" % (line["visits"], line["win"] - line["loss"],
                                 " ".join(line["line"])))


if __name__ == "__main__":
    main()
