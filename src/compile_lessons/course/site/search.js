// The worker of the theme's search, in place of the theme's own. MiniSearch finds words, Porter's stemmer their forms.
// The index has headings, keywords, first sentences and names; the other words of the pages are loaded when a question
// has a word that is not among those.
const STOP = new Set(
  "a an and any are as at be been but by can could did do does for from get had happen happens has have how i if in into is it its just me more my no not of on only or our see should so than that the their them then there these this those to too use used using was we were what when where which who why will with would you your".split(" ")
);
const EXACT = 1, STEM = 0.8, PREFIX = 0.3, FUZZY = 0.3, BODY = 0.25, LIKE = 6, WHOLE = 0.4;
// More results than these are none that somebody looks at.
const PAGES = 30, SECTIONS = 8;

// Words come again and again: what is made of one is kept.
const once = (make) => {
  const made = new Map();
  return (word) => {
    if (!made.has(word)) made.set(word, make(word));
    return made.get(word);
  };
};
const wordsOf = (text) => text.replace(/\bc\+\+/gi, "cpp").match(/[\p{L}\p{N}_]+/gu) ?? [];
const wholeOf = (word) => word.toLowerCase().replace(/^_+/, "") || word;
// "mark_dynamic" and "FakeTensor" are one word and its parts.
const partsOf = once((word) => word.split(/_+|(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u).filter(Boolean));
const stemOf = once((word) => stemmer(wholeOf(word)));
const stemsOf = once((word) => [...new Set([word, ...partsOf(word)].map(stemOf))]);
const formsOf = once((word) => [...new Set([...[word, ...partsOf(word)].map(wholeOf), ...stemsOf(word)])]);
// Of the names in programs, which are many, the whole is indexed, of a text the stems, and of a heading all forms.
const termsOf = (word, field) => {
  if (field === "names") return wholeOf(word);
  if (STOP.has(word.toLowerCase())) return null;
  return field === "text" || field === "words" ? stemsOf(word) : formsOf(word);
};

const build = (docs, fields) => {
  const index = new MiniSearch({ fields: Object.keys(fields), tokenize: wordsOf, processTerm: termsOf, searchOptions: { boost: fields, tokenize: (term) => [term], processTerm: (term) => term, bm25: { k: 1.2, b: 0.3, d: 0.2 } } });
  index.addAll(docs);
  return index;
};

class Search {
  constructor({ config, docs }) {
    this.docs = docs.map((doc, id) => ({ ...doc, id, page: doc.location.split("#")[0] }));
    this.pages = new Map(this.docs.filter((doc) => doc.location === doc.page).map((doc) => [doc.page, doc]));
    this.pages.forEach((page) => (page.phrases = [page.title, ...(page.tags ?? [])].map(keysOf).filter((keys) => keys.length)));
    const fields = ({ id, title, text, tags, names, page, location }) => ({ id, text, names, tags: tags?.join(" "), [page === location ? "page" : "title"]: title });
    this.index = build(this.docs.map(fields), { page: 7, title: 4, tags: 8, text: 1, names: 1 });
    this.rest = config.rest; // an address, or the words themselves in a site that is read from files
  }

  // Load the other words of the pages, once. A browser keeps the file, whose name changes with what is in it.
  loadRest() {
    this.loading ??= this.fetchRest().catch((error) => {
      this.loading = undefined; // the next question tries again
      throw error;
    });
    return this.loading;
  }

  async fetchRest() {
    const isThere = typeof this.rest !== "string";
    const rest = isThere ? this.rest : await (await fetch(this.rest, { cache: "force-cache" })).json();
    this.bodies = build(rest.map((words, id) => ({ id, words })), { words: 1 });
  }

  // The score of each section that has a word, or a form of it.
  scoresOf(word, indexes, isLast) {
    const lower = wholeOf(word);
    const found = new Map();
    const add = (index, weight, options, term) => {
      for (const { id, score } of index.search(term, options)) found.set(id, Math.max(found.get(id) ?? 0, score * weight));
    };
    for (const [index, weight] of indexes) {
      add(index, weight * EXACT, {}, lower);
      if (stemOf(lower) !== lower) add(index, weight * STEM, {}, stemOf(lower));
      if (isLast || !found.size) add(index, weight * PREFIX, { prefix: true }, lower);
    }
    if (!found.size && lower.length > 4) for (const [index, weight] of indexes) add(index, weight * FUZZY, { fuzzy: 2 }, lower);
    return found;
  }

  // The pages that have the words, the best first: a page has a word where any of its sections has it. One that lacks the
  // rarest word, which says most about what is asked, comes after all that have it, and so does a section of a page.
  rank(words, bodies) {
    const indexes = bodies ? [[this.index, 1], [bodies, BODY]] : [[this.index, 1]];
    const pages = new Map();
    const counts = new Map(); // pages that have a word
    for (const word of words) {
      const scores = this.scoresOf(word, indexes, word === words.at(-1));
      counts.set(word, new Set([...scores.keys()].map((id) => this.docs[id].page)).size);
      for (const [id, score] of scores) {
        const { page } = this.docs[id];
        if (!pages.has(page)) pages.set(page, { best: new Map(), sections: new Map() });
        const { best, sections } = pages.get(page);
        best.set(word, Math.max(best.get(word) ?? 0, score));
        if (!sections.has(id)) sections.set(id, new Map());
        sections.get(id).set(word, score);
      }
    }
    const asked = words.map(stemOf);
    const ranked = [...pages].map(([page, { best, sections }]) => {
      const share = best.size / words.length;
      const own = this.pages.get(page);
      const score = sum(best) * share ** 2 * (own?.boost ?? 1) * (1 + LIKE * Math.max(0, ...(own?.phrases ?? []).map((phrase) => likeness(phrase, asked))) ** 2);
      return { page, best, sections, share, score };
    });
    const [rarest] = words.filter((word) => counts.get(word)).sort((a, b) => counts.get(a) - counts.get(b));
    ranked.sort((a, b) => lacks(rarest, a.best) - lacks(rarest, b.best) || b.score - a.score);
    return { ranked, rarest };
  }

  // Answer a question, and once more if only the other words answer it.
  async search(typed, answer) {
    this.typed = typed;
    const words = queryOf(typed);
    const found = this.rank(words);
    const more = words.length > 0 && !found.ranked.some(({ share }) => share === 1);
    answer({ items: this.shown(found, words), more });
    if (!more) return;
    await this.loadRest();
    if (this.typed === typed) answer({ items: this.shown(this.rank(words, this.bodies), words) });
  }

  // What the theme shows: of each page its own entry and its sections. Scores say the order.
  shown({ ranked, rarest }, words) {
    const many = ranked.filter(({ share }) => share >= 0.5);
    return (many.length ? many : ranked).slice(0, PAGES).map(({ page, sections }, at) => {
      const own = this.pages.get(page);
      const items = [...sections].map(([id, found]) => ({ doc: this.docs[id], has: new Set(found.keys()), weight: sum(found) * (found.size / words.length) ** 2 * (id === own?.id ? WHOLE : 1) }));
      if (own && !sections.has(own.id)) items.push({ doc: own, has: new Set(), weight: 0 });
      items.sort((a, b) => lacks(rarest, a.has) - lacks(rarest, b.has) || b.weight - a.weight || (b.doc === own) - (a.doc === own));
      return items.filter(({ doc }, i) => i < SECTIONS || doc === own).map(({ doc, has }, i) => ({
        location: doc.location,
        title: mark(doc.title, words),
        text: doc.text && `<p>${mark(doc.text, words)}</p>`,
        score: PAGES - at - i / 100,
        terms: Object.fromEntries(words.map((word) => [word, has.has(word)])),
      }));
    });
  }
}

const lacks = (word, found) => !found.has(word);
const sum = (scores) => [...scores.values()].reduce((a, b) => a + b, 0);
const keysOf = (text) => wordsOf(text).filter((word) => !STOP.has(word.toLowerCase())).map(stemOf);
// How much a title or a keyword of a page is what was asked: 1 if it has the same words in the same order.
const likeness = (phrase, asked) => {
  let next = 0;
  const common = phrase.filter((key) => {
    const at = asked.indexOf(key, next);
    if (at >= 0) next = at + 1;
    return at >= 0;
  });
  return common.length ** 2 / (phrase.length * asked.length);
};

// The words of a question that say what it is about.
const queryOf = (typed) => {
  // What is pasted, such as a line of a log, begins with the time and the file.
  const line = typed.replace(/^[EIVW]\d{4} .*?\](\s*\[[^\]]*\])*/, "").replace(/^[\w.]*(Error|Warning|Exception): (?=\S+ \S+ )/, "");
  // Of "torch.compiler.disable" only the last name tells pages apart; "torch.compile" is a name of its own.
  const plain = line.replace(/(^|\s)\/\S+/g, " ").replace(/\btorch\.(?!compile\b)(?:_?[a-z]+\.)*(?=\w)/g, "").replace(/=\d+\b/g, " ");
  const all = [...new Set(wordsOf(plain.trim() ? plain : typed))];
  const telling = all.filter((word) => !STOP.has(word.toLowerCase()) && /\d|../.test(word));
  return (telling.length ? telling : all).slice(0, 20);
};

const escaped = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
// The text with what was asked for marked, as the theme does it.
const mark = (text, words) => {
  const stems = new Set(words.map(stemOf));
  const begins = words.filter((word) => word.length > 2).map((word) => word.toLowerCase());
  const isAsked = (word) => stemsOf(word).some((stem) => stems.has(stem)) || begins.some((begin) => word.toLowerCase().startsWith(begin));
  return text.split(/([\p{L}\p{N}_]+)/u).map((part, i) => (i % 2 && isAsked(part) ? `<mark data-md-highlight>${escaped(part)}</mark>` : escaped(part))).join("");
};

let index;
// Messages of the theme: 0 has the index, 1 says that it is there, 2 has a question, 3 the answer.
addEventListener("message", ({ data: { type, data } }) => {
  if (type === 0) {
    index = new Search(data);
    postMessage({ type: 1 });
  }
  if (type === 2) index.search(data, (answer) => postMessage({ type: 3, data: answer }));
});
