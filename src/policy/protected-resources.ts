// Tells an agent why a command of its own is not run: it reaches for what is orch's, its keys above all (spec section 5).
// Only what is certain in the text counts: keeping such a command in is the work of execution, which confines it.
import type { Finding } from "../domain/finding.ts";
import { absolute } from "../guard/paths.ts";
import { interpret } from "../guard/shell/interpreter.ts";
import type { Watcher } from "../guard/shell/machine.ts";
import type { ShellContext } from "../guard/shell/state.ts";
import { readable, unglobbed } from "../guard/shell/symbols.ts";
import { addressIn } from "./protected-addresses.ts";
import { type Owner, ownerAmong, pathsFrom, piecesOf } from "./protected-paths.ts";

/** Absolute paths, and addresses as `host:port`. */
export type OwnThings = { readonly paths: readonly string[]; readonly addresses: readonly string[] };

const KEYS = /\bORCH_(APPROVER_)?TOKEN\b/;
/** Another process from within; which one may be unknown. `self`, `$$` and the plain word that it becomes are no other. */
const INSIDE =
  /\/proc\/(?!(?:self|thread-self|\$\$|\$\{?BASHPID\}?|\uFDD1)\/)[^\s/]+\/(?:task\/[^\s/]+\/)?(?:environ|mem|root|cwd)(?![\w-])/;
const PROGRAM = /^orch(\.ts)?$/;
const SCRIPT = /\/(orch\.ts|orch\/src\/(app\/)?main\.ts)$/;
const RUNTIMES = /^(node|nodejs|bun|deno|tsx|ts-node)$/;
const FETCHERS = /^(npx|pnpx|bunx)$/;
const PACKAGERS = /^(npm|pnpm|yarn)$/;

/** Of all commands together, so that many of them cost no more than a long one. */
const MAX_TEXT = 1_000_000;
const MAX_WORDS = 64;

type ResourceFinding = Pick<Finding, "verdict" | "code" | "reason" | "command">;

/** No finding: nothing of orch's is named for certain. Never throws. */
export function ownKeysFindings(source: string, context: ShellContext, own: OwnThings): ResourceFinding[] {
  const ownerOf = ownerAmong(own.paths);
  const findings = new Map<string, ResourceFinding>();
  const note = (reason: string | null, command: string | null): void => {
    // The same is told once, with the command that it stands in where there is one.
    if (reason === null || findings.has(reason)) return;
    findings.set(reason, { verdict: "block", code: "agent.own_keys", reason, command });
  };
  const places = new Set([context.cwd]);
  watch(source, context, (words, cwd) => {
    for (const place of cwd) places.add(place);
    const shown = readable(words.slice(0, MAX_WORDS).join(" "));
    const pieces = words.flatMap((word) => [word, ...piecesOf(word)]);
    note(named(unglobbed(words.join(" ")), own), shown);
    note(pathNamed(pathsFrom(pieces, cwd, ownerOf), ownerOf), shown);
    note(called(words, cwd), shown);
  });
  // What is no word of a command: files that `<` reads, text in another language.
  const text = source.replace(/\$\{?HOME\}?(?=[/"'])/g, context.home).replace(/["'\\]/g, "");
  const pieces = piecesOf(text).map((piece) => piece.replace(/^~(?=\/|$)/, context.home));
  note(named(source, own) ?? named(text, own), null);
  note(pathNamed(pathsFrom(pieces, [...places], ownerOf), ownerOf), null);
  return [...findings.values()];
}

/** Shows each command and each file that is written, once. */
function watch(source: string, context: ShellContext, see: (words: readonly string[], cwd: readonly string[]) => void) {
  const seen = new Set<string>();
  let left = MAX_TEXT;
  const show = (words: readonly string[], cwd: readonly string[]): void => {
    const text = [...cwd, ...words].join("\0");
    if (seen.has(text) || text.length > left) return;
    left -= text.length;
    seen.add(text);
    see(words, cwd);
  };
  const command: Watcher["command"] = (argv, { cwd }) => show(argv, cwd);
  const write: Watcher["write"] = (path, { cwd }) => show([">", path], cwd);
  try {
    interpret(source, context, { command, write }, () => undefined);
  } catch {
    // Whoever judges every command tells of the one that cannot be followed.
  }
}

/** Known by its spelling, wherever it stands. */
function named(text: string, own: OwnThings): string | null {
  const key = KEYS.exec(text)?.[0];
  if (key !== undefined) return `${key} is a key of orch and no agent's; leave it out`;
  // A path with a blank in it falls into pieces.
  const path = own.paths.find((path) => path.includes(" ") && text.includes(path));
  if (path !== undefined) return kept(path);
  const address = addressIn(text, own.addresses);
  return address === null
    ? inside(text)
    : `${address} is orch itself or a server that this task may not use; use the tools that the task offers`;
}

function pathNamed(paths: readonly string[], ownerOf: Owner): string | null {
  for (const path of paths) {
    const owner = ownerOf(path);
    if (owner !== null) return kept(owner);
    const reason = inside(path);
    if (reason !== null) return reason;
  }
  return null;
}

const kept = (path: string): string => `${path} is kept from the commands of agents; do the task without it`;

function inside(text: string): string | null {
  const found = INSIDE.exec(text)?.[0];
  if (found === undefined) return null;
  return `${readable(found)} shows another process from within; ask that program, or read its log`;
}

function called([name = "", ...args]: readonly string[], cwd: readonly string[]): string | null {
  const words = args.filter((arg) => !arg.startsWith("-"));
  const [first = "", second = ""] = words;
  const fetched = FETCHERS.test(name) ? first : PACKAGERS.test(name) && /^(exec|x|dlx)$/.test(first) ? second : "";
  const isScript = (word: string) => cwd.some((place) => SCRIPT.test(absolute(word, place)));
  const isOrch = PROGRAM.test(name) || PROGRAM.test(fetched.replace(/@.*$/, ""));
  if (!isOrch && !(RUNTIMES.test(name) && words.some(isScript))) return null;
  return "orch is not called by its own agents; use the tools that the task offers";
}
