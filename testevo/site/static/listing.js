// A long list: search, facets, window of days, sort; the state is in the address. Chunks are loaded when first needed.
"use strict";

(() => {
  const { element, load, state, setState, fileName, order, visible, root } = testevo;
  const STEP = 100;
  const MOST_CHOICES = 400;

  class Listing {
    constructor(section) {
      this.section = section;
      this.about = JSON.parse(section.dataset.listing);
      this.table = section.querySelector("table");
      this.body = section.querySelector("tbody");
      this.said = section.querySelector("[role=status]");
      this.form = section.querySelector(".controls");
      this.shown = STEP;
      this.more = element("button", { type: "button", class: "more", hidden: "" }, "Show more");
      this.more.addEventListener("click", () => {
        this.shown += 5 * STEP;
        this.draw();
      });
      this.table.parentElement.after(this.more);
      this.headings();
      this.searching();
      this.form.hidden = false;
      addEventListener("hashchange", () => this.update());
      if (location.hash.length > 1) this.update();
    }

    headings() {
      this.heads = [...this.table.querySelectorAll("thead th")];
      this.heads.forEach((head, at) => {
        const button = element("button", { type: "button" }, head.textContent);
        button.addEventListener("click", () => {
          const now = state();
          const descending = now.sort === String(at) ? now.order !== "down" : this.about.fields[at].kind === "number";
          setState({ sort: at, order: descending ? "down" : "" });
        });
        head.replaceChildren(button);
      });
    }

    searching() {
      this.search = this.form.querySelector("input[type=search]");
      let timer;
      this.search.addEventListener("input", () => {
        clearTimeout(timer);
        timer = setTimeout(() => setState({ q: this.search.value }, true), 120);
      });
      this.search.addEventListener("focus", () => this.rows(), { once: true });
      this.selects = new Map();
      this.about.fields.forEach((field, at) => {
        if (field.kind === "facet") this.choice(`f${at}`, field.title, "all");
        if (field.kind === "day") {
          this.day = at;
          this.choice("since", "From month", "first");
          this.choice("until", "To month", "last");
        }
      });
      this.form.addEventListener("submit", (event) => event.preventDefault());
      this.form.querySelector("button[type=reset]").addEventListener("click", () => {
        location.hash = "#all";
      });
    }

    choice(key, title, first) {
      const select = element("select", { name: key }, element("option", { value: "" }, first));
      select.addEventListener("change", () => setState({ [key]: select.value }));
      select.addEventListener("focus", () => this.rows(), { once: true });
      this.form.querySelector("[data-choices]").append(element("label", {}, title, select));
      this.selects.set(key, select);
    }

    /** All rows, loaded once; then the choices of the facets are known too. */
    rows() {
      this.loading ??= (async () => {
        this.said.textContent = "Loading…";
        const names = Array.from({ length: this.about.parts }, (_, part) => `${this.about.name}-${part}`);
        const rows = (await Promise.all(names.map(load))).flat();
        for (const row of rows) row.text = row.join(" ").toLowerCase();
        for (const [key, select] of this.selects) {
          const at = key[0] === "f" ? Number(key.slice(1)) : this.day;
          const values = new Set(rows.map((row) => (key[0] === "f" ? row[at] : row[at].slice(0, 7))));
          const sorted = [...values].filter((one) => one !== "").sort((a, b) => order(a, b)).slice(0, MOST_CHOICES);
          select.append(...sorted.map((one) => element("option", { value: one }, one)));
        }
        this.said.textContent = "";
        return rows;
      })();
      return this.loading;
    }

    async update() {
      try {
        const rows = await this.rows();
        this.shown = STEP;
        this.found = this.sorted(rows.filter(this.filter()));
        this.draw();
      } catch (error) {
        this.said.textContent = `${error.message}. The rows below are the first ones only.`;
      }
    }

    filter() {
      const now = state();
      const words = (now.q ?? "").toLowerCase().split(/\s+/).filter(Boolean);
      const facets = Object.entries(now).filter(([key]) => /^f\d+$/.test(key)).map(([key, value]) => [Number(key.slice(1)), value]);
      return (row) =>
        words.every((word) => row.text.includes(word)) &&
        facets.every(([at, value]) => String(row[at]) === value) &&
        (!now.since || this.day === undefined || row[this.day].slice(0, 7) >= now.since) &&
        (!now.until || this.day === undefined || row[this.day].slice(0, 7) <= now.until);
    }

    sorted(rows) {
      const now = state();
      if (now.sort === undefined) return rows;
      const at = Number(now.sort);
      return rows.sort((a, b) => order(a[at], b[at], now.order === "down"));
    }

    draw() {
      const now = state();
      this.heads.forEach((head, at) => {
        if (now.sort === String(at)) head.setAttribute("aria-sort", now.order === "down" ? "descending" : "ascending");
        else head.removeAttribute("aria-sort");
      });
      if (document.activeElement !== this.search) this.search.value = now.q ?? "";
      for (const [key, select] of this.selects) testevo.choose(select, now[key] ?? "");
      this.body.replaceChildren(...this.found.slice(0, this.shown).map((row) => this.row(row)));
      const left = this.found.length - this.shown;
      this.more.hidden = left <= 0;
      this.more.textContent = `Show more (${left.toLocaleString("en")} left)`;
      this.said.textContent = `${this.found.length.toLocaleString("en")} of ${this.about.total.toLocaleString("en")}`;
      this.section.dataset.ready = this.found.length;
    }

    row(values) {
      return element("tr", {}, ...this.about.fields.map((field, at) => {
        const value = values[at];
        const cell = element("td", { class: ["number", "day", "facet"].includes(field.kind) ? field.kind : undefined, "data-title": at ? field.title : undefined });
        if (value === null || value === "") return cell;
        if (field.kind === "link") {
          const address = field.address.replace(/\$(\d)/g, (_, place) => fileName(String(values[Number(place)])));
          cell.append(element("a", { href: root + address }, value));
        } else if (field.kind === "text") {
          cell.append(element("span", { class: "short" }, String(value)));
        } else {
          cell.append(field.kind === "number" ? value.toLocaleString("en") : visible(value));
        }
        return cell;
      }));
    }
  }

  document.querySelectorAll("[data-listing]").forEach((section) => new Listing(section));
})();
