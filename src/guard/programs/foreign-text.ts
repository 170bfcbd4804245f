// Where unknown output comes from. What the machine shows of itself is taken for data; the payload, a download, and text that
// the command hides from the guard may be anything.
import type { State } from "../interpreter/state.ts";
import { recordOf } from "./registry.ts";

/** Of a program whose output is not known. */
export function noteOrigin([name = "", ...args]: readonly string[], { io }: State): void {
  const given = [...args, ...(io.stdin ?? [])];
  const { text } = io.payload;
  if (text !== "" && given.some((word) => word.includes(text) || word.includes("ORCH_PAYLOAD")))
    io.payload.isUnresolved = true;
  if (
    io.payload.isUnresolved ||
    recordOf(name)?.downloads?.(args) === true ||
    givesCode(name, args) ||
    hides(given, io.stdin ?? [])
  )
    io.foreign.isSeen = true;
}

/** `python3 -c '...'` prints what it likes. */
function givesCode(name: string, args: readonly string[]): boolean {
  const code = recordOf(name)?.code;
  return code !== undefined && args.some((arg) => arg.startsWith("-") && code.test(arg));
}

/** What makes text of other text that is written out here: an encoding, an edit, characters by their numbers. */
const MAKES_TEXT = /\$\(|`|%c|\\[0-7x]|chr|\bhex|b64|base64|decode|unpack|implode/i;
/** The shortest text that arithmetic would run a listed operation in is longer. */
const MIN_HIDDEN = 12;

function hides(given: readonly string[], stdin: readonly string[]): boolean {
  return (
    given.some((word) => MAKES_TEXT.test(word)) ||
    stdin.some((text) => text.split(/[\uFDD0-\uFDD8\n]+/).some(({ length }) => length >= MIN_HIDDEN))
  );
}
