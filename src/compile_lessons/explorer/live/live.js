// The page: what the reader types and chooses is sent, and what the server shows is shown.
(() => {
  "use strict";
  const at = (id) => document.getElementById(id);
  const SWITCHES = ["name", "inputs", "target", "dtype", "dynamic", "mode", "training"];
  const PAUSE = 200; // milliseconds without a key after which the text is compiled

  const post = async (path, body) => {
    const headers = {"Content-Type": "application/json"};
    const answer = await fetch(path, {method: "POST", headers, body: JSON.stringify(body ?? null)});
    if (!answer.ok) throw new Error(await answer.text());
  };
  const say = (text) => {
    if (at("status").textContent !== text) at("status").textContent = text;
  };
  let refused = ""; // why the server did not do what was asked last
  const told = (promise) => promise.then(() => { refused = ""; }, (error) => { refused = error.message; }).then(() => say(words(shown)));

  let editor = null;
  let shown = null; // what the server said last
  let version = 0; // of the text
  let sent = ""; // the text that the server has
  let timer = 0;
  let elsewhere = false; // whether another tab edits
  let name = ""; // of the function that the reader chose; empty while the server does
  let linked = false; // whether the text is that of a link, which the reader has not run yet
  const first = new URLSearchParams(location.hash.slice(1)); // of a link to this page, or before it was loaded again

  // What is sent
  const settings = () => ({
    ...Object.fromEntries(SWITCHES.map((id) => [id, at(id).value])),
    name,
    machine: at("machine").checked,
  });
  const edit = () => {
    clearTimeout(timer);
    sent = editor.text();
    return {text: sent, version, settings: settings()};
  };
  const run = () => {
    linked = false;
    return told(post("run", edit()));
  };
  const save = () => {
    if (at("save").hidden) say("There is no file to save. Start compile-lessons explore FILE.py to have one.");
    else told(post("save", edit()));
  };
  const later = () => {
    clearTimeout(timer);
    if (!linked) timer = setTimeout(run, PAUSE);
  };

  // A link whose hash has the text and the switches. Whoever opens it reads the text first: it runs with Run alone.
  const through = async (bytes, stream) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
  const pack = async (text) => {
    const bytes = await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  };
  const unpack = async (code) => {
    const bytes = Uint8Array.from(atob(code.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));
    return new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw")));
  };
  const copyLink = async () => {
    const chosen = Object.entries(settings()).filter(([, value]) => value).map(([key, value]) => [key, String(value)]);
    const state = new URLSearchParams([...chosen, ["code", await pack(editor.text())]]);
    history.replaceState(null, "", `#${state}`);
    refused = await navigator.clipboard.writeText(location.href).then(
      () => "The link is copied.",
      () => "The browser does not allow copying here: copy the address instead.",
    );
    say(words(shown));
  };
  const openLink = async (state) => {
    if (!state.has("code")) return;
    try {
      editor.replace(await unpack(state.get("code")));
    } catch {
      refused = "The code of the link is damaged.";
      return say(words(shown));
    }
    linked = true;
    for (const id of SWITCHES) if (state.has(id)) at(id).value = state.get(id);
    at("machine").checked = state.has("machine");
    name = state.get("name") ?? "";
    if (name) showNames([], name);
    refused = "This code is from the link, and has not run. Read it, then press Run.";
    say(words(shown));
  };

  // What is shown
  const words = ({ready, run: number, running, panes_run, stage, seconds, problem, note, unsaved}) => {
    if (elsewhere) return "Another tab has this file and your text now. Load this page again to go on here.";
    if (!ready) return "Loading torch …";
    const done = {dynamo: "Dynamo's graph", code: "Inductor's code", machine: "machine code"}[stage];
    const parts = [];
    if (running) parts.push(number === panes_run ? `${done} is there, compiling on …` : "Compiling …");
    else if (problem) parts.push("Failed.");
    else if (number) parts.push(`Compiled to ${done} in ${seconds.toFixed(1)} s.`);
    if (refused) parts.push(refused);
    else if (note) parts.push(note);
    else if (unsaved && !at("save").hidden) parts.push("Not saved.");
    return parts.join(" ");
  };
  const showNames = (names, chosen) => {
    const all = names.includes(chosen) || !chosen ? names : [chosen, ...names];
    const before = [...at("name").options].map((option) => option.value).join();
    if (all.join() !== before) at("name").replaceChildren(...all.map((name) => new Option(name, name)));
    if (document.activeElement !== at("name")) at("name").value = chosen;
  };
  const showSettings = (values) => {
    name = values.name;
    for (const id of SWITCHES.slice(1)) at(id).value = values[id];
    at("machine").checked = values.machine;
  };
  const showProblem = ({problem, running, panes, panes_run, run: number}) => {
    const gone = running || !problem;
    at("problem").hidden = gone;
    at("go").hidden = gone || !problem.line;
    if (!gone) {
      if (at("message").textContent !== problem.message) at("message").textContent = problem.message;
      at("go").textContent = `Line ${problem.line}`;
    }
    at("stale").hidden = gone || !panes;
    const same = panes_run === number;
    at("stale").textContent = same
      ? "The run failed after this: these panes show the stages before."
      : "These panes show the last version that compiled.";
  };
  const mark = () => {
    const line = shown.problem && !shown.running ? shown.problem.line : null;
    editor.mark(line, lit(), found());
  };

  const show = (now) => {
    const first = !shown;
    shown = {...shown, ...now};
    if (first) {
      showSettings(shown.settings);
      if (shown.settings.name) showNames([], shown.settings.name);
      start();
    } else if (now.text !== undefined && now.version > version && editor.text() === sent) {
      editor.replace(now.text);
      sent = now.text;
    }
    // A text that was typed meanwhile stays; the server takes it for a conflict when it comes.
    if (now.text !== undefined && editor.text() === now.text) version = now.version;
    if (shown.names.length) showNames(shown.names, shown.chosen);
    if (shown.ready) at("waiting").textContent = shown.running ? "Compiling …" : "No version has compiled yet.";
    at("stop").disabled = !shown.running;
    at("conflict").hidden = !shown.conflict;
    showProblem(shown);
    at("output").hidden = !shown.output;
    at("text").textContent = shown.output;
    say(words(shown));
    mark();
    if (shown.panes && shown.panes !== asked) load(shown.panes);
  };
  const start = () => {
    const on = {changed: later, run, save, line: point};
    const {nonce} = document.body.dataset;
    editor = Editor.open(at("editor"), {text: shown.text, nonce, label: `Source of ${shown.file}`, describedby: "keys", on});
    sent = shown.text;
    version = shown.version;
    openLink(first);
  };

  // The panes: each version is a page in a frame. The next one takes the place of the last one once it has loaded, with
  // the panes that the reader chose, their places, and the line that is pinned.
  let frame = null;
  let asked = "";
  let watching = null;
  let pin = null; // the pane and the text of the line that is pinned
  const chosen = new Map(); // by pane, what the reader chose
  const open = first.get("panes")?.split(",");
  const inside = (selector, document_ = frame?.contentDocument) => (document_ ? [...document_.querySelectorAll(selector)] : []);

  const load = (name) => {
    asked = name;
    for (const old of document.querySelectorAll("iframe.next")) old.remove();
    const next = document.createElement("iframe");
    next.className = "next";
    next.title = "Panes of the compile";
    const state = new URLSearchParams(frame ? frame.contentWindow.location.hash.slice(1) : first);
    for (const key of ["panes", "code", "machine", ...SWITCHES]) state.delete(key);
    if (frame) state.delete("line");
    next.src = `panes/${name}#${state}`;
    next.addEventListener("load", () => {
      if (!next.isConnected || asked !== name) return;
      if (next.contentDocument.getElementById("pairs") === null) return; // an older page, which is gone
      take(next);
    });
    at("frames").append(next);
  };
  const take = (next) => {
    const document_ = next.contentDocument;
    prepare(document_);
    const focused = document.activeElement === frame ? frame.contentDocument.activeElement : null;
    const places = new Map(inside("main section").map((pane) => [pane.id, pane.querySelector(".scroll").scrollTop]));
    const top = frame ? frame.contentWindow.scrollY : 0;
    next.classList.remove("next");
    for (const pane of inside("main section", document_)) pane.querySelector(".scroll").scrollTop = places.get(pane.id) || 0;
    next.contentWindow.scrollTo(0, top);
    if (frame) frame.remove();
    at("waiting").hidden = true;
    frame = next;
    if (focused) focusLike(focused, document_);
    watching?.disconnect();
    watching = new MutationObserver(mark);
    const python = document_.getElementById("python");
    if (python) watching.observe(python, {subtree: true, attributeFilter: ["class"]});
    mark();
    document.documentElement.dataset.panes = shown.panes; // for tests
  };
  // The element that stands where another one stood in the last version: the same pane, line or switch, if it is there.
  const focusLike = (old, document_) => {
    document_.defaultView.focus();
    const pane = old.closest("main section")?.id;
    const line = pane && old.dataset.n && inside(`#${pane} .l[data-n="${old.dataset.n}"][tabindex]`, document_)[0];
    const other = line || (old.id && document_.getElementById(old.id)) || (pane && document_.querySelector(`#${pane} .copy`));
    other?.focus({preventScroll: true});
  };
  const prepare = (document_) => {
    const files = inside("#python h3", document_);
    for (const box of inside(".controls [type=checkbox][value]", document_)) {
      // The editor shows the file: its pane stays hidden until it is asked for.
      const own = box.value === "python" && files.length === 1 ? false : box.checked;
      const wanted = chosen.get(box.value) ?? open?.includes(box.value) ?? own;
      if (wanted !== box.checked) box.click();
      box.addEventListener("change", () => chosen.set(box.value, box.checked));
    }
    for (const kind of ["widen", "wrap"]) {
      for (const button of inside(`.${kind}[aria-pressed="true"]`)) inside(`#${button.closest("section").id} .${kind}`, document_)[0]?.click();
    }
    // A line that is pinned stays so, also over a stage whose panes lack it, until the reader releases it.
    const line = inside(".pinned")[0];
    if (line) pin = {pane: line.closest("section").id, text: line.textContent};
    else if (pin && frame?.contentDocument.getElementById(pin.pane)) pin = null;
    if (pin) inside(`#${pin.pane} .l[data-a]`, document_).find((one) => one.textContent === pin.text)?.click();
    for (const kind of ["click", "keyup", "change"]) {
      document_.addEventListener(kind, () => history.replaceState(null, "", document_.defaultView.location.hash || "#"));
    }
  };
  // Lines of the editor, as far as the panes are of this text.
  const ofThisText = () => shown.panes_run === shown.run && editor.text() === sent;
  const lines = () => {
    let title = "";
    return inside("#python h3, #python .l[data-n]").filter((one) => {
      if (one.matches("h3")) title = one.textContent;
      return one.matches(".l") && title === shown.path;
    });
  };
  const lit = () => {
    if (!ofThisText()) return [];
    return lines().filter((line) => line.matches(".lit")).map((line) => Number(line.dataset.n));
  };
  // The findings below lines of the file, by the numbers of the lines.
  const found = () => {
    const words = new Map();
    if (!ofThisText()) return words;
    for (const line of lines()) {
      const notes = [];
      for (let note = line.nextElementSibling; note?.matches(".note"); note = note.nextElementSibling) notes.push(note.textContent.trim());
      if (notes.length) words.set(Number(line.dataset.n), notes.join(" ").replace(/^▲ /, ""));
    }
    return words;
  };
  const point = (number, byPointer) => {
    if (!frame || !ofThisText()) return;
    const line = lines().find((one) => Number(one.dataset.n) === number);
    if (!line || !line.dataset.a || line.matches(".from")) return;
    const {PointerEvent} = frame.contentWindow;
    line.dispatchEvent(new PointerEvent("pointerover", {bubbles: true, pointerType: "mouse"}));
  };

  // Switches and buttons
  at("switches").addEventListener("submit", (event) => event.preventDefault());
  at("name").addEventListener("change", () => { name = at("name").value; });
  at("switches").addEventListener("change", () => { if (!linked) run(); });
  at("run").addEventListener("click", run);
  at("save").addEventListener("click", save);
  at("link").addEventListener("click", copyLink);
  addEventListener("hashchange", () => openLink(new URLSearchParams(location.hash.slice(1))));
  at("stop").addEventListener("click", () => told(post("stop")));
  at("load").addEventListener("click", () => {
    sent = editor.text(); // given up
    told(post("load"));
  });
  at("keep").addEventListener("click", () => {
    version = shown.version;
    told(post("keep"));
  });
  at("go").addEventListener("click", () => editor.go(shown.problem.line));

  const events = new EventSource("tab");
  events.addEventListener("message", (event) => {
    const now = JSON.parse(event.data);
    if (now.replaced) replaced();
    else show(now);
  });
  // Another tab has this file now. Two would write over each other's text.
  const replaced = () => {
    events.close();
    clearTimeout(timer);
    for (const part of document.querySelectorAll("#switches, .actions button, #editor, #conflict, #problem")) part.inert = true;
    elsewhere = true;
    say(words(shown));
  };
  events.addEventListener("error", () => say("The server has gone. Start compile-lessons explore again."));
})();
