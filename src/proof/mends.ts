// Mends for a check that passes where it proves nothing. A mend is the check with the same meaning while everything works,
// and one that fails where the check could not look. It is offered by pattern, as text.
import { emptyOutput, looseAssignment, oneOutput, someOutput, twoOutputs } from "./mends/comparisons.ts";
import { type Edit, firstEdit, type MendPattern } from "./mends/edits.ts";
import { endlessHope, forgivenFailure, lastMessage, toldFailure } from "./mends/endings.ts";
import { absentLine, errorPage, refusedLine, unseenLine } from "./mends/searches.ts";
import { treeOf } from "./syntax.ts";

/** `why` is one sentence on what the check does not notice. */
export type Mend = { readonly text: string; readonly why: string };

/** The ending first: what comes before it decides only then. */
const PATTERNS: readonly MendPattern[] = [
  lastMessage,
  forgivenFailure,
  toldFailure,
  endlessHope,
  refusedLine,
  absentLine,
  twoOutputs,
  oneOutput,
  emptyOutput,
  someOutput,
  looseAssignment,
  errorPage,
  unseenLine,
];

const MAX_ROUNDS = 6;

/** One mend with all patterns that apply; none where there are none. Never throws. */
export function mendsOf(text: string): Mend[] {
  let mended = text;
  const reasons: string[] = [];
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const edit = editOf(mended);
    if (edit === null) break;
    mended = mended.slice(0, edit.pos) + edit.text + mended.slice(edit.end);
    if (!reasons.includes(edit.why)) reasons.push(edit.why);
  }
  const isMended = reasons.length > 0 && mended.trim() !== "" && treeOf(mended) !== null;
  return isMended ? [{ text: mended.trim(), why: reasons.join("; ") }] : [];
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
