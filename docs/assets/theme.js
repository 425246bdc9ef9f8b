// What the theme leaves out for people who use a keyboard or a screen reader.
// The theme's menus are opened and closed by labels of checkboxes, and labels have no state and get no focus: buttons stand in for them.
const replaceLabels = () => {
  const labels = `.md-overlay, .md-header__button[for="__drawer"], .md-nav--primary :is(.md-nav__link, .md-nav__title:not([for="__drawer"]))[for]`;
  document.querySelectorAll(labels).forEach((label) => {
    const button = document.createElement("button");
    button.type = "button";
    [...label.attributes].forEach(({ name, value }) => button.setAttribute(name, value)); // the theme's styles look for "for"
    button.append(...label.childNodes);
    button.addEventListener("click", () => press(document.getElementById(label.htmlFor)));
    label.replaceWith(button);
  });
  document.querySelector(".md-overlay").setAttribute("aria-label", "Close the menu");
  document.querySelector(".md-header__button[for]").setAttribute("aria-label", "Menu");
};

// The theme gives a section's menu the same label as the page's list of sections, and its button none.
const nameMenus = () => {
  document.querySelectorAll("nav[aria-labelledby^='__nav_']").forEach((nav) => {
    const name = `${nav.querySelector(".md-nav__title").textContent.trim()} pages`;
    document.querySelector(`.md-nav__container > #${nav.getAttribute("aria-labelledby")}`)?.setAttribute("aria-label", name);
    nav.setAttribute("aria-label", name);
    nav.removeAttribute("aria-labelledby");
    nav.removeAttribute("aria-expanded"); // its button has it
  });
};

// The theme marks the page that is open by a color only.
const markCurrentPage = () => {
  document.querySelectorAll(".md-nav--primary .md-nav__link--active").forEach((link) => {
    if (!link.closest(".md-nav--secondary")) link.setAttribute("aria-current", "page");
  });
};

// In the list of a page's sections, "What goes wrong: " is a mark, for the eye.
const markWrong = () => {
  document.querySelectorAll(".md-nav--secondary .md-nav__link .md-ellipsis").forEach((name) => {
    const prefix = "What goes wrong: ";
    const first = document.createTreeWalker(name, NodeFilter.SHOW_TEXT).nextNode();
    const text = first?.data.trimStart() ?? "";
    if (!text.startsWith(prefix)) return;
    const said = document.createElement("span");
    [said.className, said.textContent] = ["said", prefix];
    const rest = text.slice(prefix.length);
    first.data = rest.charAt(0).toUpperCase() + rest.slice(1);
    first.before(said);
    name.classList.add("wrong");
  });
};

const drawer = document.getElementById("__drawer"); // checked: the menu of a small screen is open
const smallScreen = matchMedia("(max-width: 76.2344em)");
const visible = (element) => element.getClientRects().length > 0;
// The panel of the menu that lies on the others.
const topPanel = () => {
  const inner = ":scope > .md-nav__list > .md-nav__item > .md-nav__toggle:checked ~ .md-nav";
  let panel = document.querySelector(".md-nav--primary");
  for (let next = panel; next && visible(next); next = panel.querySelector(inner)) panel = next;
  return panel;
};

// The theme leaves what lies behind an open menu within reach, and doesn't say what is open.
const showOpenMenu = () => {
  document.querySelectorAll("button[for]").forEach((button) => {
    button.setAttribute("aria-expanded", String(document.getElementById(button.getAttribute("for")).checked));
    if (button.getAttribute("tabindex") === "") button.disabled = !smallScreen.matches; // the title of the menu on a wide screen
  });
  const open = smallScreen.matches && drawer.checked;
  document.querySelectorAll("[inert]").forEach((element) => (element.inert = false));
  document.querySelector(".md-overlay").inert = !open;
  for (let box = open && topPanel(); box && box !== document.body; box = box.parentElement) {
    [...box.parentElement.children].forEach((other) => (other.inert = other !== box && !other.matches(".md-overlay")));
  }
};

// The theme leaves the focus where it was when a menu opens or closes; a link in the menu moves it by itself.
const press = (toggle) => {
  toggle.click();
  if (!smallScreen.matches) return;
  const opener = document.querySelector(`:is(.md-header__button, .md-nav__link)[for="${toggle.id}"]`);
  const entries = [...topPanel().querySelectorAll(":scope > .md-nav__list :is(a, button)")];
  (toggle.checked ? entries.find(visible) : opener)?.focus({ preventScroll: true });
};

const followMenus = () => {
  document.querySelectorAll("#__drawer, .md-nav--primary .md-nav__toggle").forEach((toggle) => {
    if (document.querySelector(".hero-title")) toggle.checked = false; // from the home page, the menu begins with all parts
    toggle.addEventListener("change", showOpenMenu);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && drawer.checked) press(drawer);
  });
  smallScreen.addEventListener("change", showOpenMenu);
  showOpenMenu();
};

