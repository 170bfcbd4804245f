// Finds what a check would change that it does not undo itself. A check may write files, and may make what it needs for its answer:
// a directory of mktemp, a database that it drops, a container that it removes.
import { isConnection } from "../interpreter/redirects.ts";
import { absolute } from "../paths.ts";
import { fromVerb } from "../programs/consequences.ts";
import { pathsReached } from "../programs/reach.ts";
import { DELETES } from "../programs/rules/effects.ts";
import { commandEffect } from "./effect.ts";
import { type GuardReading, shownCommand } from "./findings.ts";

/** `why` completes "this step ...". */
export type LastingChange = { readonly why: string; readonly command: string };

type Change = {
  readonly why: string;
  readonly argv: readonly string[];
  /** The words from the verb on. */
  readonly words: readonly string[];
  readonly paths: readonly string[];
  readonly cwd: readonly string[];
};

/** What a check makes and removes, by name. */
type Made = {
  readonly paths: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
  /** Whether it removes a container whose name is not known, as in `docker rm "$id"`. */
  readonly containers: boolean;
};

const TEMPORARY = /^\/(?:tmp|var\/tmp|dev\/shm)\//;
const WRITES_FILES: ReadonlySet<string> = new Set([
  "writes files",
  "writes a file",
  "builds files",
  "writes to the log",
]);

/** They replace what is there, or write on another host: a check has no use for that outside of what it has made. */
const REPLACES = /^(?:mv|sed|truncate|dd|ln|install|patch|rsync|scp|sftp|rclone)$/;

export function lastingReading(): GuardReading<LastingChange | null> {
  const changes: Change[] = [];
  const written = new Set<string>();
  return {
    report: () => undefined,
    command: (argv, state, certain) => {
      // Text that may be no command is no reason to refuse a check.
      if (!certain || state.frame.own) return;
      const { is, why } = commandEffect(argv, state);
      if (is !== "changes") return;
      const paths = pathsReached(argv, state);
      if (WRITES_FILES.has(why) && !REPLACES.test(argv[0] ?? "")) for (const path of paths) written.add(path);
      else changes.push({ why, argv, words: fromVerb(argv), paths, cwd: state.location.cwd });
    },
    write: (path, state, certain, text) => {
      const opened = state.io.copies.get(path) ?? path;
      for (const cwd of state.location.cwd) written.add(absolute(opened, cwd));
      const sends = certain && isConnection(opened) && text.some((one) => SENDS.test(one));
      if (sends) changes.push({ why: "sends a request", argv: [">", opened], words: [], paths: [], cwd: [] });
    },
    failed: () => undefined,
    result: () => {
      const made = madeIn(changes, written);
      const lasting = changes.find((change) => !isUndone(change, made));
      return lasting === undefined ? null : { why: lasting.why, command: shownCommand(lasting.argv) };
    },
  };
}

/** A request of HTTP that is written to a connection of bash. */
const SENDS = /^\s*(?:POST|PUT|PATCH|DELETE)\s/;

