// Notes where unknown output comes from. What the machine shows of itself is taken for data; the payload, a download, and text
// that the command hides from the guard may be anything.
import type { State } from "../interpreter/state.ts";
import { recordOf } from "./registry.ts";
import { shell } from "./rules/shell.ts";

/** Of a program whose output is not known. */
export function noteOrigin([name = "", ...args]: readonly string[], { io }: State): void {
  const { downloads, passes } = recordOf(name) ?? {};
  const given = [...args, ...(io.stdin ?? [])];
  const { text } = io.payload;
  if (text !== "" && given.some((word) => word.includes(text) || word.includes("ORCH_PAYLOAD")))
    io.payload.isUnresolved = true;
  if (
    io.payload.isUnresolved ||
    downloads === true ||
    downloads?.(args) === true ||
    givesCode(name, args) ||
    (passes !== true && hides(args, io.stdin ?? []))
  )
    io.foreign.isSeen = true;
}

/** `python3 -c '...'` prints what it likes. What a shell is given is followed. */
function givesCode(name: string, args: readonly string[]): boolean {
  const { code, runs } = recordOf(name) ?? {};
  return code !== undefined && runs !== shell && args.some((arg) => arg.startsWith("-") && code.test(arg));
}

/** What makes characters that are not written out. */
const MAKES_TEXT = /\$\(|`|%c|\\(?:x|\d{2})|\bchr\b|implode|b64|base64d/i;

/** An encoding that is no rule of equals signs. */
const ENCODED = /[A-Za-z0-9+][A-Za-z0-9+=]{15}/;

/** The characters of an index with a command in it, in any order. */
const INDEX = ["[", "(", "$"];

function hides(args: readonly string[], stdin: readonly string[]): boolean {
  const isHidden = (text: string) => INDEX.every((char) => text.includes(char)) || ENCODED.test(text);
  return args.some((arg) => MAKES_TEXT.test(arg)) || stdin.some(isHidden);
}
