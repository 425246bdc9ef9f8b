
(() => {
  "use strict";
  const find = (selector, inside = document) => [...inside.querySelectorAll(selector)];
  const [status, search, unpin] = ["status", "search", "unpin"].map((id) => document.getElementById(id));
  const panes = find("main > section");
  const boxes = find(".controls [type=checkbox]");
  const title = (pane) => pane.querySelector("h2").textContent;

  // Which link came from which: the pairs are numbers, above and below by turns.
  const above = new Map();
  const below = new Map();
  const add = (map, key, value) => (map.has(key) ? map.get(key).push(value) : map.set(key, [value]));
  const numbers = JSON.parse(document.getElementById("pairs").textContent);
  for (let i = 0; i < numbers.length; i += 2) {
    add(below, numbers[i], numbers[i + 1]);
    add(above, numbers[i + 1], numbers[i]);
  }

  const links = new Map(); // by line
  const lines = new Map(); // by link
  const paneOf = new Map();
  const linked = new Map(); // by pane
  const order = new Map(); // the place of each line
  for (const pane of panes) {
    linked.set(pane, find(".l[data-a]", pane));
    for (const line of linked.get(pane)) {
      const ids = line.dataset.a.split(" ").map(Number);
      links.set(line, ids);
      paneOf.set(line, pane);
      order.set(line, order.size);
      for (const id of ids) add(lines, id, line);
    }
  }

  const follow = (start, step) => {
    const seen = new Set(start);
    for (const id of seen) for (const next of step.get(id) || []) seen.add(next); // a set's loop sees what it adds
    return seen;
  };
  const related = (line) => {
    const found = new Set([line]);
    for (const step of [above, below]) {
      for (const id of follow(links.get(line), step)) for (const other of lines.get(id) || []) found.add(other);
    }
    return found;
  };

  let lit = new Set();
  let from = null;
  let pinned = false;

  const light = (line) => {
    const now = line ? related(line) : new Set();
    for (const other of lit) if (!now.has(other)) mark(other, false);
    for (const other of now) if (!lit.has(other)) mark(other, true);
    if (from) from.classList.remove("from", "pinned");
    [lit, from] = [now, line];
    if (line) line.classList.add("from");
    const counts = new Map();
    const first = new Map();
    for (const other of now) {
      const pane = paneOf.get(other);
      counts.set(pane, (counts.get(pane) || 0) + 1);
      const top = first.get(pane);
      if (!top || order.get(other) < order.get(top)) first.set(pane, other);
    }
    for (const box of boxes) {
      const count = counts.get(document.getElementById(box.value));
      box.parentElement.querySelector(".count").textContent = count || "";
    }
    const jumps = [];
    for (const [pane, top] of first) {
      if (pane !== paneOf.get(line) && !pane.hidden) jumps.push([pane.querySelector(".scroll"), top.offsetTop]);
    }
    for (const [scroll, top] of jumps) scroll.scrollTop = top - scroll.clientHeight / 4;
    return counts;
  };
  const mark = (line, on) => {
    line.classList.toggle("lit", on);
    line.setAttribute("aria-selected", on);
  };

  const name = (line) => `${title(paneOf.get(line))} ${line.dataset.n || ""}`.trim();
  const say = (text) => { status.textContent = text; };
  const choose = (line, pin) => {
    if (pinned && !pin) return;
    if (!pin && line === from) return;
    const counts = light(line);
    pinned = Boolean(line && pin);
    if (pinned) line.classList.add("pinned");
    unpin.disabled = !pinned;
    const others = counts.size - 1;
    if (line) {
      const where = others > 0 ? `${lit.size - 1} lines in ${counts.size} panes` : "no line in another pane";
      say(`${name(line)}${pinned ? ", pinned" : ""}: ${where}`);
    }
    if (pin || !line) remember();
  };
  const release = () => {
    pinned = false;
    choose(null, true);
    say("Nothing is pinned.");
  };

  // Mouse and touch
  const lineOf = (event) => event.target.closest(".l");
  const main = document.querySelector("main");
  main.addEventListener("pointerover", (event) => {
    const line = lineOf(event);
    if (event.pointerType === "mouse" && line && links.has(line)) choose(line, false);
  });
  main.addEventListener("click", (event) => {
    const line = lineOf(event);
    if (!line || !getSelection().isCollapsed) return;
    if (!links.has(line)) say("Torch recorded no link for this line.");
    else if (pinned && line === from) release();
    else choose(line, true);
  });
  unpin.addEventListener("click", release);

  // Keyboard: one stop for Tab in each listing; arrows go from line to line and from pane to pane.
  for (const pane of panes) {
    for (const list of find("pre", pane)) {
      const first = list.querySelector(".l[data-a]");
      if (!first) continue;
      list.setAttribute("role", "listbox");
      list.setAttribute("aria-multiselectable", "true");
      for (const line of find(".l", list)) {
        if (!line.textContent.trim()) {
          line.setAttribute("role", "none");
          continue;
        }
        line.setAttribute("role", "option");
        line.setAttribute("aria-selected", "false");
        if (links.has(line)) line.tabIndex = -1;
        else line.setAttribute("aria-disabled", "true");
      }
      first.tabIndex = 0;
    }
    if (!linked.get(pane).length) Object.assign(pane.querySelector(".scroll"), {tabIndex: 0});
  }
  const focus = (line) => {
    for (const other of find("[tabindex='0']", line.parentElement)) other.tabIndex = -1;
    line.tabIndex = 0;
    line.focus();
  };
  main.addEventListener("focusin", (event) => {
    const line = lineOf(event);
    if (line && line.matches(":focus-visible")) choose(line, false);
  });
  main.addEventListener("keydown", (event) => {
    const line = lineOf(event);
    if (!line || event.ctrlKey || event.altKey || event.metaKey) return;
    const own = linked.get(paneOf.get(line));
    const at = own.indexOf(line);
    const shown = panes.filter((pane) => !pane.hidden && linked.get(pane).length);
    const beside = (step) => {
      const pane = shown[(shown.indexOf(paneOf.get(line)) + step + shown.length) % shown.length];
      return linked.get(pane).find((other) => lit.has(other)) || linked.get(pane)[0];
    };
    const moves = {
      ArrowDown: () => own[at + 1],
      ArrowUp: () => own[at - 1],
      Home: () => own[0],
      End: () => own[own.length - 1],
      ArrowRight: () => beside(1),
      ArrowLeft: () => beside(-1),
    };
    if (event.key === "Enter" || event.key === " ") {
      if (pinned && line === from) release();
      else choose(line, true);
    } else if (moves[event.key]) {
      const target = moves[event.key]();
      if (target) focus(target);
    } else return;
    event.preventDefault();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && pinned) release();
  });

  // Search in all panes that are shown
  let hits = [];
  let hit = -1;
  const seek = () => {
    for (const line of hits) line.classList.remove("hit");
    const text = search.value.toLowerCase();
    const all = text ? panes.filter((pane) => !pane.hidden).flatMap((pane) => find(".l", pane)) : [];
    hits = all.filter((line) => line.textContent.toLowerCase().includes(text));
    for (const line of hits) line.classList.add("hit");
    hit = -1;
    say(text ? `${hits.length} lines with ${search.value}` : "");
    remember();
  };
  search.addEventListener("input", seek);
  search.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    if (!hits.length) return;
    hit = (hit + (event.shiftKey ? hits.length - 1 : 1)) % hits.length;
    hits[hit].scrollIntoView({block: "center"});
    say(`line ${hit + 1} of ${hits.length} with ${search.value}`);
    if (links.has(hits[hit])) choose(hits[hit], true);
  });

  // Copy
  for (const button of find(".copy")) {
    button.hidden = false;
    button.addEventListener("click", () => {
      const pane = button.closest("section");
      const text = find("pre", pane).map((list) => list.textContent).join("\n");
      navigator.clipboard.writeText(text).then(
        () => say(`${title(pane)} is copied.`),
        () => say("The browser does not allow copying here: select the text instead."),
      );
    });
  }

  // The address holds the panes, the pinned line and the search.
  const show = () => {
    for (const box of boxes) document.getElementById(box.value).hidden = !box.checked;
  };
  const remember = () => {
    const state = new URLSearchParams();
    state.set("panes", boxes.filter((box) => box.checked).map((box) => box.value).join(","));
    if (pinned) state.set("line", `${paneOf.get(from).id}.${find(".l", paneOf.get(from)).indexOf(from)}`);
    if (search.value) state.set("search", search.value);
    history.replaceState(null, "", `#${state}`);
  };
  const restore = () => {
    const state = new URLSearchParams(location.hash.slice(1));
    const names = state.get("panes");
    if (names !== null) for (const box of boxes) box.checked = names.split(",").includes(box.value);
    show();
    search.value = state.get("search") || "";
    const [pane, index] = (state.get("line") || "").split(".");
    const line = panes.filter((one) => one.id === pane).map((one) => find(".l", one)[index])[0];
    if (search.value) seek();
    if (line && links.has(line)) {
      choose(line, true);
      line.scrollIntoView({block: "nearest"});
    }
  };
  for (const box of boxes) {
    box.addEventListener("change", () => {
      show();
      if (from) light(from);
      if (pinned) from.classList.add("pinned");
      remember();
    });
  }
  document.querySelector(".controls").addEventListener("submit", (event) => event.preventDefault());
  window.addEventListener("hashchange", restore);

  document.documentElement.classList.add("js");
  document.querySelector(".controls").hidden = false;
  restore();
})();