// The theme checks no button for the color scheme until one is pressed, and leaves out the space bar.
const prepareSchemes = () => {
  const schemes = document.querySelector('[data-md-component="palette"]');
  const buttons = [...schemes.querySelectorAll("input")];
  const names = { "(prefers-color-scheme)": "The system's color scheme", "(prefers-color-scheme: light)": "Light color scheme", "(prefers-color-scheme: dark)": "Dark color scheme" };
  schemes.setAttribute("aria-label", "Color scheme");
  // The theme names each after what pressing it does, and of several radio buttons the checked one is what is so.
  buttons.forEach((button) => button.setAttribute("aria-label", names[button.dataset.mdColorMedia]));
  buttons[__md_get("__palette")?.index ?? 0].checked = true;
  schemes.addEventListener("keydown", (event) => {
    if (event.key !== " ") return;
    event.preventDefault();
    const next = buttons[(buttons.findIndex((button) => button.checked) + 1) % buttons.length];
    next.click();
    next.focus();
  });
};

// The theme's messages, such as "Copied to clipboard", and the number of results of a search aren't announced.
const announceMessages = () => {
  document.querySelectorAll(".md-dialog, .md-search-result__meta").forEach((message) => message.setAttribute("role", "status"));
};

// The theme's tooltips can't be dismissed.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  document.querySelectorAll(".md-tooltip2--active").forEach((tooltip) => tooltip.classList.remove("md-tooltip2--active"));
});

// The theme makes a landmark of the buttons of each block of code.
const nameCodeButtons = () => {
  document.querySelectorAll("nav.md-code__nav").forEach((nav, i) => {
    const group = document.createElement("div");
    group.className = nav.className;
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", fileOf(nav) ?? `Code block ${i + 1}`);
    group.append(...nav.childNodes);
    group.querySelectorAll("button").forEach((button) => button.setAttribute("aria-label", button.title)); // a tooltip takes the title away
    nav.replaceWith(group);
  });
};
const fileOf = (element) => element.closest(".highlight")?.querySelector(".filename")?.textContent;

// The theme gives no role and no name to what it scrolls, and lets the keyboard scroll code only.
const nameScrolled = new ResizeObserver((entries) => {
  entries.forEach(({ target: box }) => {
    const wider = box.scrollWidth > box.clientWidth && getComputedStyle(box).overflowX !== "visible";
    const kind = box.matches(".tabbed-labels") ? "Tabs" : box.matches(".snippet-table") || box.querySelector("table") ? "Table" : box.querySelector("svg") ? "Drawing" : "Code";
    box.toggleAttribute("data-more", kind === "Table" && wider); // not when a phone is turned
    // A few letters that don't fit are no reason to scroll: such a block has smaller ones.
    if (kind === "Code" && wider && box.scrollWidth < 1.08 * box.clientWidth) box.classList.add("snippet-narrow");
    if (kind === "Code") {
      const atTheEnd = () => box.parentElement.toggleAttribute("data-end", box.scrollLeft + box.clientWidth >= box.scrollWidth - 1);
      box.parentElement.toggleAttribute("data-wide", box.scrollWidth > box.clientWidth + 16); // less is no more than the end of a word
      box.onscroll = atTheEnd;
      atTheEnd();
    }
    if (!wider && box.scrollHeight <= box.clientHeight) return;
    box.tabIndex = 0;
    box.setAttribute("role", "group"); // as a region, each would be a landmark
    box.setAttribute("aria-label", box.closest(".snippet-output") && kind === "Code" ? "Output" : fileOf(box) ?? kind);
  });
});

const withoutModule = (option) => option.replace(/^torch\.[\w.]+\.config\./, ""); // as it stands in a program
const FIRST_ROWS = 20; // of a long table
const breakId = (digits) => `gb${digits.padStart(4, "0")}`; // as the table of graph breaks has it
const hasSentences = (table) => [...table.querySelectorAll("td")].some((cell) => cell.textContent.length > 30);

