// Two systems task by task: who succeeds where the other does not. Values come from the chunks of the leaderboards.
"use strict";

(() => {
  const { element, load, state, setState, fileName, root } = testevo;
  const form = document.querySelector("#compare-controls");
  const place = document.querySelector("#compared");
  if (!form) return;
  const MOST = 200;
  const [board, one, other] = ["board", "one", "other"].map((name) => form.elements[name]);

  function systemsOf(name) {
    return JSON.parse(board.querySelector(`option[value="${name}"]`).dataset.systems);
  }

  function percent(value) {
    return value === null ? "\u2013" : `${(100 * value).toFixed(1)}%`;
  }

  function fill(select, names, chosen) {
    select.replaceChildren(...names.map((name) => element("option", { value: name }, name)));
    select.value = chosen;
  }

  async function update() {
    const now = state();
    board.value = [...board.options].some((option) => option.value === now.board) ? now.board : board.options[0].value;
    const names = systemsOf(board.value);
    fill(one, names, names.includes(now.one) ? now.one : names[0]);
    fill(other, names, names.includes(now.other) ? now.other : names[Math.min(1, names.length - 1)]);
    if (!now.one && !now.other) {
      place.hidden = true;
      return;
    }
    const [index, values] = await Promise.all([load(`board-${board.value}`), load(`board-${board.value}-success`)]);
    show(index, values[names.indexOf(one.value)], values[names.indexOf(other.value)]);
  }

  function show(index, first, second) {
    const shared = first.map((_, at) => at).filter((at) => first[at] !== null && second[at] !== null);
    const full = (value) => value === 1;
    const count = (a, b) => shared.filter((at) => full(first[at]) === a && full(second[at]) === b).length;
    const mean = (values) => (shared.length ? shared.reduce((sum, at) => sum + values[at], 0) / shared.length : null);
    const counts = [
      ["both succeed", count(true, true)], [`only ${one.value}`, count(true, false)],
      [`only ${other.value}`, count(false, true)], ["neither", count(false, false)],
    ];
    const parts = [
      element("p", {}, `Success on ${shared.length.toLocaleString("en")} shared tasks: ${one.value} ${percent(mean(first))}, ${other.value} ${percent(mean(second))}.`),
      element("ul", { class: "tiles" }, ...counts.map(([name, number]) => element("li", {}, element("b", {}, number.toLocaleString("en")), name))),
    ];
    if (index.tasks.length) {
      const apart = shared.filter((at) => first[at] !== second[at]).sort((a, b) => Math.abs(first[b] - second[b]) - Math.abs(first[a] - second[a]));
      const rows = apart.slice(0, MOST).map((at) => element("tr", {},
        element("td", {}, element("a", { href: `${root}tasks/${index.track}/${fileName(index.tasks[at])}.html` }, index.tasks[at])),
        element("td", { class: "number", "data-title": one.value }, percent(first[at])),
        element("td", { class: "number", "data-title": other.value }, percent(second[at]))));
      const head = element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "Task"),
        element("th", { class: "number", scope: "col" }, one.value), element("th", { class: "number", scope: "col" }, other.value)));
      parts.push(element("h3", {}, `${apart.length.toLocaleString("en")} tasks on which they differ`),
        element("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "Tasks on which they differ" },
          element("table", { class: "rows" }, head, element("tbody", {}, ...rows))));
      if (apart.length > MOST) parts.push(element("p", {}, `The first ${MOST}.`));
    } else {
      parts.push(element("p", { class: "faint" }, "The released rows do not tell which task they are of, so there is no list."));
    }
    place.replaceChildren(...parts);
    place.hidden = false;
    place.dataset.ready = `${one.value}/${other.value}`;
  }

  form.addEventListener("input", (event) => {
    if (event.target === board) setState({ board: board.value, one: systemsOf(board.value)[0], other: systemsOf(board.value)[1] ?? "" });
    else setState({ board: board.value, one: one.value, other: other.value });
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
  addEventListener("hashchange", update);
  update();
})();
