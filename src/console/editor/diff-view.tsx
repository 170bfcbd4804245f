// The difference of two texts: side by side where there is room, else in one column. A chunk of its own.
import { yaml } from "@codemirror/lang-yaml";
import { MergeView, unifiedMergeView } from "@codemirror/merge";
import { EditorState } from "@codemirror/state";
import { EditorView, highlightSpecialChars, lineNumbers } from "@codemirror/view";
import { useEffect, useRef } from "react";
import { useWide } from "../parts/use-window-width.ts";
import { looks } from "./theme.ts";

type Props = { readonly before: string; readonly after: string; readonly names: readonly [string, string] };

const COLLAPSE = { margin: 4, minSize: 8 };

const extensions = (label: string) => [
  looks(),
  lineNumbers(),
  highlightSpecialChars(),
  yaml(),
  EditorState.readOnly.of(true),
  EditorView.editable.of(false),
  EditorView.contentAttributes.of({ tabindex: "0", "aria-label": label }),
];

function sideBySide(parent: HTMLElement, { before, after, names }: Props): () => void {
  const view = new MergeView({
    parent,
    a: { doc: before, extensions: extensions(names[0]) },
    b: { doc: after, extensions: extensions(names[1]) },
    collapseUnchanged: COLLAPSE,
  });
  return () => view.destroy();
}

function inOneColumn(parent: HTMLElement, { before, after, names }: Props): () => void {
  const merged = unifiedMergeView({ original: before, mergeControls: false, collapseUnchanged: COLLAPSE });
  const label = `From ${names[0]} to ${names[1]}`;
  const view = new EditorView({ parent, doc: after, extensions: [extensions(label), merged] });
  return () => view.destroy();
}

export function DiffView({ before, after, names: [from, to] }: Props) {
  const parent = useRef<HTMLDivElement>(null);
  const is_wide = useWide();
  useEffect(() => {
    if (parent.current === null) return;
    const given = { before, after, names: [from, to] as const };
    return is_wide ? sideBySide(parent.current, given) : inOneColumn(parent.current, given);
  }, [before, after, from, to, is_wide]);
  return (
    <div className="card merge">
      {is_wide && (
        <div className="merge-names muted small">
          <span>{from}</span>
          <span>{to}</span>
        </div>
      )}
      <div ref={parent} />
    </div>
  );
}
