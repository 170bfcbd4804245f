// Says where unknown output comes from. What the machine shows of itself is taken for data; the payload, a download, code that makes
// text, and what was made of any of them may be anything.
import type { Machine, Output } from "../interpreter/machine.ts";
import { isConnection, textAt } from "../interpreter/redirects.ts";
import type { PastCommand, State } from "../interpreter/state.ts";
import { absolute } from "../paths.ts";
import { asForeign, isForeign, isOpen, isUnknown } from "../words/symbols.ts";
import { recordOf } from "./registry.ts";
import { shell } from "./rules/shell.ts";
import { unpackerOf, writerOf } from "./written-files.ts";

/** `seen`: how many files had been read before it. */
type Printing = { readonly argv: readonly string[]; readonly seen: number };

/** What the program has printed. Where it is not known, it is of the origin of what the program was given and has read. */
export function ofOrigin(output: Output, printing: Printing, state: State, machine: Machine): Output {
  if (!output.some(isUnknown)) return output;
  const { argv } = printing;
  notePayload(argv, state);
  const { stdin } = state.io;
  const isOfOthers =
    isChosen(argv, state) ||
    [...argv, ...(stdin ?? [])].some(isForeign) ||
    readBy(printing, state).some((path) => isForeignFile(path, state, machine)) ||
    namesForeignFile(argv.slice(1), state, machine);
  return isOfOthers ? output.map(asForeign) : output;
}

/** Files that it has read, also those that were read before. */
const readBy = ({ argv, seen }: Printing, { io: { reads }, location: { cwd } }: State): readonly string[] =>
  [...reads].filter(
    (path, at) => at >= seen || argv.some((word) => cwd.some((directory) => absolute(word, directory) === path)),
  );

/** `mytool downloaded`: what a program that is not followed reads shows in its words. */
function namesForeignFile(words: readonly string[], state: State, machine: Machine): boolean {
  const downloads = machine.past.some(isDownload);
  const names = [...new Set(words)].filter((word) => !/^-|\s/.test(word) && !isOpen(word));
  const paths = names.flatMap((name) => state.location.cwd.map((cwd) => absolute(name, cwd)));
  if (downloads) machine.tick((paths.length * machine.past.length) / LOOKS_FOR_A_UNIT);
  return paths.some(
    (path) => textAt(path, state)?.some(isForeign) ?? (downloads && isDownload(writerOf(path, machine.past, state))),
  );
}

const LOOKS_FOR_A_UNIT = 32;

const isDownload = (one: PastCommand | null): boolean => recordOf(one?.argv[0] ?? "")?.downloads !== undefined;

export function isForeignFile(given: string, state: State, machine: Machine): boolean {
  if (isForeign(given) || isConnection(given)) return true;
  return state.location.cwd
    .map((cwd) => absolute(given, cwd))
    .some((path) => {
      const texts = textAt(path, state);
      if (texts !== undefined) return texts.some(isForeign);
      return writerOf(path, machine.past, state) !== null || unpackerOf(path, machine.past, state) !== null;
    });
}

/** Once a program that is not followed was given the payload, what it has made of it is not known either. */
function notePayload([, ...args]: readonly string[], { io: { payload, stdin } }: State): void {
  if (holdsPayload([...args, ...(stdin ?? [])], payload.text)) payload.isUnresolved = true;
}

const holdsPayload = (given: readonly string[], text: string): boolean =>
  text !== "" && given.some((word) => word.includes(text) || word.includes("ORCH_PAYLOAD"));

/** Whether somebody else has chosen what this command prints. */
function isChosen([name = "", ...args]: readonly string[], { io: { payload, stdin } }: State): boolean {
  const { downloads, passes } = recordOf(name) ?? {};
  return (
    downloads === true ||
    downloads?.(args) === true ||
    holdsPayload([...args, ...(stdin ?? [])], payload.text) ||
    (!isFollowed(name) && (givesCode(name, args) || (passes !== true && hides(args, stdin ?? []))))
  );
}

/** `python3 -c '...'` prints what it likes. */
function givesCode(name: string, args: readonly string[]): boolean {
  const code = recordOf(name)?.code;
  return code !== undefined && args.some((arg) => arg.startsWith("-") && code.test(arg));
}

/** What these print is what the commands print that they run, each of which has an origin of its own. */
function isFollowed(name: string): boolean {
  const record = recordOf(name);
  return record !== undefined && (record.runs === shell || FOLLOWED.has(name) || record.launches === true);
}

const FOLLOWED = new Set(["eval", "source", "."]);

/** What makes characters that are not written out, but for escapes of a terminal. */
const MAKES_TEXT = /\$\(|`|%c|\\(?:x(?!1b)|(?!033)\d{2})|\bchr\b|implode|b64|base64d/i;

/** An encoding that is no rule of equals signs. */
const ENCODED = /[A-Za-z0-9+][A-Za-z0-9+=]{15}/;

/** The characters of an index with a command in it, in any order. */
const INDEX = ["[", "(", "$"];

function hides(args: readonly string[], stdin: readonly string[]): boolean {
  const isHidden = (text: string) => INDEX.every((char) => text.includes(char)) || ENCODED.test(text);
  return args.some((arg) => MAKES_TEXT.test(arg)) || stdin.some(isHidden);
}
