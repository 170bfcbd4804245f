// The editor of a procedure: YAML, with marks at the lines that they are about.
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { bracketMatching, indentUnit } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { EditorView, highlightActiveLine, highlightSpecialChars, keymap, lineNumbers } from "@codemirror/view";
import { type RefObject, useEffect, useRef } from "react";
import type { GoTo, Mark } from "./procedure-text.ts";
import { looks } from "./theme.ts";

/** A browser that replaces styled text by itself writes style attributes, which the policy of the page refuses. */
const replacesItself = EditorView.domEventHandlers({
  beforeinput: (event, view) => {
    const { selection, readOnly } = view.state;
    if (event.inputType !== "insertText" || event.data === null || event.isComposing) return false;
    if (selection.main.empty || readOnly) return false;
    view.dispatch(view.state.replaceSelection(event.data), { userEvent: "input.type", scrollIntoView: true });
    return true;
  },
});

type Props = {
  readonly label: string;
  readonly described_by: string;
  /** Later values are those that were typed. */
  readonly first: string;
  readonly onChange: (text: string) => void;
  /** Of this text; while another one is there, those before move with it. */
  readonly marks: { readonly text: string; readonly marks: readonly Mark[] };
  readonly goTo: RefObject<GoTo>;
};

export function YamlEditor({ label, described_by, first, onChange, marks, goTo }: Props) {
  const parent = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView | null>(null);
  const given = useRef({ label, described_by, first, onChange });
  given.current.onChange = onChange;
  useEffect(() => {
    if (parent.current === null) return;
    const view = new EditorView({
      parent: parent.current,
      doc: given.current.first,
      extensions: [
        looks(),
        lineNumbers(),
        highlightActiveLine(),
        highlightSpecialChars(),
        history(),
        bracketMatching(),
        indentUnit.of("  "),
        yaml(),
        lintGutter(),
        replacesItself,
        keymap.of([...defaultKeymap, ...historyKeymap, ...lintKeymap, indentWithTab]),
        EditorView.contentAttributes.of({
          "aria-label": given.current.label,
          "aria-describedby": given.current.described_by,
        }),
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (docChanged) given.current.onChange(state.doc.toString());
        }),
      ],
    });
    editor.current = view;
    goTo.current = (at) => {
      view.dispatch({ selection: { anchor: Math.min(at, view.state.doc.length) }, scrollIntoView: true });
      view.focus();
    };
    return () => view.destroy();
  }, [goTo]);
  useEffect(() => {
    const view = editor.current;
    if (view === null || view.state.doc.toString() !== marks.text) return;
    view.dispatch(setDiagnostics(view.state, [...marks.marks]));
  }, [marks]);
  return <div ref={parent} className="editor" />;
}