document$.subscribe(() => {
  document.querySelector('[data-md-component="search"]')?.setAttribute("aria-label", "Search");
  replaceLabels();
  nameMenus();
  markCurrentPage();
  markWrong();
  followMenus();
  prepareSchemes();
  announceMessages();
  nameCodeButtons();
  // A long output ends at a fixed height: a button shows all of it.
  document.querySelectorAll(".snippet-output pre").forEach((block) => {
    const code = block.querySelector("code");
    if (block.closest("details")) return; // it has been unfolded, and is whole
    if (!code || code.scrollHeight <= code.clientHeight + 20) return; // less than a line, or a scroll bar
    if (code.scrollHeight < 1.5 * code.clientHeight) return block.classList.add("snippet-open"); // a button for a few lines is none
    const more = document.createElement("button");
    more.className = "snippet-more";
    more.type = "button";
    const lines = code.textContent.trimEnd().split("\n").length;
    const label = (open) => (open ? "Show less" : `Show all ${lines} lines`);
    more.textContent = label(false);
    more.setAttribute("aria-expanded", "false");
    more.addEventListener("click", () => {
      const open = block.classList.toggle("snippet-open");
      more.textContent = label(open);
      more.setAttribute("aria-expanded", String(open));
    });
    block.after(more);
  });
  // An entry of the reference names the page of its lesson, below the site's root.
  document.querySelectorAll("a[data-lesson]").forEach((link) => {
    const [lesson, section] = link.dataset.lesson.split("#");
    const page = location.protocol === "file:" ? `${lesson}.html` : `${lesson}/`.replace(/(^|\/)index\/$/, "$1");
    link.href = new URL(page + (section ? `#${section}` : ""), __md_scope).href;
    link.setAttribute("aria-label", `lesson: ${link.dataset.lesson}`); // a list of links has it many times
  });
  document.querySelectorAll('td a[href*="#"]').forEach((link) => {
    if (link.textContent === "program") link.setAttribute("aria-label", `program: ${link.hash.slice(1)}`);
  });
  // The table of contents has the same links, without a name that ends with a sign.
  document.querySelectorAll(".headerlink").forEach((link) => {
    link.tabIndex = -1;
    link.setAttribute("aria-hidden", "true");
  });
  // On a phone, the rows of some tables are blocks whose cells name their columns: tables to look things up in, a page's own tables
  // with code, and outputs with sentences. A table of two columns stays a table where it fits.
  const article = document.querySelector("article");
  document.querySelectorAll(".md-typeset table:not([class])").forEach((table) => {
    const columns = [...table.querySelectorAll("thead th")].map((cell) => cell.textContent);
    const lookup = table.closest("[data-filter]");
    const wide = columns.length > 2 || table.scrollWidth > article.clientWidth;
    const long = table.closest(".snippet-rich") // of output: it has sentences
      ? hasSentences(table)
      : table.querySelector("td code") || (columns.length > 2 && hasSentences(table));
    if (!lookup && !(long && wide)) return;
    table.dataset.stack = lookup ? "lookup" : "code";
    // The first cells name the row: as many as tell one row from the others, if three are enough.
    const rows = [...table.querySelectorAll("tbody > tr")];
    const alike = (n) => new Set(rows.map((row) => [...row.cells].slice(0, n).map((cell) => cell.textContent).join("\n"))).size < rows.length;
    const keys = lookup ? 1 : [1, 2, 3].find((n) => n < columns.length && !alike(n)) ?? 1;
    // Labels stand beside their cells, or above them where one needs more than its column.
    const letters = (name) => name.length + 0.4 * name.replace(/[^A-Z_]/g, "").length; // capitals are wider
    const labels = columns.slice(keys);
    const beside = labels.every((name) => name.split(" ").every((word) => letters(word) <= 17));
    if (columns.length > 2 && beside) table.dataset.labels = "beside"; // of two cells, the first names the row
    table.style.setProperty("--letters", Math.max(...labels.map(letters)));
    // The columns after them that are short in all rows share a line.
    const short = (i) => rows.every(({ cells }) => letters(columns[i]) + (cells[i]?.textContent.length ?? 0) <= 24);
    let end = keys;
    while (end < columns.length && short(end)) end++;
    if (end < keys + 2) end = keys;
    rows.forEach((row) => {
      [...row.cells].forEach((cell, i) => {
        cell.dataset.column = columns[i] ?? "";
        cell.toggleAttribute("data-key", keys > 1 && i < keys);
        cell.toggleAttribute("data-short", keys <= i && i < end);
        cell.toggleAttribute("data-none", ["", "-", "–"].includes(cell.textContent.trim()));
      });
    });
  });
  // A short name or option breaks nowhere: half of it would be another. Longer code breaks between its words.
  const whole = (text) => {
    const span = document.createElement("span");
    [span.className, span.textContent] = ["whole", text];
    return span;
  };
  article.querySelectorAll(":is(p, li, dd, td) code").forEach((code) => {
    if (code.closest("pre, [data-filter] td:first-child")) return;
    if (code.textContent.length <= (smallScreen.matches || code.closest("td") ? 24 : 40)) code.classList.add("whole");
    else if (!code.childElementCount && /\s/.test(code.textContent))
      code.replaceChildren(...code.textContent.split(/(\s+)/).map((word) => (/^\S{1,24}$/.test(word) ? whole(word) : word)));
  });
  // On a phone, a long name breaks between its parts.
  if (smallScreen.matches) {
    const textsIn = (code, pattern) => {
      const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
      const found = [];
      while (texts.nextNode()) if (pattern.test(texts.currentNode.data)) found.push(texts.currentNode);
      return found;
    };
    const mayBreak = (text, place) => {
      const parts = text.data.split(place);
      text.replaceWith(...parts.flatMap((part, i) => (i ? [document.createElement("wbr"), part] : [part])));
    };
    article.querySelectorAll(":not(pre) > code, table[data-stack] td.code").forEach((name) => {
      if (!name.childElementCount && !name.matches(".whole") && name.textContent.length >= 20) mayBreak(name.firstChild, /(?<=[a-z\d][._/(=,])(?=\S)/i);
    });
    article.querySelectorAll(".snippet-rich table:not([data-stack]) :is(th, td)").forEach((cell) => {
      if (!cell.childElementCount && /\S{12}/.test(cell.textContent)) mayBreak(cell.firstChild, /(?<=[a-z][._/(=])(?=[a-z"'])/i); // numbers stay whole
    });
    // What does not fit of a command goes on below its text; an option breaks nowhere.
    article.querySelectorAll(".language-sh code").forEach((code) => {
      code.querySelectorAll(":scope > a").forEach((start) => {
        const line = document.createElement("span");
        line.className = "command";
        start.before(line);
        while (line.nextSibling && (line.nextSibling === start || line.nextSibling.nodeName !== "A")) line.append(line.nextSibling);
      });
      textsIn(code, /(^|\s)-/).forEach((text) => text.replaceWith(...text.data.split(/(\s+)/).map((word) => (word.startsWith("-") ? whole(word) : word))));
    });
    // A long word of an output whose lines wrap breaks between its parts, too.
    article.querySelectorAll('.snippet-output pre:not(.snippet-aligned, .snippet-tree) > code:has([style^="--text"])').forEach((code) => {
      textsIn(code, /\S{24}/).forEach((text) => {
        if (!text.parentElement.closest(".snippet-table")) mayBreak(text, /(?<=\S{3}[._/:])(?=[\w[])/);
      });
    });
  }
  // There, the lines of a paragraph of a docstring are one, which wraps where the screen ends.
  if (matchMedia("(max-width: 44.9375em)").matches) {
    article.querySelectorAll(".snippet-source .sd").forEach((line) => {
      const ends = line.textContent.length > 55 && line.nextSibling?.data === "\n";
      const number = line.nextElementSibling;
      const next = number?.nextElementSibling;
      if (!ends || !next?.matches(".sd") || number.nextSibling !== next || /^\s*(\d+\. |[-*] |""")/.test(next.textContent)) return;
      next.textContent = `${line.textContent} ${next.textContent.trimStart()}`;
      line.nextSibling.remove();
      number.remove();
      line.remove();
    });
  }
  // A table to look things up in names its rows. A long one, or several in one box, have a field that filters their rows.
  document.querySelectorAll("[data-filter]").forEach((box) => {
    const rows = [...box.querySelectorAll("tbody > tr")];
    rows.forEach((row) => row.cells[0].setAttribute("role", "rowheader"));
    const heads = box.matches("table") ? [...box.querySelectorAll("thead th")] : [];
    const lengths = heads.map((_, i) => rows.reduce((sum, row) => sum + row.cells[i].textContent.length, 0) / rows.length);
    // Each column has room for the longest part of a name that no line can end in, and of what is left a share by its text.
    const parts = (cell) => cell.innerHTML.split(/<[^>]+>|\s|\//).map((part) => part.length);
    // An id and the link to its lesson stand in one line, with a dot between them.
    const unbroken = (cell) => (cell.querySelector("a + a[data-lesson]") ? [cell.textContent.length + 3] : parts(cell));
    const longest = heads.map((_, i) => Math.max(...rows.map((row) => Math.max(...unbroken(row.cells[i])))));
    const least = longest.map((length) => Math.min((length * 7.5 + 14) / box.clientWidth, 0.9 / heads.length));
    const left = 1 - least.reduce((a, b) => a + b, 0);
    const shares = lengths.map((length) => Math.sqrt(Math.min(Math.max(length, 4), 81)));
    const all = shares.reduce((a, b) => a + b, 0);
    heads.forEach((head, i) => head.style.setProperty("--share", `${100 * (least[i] + (left * shares[i]) / all)}%`));
    if (rows.length < 20) return;
    const field = document.createElement("input");
    field.className = "table-filter";
    field.type = "search";
    field.placeholder = `Filter ${rows.length} rows`;
    field.setAttribute("aria-label", field.placeholder);
    const count = document.createElement("output");
    count.className = "table-filtered";
    const asName = (typed) => withoutModule(typed.trim().toLowerCase().replace(/^(graph break reason|unsupported):\s*/, "")).replace(/=\S*$/, "");
    const matching = (text) => {
      const id = (word) => word.replace(/^gb(\d{1,3})$/, (_, digits) => breakId(digits));
      const words = text.split(/\s+/).map(id);
      const isPart = (code) => plain(field.value).includes(plain(code.textContent)); // as the search compares messages
      const quotes = (row) => words.length > 3 && [...row.cells[0].querySelectorAll("code")].some(isPart); // of a message that was pasted whole
      return rows.filter((row) => quotes(row) || words.every((word) => row.textContent.toLowerCase().includes(word)));
    };
    // The row of the very name comes first, then names that begin like it.
    const rank = (row, text) => {
      const name = (row.cells[0].querySelector("a, code") ?? row.cells[0]).textContent.trim().toLowerCase();
      return !text || name === text ? 0 : name.startsWith(text) ? 1 : 2;
    };
    // On a phone, where a row is a block, the first rows stand for all until one asks for them, or for a row.
    const more = document.createElement("button");
    more.type = "button";
    more.className = "table-more md-button";
    more.textContent = `Show all ${rows.length} rows`;
    const begins = rows.length > 60;
    let showsAll = !begins;
    // A message that stands in another table, or on another page, leads there.
    const elsewhere = document.createElement("a");
    elsewhere.className = "search-row";
    const asksAll = box.hasAttribute("data-messages");
    const showElsewhere = () => {
      elsewhere.remove();
      if (asksAll && field.value && pointAtRow(elsewhere, field.value)) count.after(elsewhere);
    };
    if (asksAll) {
      field.addEventListener("focus", loadMessages);
      addEventListener("messages", () => filter());
    }
    const filter = () => {
      const text = asName(field.value);
      const shown = new Set(showsAll || text ? matching(text) : rows.slice(0, FIRST_ROWS));
      more.hidden = Boolean(showsAll || text);
      box.toggleAttribute("data-empty", !shown.size);
      rows.forEach((row) => (row.hidden = !shown.has(row)));
      [...rows].sort((a, b) => rank(a, text) - rank(b, text)).forEach((row) => row.parentElement.append(row));
      showElsewhere();
      const none = elsewhere.isConnected ? "" : "No row has these words.";
      const counted = shown.size ? `${shown.size} of ${rows.length}` : none;
      count.textContent = field.value ? counted : "";
    };
    field.addEventListener("input", () => {
      filter();
      // What is left may end above: the field, which stays in sight, has moved down from its place by then.
      const place = field.parentElement;
      if (place.getBoundingClientRect().top < 0) place.scrollIntoView();
    });
    if (heads.length) (box.closest(".md-typeset__scrollwrap") ?? box).before(field, count);
    else box.prepend(field, count); // it stays in sight as long as the box does
    if (begins) {
      const showAll = () => {
        showsAll = true;
        filter();
      };
      const showTarget = () => {
        const target = rows.find((row) => row.id && row.id === location.hash.slice(1));
        if (!target || !target.hidden) return;
        showAll();
        target.scrollIntoView();
      };
      more.addEventListener("click", () => {
        showAll();
        rows[FIRST_ROWS].tabIndex = -1;
        rows[FIRST_ROWS].focus({ preventScroll: true }); // the button goes
      });
      addEventListener("hashchange", showTarget);
      addEventListener("beforeprint", showAll);
      (box.closest(".md-typeset__scrollwrap") ?? box).after(more);
      filter();
      showTarget();
    }
    const searched = new URLSearchParams(location.search).get("h"); // the words that led here
    if (searched && matching(asName(searched)).length) {
      field.value = searched;
      setTimeout(filter); // what it asks is defined below
    }
  });
  document.querySelectorAll("pre > code, .snippet-rich, .snippet-table, .md-typeset__scrollwrap, .tabbed-labels").forEach((box) => nameScrolled.observe(box));
});

const results = document.querySelector(".md-search-result__list");
let enterWaits = false; // for the index of the search, which is not there yet
// When Escape closes the search, the focus goes back to where it was.
const search = document.querySelector(".md-search");
let beforeSearch = null;
search.addEventListener("focusin", ({ relatedTarget }) => {
  if (!search.contains(relatedTarget)) beforeSearch = relatedTarget;
});
search.addEventListener(
  "keydown",
  (event) => {
    if (event.key === "Tab" && (event.target === row || results.contains(event.target) || nothing.contains(event.target))) event.stopPropagation(); // the theme closes the search
    // The theme moves the focus from a result to the field when it gets a key that it doesn't know.
    if (["Shift", "Control", "Alt", "Meta"].includes(event.key) && event.target !== field) event.stopPropagation();
    const down = event.key === "ArrowDown" && event.target === field && row.isConnected;
    if (event.key === "Enter" && event.target === field && row.isConnected) {
      event.preventDefault();
      event.stopPropagation();
      enterWaits = false; // results that come later don't take the row's place
      row.click();
      return;
    }
    enterWaits = event.key === "Enter" && event.target === field && field.value && !results.childElementCount;
    if ((event.key !== "Tab" && !down) || event.shiftKey || event.target !== field) return;
    const first = search.querySelector(".search-row, .md-search-result__link, .search-nothing a");
    if (!first) return;
    event.preventDefault(); // the theme closes the search, and reaches results by arrows alone
    event.stopPropagation();
    first.focus();
  },
  true
);
// The theme looks for what is typed when a key comes up: text is also pasted, dictated or deleted by a button.
const field = search.querySelector("input");
const changed = () => {
  showRow();
  field.dispatchEvent(new KeyboardEvent("keyup"));
};
// What torch prints, an id such as GB0059 or a message, leads to the row of a table, which comes before the lessons that have it.
const row = document.createElement("a");
row.className = "search-row";
const ending = location.protocol === "file:" ? ".html" : "/"; // of a page's address
let messages = []; // of each: text, address, what is there, and its kind. Zensical makes none.
const takeMessages = (all) => {
  messages = all.map(([text, address, label, kind]) => [kind === "guard" ? text : plain(text), address, label, kind]);
  showRow();
  dispatchEvent(new Event("messages"));
};
const loadMessages = async () => {
  if (messages.length) return;
  if (location.protocol === "file:") return loadFromFile();
  const answer = await fetch(new URL("messages.json", __md_scope));
  if (answer.ok) takeMessages(await answer.json()); // a server that has only begun has none yet
};
// A page that is read from a file may fetch none, but may run a script.
const loadFromFile = () => {
  const script = document.createElement("script");
  script.src = new URL("messages.js", __md_scope);
  script.onload = () => takeMessages(allMessages);
  document.head.append(script);
};
field.addEventListener("focus", loadMessages);
// The theme opens the search by "/", "s" and "f"; many sites also have Ctrl+K.
addEventListener("keydown", (event) => {
  if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
  event.preventDefault();
  const opened = document.querySelector("#__search");
  if (!opened.checked) opened.click(); // the theme shows results when it is told
  field.focus();
});
const plain = (text) => text.toLowerCase().replace(/[\s`'"“”]+/g, " ").trim();
// Words as they stand in a message; torch has filled in what is in braces.
const patterns = {};
const asWords = (text) => (patterns[text] ??= new RegExp(`(?<!\\w)${text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/\\\{.*?\\\}/g, ".{1,200}")}(?![^\\W\\d])`));
// A guard that failed, ``self.steps == 3``, leads to what to do about it; its names stand in for those in the label.
const findGuard = (pasted) => {
  for (const [pattern, address, label, kind] of messages) {
    const groups = kind === "guard" && (patterns[pattern] ??= new RegExp(pattern)).exec(pasted)?.groups;
    if (groups) return [pattern, address, label.replace(/\{(\w+)\}/g, (name, group) => groups[group] ?? name)];
  }
};
// A message is pasted with what is around it. One of few words, such as a class, may also be a term to look for.
const findRow = (pasted) => {
  const [, digits] = pasted.match(/\bgb ?(\d{1,4})\b/i) ?? [];
  const id = digits && breakId(digits);
  if (id && !messages.length) return [id, `reference/graph-breaks${ending}#${id}`, `${id.toUpperCase()} in the table of graph breaks`];
  if (id) return messages.find(([, address]) => address.endsWith(`#${id}`));
  const guard = findGuard(pasted);
  if (guard) return guard;
  const typed = plain(pasted);
  const name = withoutModule(typed).replace(/\s*=.*$|\?$/, "");
  const isIn = (text) => typed === text || ((text.split(" ").length > 3 || typed.length > text.length + 10) && asWords(text).test(typed));
  const found = messages.filter(([text, , , kind]) => (kind === "name" ? text === name : isIn(text)));
  // A row of a table comes before an output that has the message, and a longer message before a part of it.
  return found.sort(([a, , , kind], [b, , , other]) => (kind === "printed") - (other === "printed") || b.length - a.length)[0];
};
// Have a link lead to the row for what is pasted; whether there is one.
const pointAtRow = (link, pasted) => {
  const found = findRow(pasted);
  if (!found) return false;
  const [, address, label] = found;
  link.href = new URL(address, __md_scope);
  link.textContent = label;
  return true;
};
const showRow = () => {
  row.remove();
  if (!pointAtRow(row, field.value)) return;
  search.querySelector(".md-search-result").before(row); // what is in there, the theme takes for a result
};
// A search that finds nothing names the pages that list what may be meant.
const nothing = document.createElement("p");
nothing.className = "search-nothing";
const showNothing = () => {
  if (!field.value.trim() || results.childElementCount || row.isConnected) return nothing.remove();
  if (nothing.isConnected) return; // its links aren't replaced under a pointer
  const link = (page, name) => `<a href="${new URL((page + ending).replace(/index\/$/, ""), __md_scope)}">${name}</a>`;
  const ways = `${link("fix/index", "symptoms and their fixes")}, ${link("reference/glossary", "terms")}`;
  const begin = `${link("start/setup", "setup")}, ${link("pipeline/one-function", "one function, stage by stage")}`;
  nothing.innerHTML = `Try fewer words, or the name of an error, a setting or a function. Lists: ${ways}, ${link("reference/graph-breaks", "graph breaks")}. To begin: ${begin}.`;
  search.querySelector(".md-search-result").after(nothing);
};
new MutationObserver(showNothing).observe(search.querySelector(".md-search-result"), { childList: true, characterData: true, subtree: true });
field.addEventListener("input", changed);
field.form.addEventListener("reset", () => setTimeout(changed));
search.addEventListener("keydown", (event) => {
  if (event.key === "Escape") setTimeout(() => beforeSearch?.focus({ preventScroll: true })); // after the theme has closed it
});

const PARTS = { labs: "Lab", reference: "Reference" };
const scoreOf = (link) => Number(link.querySelector("[data-md-score]").dataset.mdScore);
// A page is opened at its best section where that comes before the page's beginning; the card then names it.
new MutationObserver(() => {
  results.querySelectorAll("a, summary").forEach((link) => (link.tabIndex = 0)); // the theme reaches them by arrows alone
  results.querySelectorAll(".md-search-result__item").forEach((item) => {
    const [page, ...sections] = item.querySelectorAll("a.md-search-result__link");
    const [section] = sections; // they stand in their order
    const part = PARTS[page.href.slice(__md_scope.href.length).split("/")[0]]; // a lab may have a lesson's title
    const title = page.querySelector("h1");
    if (part) title.dataset.part = part;
    if (!section || page.href.includes("#") || scoreOf(section) < scoreOf(page)) return;
    page.href = section.href;
    title.dataset.section = section.querySelector("h2").textContent;
  });
  if (enterWaits) results.querySelector("a")?.click();
}).observe(results, { childList: true, subtree: true });

// An explorer is a document of its own, which is told the color scheme of the page.
const explorers = document.querySelectorAll(".snippet-explorer iframe");
const tellScheme = (frame) => frame.contentWindow.postMessage(document.body.dataset.mdColorScheme === "slate" ? "dark" : "light", "*");
explorers.forEach((frame) => {
  tellScheme(frame);
  frame.addEventListener("load", () => tellScheme(frame));
});
if (explorers.length) new MutationObserver(() => explorers.forEach(tellScheme)).observe(document.body, { attributeFilter: ["data-md-color-scheme"] });

// A page that waits for snippets asks its server for news. Other servers than "make serve" have none.
const waitForSnippets = () => {
  if (!document.querySelector(".snippet-pending")) return;
  const news = new URL("news.json", __md_scope);
  news.searchParams.set("page", location.pathname.slice(new URL(__md_scope).pathname.length));
  const ask = async () => {
    const answer = await fetch(news);
    if (!answer.ok) return;
    const { news: isThere, progress } = await answer.json();
    if (isThere) return location.reload();
    document.querySelectorAll(".snippet-progress").forEach((count) => (count.textContent = progress ?? count.textContent));
    setTimeout(ask, 400);
  };
  setTimeout(ask, 200); // an edited snippet may have run by now
};
document$.subscribe(waitForSnippets);

// The lessons and labs that a reader has marked as done, kept in this browser and nowhere else.
const doneKey = `done ${__md_scope.pathname}`;
const loadDone = () => {
  try {
    return new Set(JSON.parse(localStorage.getItem(doneKey) ?? "[]"));
  } catch {
    return new Set(); // storage is turned off: the site works without it
  }
};
const saveDone = (paths) => {
  try {
    if (paths.size) localStorage.setItem(doneKey, JSON.stringify([...paths]));
    else localStorage.removeItem(doneKey);
  } catch {}
};
const doneBox = (path) => {
  const box = document.createElement("input");
  box.type = "checkbox";
  box.autocomplete = "off"; // a browser that goes back would tick what was ticked
  box.dataset.path = path;
  box.addEventListener("change", () => {
    const done = loadDone();
    done.delete(path);
    if (box.checked) done.add(path);
    saveDone(done);
    showDone();
  });
  return box;
};
const steps = () => [...document.querySelectorAll(".steps li > a:first-of-type")]; // the first page of Learn has them
const addDoneBoxes = () => {
  steps().forEach((link) => {
    const box = doneBox(link.pathname);
    box.setAttribute("aria-label", `Done: ${link.textContent}`);
    link.before(box);
  });
  const facts = document.querySelector(".lesson-facts"); // only lessons and labs have them
  if (!facts) return;
  const label = document.createElement("label");
  label.className = "lesson-done";
  label.append(doneBox(location.pathname), facts.textContent.startsWith("Lab ") ? "I have done this lab" : "I have done this lesson");
  document.querySelector("article").append(label);
};
const showDone = (forgotten = false) => {
  const done = loadDone();
  document.querySelectorAll(".done-mark, .done-count, .progress").forEach((mark) => mark.remove());
  document.querySelectorAll("input[data-path]").forEach((box) => (box.checked = done.has(box.dataset.path)));
  document.querySelectorAll(".md-nav--primary a.md-nav__link[href]").forEach((link) => {
    // The table of contents is in this menu too on a phone, and a section's own link leads to its first page.
    if (link.closest(".md-nav--secondary") || link.querySelector(".md-nav__icon") || !done.has(link.pathname)) return;
    const mark = document.createElement("span");
    mark.className = "done-mark";
    mark.setAttribute("role", "img");
    mark.setAttribute("aria-label", "done");
    mark.textContent = "✓";
    link.append(mark);
  });
  document.querySelectorAll(".steps ol").forEach((list) => {
    const links = steps().filter((link) => list.contains(link));
    const ofList = links.filter((link) => done.has(link.pathname)).length;
    const count = document.createElement("span");
    count.className = "done-count";
    count.textContent = ofList ? ` ${ofList} of ${links.length} done.` : "";
    (list.previousElementSibling ?? list.parentElement.previousElementSibling).append(count);
  });
  showProgress(done, forgotten);
};
// One line on Home and on the first page of Learn, and below the menu of other pages.
const showProgress = (done, forgotten) => {
  const lessons = [...(document.querySelector("#lessons")?.content.children ?? [])].map((link) => document.importNode(link, true)); // Home has them
  if (!done.size && !forgotten && !steps().length) return;
  const line = document.createElement("p");
  line.className = "progress";
  const place = document.querySelector(".hero-ways") ?? (steps().length && document.querySelector("h1.landing + p"));
  if (place) place.after(line);
  else document.querySelector(".md-nav--primary").append(line);
  if (!done.size) {
    line.textContent = forgotten ? "Forgotten." : "Tick what you have done. Only this browser knows.";
    if (!forgotten) return;
    line.tabIndex = -1;
    line.setAttribute("role", "status");
    line.focus(); // the button is gone
    return;
  }
  const noLabs = lessons.filter((link) => !link.pathname.includes("/labs/"));
  const ofLessons = noLabs.filter((link) => done.has(link.pathname)).length;
  line.textContent = lessons.length ? `${ofLessons} of ${noLabs.length} lessons done. ` : `${done.size} done. `;
  const next = nextStep(lessons.length ? lessons : steps(), done);
  if (next) line.append("Continue with ", next.cloneNode(true), ". ");
  const forget = document.createElement("button");
  forget.type = "button";
  forget.textContent = "Forget";
  forget.title = "Forget what you have done; only this browser knows";
  forget.addEventListener("click", () => {
    saveDone(new Set());
    showDone(true);
  });
  line.append(forget);
};
// The first one, after the one that was marked last, that isn't done.
const nextStep = (links, done) => {
  const last = links.findIndex((link) => link.pathname === [...done].at(-1));
  return links.slice(last + 1).find((link) => !done.has(link.pathname));
};
document$.subscribe(() => {
  addDoneBoxes();
  showDone();
});
addEventListener("pageshow", (event) => event.persisted && showDone()); // a page that the browser kept while another was read
addEventListener("storage", () => showDone()); // another tab
// torch prints the ids of graph breaks and guards in upper case.
document$.subscribe(() => {
  const row = document.getElementById(location.hash.slice(1).toLowerCase());
  if (row && row.id !== location.hash.slice(1)) location.replace(`#${row.id}`);
});
// A link to an output opens the tab that it is in.
const openTab = () => {
  const output = document.getElementById(location.hash.slice(1));
  const block = output?.closest(".tabbed-block");
  if (!block) return;
  block.closest(".tabbed-set").querySelectorAll(":scope > input")[[...block.parentElement.children].indexOf(block)].click();
  output.scrollIntoView();
};
document$.subscribe(openTab);
window.addEventListener("hashchange", openTab);
