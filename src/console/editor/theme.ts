// How text is shown in an editor: with the tokens of the console, and with the nonce that the policy of the page asks for.
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const LOOK = EditorView.theme({
  "&": { color: "var(--text)", backgroundColor: "var(--surface)", fontSize: "var(--t-code)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.6" },
  ".cm-content": { caretColor: "var(--text)", padding: "0.5rem 0" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground, ::selection": {
    backgroundColor: "light-dark(#d8defa, #35407c)",
  },
  ".cm-gutters": { backgroundColor: "var(--sunken)", color: "var(--muted)", borderRight: "1px solid var(--line)" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in oklab, var(--accent) 7%, transparent)" },
  ".cm-tooltip": {
    maxWidth: "min(34rem, 90vw)",
    border: "1px solid var(--line-strong)",
    borderRadius: "var(--radius-small)",
    backgroundColor: "var(--surface)",
    boxShadow: "var(--shadow-high)",
  },
  ".cm-diagnostic": { padding: "0.375rem 0.625rem", fontFamily: "var(--sans)", fontSize: "var(--t-body)" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--bad)" },
  ".cm-diagnostic-warning": { borderLeftColor: "var(--ask)" },
  ".cm-diagnostic-info": { borderLeftColor: "var(--accent)" },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--bad)",
    textUnderlineOffset: "3px",
  },
  ".cm-lintRange-warning": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--ask)",
    textUnderlineOffset: "3px",
  },
  ".cm-lintRange-info": {
    backgroundImage: "none",
    textDecoration: "underline dotted var(--accent)",
    textUnderlineOffset: "3px",
  },
  ".cm-changedLine, .cm-insertedLine": { backgroundColor: "var(--ok-soft) !important" },
  "&.cm-merge-a .cm-changedLine, .cm-deletedChunk, .cm-deletedLine": { backgroundColor: "var(--bad-soft) !important" },
  ".cm-changedText, &.cm-merge-b .cm-changedText": {
    background: "color-mix(in oklab, var(--ok) 28%, transparent) !important",
  },
  "&.cm-merge-a .cm-changedText, .cm-deletedText": {
    background: "color-mix(in oklab, var(--bad) 28%, transparent) !important",
  },
  ".cm-collapsedLines": { color: "var(--muted)", background: "var(--sunken)" },
});

const COLOURS = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--accent)" },
  { tag: [tags.comment, tags.lineComment], color: "var(--muted)", fontStyle: "italic" },
  { tag: [tags.keyword, tags.bool, tags.null], color: "var(--stop)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--ok)" },
  { tag: [tags.separator, tags.punctuation, tags.meta], color: "var(--muted)" },
]);

const nonce = (): string => document.querySelector<HTMLMetaElement>("meta[name=csp-nonce]")?.content ?? "";

export const looks = (): Extension => [
  EditorView.cspNonce.of(nonce()),
  LOOK,
  syntaxHighlighting(COLOURS),
  EditorView.lineWrapping,
];
