// Reports the commands of an agent that reach for what orch protects from agents: its keys, files, addresses and program.
// Only what the text shows for certain counts: the confinement of execution contains the rest.
import type { RuleFinding } from "../../domain/finding.ts";
import { hostNamed } from "../../domain/network-scope.ts";
import * as guard from "../../guard/guard.ts";

/** What may surround a path in a text: `--file=/x`, `@/x`, `/x:/y`, `open("/x")`. */
const ENDS = /[\s"'`<>|&;()=,:@]+/;

const piecesOf = (text: string): string[] => text.split(ENDS);

/** The pieces as paths, seen from each directory. */
function pathsFrom(pieces: readonly string[], directories: readonly string[], ownerOf: guard.PathOwner): string[] {
  // A single word is seldom a file, except in a directory whose every file is protected.
  const sensitive = new Set(directories.filter((path) => path.startsWith("/proc/") || ownerOf(path) !== null));
  return pieces.flatMap((piece) => {
    const from = piece === "" || piece.includes("/") ? directories : [...sensitive];
    return piece === "" ? [] : from.map((directory) => guard.pathFrom(piece, directory));
  });
}

/** Absolute paths, and addresses as `host:port`. */
export type ProtectedResources = { readonly paths: readonly string[]; readonly addresses: readonly string[] };

const KEYS = /\bORCH_(APPROVER_)?TOKEN\b/;
/** Inside another process, which may be unknown. `self`, `$$` and the plain word that `$$` becomes are the shell itself. */
const INSIDE_PROCESS =
  /\/proc\/(?!(?:self|thread-self|\$\$|\$\{?BASHPID\}?|\uFDD1)\/)[^\s/]+\/(?:task\/[^\s/]+\/)?(?:environ|mem|root|cwd)(?![\w-])/;
const PROGRAM = /^orch(\.(ts|cjs))?$/;
const SCRIPT = /\/(orch\.(ts|cjs)|orch\/src\/(app\/)?main\.ts)$/;
const RUNTIMES = /^(node|nodejs|bun|deno|tsx|ts-node)$/;
const FETCHERS = /^(npx|pnpx|bunx)$/;
const PACKAGERS = /^(npm|pnpm|yarn)$/;

/** Of all commands together, so that many short commands cost no more than one long command. */
const MAX_TEXT = 1_000_000;
const MAX_WORDS = 64;

/** No finding: the command names nothing protected for certain. Never throws. */
export function protectedResourceFindings(
  source: string,
  context: guard.ShellContext,
  resources: ProtectedResources,
): RuleFinding[] {
  const ownerOf = guard.pathOwner(resources.paths);
  const findings = new Map<string, RuleFinding>();
  const note = (reason: string | null, command: string | null): void => {
    // Each reason is reported once, with the first command that gives it where there is one.
    if (reason === null || findings.has(reason)) return;
    findings.set(reason, { verdict: "block", code: "agent.own_keys", reason, command });
  };
  const directories = new Set([context.cwd]);
  eachCommand(source, context, (words, cwd) => {
    for (const directory of cwd) directories.add(directory);
    const shown = guard.readableText(words.slice(0, MAX_WORDS).join(" "));
    const pieces = words.flatMap((word) => [word, ...piecesOf(word)]);
    note(reasonInText(guard.spelledText(words.join(" ")), resources), shown);
    note(reasonInPaths(pathsFrom(pieces, cwd, ownerOf), ownerOf), shown);
    note(reasonInCall(words, cwd), shown);
  });
  // Text that is no word of a command: files that `<` reads, code in another language.
  const text = source.replace(/\$\{?HOME\}?(?=[/"'])/g, context.home).replace(/["'\\]/g, "");
  const pieces = piecesOf(text).map((piece) => piece.replace(/^~(?=\/|$)/, context.home));
  note(reasonInText(source, resources) ?? reasonInText(text, resources), null);
  note(reasonInPaths(pathsFrom(pieces, [...directories], ownerOf), ownerOf), null);
  return [...findings.values()];
}

type SeeCommand = (words: readonly string[], directories: readonly string[]) => void;

/** Shows each command and each file that is written, once. The guard itself reports a command that it cannot follow. */
function eachCommand(source: string, context: guard.ShellContext, see: SeeCommand): void {
  const seen = new Set<string>();
  let left = MAX_TEXT;
  const show: SeeCommand = (words, directories) => {
    const text = [...directories, ...words].join("\0");
    if (seen.has(text) || text.length > left) return;
    left -= text.length;
    seen.add(text);
    see(words, directories);
  };
  guard.observe(source, context, { command: show, write: (path, directories) => show([">", path], directories) });
}

/** What is known by its spelling, anywhere in the text. */
function reasonInText(text: string, { paths, addresses }: ProtectedResources): string | null {
  const key = KEYS.exec(text)?.[0];
  if (key !== undefined) return `${key} is a key of orch and no agent's; leave it out`;
  // A path that contains a blank falls into pieces.
  const path = paths.find((known) => known.includes(" ") && text.includes(known));
  if (path !== undefined) return keptReason(path);
  const address = addressIn(text, addresses);
  return address === null
    ? processReason(text)
    : `${address} is orch itself or a server that this task may not use; use the tools that the task offers`;
}

function reasonInPaths(paths: readonly string[], ownerOf: guard.PathOwner): string | null {
  for (const path of paths) {
    const owner = ownerOf(path);
    const reason = owner === null ? processReason(path) : keptReason(owner);
    if (reason !== null) return reason;
  }
  return null;
}

const keptReason = (path: string): string => `${path} is kept from the commands of agents; do the task without it`;

function processReason(text: string): string | null {
  const path = INSIDE_PROCESS.exec(text)?.[0];
  if (path === undefined) return null;
  return `${guard.readableText(path)} shows another process from within; ask that program, or read its log`;
}

function reasonInCall([name = "", ...args]: readonly string[], directories: readonly string[]): string | null {
  const words = args.filter((arg) => !arg.startsWith("-"));
  const [first = "", second = ""] = words;
  const fetched = FETCHERS.test(name) ? first : PACKAGERS.test(name) && /^(exec|x|dlx)$/.test(first) ? second : "";
  const isScript = (word: string) => directories.some((directory) => SCRIPT.test(guard.pathFrom(word, directory)));
  const isOrch = PROGRAM.test(name) || PROGRAM.test(fetched.replace(/@.*$/, ""));
  if (!isOrch && !(RUNTIMES.test(name) && words.some(isScript))) return null;
  return "orch is not called by its own agents; use the tools that the task offers";
}

const HOST = String.raw`\[[\da-f:.]+\]|[\w.-]+`;
/** After a host: `:3400`, `", 3400` in the code of another language, ` 3400`. */
const ENDPOINT = new RegExp(String.raw`(?<![\w.-])(${HOST})(?::|["']?\s*,\s*|\s+)(\d{1,5})(?![\w.])`, "gi");
const DEVICE = /\/dev\/(?:tcp|udp)\/([^\s/"']+)\/(\d{1,5})/g;
const URLS = new RegExp(String.raw`(https?):\/\/(?:[^\s/@"']*@)?(${HOST})(?::(\d{1,5}))?`, "gi");
const PORTS = { http: "80", https: "443" } as const;

/** A smaller number before another number is not a host. */
const MIN_NUMERIC = 2 ** 24;

/**
 * Finds an address in a text, in any spelling that reaches it: `localhost:3400`, `127.1`, `[::1]`, `/dev/tcp/127.0.0.1/3400`, two
 * words of `nc`. `addresses` are `host:port`. Returns the first that the text names, as it is given; null when it names none.
 */
function addressIn(text: string, addresses: readonly string[]): string | null {
  const wanted = new Map(addresses.map((address) => [keyOf(address), address]));
  const endpoints = [...text.matchAll(ENDPOINT), ...text.matchAll(DEVICE)]
    .filter(([, host = ""]) => !/^\d+$/.test(host) || Number(host) >= MIN_NUMERIC)
    .map(([, host = "", port]) => `${hostOf(host)}:${port}`);
  const linked = [...text.matchAll(URLS)].map(
    ([, scheme, host = "", port]) =>
      `${hostOf(host)}:${port ?? PORTS[scheme?.toLowerCase() === "https" ? "https" : "http"]}`,
  );
  const first = [...endpoints, ...linked].find((key) => wanted.has(key));
  return first === undefined ? null : (wanted.get(first) ?? null);
}

function keyOf(address: string): string {
  const colon = address.lastIndexOf(":");
  return `${hostOf(address.slice(0, colon))}:${address.slice(colon + 1)}`;
}

/** All addresses of this machine to itself count as one. */
const hostOf = (given: string): string => hostNamed(given) ?? given.toLowerCase();

// The patterns in which the guard names files that a step runs.
export const { everythingBelow, isDeepPattern, isPattern, matchesPattern, spelledPattern } = guard;
