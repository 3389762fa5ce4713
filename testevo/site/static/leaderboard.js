// The leaderboards: sort, filter, window of months, kind of average. The page holds the averages of everything; those of
// a window are taken here, from the values of the tasks: plain means, and intervals of Success (interval.js). Ranks come
// with the data.
"use strict";

(() => {
  const { load, state, setState, order } = testevo;
  const form = document.querySelector("#board-controls");
  const boards = new Map([...document.querySelectorAll("[data-board]")].map((one) => [one.dataset.board, one]));
  const said = document.querySelector("#board-status");
  const tasksLink = document.querySelector("#tasks-of-window");
  if (!form || !boards.size) return;
  const fields = Object.fromEntries([...form.elements].filter((one) => one.name).map((one) => [one.name, one]));
  const first = boards.keys().next().value;
  const DASH = "\u2013";

  function percent(value) {
    return value === null ? DASH : `${(100 * value).toFixed(1)}%`;
  }

  function shown(value, key) {
    if (value === null) return DASH;
    return key === "cost" ? `$${value.toFixed(2)}` : percent(value);
  }

  /** Mean over tasks, or over the means of repositories. */
  function average(values, chosen, repositories, by) {
    if (by === "tasks") {
      let total = 0, count = 0;
      for (const at of chosen) {
        if (values[at] !== null) { total += values[at]; count += 1; }
      }
      return count ? total / count : null;
    }
    const totals = new Map();
    for (const at of chosen) {
      if (values[at] === null) continue;
      const own = totals.get(repositories[at]) ?? [0, 0];
      own[0] += values[at];
      own[1] += 1;
      totals.set(repositories[at], own);
    }
    let sum = 0;
    for (const [total, count] of totals.values()) sum += total / count;
    return totals.size ? sum / totals.size : null;
  }

  function ranks(index, now, chosen) {
    if (now.by === "repositories" || (now.until && now.until < index.months.at(-1)) || !chosen.length) return null;
    const since = index.months[chosen[0]];
    return index.ranks[since === index.months[0] ? "" : since] ?? null;
  }

  async function recompute(section, now) {
    const name = section.dataset.board;
    const heads = [...section.querySelectorAll("thead th[data-key]")].filter((one) => !one.hidden);
    const [index, ...values] = await Promise.all([
      load(`board-${name}`), ...heads.map((one) => load(`board-${name}-${one.dataset.key}`)),
    ]);
    const success = heads.findIndex((one) => one.dataset.key === "success");
    const chosen = index.months.map((_, at) => at)
      .filter((at) => (!now.since || index.months[at] >= now.since) && (!now.until || index.months[at] <= now.until));
    const found = ranks(index, now, chosen);
    for (const row of section.querySelectorAll("tbody tr")) {
      const system = index.systems.indexOf(row.dataset.system);
      heads.forEach((head, at) => {
        const value = average(values[at][system], chosen, index.repositories, now.by || "tasks");
        put(row.querySelector(`[data-key="${head.dataset.key}"]`), value, shown(value, head.dataset.key));
      });
      const own = chosen.filter((at) => values[0][system][at] !== null);
      put(row.querySelector("[data-count=tasks]"), own.length, own.length.toLocaleString("en"));
      const repositories = new Set(own.map((at) => index.repositories[at])).size;
      put(row.querySelector("[data-count=repositories]"), repositories, repositories.toLocaleString("en"));
      const pair = testevo.interval(values[success][system], chosen, index.repositories, now.by, index.interval);
      row.querySelector("[data-bounds]").textContent = pair ? `${(100 * pair[0]).toFixed(1)} to ${(100 * pair[1]).toFixed(1)}` : "";
      const rank = found?.[system] || null;
      put(row.querySelector("[data-count=rank]"), rank, rank ?? DASH);
    }
    embolden(section, heads);
    section.dataset.window = `${now.since ?? ""}/${now.until ?? ""}/${now.by ?? "tasks"}`;
  }

  function put(cell, value, text) {
    cell.dataset.value = value ?? "";
    const inner = cell.querySelector("[data-shown]") ?? cell;
    inner.textContent = text;
  }

  /** The best value of each column, and what looks the same. */
  function embolden(section, heads) {
    for (const head of heads) {
      if (!head.dataset.better) continue;
      const rows = [...section.querySelectorAll("tbody tr")];
      const rivals = rows.some((row) => !row.classList.contains("control")) ? rows.filter((row) => !row.classList.contains("control")) : rows;
      const cells = rivals.map((row) => row.querySelector(`[data-key="${head.dataset.key}"]`)).filter((one) => one.dataset.value !== "");
      const numbers = cells.map((one) => Number(one.dataset.value));
      const best = head.dataset.better === "up" ? Math.max(...numbers) : Math.min(...numbers);
      cells.forEach((cell, at) => {
        const inner = cell.querySelector("[data-shown]") ?? cell;
        if (shown(numbers[at], head.dataset.key) === shown(best, head.dataset.key)) {
          const bold = document.createElement("b");
          bold.textContent = inner.textContent;
          inner.replaceChildren(bold);
        }
      });
    }
  }

  function arrange(section, now) {
    const words = (now.q ?? "").toLowerCase();
    const rows = [...section.querySelectorAll("tbody tr")];
    rows.forEach((row) => { row.hidden = !row.dataset.system.toLowerCase().includes(words); });
    const key = now.sort ?? "success";
    const descending = (now.order ?? "down") === "down";
    const valueOf = (row) => {
      if (key === "system") return row.dataset.system;
      const cell = row.querySelector(`[data-key="${key}"], [data-count="${key}"]`);
      return cell && cell.dataset.value !== "" && cell.dataset.value !== undefined ? Number(cell.dataset.value) : null;
    };
    const control = (row) => Number(row.classList.contains("control"));
    rows.sort((a, b) => control(a) - control(b) || order(valueOf(a), valueOf(b), descending) || order(a.dataset.system, b.dataset.system));
    section.querySelector("tbody").append(...rows);
    for (const head of section.querySelectorAll("thead th")) {
      const own = head.dataset.key ?? head.dataset.count ?? "system";
      if (own === key) head.setAttribute("aria-sort", descending ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    }
  }

  /** The link to the list of tasks of the board that is shown; imported boards have none. */
  function showTasksOfWindow(section) {
    tasksLink.parentElement.hidden = section.dataset.imported !== undefined;
    tasksLink.dataset.more = `f1=${section.dataset.track}`;
    testevo.shareWindow();
  }

  async function update() {
    const now = state();
    const chosen = boards.get(now.board) ?? boards.get(first);
    for (const section of boards.values()) section.hidden = section !== chosen;
    for (const link of document.querySelectorAll("[data-tab]")) {
      if (link.dataset.tab === chosen.dataset.board) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
    for (const part of chosen.querySelectorAll("[data-ours]")) part.hidden = (now.columns ?? "paper") !== "all";
    for (const [name, field] of Object.entries(fields)) {
      if (field.tagName === "SELECT") testevo.choose(field, now[name] ?? "");
      else if (document.activeElement !== field) field.value = now[name] ?? "";
    }
    showTasksOfWindow(chosen);
    if (now.since || now.until || now.by || chosen.dataset.window) {
      said.textContent = "Computing…";
      try {
        await recompute(chosen, now);
        said.textContent = "";
      } catch (error) {
        said.textContent = `${error.message}: the table shows all tasks.`;
      }
    }
    arrange(chosen, now);
    const rows = [...chosen.querySelectorAll("tbody tr")].filter((row) => !row.hidden);
    const window = now.since || now.until ? `tasks from ${now.since || "the first month"} to ${now.until || "the last"}` : "tasks of all months";
    said.textContent ||= `${rows.length} systems, ${window}, average over ${now.by || "tasks"}`;
    chosen.dataset.ready = `${location.hash}`;
  }

  for (const [name, section] of boards) {
    for (const head of section.querySelectorAll("thead th")) {
      const key = head.dataset.key ?? head.dataset.count ?? "system";
      const button = testevo.element("button", { type: "button", title: head.title || undefined }, head.textContent.trim());
      button.addEventListener("click", () => {
        const now = state();
        const same = (now.sort ?? "success") === key;
        const better = head.dataset.better === "down" || key === "system" || key === "rank" ? "up" : "down";
        setState({ board: name, sort: key, order: same ? ((now.order ?? "down") === "down" ? "up" : "down") : better });
      });
      head.replaceChildren(button);
    }
  }
  for (const link of document.querySelectorAll("[data-tab]")) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      setState({ board: link.dataset.tab });
    });
  }
  let timer;
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", (event) => {
    if (event.target.name === "q") {
      clearTimeout(timer);
      timer = setTimeout(() => setState({ q: event.target.value }, true), 120);
    } else if (event.target.name === "cutoff") {
      setState({ cutoff: event.target.value, since: event.target.selectedOptions[0].dataset.since ?? "", until: "" });
    } else if (event.target.name) {
      setState({ [event.target.name]: event.target.value, ...(event.target.name === "since" ? { cutoff: "" } : {}) });
    }
  });
  form.querySelector("[data-clear]").addEventListener("click", () => {
    location.hash = `#board=${state().board ?? first}`;
  });
  form.hidden = false;
  addEventListener("hashchange", update);
  update();
})();
