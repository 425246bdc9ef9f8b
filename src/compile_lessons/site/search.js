// Part of the theme's worker for searches, which asks this instead of its index.
const searchPages = (index, typed) => {
  // What is pasted, such as TORCH_LOGS="+dynamo" or a line of a log, has no prefix of torch's and no signs that mean
  // something to lunr, and of a question's words single letters are left out, but for digits.
  const line = typed.replace(/^[EIVW]\d{4} .*?\](\s*\[[^\]]*\])*/, "").replace(/^[\w.]*(Error|Warning|Exception): (?=\S+ \S+ )/, "");
  const plain = line.replace(/(^|\s)\/\S+/g, " ").replace(/["'`:+*~^]|(^|\s)-+|=\d+\b/g, " ");
  const query = plain.split(/\s+/).filter((word) => /\d|../.test(word)).join(" ") || typed;
  let found = index.search(query);
  // A query without a result is tried again with words that differ by a letter, or by two that change places.
  if (!found.items.length) found = index.search(query.replace(/\w{5,}/g, "$&~"));
  const enough = found.items.filter((page) => shareOfWords(page) >= 0.5);
  return { ...found, items: enough.length ? enough : found.items };
};
// How many of the words a page has, with its sections.
const shareOfWords = (page) => {
  const has = {};
  for (const { terms } of page) for (const [word, isThere] of Object.entries(terms)) has[word] ||= isThere;
  const all = Object.values(has);
  return all.filter(Boolean).length / all.length;
};
