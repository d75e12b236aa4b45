// The report's behaviour: what is chosen above decides what every chart shows; the table sorts and filters.
"use strict";
(() => {
  const records = JSON.parse(document.getElementById("records").textContent);
  const $ = (id) => document.getElementById(id);
  const make = (tag, properties = {}, ...children) => {
    const node = Object.assign(document.createElement(tag), properties);
    node.append(...children);
    return node;
  };
  const unique = (values) => [...new Set(values)];
  const withCommas = (n) => Math.round(n).toLocaleString("en-GB");
  const figure = (x) => (x == null ? "–" : x >= 1000 ? withCommas(x) : Number(x.toPrecision(4)).toString());

  for (const r of records) {
    r.sceneName = [r.scene, ...Object.entries(r.scene_options).map(([k, v]) => (v === "on" ? k : v))].join(", ");
    r.total = r.ms && r.ms.total.median;
  }
  const candidates = records.filter((r) => r.kind !== "floor");
  const names = unique(candidates.map((r) => r.name));
  const kindOf = Object.fromEntries(candidates.map((r) => [r.name, r.kind]));
  const baseline = records[0].baseline;

  // Our methods in full colours and lines, peers lighter and dashed; marks tell them apart without colour.
  const hues = { method: [160, 215, 265, 190, 300, 130, 240], peer: [25, 350, 48, 320, 285, 75, 5, 100] };
  const marks = ["circle", "rect", "triangle", "rectRot", "star", "crossRot", "rectRounded", "cross"];
  const styles = {};
  for (const kind of ["method", "peer"])
    names.filter((n) => kindOf[n] === kind).forEach((name, i) => {
      const light = 38 + 14 * (Math.floor(i / hues[kind].length) % 2);
      styles[name] = { hue: hues[kind][i % hues[kind].length], light, mark: marks[i % marks.length], dash: kind === "peer" ? [6, 4] : [] };
    });
  const dark = () => document.documentElement.dataset.theme === "dark";
  const colour = (name, alpha = 1) => {
    const { hue, light } = styles[name];
    return `hsl(${hue} 70% ${dark() ? light + 24 : light}% / ${alpha})`;
  };
  const ink = (property) => getComputedStyle(document.documentElement).getPropertyValue(property).trim();

  const shown = new Set(names);
  const chosen = () => ({ scene: $("scene").value, threads: Number($("threads").value), objects: Number($("objects").value) });
  const here = (r, c) => r.sceneName === c.scene && r.threads === c.threads && shown.has(r.name) && r.total;

  const charts = {};
  function draw(id, label, config) {
    charts[id]?.destroy();
    Chart.defaults.color = ink("--soft");
    Chart.defaults.borderColor = ink("--line");
    Chart.defaults.font.family = "system-ui, sans-serif";
    $(id).setAttribute("aria-label", label);
    config.options = { animation: false, maintainAspectRatio: false, ...config.options };
    charts[id] = new Chart($(id), config);
  }
  const logAxis = (text) => ({
    type: "logarithmic", title: { display: true, text },
    ticks: { callback: (v) => (/^[125]0*$|^0?\.0*[15]$/.test(String(v)) ? figure(v) : "") },
  });

  const range = (datasets) => {
    const xs = datasets.flatMap((d) => d.data.map((point) => point.x));
    return xs.length ? { min: Math.min(...xs) / 1.1, max: Math.max(...xs) * 1.1 } : {};
  };

  function drawScaling(c) {
    const datasets = [];
    for (const name of names) {
      const rows = records.filter((r) => here(r, c) && r.name === name).sort((a, b) => a.objects - b.objects);
      if (!rows.length) continue;
      const band = (q, fill) => ({ band: true, data: rows.map((r) => ({ x: r.objects, y: r.ms.total[q] })), fill,
        borderWidth: 0, pointRadius: 0, backgroundColor: colour(name, 0.15) });
      datasets.push({ label: name, data: rows.map((r) => ({ x: r.objects, y: r.total })), borderColor: colour(name),
        backgroundColor: colour(name), borderDash: styles[name].dash, pointStyle: styles[name].mark,
        borderWidth: name === baseline ? 4 : 2, pointRadius: 5 });
      datasets.push(band("q1", false), band("q3", "-1"));
    }
    draw("scaling", `Time by number of objects on ${c.scene}: see the table of all records`, {
      type: "line", data: { datasets },
      options: {
        scales: { x: { ...logAxis("objects"), ...range(datasets) }, y: logAxis("ms a frame") },
        interaction: { mode: "nearest", intersect: false },
        plugins: {
          legend: { position: "bottom", labels: { usePointStyle: true, filter: (item, data) => !data.datasets[item.datasetIndex].band } },
          tooltip: { filter: (item) => !item.dataset.band, callbacks: {
            title: (items) => (items.length ? `${withCommas(items[0].parsed.x)} objects` : ""),
            label: (item) => `${item.dataset.label}: ${figure(item.parsed.y)} ms` } },
        },
      },
    });
  }

  // One bar for each candidate of the chosen scene and size, fastest first.
  function rowsAt(c) {
    return records.filter((r) => here(r, c) && r.objects === c.objects).sort((a, b) => a.total - b.total);
  }
  function drawBars(id, label, rows, datasets, axis, stacked = false) {
    draw(id, label, {
      type: "bar", data: { labels: rows.map((r) => r.name), datasets },
      options: {
        indexAxis: "y",
        scales: { x: { ...axis, stacked }, y: { stacked, ticks: { autoSkip: false } } },
        plugins: { legend: { display: stacked, position: "bottom" },
          tooltip: { callbacks: { label: (item) => `${item.dataset.label}: ${figure(item.parsed.x)}` } } },
      },
    });
  }
  // Bars of very slow candidates would leave nothing of the others.
  function drawPhases(c) {
    const all = rowsAt(c);
    const rows = all.filter((r) => r.total <= 30 * all[0].total);
    const phase = (label, hue) => ({ label, data: rows.map((r) => r.ms[label]?.median ?? null),
      backgroundColor: `hsl(${hue} 55% ${dark() ? 60 : 45}%)` });
    drawBars("phases", `Phases at ${c.objects} objects on ${c.scene}`, rows,
      [phase("update", 215), phase("search", 160), phase("filter", 30)],
      { title: { display: true, text: `ms a frame at ${withCommas(c.objects)} objects` } }, true);
  }
  function drawFigure(id, label, unit, value, c) {
    const rows = rowsAt(c).filter((r) => value(r) != null);
    $(id).closest("figure").classList.toggle("empty", rows.length === 0);
    drawBars(id, `${label} at ${c.objects} objects on ${c.scene}`, rows,
      [{ label, data: rows.map(value), backgroundColor: rows.map((r) => colour(r.name, 0.85)) }], logAxis(unit));
  }

  function drawRadar(c) {
    const scenes = unique(candidates.filter((r) => r.threads === c.threads && r.objects === c.objects).map((r) => r.sceneName));
    const time = (name, scene) =>
      candidates.find((r) => r.name === name && r.sceneName === scene && r.threads === c.threads && r.objects === c.objects && r.total)?.total;
    const best = scenes.map((s) => Math.min(...names.filter((n) => shown.has(n)).map((n) => time(n, s) ?? Infinity)));
    const rings = 3;
    const datasets = names.filter((n) => shown.has(n) && scenes.some((s) => time(n, s))).map((name) => ({
      label: name, borderColor: colour(name), backgroundColor: colour(name, scenes.length > 2 ? 0.02 : 0.7), borderDash: styles[name].dash,
      borderWidth: name === baseline ? 4 : 1.5, pointStyle: styles[name].mark,
      data: scenes.map((s, i) => (time(name, s) ? Math.max(0, rings - Math.log10(time(name, s) / best[i])) : null)),
    }));
    draw("radar", `Slow-down against the fastest on each scene at ${c.objects} objects`, {
      type: scenes.length > 2 ? "radar" : "bar", data: { labels: scenes, datasets },
      options: {
        scales: scenes.length > 2
          ? { r: { min: 0, max: rings, ticks: { stepSize: 1, backdropColor: "transparent", callback: (v) => (v === rings ? "fastest" : `${10 ** (rings - v)}×`) } } }
          : { y: { min: 0, max: rings, ticks: { stepSize: 1, callback: (v) => (v === rings ? "fastest" : `${10 ** (rings - v)}×`) } } },
        plugins: { legend: { display: false }, tooltip: { callbacks: { label: (item) => `${item.dataset.label}: ${figure(10 ** (rings - item.raw))} times the fastest` } } },
      },
    });
  }

  function tellHeadline(c) {
    const rows = rowsAt(c);
    const ours = rows.find((r) => r.kind === "method"), peer = rows.find((r) => r.kind === "peer");
    $("headline").replaceChildren();
    if (!ours) return;
    $("headline").append(`${ours.name} takes `, make("strong", { textContent: `${figure(ours.total)} ms` }),
      ` for ${withCommas(ours.objects)} objects and ${withCommas(ours.pairs_per_frame)} pairs`);
    if (peer) $("headline").append("; the fastest peer here, " + peer.name + ", takes ",
      make("strong", { textContent: `${figure(peer.total / ours.total)}×` }), " as long");
    $("headline").append(".");
  }

  function redraw() {
    const c = chosen();
    tellHeadline(c);
    drawScaling(c);
    drawPhases(c);
    drawRadar(c);
    drawFigure("memory", "MB", "MB", (r) => r.peak_memory_bytes && r.peak_memory_bytes / 1e6, c);
    drawFigure("floors", "times the floor", "times the floor", (r) => r.floors, c);
  }

  const columns = [
    ["scene", (r) => r.sceneName, true], ["objects", (r) => r.objects], ["threads", (r) => r.threads],
    ["kind", (r) => r.kind, true], ["name", (r) => r.name, true], ["ms", (r) => r.total],
    ["fastest", (r) => r.ms?.total.min], ["p95", (r) => r.ms?.total.p95], ["update", (r) => r.ms?.update.median],
    ["search", (r) => r.ms?.search.median], ["filter", (r) => r.ms?.filter?.median], ["ratio", (r) => r.ratio],
    ["floors", (r) => r.floors], ["peak MB", (r) => r.peak_memory_bytes && r.peak_memory_bytes / 1e6],
    ["pairs", (r) => r.pairs_per_frame], ["candidates", (r) => r.candidates_per_frame || null],
    ["exact", (r) => (r.kind === "floor" ? "" : r.exact ? r.fault || "yes" : "WRONG"), true],
  ];
  let sorting = { column: 1, direction: 1 };
  function fillTable() {
    const words = $("find").value.toLowerCase().split(/\s+/).filter(Boolean);
    const value = columns[sorting.column][1];
    const rows = records.filter((r) => words.every((w) => `${r.sceneName} ${r.kind} ${r.name}`.toLowerCase().includes(w)));
    rows.sort((a, b) => {
      const [x, y] = [value(a), value(b)];
      if (x == null || y == null) return (x == null) - (y == null);
      return sorting.direction * (typeof x === "string" ? x.localeCompare(y) : x - y);
    });
    $("table").tBodies[0].replaceChildren(...rows.map((r) => make("tr", {}, ...columns.map(([title, get, text]) => {
      const content = get(r);
      return make("td", { className: (text ? "text" : "") + (content === "WRONG" ? " wrong" : ""),
        textContent: text ? content : title === "objects" || title === "threads" ? withCommas(content) : figure(content) });
    }))));
    $("count").textContent = `${rows.length} of ${records.length}`;
    [...$("table").tHead.rows[0].cells].forEach((cell, i) =>
      cell.setAttribute("aria-sort", i !== sorting.column ? "none" : sorting.direction > 0 ? "ascending" : "descending"));
  }
  function prepareTable() {
    $("table").tHead.append(make("tr", {}, ...columns.map(([title, , text], i) => {
      const button = make("button", { type: "button", textContent: title });
      button.addEventListener("click", () => {
        sorting = { column: i, direction: sorting.column === i ? -sorting.direction : 1 };
        fillTable();
      });
      return make("th", { scope: "col", className: text ? "text" : "" }, button);
    })));
    $("find").addEventListener("input", fillTable);
    fillTable();
  }

  function prepareControls() {
    const fill = (id, values, label) => $(id).append(...values.map((v) => make("option", { value: v, textContent: label(v) })));
    fill("scene", unique(records.map((r) => r.sceneName)), (s) => s);
    fill("threads", unique(records.map((r) => r.threads)).sort((a, b) => a - b), String);
    fill("objects", unique(records.map((r) => r.objects)).sort((a, b) => a - b), withCommas);
    // The largest of the sizes that have the most records.
    const recordsAt = (v) => records.filter((r) => r.objects === v && r.total).length;
    $("objects").value = unique(records.map((r) => r.objects)).sort((a, b) => recordsAt(b) - recordsAt(a) || b - a)[0];
    for (const name of names) {
      const box = make("input", { type: "checkbox", checked: true, value: name });
      box.addEventListener("change", () => { box.checked ? shown.add(name) : shown.delete(name); redraw(); });
      const patch = make("i");
      patch.style.background = colour(name);
      patch.setAttribute("aria-hidden", "true");
      $("names").append(make("label", {}, box, patch, name));
    }
    for (const id of ["scene", "threads", "objects"]) $(id).addEventListener("change", redraw);
    $("controls").addEventListener("submit", (event) => event.preventDefault());
  }

  function describe() {
    const entry = (list, term, text) => list.append(make("dt", { textContent: term }), make("dd", { textContent: text }));
    for (const name of names) {
      const r = candidates.find((row) => row.name === name);
      entry($("descriptions"), name, [r.summary, r.source].filter(Boolean).join(" · "));
    }
    $("commands").textContent = unique(records.map((r) => r.command)).join("\n");
    const machines = unique(records.map((r) => JSON.stringify(r.machine))).map((m) => JSON.parse(m));
    for (const machine of machines)
      for (const [key, value] of Object.entries(machine))
        entry($("machine"), key.replaceAll("_", " "), typeof value === "object" ? Object.entries(value).map(([k, v]) => `${k}: ${v}`).join(", ") : String(value));
    $("lead").textContent = `${withCommas(records.length)} records, ${unique(records.map((r) => r.sceneName)).length} scenes, ` +
      `${names.length} candidates, on ${unique(machines.map((m) => m.processor)).join(" and ")}. ` +
      (candidates.every((r) => r.exact) ? "Every result was compared with the reference: all exact." : "Some results were wrong: see the table.");
  }

  function setTheme(theme) {
    document.documentElement.dataset.theme = theme;
    $("theme").textContent = theme === "dark" ? "☀" : "☾";
    document.querySelectorAll("#names input").forEach((box) => { box.nextSibling.style.background = colour(box.value); });
  }
  setTheme(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  $("theme").addEventListener("click", () => { setTheme(dark() ? "light" : "dark"); redraw(); });
  prepareControls();
  prepareTable();
  describe();
  redraw();
})();
