// A report's page: draws the data that is in it.
import { redrawCharts } from "../charts/charts";
import { reportElements } from "./sections";

const data = JSON.parse(document.getElementById("data")!.textContent ?? "");
document.getElementById("report")!.append(...reportElements(data));

// Paper is white, whatever the screen is.
const printing = (on: boolean) => () => {
  document.documentElement.classList.toggle("printing", on);
  redrawCharts();
};
addEventListener("beforeprint", printing(true));
addEventListener("afterprint", printing(false));
