(() => {
  "use strict";
  const find = (selector, inside = document) => [...inside.querySelectorAll(selector)];
  const [status, search, unpin, beside] = ["status", "search", "unpin", "beside"].map((id) => document.getElementById(id));
  const root = document.documentElement;
  const variants = find("main > .panes");
  const panes = find("main section");
  const boxes = find(".controls [name=pane]");
  const radios = find(".controls [name=variant]");
  const title = (pane) => pane.querySelector("h2").textContent;
  const variantOf = (pane) => Number(pane.parentElement.dataset.variant);
  const inside = window.parent !== window;

  // Which link came from which: the pairs are numbers, above and below by turns.
  const above = [];
  const below = [];
  const add = (map, key, value) => (map[key] ? map[key].push(value) : (map[key] = [value]));
  const numbers = JSON.parse(document.getElementById("pairs").textContent);
  for (let i = 0; i < numbers.length; i += 2) {
    add(below, numbers[i], numbers[i + 1]);
    add(above, numbers[i + 1], numbers[i]);
  }

  // The lines with links, by number: element, pane, links, the part of a long listing that holds it.
  const lines = [];
  const paneOf = [];
  const links = [];
  const chunkOf = [];
  const numberOf = new Map();
  const byLink = [];
  const linked = new Map(); // by pane
  for (const pane of panes) {
    linked.set(pane, find(".l[data-a]", pane));
    for (const line of linked.get(pane)) {
      const at = lines.push(line) - 1;
      numberOf.set(line, at);
      paneOf.push(pane);
      chunkOf.push(line.parentElement.matches(".chunk") ? line.parentElement : null);
      links.push(line.dataset.a.split(" ").map(Number));
      for (const id of links[at]) add(byLink, id, at);
    }
  }

  const follow = (start, step) => {
    const seen = new Set(start);
    for (const id of seen) for (const next of step[id] || []) seen.add(next); // a set's loop sees what it adds
    return seen;
  };
  const related = (at) => {
    const found = new Uint8Array(lines.length);
    found[at] = 1;
    for (const step of [above, below]) {
      for (const id of follow(links[at], step)) for (const other of byLink[id] || []) found[other] = 1;
    }
    return found;
  };

  let lit = new Uint8Array(lines.length); // what is to be lit
  const marked = new Uint8Array(lines.length); // what is
  let from = -1;
  let pinned = false;

  // Where many lines change, those in sight change first. The others follow when the browser has time, or come in sight.
  const AT_ONCE = 1500;
  const inSight = new Set(); // panes, and the pieces of long listings
  const observer = new IntersectionObserver((entries) => {
    for (const {target, isIntersecting} of entries) {
      if (isIntersecting) inSight.add(target);
      else inSight.delete(target);
      if (isIntersecting && waiting && target.matches(".chunk")) markAll(target);
    }
  });
  const mark = (at) => {
    if (marked[at] === lit[at]) return;
    marked[at] = lit[at];
    lines[at].classList.toggle("lit", lit[at] === 1);
    lines[at].setAttribute("aria-selected", lit[at] === 1);
  };
  const markAll = (chunk) => {
    for (const line of chunk.children) if (numberOf.has(line)) mark(numberOf.get(line));
  };
  let rest = [];
  let restOfJumps = [];
  let waiting = false;
  const later = window.requestIdleCallback ? (work) => requestIdleCallback(work) : (work) => setTimeout(work, 0);
  const markRest = () => {
    for (const at of rest.splice(0, AT_ONCE)) mark(at);
    if (rest.length) {
      later(markRest);
      return;
    }
    waiting = false;
    jump(restOfJumps);
    root.removeAttribute("data-busy");
  };
  // All places are read before the first change, so that the browser lays the page out once.
  const jump = (places) => {
    const jumps = places.map(([pane, at]) => {
      const scroll = pane.querySelector(".scroll");
      return [scroll, topOf(at) - scroll.clientHeight / 4];
    });
    for (const [scroll, top] of jumps) scroll.scrollTop = top;
  };

  const light = (at) => {
    lit = at < 0 ? new Uint8Array(lines.length) : related(at);
    const counts = new Map();
    const first = new Map();
    const changed = [];
    for (let other = 0; other < lines.length; other++) {
      if (lit[other] && !paneOf[other].parentElement.hidden) {
        const pane = paneOf[other];
        counts.set(pane, (counts.get(pane) || 0) + 1);
        if (!first.has(pane)) first.set(pane, other);
      }
      if (lit[other] !== marked[other]) changed.push(other);
    }
    if (from >= 0) lines[from].classList.remove("from", "pinned");
    from = at;
    if (at >= 0) {
      lines[at].classList.add("from");
      mark(at);
    }
    const many = changed.length > AT_ONCE;
    const near = new Set();
    for (const [pane, other] of first) {
      const chunk = inSight.has(pane) && chunkOf[other];
      for (const one of chunk ? [chunk, chunk.nextElementSibling] : []) near.add(one);
    }
    const isSeen = (other) => {
      const chunk = chunkOf[other];
      return inSight.has(paneOf[other]) && (!chunk || inSight.has(chunk) || near.has(chunk));
    };
    rest = many ? changed.filter((other) => !isSeen(other)) : [];
    for (const other of changed) if (!many || isSeen(other)) mark(other);
    const jumps = [...first].filter(([pane]) => at >= 0 && pane !== paneOf[at] && isShown(pane));
    const atOnce = ([pane]) => !many || inSight.has(pane);
    restOfJumps = jumps.filter((one) => !atOnce(one));
    jump(jumps.filter(atOnce));
    if (rest.length && !waiting) {
      waiting = true;
      root.dataset.busy = "";
      later(markRest);
    }
    for (const box of boxes) {
      const own = panes.filter((pane) => pane.dataset.pane === box.value);
      const count = own.reduce((sum, pane) => sum + (counts.get(pane) || 0), 0);
      box.parentElement.querySelector(".count").textContent = count || "";
    }
    return counts;
  };
  const topOf = (at) => lines[at].offsetTop + (lines[at].offsetParent.matches(".chunk") ? chunkOf[at].offsetTop : 0);
  const isShown = (pane) => !pane.hidden && !pane.parentElement.hidden;

  const name = (at) => `${title(paneOf[at])} ${lines[at].dataset.n || ""}`.trim();
  const say = (text) => { status.textContent = text; };
  const choose = (at, pin) => {
    if (pinned && !pin) return;
    if (!pin && at === from) return;
    const counts = light(at);
    pinned = at >= 0 && pin;
    if (pinned) lines[at].classList.add("pinned");
    unpin.disabled = !pinned;
    if (at >= 0) {
      const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
      const where = counts.size > 1 ? `${total - 1} lines in ${counts.size} panes` : "no line in another pane";
      say(`${name(at)}${pinned ? ", pinned" : ""}: ${where}`);
    }
    if (pin || at < 0) remember();
  };
  const release = () => {
    pinned = false;
    choose(-1, true);
    say("Nothing is pinned.");
  };

  // Mouse and touch
  const lineOf = (event) => event.target.closest(".l");
  const main = document.querySelector("main");
  main.addEventListener("pointerover", (event) => {
    const line = lineOf(event);
    if (event.pointerType === "mouse" && line && numberOf.has(line)) choose(numberOf.get(line), false);
  });
  main.addEventListener("click", (event) => {
    const line = lineOf(event);
    if (!line || !getSelection().isCollapsed) return;
    if (!numberOf.has(line)) say("Torch recorded no link for this line.");
    else if (pinned && numberOf.get(line) === from) release();
    else choose(numberOf.get(line), true);
  });
  unpin.addEventListener("click", release);
  for (const button of find(".place[data-link]")) {
    button.disabled = false;
    button.addEventListener("click", () => {
      const at = (byLink[button.dataset.link] || [])[0];
      if (at === undefined) return;
      choose(at, true);
      lines[at].scrollIntoView({block: "nearest"});
    });
  }

  // Keyboard: one stop for Tab in each listing; arrows go from line to line and from pane to pane.
  for (const pane of panes) {
    observer.observe(pane);
    for (const list of find("pre", pane)) {
      for (const chunk of find(".chunk", list)) {
        chunk.setAttribute("role", "none");
        chunk.style.containIntrinsicBlockSize = `${chunk.dataset.lines * 1.5}em`;
        observer.observe(chunk);
      }
      if (list.dataset.columns) list.style.minWidth = `calc(${list.dataset.columns}ch + 9ch)`;
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
        if (numberOf.has(line)) line.tabIndex = -1;
        else line.setAttribute("aria-disabled", "true");
      }
      first.tabIndex = 0;
    }
    if (!linked.get(pane).length) Object.assign(pane.querySelector(".scroll"), {tabIndex: 0});
  }
  const focus = (line) => {
    for (const other of find("[tabindex='0']", line.closest("pre"))) other.tabIndex = -1;
    line.tabIndex = 0;
    line.focus();
  };
  main.addEventListener("focusin", (event) => {
    const line = lineOf(event);
    if (line && line.matches(":focus-visible")) choose(numberOf.get(line), false);
  });
  main.addEventListener("keydown", (event) => {
    const line = lineOf(event);
    if (!line || event.ctrlKey || event.altKey || event.metaKey) return;
    const pane = line.closest("section");
    const own = linked.get(pane);
    const at = own.indexOf(line);
    const shown = panes.filter((other) => isShown(other) && linked.get(other).length);
    const next = (step) => {
      const other = shown[(shown.indexOf(pane) + step + shown.length) % shown.length];
      return linked.get(other).find((one) => lit[numberOf.get(one)]) || linked.get(other)[0];
    };
    const moves = {
      ArrowDown: () => own[at + 1],
      ArrowUp: () => own[at - 1],
      Home: () => own[0],
      End: () => own[own.length - 1],
      ArrowRight: () => next(1),
      ArrowLeft: () => next(-1),
    };
    if (event.key === "Enter" || event.key === " ") {
      if (pinned && numberOf.get(line) === from) release();
      else choose(numberOf.get(line), true);
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
    const all = text ? panes.filter(isShown).flatMap((pane) => find(".l", pane)) : [];
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
    const fold = hits[hit].closest("details");
    if (fold) fold.open = true;
    hits[hit].scrollIntoView({block: "center"});
    const found = `line ${hit + 1} of ${hits.length} with ${search.value}`;
    if (numberOf.has(hits[hit])) choose(numberOf.get(hits[hit]), true);
    say(numberOf.has(hits[hit]) ? `${found}. ${status.textContent}` : found);
  });

  // A pane that takes a row of its own, and one whose lines wrap
  for (const [name, is] of [["widen", "widened"], ["wrap", "wrapped"]]) {
    for (const button of find(`.${name}`)) {
      button.hidden = false;
      button.addEventListener("click", () => {
        const on = button.closest("section").classList.toggle(is);
        button.setAttribute("aria-pressed", on);
      });
    }
  }

  // Copy
  for (const button of find(".copy")) {
    button.hidden = false;
    button.addEventListener("click", () => {
      const pane = button.closest("section");
      const own = find("pre", pane).flatMap((list) => find(".l:not(.note)", list));
      const text = own.map((line) => line.textContent).join("");
      navigator.clipboard.writeText(text).then(
        () => say(`${title(pane)} is copied.`),
        () => say("The browser does not allow copying here: select the text instead."),
      );
    });
  }

  // Variants: one at a time, or beside the first one, with a row for each pane.
  const shownVariant = () => Number((radios.find((radio) => radio.checked) || {value: 0}).value);
  const rows = boxes.map((box) => box.value);
  const show = () => {
    const chosen = shownVariant();
    const two = Boolean(beside && beside.checked && chosen);
    root.classList.toggle("two", two);
    if (beside) beside.disabled = !chosen;
    for (const variant of variants) {
      const number = Number(variant.dataset.variant);
      variant.hidden = number !== chosen && !(two && number === 0);
    }
    for (const pane of panes) {
      const box = boxes[rows.indexOf(pane.dataset.pane)];
      pane.hidden = !box.checked;
      const column = variantOf(pane) ? 2 : 1;
      pane.style.setProperty("--place", `${rows.indexOf(box.value) + 2} / ${column}`);
    }
    for (const line of find(".differs")) line.classList.remove("differs");
    for (const line of find(chosen ? `[data-variant="${chosen}"] .d0` : ".none")) line.classList.add("differs");
    for (const line of find(two ? `[data-variant="0"] .d${chosen}` : ".none")) line.classList.add("differs");
  };

  // The address holds the panes, the variant, the pinned line and the search. A frame without one has no address.
  const remember = () => {
    if (location.protocol === "about:") return;
    const state = new URLSearchParams();
    state.set("panes", boxes.filter((box) => box.checked).map((box) => box.value).join(","));
    if (shownVariant()) state.set("variant", shownVariant());
    if (beside && beside.checked) state.set("beside", "1");
    if (pinned) state.set("line", `${paneOf[from].id}.${find(".l", paneOf[from]).indexOf(lines[from])}`);
    if (search.value) state.set("search", search.value);
    history.replaceState(null, "", `#${state}`);
  };
  const restore = () => {
    const state = new URLSearchParams(location.hash.slice(1));
    const names = state.get("panes");
    if (names !== null) for (const box of boxes) box.checked = names.split(",").includes(box.value);
    for (const radio of radios) radio.checked = radio.value === (state.get("variant") || "0");
    if (beside) beside.checked = state.get("beside") === "1";
    show();
    search.value = state.get("search") || "";
    const [pane, index] = (state.get("line") || "").split(".");
    const line = panes.filter((one) => one.id === pane).map((one) => find(".l", one)[index])[0];
    if (search.value) seek();
    if (line && numberOf.has(line)) {
      choose(numberOf.get(line), true);
      line.scrollIntoView({block: "nearest"});
    }
  };
  for (const input of [...boxes, ...radios, ...(beside ? [beside] : [])]) {
    input.addEventListener("change", () => {
      show();
      if (from >= 0) light(from);
      if (pinned) lines[from].classList.add("pinned");
      remember();
    });
  }
  document.querySelector(".controls").addEventListener("submit", (event) => event.preventDefault());
  window.addEventListener("hashchange", restore);

  if (inside || innerWidth <= 640) find(".choice, .about").forEach((choice) => { choice.open = false; });
  // In a frame: the page around it says which of its color schemes is in use.
  if (inside) {
    window.addEventListener("message", ({source, data}) => {
      if (source === window.parent && (data === "light" || data === "dark")) root.dataset.scheme = data;
    });
  }
  root.classList.add("js");
  root.classList.toggle("inside", inside);
  document.querySelector(".controls").hidden = false;
  restore();
})();
