// Shared by the scripts of all pages: data in chunks, the state of a page in its address, and elements of text alone.
"use strict";

const testevo = (() => {
  const waiting = new Map();
  const root = document.documentElement.dataset.root;

  /** Called by a chunk (data/<name>.js) with its data. */
  function receive(name, data) {
    waiting.get(name).done(data);
  }

  /** The data of a chunk, as a promise. A script, because a page opened from a disk may fetch nothing. */
  function load(name) {
    if (!waiting.has(name)) {
      const entry = {};
      entry.promise = new Promise((done, failed) => {
        entry.done = done;
        const script = document.createElement("script");
        script.src = `${root}data/${name}.js`;
        script.addEventListener("error", () => failed(new Error(`data/${name}.js cannot be loaded`)));
        document.head.append(script);
      });
      waiting.set(name, entry);
    }
    return waiting.get(name).promise;
  }

  /** The state in the address: `#a=1&b=2` as an object. */
  function state() {
    return Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  }

  /** Change the address; empty values are left out. What types letter by letter replaces, what chooses adds a step back. */
  function setState(values, replace = false) {
    const kept = Object.entries({ ...state(), ...values }).filter(([, value]) => value !== "" && value != null);
    const hash = `#${new URLSearchParams(kept)}`;
    if (hash === location.hash || (hash === "#" && !location.hash)) return;
    if (replace) {
      location.replace(hash);
    } else {
      location.hash = hash;
    }
  }

  /** An element with text, never markup: names and messages come from strangers. */
  function element(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value !== undefined && value !== null && value !== false) made.setAttribute(name, value);
    }
    made.append(...children.filter((one) => one !== undefined && one !== null).map((one) => (one instanceof Node ? one : visible(one))));
    return made;
  }

  /** Text whose hidden and turning characters are shown by number, as the templates do. */
  function visible(text) {
    return String(text).replace(
      /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u202a-\u202e\u2066-\u2069]/g,
      (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
  }

  /** A name as the name of a file, as the pages are called. */
  function fileName(name) {
    return name.replace(/[^\w.@-]/g, "__");
  }

  /** Undefined last, whichever way it is sorted. */
  function order(a, b, descending) {
    if (a === b) return 0;
    if (a === null || a === undefined || a === "") return 1;
    if (b === null || b === undefined || b === "") return -1;
    const found = typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en", { numeric: true });
    return descending ? -found : found;
  }

  /** Choose a value of a select that may not be among its choices: the address may name any month. */
  function choose(select, value) {
    if (value && ![...select.options].some((one) => one.value === value)) {
      const after = [...select.options].find((one) => one.value > value);
      select.insertBefore(element("option", { value }, value), after ?? null);
    }
    select.value = value;
  }

  /** Links to the leaderboard and to the tasks keep the window of months that is chosen here. */
  function shareWindow() {
    const { since, until } = state();
    const window = Object.entries({ since, until }).filter(([, value]) => value);
    for (const link of document.querySelectorAll("a[data-window]")) {
      const shared = new URLSearchParams([...new URLSearchParams(link.dataset.more ?? ""), ...window]).toString();
      link.hash = shared;
    }
  }

  addEventListener("hashchange", shareWindow);
  document.addEventListener("DOMContentLoaded", shareWindow);

  return { receive, load, choose, shareWindow, state, setState, element, visible, fileName, order, root };
})();
