// The editor: CodeMirror 6 with Python, line numbers, and signs beside lines (an error, a finding, and what is lit up).
import {defaultKeymap, history, historyKeymap, indentWithTab} from "@codemirror/commands";
import {python} from "@codemirror/lang-python";
import {bracketMatching, indentOnInput, indentUnit, syntaxHighlighting} from "@codemirror/language";
import {EditorState, RangeSet, RangeSetBuilder, StateEffect, StateField} from "@codemirror/state";
import {Decoration, EditorView, GutterMarker, gutter, keymap, lineNumbers} from "@codemirror/view";
import {classHighlighter} from "@lezer/highlight";

class Sign extends GutterMarker {
  constructor(text, kind, title = "") {
    super();
    Object.assign(this, {text, elementClass: kind, title});
  }
  toDOM() {
    const sign = document.createElement("span");
    return Object.assign(sign, {textContent: this.text, title: this.title});
  }
}
const ERROR = new Sign("✗", "sign-error");
const LIT = new Sign("▸", "sign-lit");

const setMarks = StateEffect.define();
const empty = {lines: Decoration.none, signs: RangeSet.empty};

// `error` is a line's number or null, `lit` a list of them, and `found` a map of them to the words of a finding. A line
// that the text does not have is left out.
const built = (doc, {error, lit, found}) => {
  const lines = new RangeSetBuilder();
  const signs = new RangeSetBuilder();
  const numbers = [...new Set([...lit, ...found.keys(), ...(error ? [error] : [])])].sort((a, b) => a - b);
  for (const number of numbers.filter((one) => one <= doc.lines)) {
    const {from} = doc.line(number);
    const kind = number === error ? "line-error" : lit.includes(number) ? "line-lit" : "";
    if (kind) lines.add(from, from, Decoration.line({class: kind}));
    signs.add(from, from, number === error ? ERROR : found.has(number) ? new Sign("▲", "sign-found", found.get(number)) : LIT);
  }
  return {lines: lines.finish(), signs: signs.finish()};
};
const marks = StateField.define({
  create: () => empty,
  update(value, transaction) {
    const effect = transaction.effects.find((one) => one.is(setMarks));
    if (effect) return built(transaction.state.doc, effect.value);
    if (!transaction.docChanged) return value;
    return {lines: value.lines.map(transaction.changes), signs: value.signs.map(transaction.changes)};
  },
  provide: (field) => EditorView.decorations.from(field, (value) => value.lines),
});

// `on` holds changed(), line(number or null, by the pointer or not), run() and save().
export const open = (parent, {text, nonce, label, describedby, on}) => {
  const keys = [
    {key: "Mod-Enter", run: () => (on.run(), true)},
    {key: "Mod-s", run: () => (on.save(), true)},
    indentWithTab,
    ...defaultKeymap,
    ...historyKeymap,
  ];
  const extensions = [
    lineNumbers(),
    gutter({class: "signs", markers: (view) => view.state.field(marks).signs, initialSpacer: () => LIT}),
    marks,
    history(),
    python(),
    indentUnit.of("    "),
    indentOnInput(),
    bracketMatching(),
    syntaxHighlighting(classHighlighter),
    EditorView.cspNonce.of(nonce),
    EditorView.contentAttributes.of({"aria-label": label, "aria-describedby": describedby}),
    keymap.of(keys),
    EditorView.domEventHandlers({
      mousemove(event, view) {
        const at = view.posAtCoords({x: event.clientX, y: event.clientY}, false);
        on.line(view.state.doc.lineAt(at).number, true);
      },
    }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) on.changed();
      if (update.selectionSet && !update.docChanged) {
        on.line(update.state.doc.lineAt(update.state.selection.main.head).number, false);
      }
    }),
  ];
  const state = (doc) => EditorState.create({doc, extensions});
  const view = new EditorView({state: state(text), parent});
  return {
    text: () => view.state.doc.toString(),
    // The undo history begins anew: what it would undo is not the reader's.
    replace: (other) => view.setState(state(other)),
    mark: (error, lit, found) => view.dispatch({effects: setMarks.of({error, lit, found})}),
    go(number) {
      const line = view.state.doc.line(Math.min(number, view.state.doc.lines));
      view.dispatch({selection: {anchor: line.from}, scrollIntoView: true});
      view.focus();
    },
    focus: () => view.focus(),
  };
};