const ENGINES = /^(?:docker|podman|nerdctl)$/;
const CREATES = /\bcreate\s+database\s+(?:if\s+not\s+exists\s+)?["`]?([^\s"`;]+)/i;
const DROPS = /\bdrop\s+database\s+(?:if\s+exists\s+)?["`]?([^\s"`;]+)/i;

function madeIn(changes: readonly Change[], paths: ReadonlySet<string>): Made {
  const created = new Set(changes.flatMap(createdBy));
  const removed = new Set(changes.flatMap(removedBy));
  const containers = changes.some(({ argv, words }) => ENGINES.test(argv[0] ?? "") && removesUnnamed(words));
  return { paths, names: new Set([...created].filter((name) => removed.has(name))), containers };
}

function createdBy({ argv, words }: Change): readonly string[] {
  const [program = ""] = argv;
  if (program === "createdb") return argv.slice(-1);
  if (!ENGINES.test(program)) return namesIn(argv, CREATES);
  const at = words.indexOf("--name");
  const named = words.flatMap((word) => (word.startsWith("--name=") ? [word.slice("--name=".length)] : []));
  return [...named, ...(at === -1 ? [] : words.slice(at + 1, at + 2))];
}

function removedBy({ argv, words }: Change): readonly string[] {
  const [program = ""] = argv;
  if (program === "dropdb") return argv.slice(-1);
  if (!ENGINES.test(program)) return namesIn(argv, DROPS);
  return REMOVES.test(words[0] ?? "") ? words.slice(1) : [];
}

const REMOVES = /^(?:rm|stop|kill)$/;

const removesUnnamed = ([verb = "", ...args]: readonly string[]): boolean =>
  REMOVES.test(verb) && args.every((word) => word.startsWith("-") || !/^[\w.-]+$/.test(word));

const namesIn = (argv: readonly string[], statement: RegExp): readonly string[] =>
  argv.flatMap((word) => statement.exec(word)?.[1] ?? []);

/** Whether it changes only what the check has made, or what changes nothing that anybody uses. */
function isUndone(change: Change, made: Made): boolean {
  const { why, argv, words, paths, cwd } = change;
  const [program = ""] = argv;
  const isOwn = (path: string): boolean => TEMPORARY.test(path) || made.paths.has(path);
  if (OF_PATHS.has(why) && paths.length > 0 && paths.every(isOwn)) return true;
  if (namesAny(argv, made.names)) return true;
  if (ENGINES.test(program)) return isOwnContainer(words, made);
  if (program === "git") return isOfGit(words);
  if (/^(?:curl|wget|https?)$/.test(program)) return asksByPost(argv);
  if (program === "kill") return !words.some((word) => /^\d+$/.test(word));
  if (INDEX_OF_PACKAGES.test(program)) return words.some((word) => /^(?:update|makecache|refresh)$/.test(word));
  if (why !== "changes a backup") return false;
  return words.some((word) => RESTORES.test(word)) && [...paths, ...cwd.map((path) => `${path}/`)].some(isOwn);
}

/** Some services are asked by POST: a search, a query of GraphQL, a method of JSON-RPC that is named for reading. */
function asksByPost(argv: readonly string[]): boolean {
  const whole = argv.join(" ");
  return ASKING.some((form) => form.test(whole)) && !OTHER_METHODS.test(whole);
}

const ASKING = [
  /\/_(?:search|count|msearch|mget|sql)\b|\/api\/v1\/(?:query|query_range|series|labels)\b|\/loki\/api\/v1\/query/,
  /"query"\s*:\s*"\s*(?:\{|query\b)/,
  /"name"\s*:\s*"(?:\w+[._-])?(?:get|list|read|search|find|describe|show|count|query|fetch)[\w.-]*"/i,
  /"method"\s*:\s*"(?:\w+[._/])?(?:get|list|read|search|find|describe|show|count|query|status|info|version|ping|health)\w*"/i,
];
const OTHER_METHODS = /(?:^|\s)(?:-X|--request|--method)[\s=]*(?:PUT|PATCH|DELETE)\b|\bmutation\b/i;

const OF_PATHS: ReadonlySet<string> = new Set([
  DELETES,
  "writes files",
  "writes a file",
  "changes permissions",
  "changes a repository",
  "changes the database",
]);
const INDEX_OF_PACKAGES = /^(?:apt|apt-get|apk|dnf|yum|zypper)$/;
const RESTORES = /^(?:restore|extract|mount|umount|dump)$/;

function isOwnContainer(words: readonly string[], { containers }: Made): boolean {
  const [verb = "", ...args] = words;
  if (verb === "run" || (verb === "compose" && args[0] === "run")) return args.includes("--rm") || containers;
  return containers && removesUnnamed(words);
}

/** It learns what is there, or copies it to where nothing stays. */
function isOfGit(words: readonly string[]): boolean {
  const [verb = ""] = words;
  if (verb === "fetch" || (verb === "remote" && words.includes("update"))) return true;
  return verb === "clone" && TEMPORARY.test(words.at(-1) ?? "");
}

function namesAny(argv: readonly string[], names: ReadonlySet<string>): boolean {
  const named = (word: string): boolean =>
    names.has(word) ||
    names.has(word.slice(word.search(/[=/][^=/]*$/) + 1)) ||
    namesIn([word], CREATES).some(has) ||
    namesIn([word], DROPS).some(has);
  const has = (name: string): boolean => names.has(name);
  return names.size > 0 && argv.slice(1).some(named);
}
