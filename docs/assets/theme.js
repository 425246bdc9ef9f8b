// What the theme leaves out for people who use a keyboard or a screen reader.
document$.subscribe(() => {
  document.querySelector('[data-md-component="search"]')?.setAttribute("aria-label", "Search");
  // The theme's menu button on small screens is the label of a checkbox.
  document.querySelectorAll('label.md-header__button[for="__drawer"]').forEach((button) => {
    button.tabIndex = 0;
    button.setAttribute("role", "button");
    button.setAttribute("aria-label", "Menu");
    button.onkeydown = (event) => {
      if (event.key !== " ") return; // the theme sees to Enter
      event.preventDefault();
      button.click();
    };
  });
  // The theme gives the section's own menu and the page's list of sections the same label.
  document.querySelectorAll("nav[aria-labelledby^='__nav_']").forEach((nav, i) => {
    nav.removeAttribute("aria-labelledby");
    nav.setAttribute("aria-label", `Menu ${i + 1}`);
  });
  document.querySelectorAll("nav.md-code__nav").forEach((nav, i) => nav.setAttribute("aria-label", `Code block ${i + 1}`));
  // A long output ends at a fixed height: a button shows all of it.
  document.querySelectorAll(".snippet-output pre").forEach((block) => {
    const code = block.querySelector("code");
    if (!code || code.scrollHeight <= code.clientHeight + 1) return;
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
    const page = location.protocol === "file:" ? `${link.dataset.lesson}.html` : `${link.dataset.lesson}/`;
    link.href = new URL(page, __md_scope).href;
  });
  // On a phone, the rows of some tables are blocks whose cells name their columns: tables to look things up in, and a page's own
  // tables with code. A table of two columns stays a table where it fits.
  const article = document.querySelector("article");
  document.querySelectorAll(".md-typeset table:not([class])").forEach((table) => {
    const columns = [...table.querySelectorAll("thead th")].map((cell) => cell.textContent);
    const lookup = table.closest("[data-filter]");
    const wide = columns.length > 2 || table.scrollWidth > article.clientWidth;
    const withCode = table.querySelector("td code") && !table.closest(".snippet-rich");
    if (!lookup && !(withCode && wide)) return;
    table.dataset.stack = lookup ? "lookup" : "code";
    table.querySelectorAll("tbody > tr").forEach((row) => {
      [...row.cells].forEach((cell, i) => (cell.dataset.column = columns[i] ?? ""));
    });
  });
  // A long table, or several tables in one box, have a field that filters their rows.
  document.querySelectorAll("[data-filter]").forEach((box) => {
    const rows = [...box.querySelectorAll("tbody > tr")];
    if (rows.length < 20) return;
    const field = document.createElement("input");
    field.className = "table-filter";
    field.type = "search";
    field.placeholder = `Filter ${rows.length} rows`;
    field.setAttribute("aria-label", field.placeholder);
    const count = document.createElement("output");
    count.className = "table-filtered";
    const matching = (text) => {
      const words = text.toLowerCase().split(/\s+/);
      return rows.filter((row) => words.every((word) => row.textContent.toLowerCase().includes(word)));
    };
    const filter = () => {
      const shown = new Set(matching(field.value));
      rows.forEach((row) => (row.hidden = !shown.has(row)));
      count.textContent = field.value ? `${shown.size} of ${rows.length}` : "";
    };
    field.addEventListener("input", filter);
    (box.closest(".md-typeset__scrollwrap") ?? box).before(field, count);
    const searched = new URLSearchParams(location.search).get("h"); // the words that led here
    if (searched && matching(searched).length) {
      field.value = searched;
      filter();
    }
  });
  document.querySelectorAll("pre > code, .snippet-rich, .md-typeset__scrollwrap, .tabbed-labels").forEach((box) => {
    if (box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1) box.tabIndex = 0;
  });
});

// A result of the search shows the lines of a program where the word first stands.
const results = document.querySelector(".md-search-result__list");
new MutationObserver(() => {
  results.querySelectorAll("pre > code").forEach((code) => {
    const word = code.querySelector("mark");
    if (!word) return;
    const [at, box] = [word.getBoundingClientRect(), code.getBoundingClientRect()];
    code.scrollTop += at.top - box.top - code.clientHeight / 2;
    if (at.right > box.right) code.scrollLeft += at.left - box.left - code.clientWidth / 2;
  });
}).observe(results, { childList: true, subtree: true });

// The pages that a reader has read to the end, kept in this browser and nowhere else.
const pagesRead = {
  key: `pages-read ${__md_scope.pathname}`,
  load() {
    try {
      return new Set(JSON.parse(localStorage.getItem(this.key) ?? "[]"));
    } catch {
      return new Set(); // storage is turned off: the site works without it
    }
  },
  save(paths) {
    try {
      if (paths.size) localStorage.setItem(this.key, JSON.stringify([...paths]));
      else localStorage.removeItem(this.key);
    } catch {}
  },
};
const showPagesRead = () => {
  const read = pagesRead.load();
  const sidebar = document.querySelector(".md-nav--primary");
  document.querySelectorAll(".page-read, .pages-read").forEach((mark) => mark.remove());
  sidebar.querySelectorAll("a.md-nav__link[href]").forEach((link) => {
    // The table of contents is in this menu too on a phone, and a section's own link leads to its first page.
    if (link.closest(".md-nav--secondary") || link.querySelector(".md-nav__icon")) return;
    if (!read.has(new URL(link.href).pathname)) return;
    const mark = document.createElement("span");
    mark.className = "page-read";
    mark.setAttribute("role", "img");
    mark.setAttribute("aria-label", "read");
    mark.textContent = "✓";
    link.append(mark);
  });
  if (!read.size) return;
  const line = document.createElement("p");
  line.className = "pages-read";
  line.textContent = `${read.size} page${read.size === 1 ? "" : "s"} read. `;
  const ways = document.querySelector(".hero-ways"); // on the home page, which has no sidebar
  const lesson = ways && nextLesson(read);
  if (lesson) {
    const next = document.createElement("a");
    next.href = lesson.url;
    next.textContent = lesson.title;
    line.append("Continue with ", next, ". ");
  }
  const forget = document.createElement("button");
  forget.type = "button";
  forget.textContent = "Forget";
  forget.title = "Forget which pages you have read; only this browser knows";
  forget.addEventListener("click", () => {
    pagesRead.save(new Set());
    showPagesRead();
  });
  line.append(forget);
  if (ways) ways.after(line);
  else sidebar.append(line);
};
// The first lesson, after the one that was read last, that has not been read.
const nextLesson = (read) => {
  const lessons = JSON.parse(document.querySelector("#lessons")?.textContent ?? "[]");
  const path = ({ url }) => new URL(url, __md_scope).pathname;
  const last = lessons.findIndex((lesson) => path(lesson) === [...read].at(-1));
  return lessons.slice(last + 1).find((lesson) => !read.has(path(lesson)));
};
document$.subscribe(() => {
  showPagesRead();
  const end = document.querySelector("article")?.lastElementChild;
  if (!end || !document.querySelector(".lesson-facts")) return; // only lessons are read to the end
  const seen = new IntersectionObserver(([entry]) => {
    if (!entry.isIntersecting) return;
    seen.disconnect();
    pagesRead.save(pagesRead.load().add(location.pathname));
    showPagesRead();
  });
  seen.observe(end);
});
