// The lab's page: finds out where it is, and shows the view of that place.
import { el } from "../common/dom";
import { libraryView } from "./library";
import { newgameView } from "./newgame";
import { rulesView } from "./rules";
import { setupView } from "./setup";
import { Socket } from "./socket";
import { Store, type Fields, type View } from "./store";
import { watchView } from "./watch";
import type { Desk } from "./desk";

type MakeView = (desk: Desk, store: Store) => View;

/** By the first field of the URL's fragment. */
const kViews: Record<string, MakeView> =
  { run: watchView, folder: libraryView, rules: rulesView, setup: setupView, new: newgameView };

const store = new Store();
const desk = new Socket();
const root = document.getElementById("lab")!;
const stage = el("main", { id: "stage" });
let view: View | null = null;

const nameOf = (fields: Fields): string => Object.keys(fields).find((name) => name in kViews) ?? "";

function show(): void {
  view?.leave();
  view = (kViews[nameOf(store.fields.value)] ?? libraryView)(desk, store);
  stage.replaceChildren(view.element);
}

root.append(stage);
store.fields.watch(show);
show();
