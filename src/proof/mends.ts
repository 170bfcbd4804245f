// Mends for a check that passes where it proves nothing. A mend is the check with the same meaning while everything works,
// and one that fails where the check could not look. It is offered by pattern, as text.
import type { Word } from "unbash";
import { constantExit } from "./exit-code/walk.ts";
import {
  absentLine,
  argumentOutput,
  emptyOutput,
  endlessHope,
  errorPage,
  forgivenFailure,
  lastMessage,
  looseAssignment,
  oneOutput,
  twoOutputs,
} from "./mends/patterns.ts";
import { type Edit, firstEdit, type MendPattern } from "./mends/places.ts";
import { treeOf, visitInPlace, wordsOf } from "./syntax.ts";

/** `why` is one sentence on what the check does not notice. */
export type Mend = { readonly text: string; readonly why: string };

/** The ending first: what comes before it decides only then. */
const PATTERNS: readonly MendPattern[] = [
  lastMessage,
  forgivenFailure,
  endlessHope,
  absentLine,
  twoOutputs,
  oneOutput,
  emptyOutput,
  looseAssignment,
  argumentOutput,
  errorPage,
];

const MAX_ROUNDS = 6;

/** One mend with all patterns that apply; none where there are none. Never throws. */
export function mendsOf(text: string): Mend[] {
  if (comparesWithItself(text)) return [];
  let mended = text;
  const reasons: string[] = [];
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const edit = editOf(mended);
    if (edit === null) break;
    mended = mended.slice(0, edit.pos) + edit.text + mended.slice(edit.end);
    if (!reasons.includes(edit.why)) reasons.push(edit.why);
  }
  const isMended = reasons.length > 0 && mended.trim() !== "" && treeOf(mended) !== null;
  // Without what hid it, the rest may decide nothing either.
  return isMended && constantExit(mended, {}) === null ? [{ text: mended.trim(), why: reasons.join("; ") }] : [];
}

/** `diff <(a) <(a)`, `test "$(a)" = "$(a)"`: equal wherever it can be read, which no pattern mends. */
function comparesWithItself(text: string): boolean {
  const tree = treeOf(text);
  if (tree === null) return false;
  let found = false;
  visitInPlace(tree, (node) => {
    if (node.type === "Command") found ||= isTwice(wordsOf(node));
    if (node.type === "TestBinary") found ||= isTwice([node.left, node.right]);
  });
  return found;
}

function isTwice(words: readonly Word[]): boolean {
  const outputs = words.map(({ text }) => text).filter((text) => /^("?\$\(|<\()/.test(text));
  return new Set(outputs).size < outputs.length;
}

function editOf(text: string): Edit | null {
  const tree = treeOf(text);
  if (tree === null) return null;
  for (const pattern of PATTERNS) {
    const edit = firstEdit(text, tree, pattern);
    if (edit !== null) return edit;
  }
  return null;
}
