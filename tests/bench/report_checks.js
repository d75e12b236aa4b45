// Runs in the report's own page, after its scripts; leaves "all good" or what is wrong in an <output>.
"use strict";
(() => {
  const wrong = [];
  const check = (what, good) => { if (!good) wrong.push(what); };
  const rows = () => [...document.querySelectorAll("#table tbody tr")];
  const column = (title) => [...document.querySelectorAll("#table th")].findIndex((cell) => cell.textContent === title);
  const values = (title) => rows().map((row) => row.cells[column(title)].textContent);
  const header = (title) => document.querySelectorAll("#table th")[column(title)];
  const choose = (id, value) => {
    document.getElementById(id).value = value;
    document.getElementById(id).dispatchEvent(new Event("change"));
  };
  // Whether anything was drawn on a canvas.
  const drawn = (id) => {
    const canvas = document.getElementById(id);
    const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
    return pixels.some((value) => value !== 0);
  };
  const records = JSON.parse(document.getElementById("records").textContent);

  for (const id of ["scaling", "phases", "radar", "memory", "floors"]) {
    check(`${id} is not drawn`, drawn(id));
    check(`${id} has no text for screen readers`, document.getElementById(id).getAttribute("aria-label"));
  }
  check("rows are missing", rows().length === records.length);

  header("ms").querySelector("button").click();
  const rising = values("ms").filter((v) => v !== "–").map((v) => Number(v.replaceAll(",", "")));
  check("ms does not sort", rising.every((v, i) => i === 0 || rising[i - 1] <= v));
  check("sorting is not announced", header("ms").getAttribute("aria-sort") === "ascending");
  header("ms").querySelector("button").click();
  check("ms does not sort the other way", header("ms").getAttribute("aria-sort") === "descending" &&
    Number(values("ms")[0].replaceAll(",", "")) >= rising.at(-1));

  const find = document.getElementById("find");
  find.value = "gravity brute_force";
  find.dispatchEvent(new Event("input"));
  check("finding does not filter", rows().length === 2 && values("scene").every((v) => v === "gravity"));

  const before = document.getElementById("scaling").toDataURL();
  choose("scene", "gravity");
  check("choosing a scene changes nothing", document.getElementById("scaling").toDataURL() !== before);
  const shown = document.getElementById("scaling").toDataURL();
  document.querySelector("#names input").click();
  check("leaving a candidate out changes nothing", document.getElementById("scaling").toDataURL() !== shown);
  choose("objects", "100");
  check("there is no headline", document.getElementById("headline").textContent.includes("100 objects"));

  const theme = document.documentElement.dataset.theme;
  document.getElementById("theme").click();
  check("the theme does not change", document.documentElement.dataset.theme !== theme);
  check("controls without a name", [...document.querySelectorAll("select, input")].every((c) => c.labels.length > 0));
  check("wider than the window", document.documentElement.scrollWidth <= window.innerWidth);
  check("commands are missing", document.getElementById("commands").textContent.includes("winnow-bench compare"));
  check("asks for other files", performance.getEntriesByType("resource").length === 0);
  for (const error of window.errors) wrong.push(error);

  const output = document.createElement("output");
  output.id = "checks";
  output.textContent = wrong.length ? wrong.join("; ") : "all good";
  document.body.append(output);
})();
