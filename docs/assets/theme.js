// What the theme leaves out for people who use a keyboard or a screen reader.
document$.subscribe(() => {
  document.querySelector('[data-md-component="search"]')?.setAttribute("aria-label", "Search");
  // The theme gives the section's own menu and the page's list of sections the same label.
  document.querySelectorAll("nav[aria-labelledby^='__nav_']").forEach((nav, i) => {
    nav.removeAttribute("aria-labelledby");
    nav.setAttribute("aria-label", `Menu ${i + 1}`);
  });
  document.querySelectorAll("nav.md-code__nav").forEach((nav, i) => nav.setAttribute("aria-label", `Code block ${i + 1}`));
  document.querySelectorAll("pre > code, .snippet-rich, .md-typeset__scrollwrap").forEach((box) => {
    if (box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1) box.tabIndex = 0;
  });
});
