// Reads compose files and image files whose text is known: which host paths their services see, what they run, and which files
// they name.

import { parseDocument } from "yaml";
import type { Machine } from "../../../interpreter/machine.ts";
import { scriptTexts } from "../../../interpreter/redirects.ts";
import { entered, type Mount, type State, valuesOf } from "../../../interpreter/state.ts";
import { absolute } from "../../../paths.ts";
import { optionValue, optionValues, parseOptions, words } from "../../../words/options.ts";
import { isOpen, UNKNOWN } from "../../../words/symbols.ts";
import type { AppliesRule, FilesRule } from "../../record.ts";
import { bound, containerState } from "../../rules/elsewhere.ts";
import { COMPOSE, dockerCommand } from "./command.ts";
import { askAboutImage, isWritten, seesProtected } from "./host-access.ts";
import { knownTexts } from "./image-files.ts";

const DEFAULTS = words(
  `compose.yaml compose.yml docker-compose.yml docker-compose.yaml compose.override.yaml compose.override.yml
  docker-compose.override.yml docker-compose.override.yaml`,
);

const STARTS = new Set(words("up run start create exec restart"));

type ComposeCall = { readonly files: readonly string[]; readonly directory: string; readonly project: string | null };

/** Null: the command starts nothing of a compose file. */
function callOf(args: readonly string[], starts: ReadonlySet<string> | null = STARTS): ComposeCall | null {
  const at = args.indexOf("compose");
  if (at < 0) return null;
  const parsed = parseOptions(args.slice(at + 1), COMPOSE, false);
  if (starts?.has(parsed.operands[0] ?? "") === false) return null;
  const directory = optionValue(parsed, "project-directory") ?? ".";
  const given = optionValues(parsed, "f", "file").filter((path) => path !== null && path !== "-");
  const files = given.length > 0 ? given.map((path) => path ?? "") : DEFAULTS.map((file) => `${directory}/${file}`);
  return { files, directory, project: optionValue(parsed, "p", "project-name") };
}

/** The files that the command would read. */
export const composeFiles: FilesRule = (args, { location: { here } }) => {
  const { files = [] } = callOf(args) ?? {};
  // orch cannot read files of another machine, so one usual name represents all of them.
  return here || !files.some(isDefault) ? files : files.filter(isDefault).slice(0, 1);
};

const isDefault = (path: string): boolean => DEFAULTS.some((name) => path.endsWith(`/${name}`));

/** The same, also for a command that starts no service. */
const namedComposeFiles = (args: readonly string[]): readonly string[] => callOf(args, null)?.files ?? [];

const MAX_SERVICES = 64;

/** Remembers what the services see of the host; where they are started, also what they run. */
export function runServices(argv: readonly string[], verb: string, state: State, machine: Machine): void {
  const call = callOf(argv);
  if (call === null) return;
  for (const file of call.files)
    for (const text of scriptTexts(file, state)) {
      machine.tick(text.length / (LATEST.has(text) ? 64 : 4));
      if (isNestedDeeper(text, MAX_NESTED)) machine.report("ask", "cap.depth", NESTED, argv);
      const root = fieldsOf(parsed(text));
      nameVolumes(fieldsOf(root["volumes"]), state);
      for (const [name, given] of Object.entries(fieldsOf(root["services"])).slice(0, MAX_SERVICES)) {
        const service = fieldsOf(given);
        const mounts = mountsOf(service, folderOf(file), state);
        for (const known of namesOf(name, service, call, state))
          state.io.containers = entered(state.io.containers, known, mounts);
        if (verb === "exec") continue;
        runService(service, mounts, state, machine);
        if (seesProtected(mounts, state) && isBuiltFromOwn(service, folderOf(file), state, machine))
          askAboutImage(argv, machine);
      }
    }
}

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields =>
  value instanceof Map ? Object.fromEntries([...value].filter(([key]) => typeof key !== "object")) : {};

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const folderOf = (file: string): string => (file.includes("/") ? file.slice(0, file.lastIndexOf("/")) || "/" : ".");

/** A script names its file in each of its commands. */
const LATEST = new Map<string, unknown>();

const MAX_LATEST = 8;

const MAX_LENGTH = 16_384;

const MAX_NESTED = 64;

const NESTED = `a compose file has more than ${MAX_NESTED} brackets within one another; write it more simply`;

/** Whether so many brackets are open at once. Quotes are not seen, so it may be fewer. */
function isNestedDeeper(text: string, most: number): boolean {
  let open = 0;
  for (const [bracket] of text.matchAll(/[[{\]}]/g)) {
    open = bracket === "[" || bracket === "{" ? open + 1 : Math.max(0, open - 1);
    if (open > most) return true;
  }
  return false;
}

/** What is not valid has no services: compose refuses it. */
function parsed(text: string): unknown {
  if (isNestedDeeper(text, MAX_NESTED)) return null;
  if (text.length > MAX_LENGTH) return read(text);
  if (!LATEST.has(text)) {
    if (LATEST.size >= MAX_LATEST) LATEST.clear();
    LATEST.set(text, read(text));
  }
  return LATEST.get(text);
}

function read(text: string): unknown {
  try {
    // A key that is a collection would be spelled out, with all keys in it, again at each level.
    return parseDocument(text, { merge: true, logLevel: "silent" }).toJS({ mapAsMap: true, maxAliasCount: 100 });
  } catch {
    return null;
  }
}

/** `driver_opts: { device: / }`. */
function nameVolumes(volumes: Fields, state: State): void {
  for (const [name, volume] of Object.entries(volumes)) {
    const device = fieldsOf(fieldsOf(volume)["driver_opts"])["device"];
    if (typeof device === "string") state.io.volumes = entered(state.io.volumes, name, filled(device, state));
  }
}

function mountsOf(service: Fields, folder: string, state: State): readonly Mount[] {
  const from = state.location.cwd.map((cwd) => absolute(folder, cwd));
  return listOf(service["volumes"]).flatMap((volume) => {
    const { source, target } = fieldsOf(volume);
    const [host = "", inside] = typeof volume === "string" ? filled(volume, state).split(":") : [source, target];
    return typeof host === "string" && typeof inside === "string"
      ? bound(filled(host, state), inside, state, from)
      : [];
  });
}

/** `${NAME:-default}` from the variables of the command. A file `.env` is not read. */
const filled = (text: string, { bindings: { vars } }: State): string =>
  text
    .replace(/\$\{(\w+)(?::?-([^}]*))?[^}]*\}|\$(\w+)/g, (_, braced?: string, fallback?: string, plain?: string) => {
      return vars.get(braced ?? plain ?? "")?.[0] ?? fallback ?? UNKNOWN;
    })
    .replace(/^~(?=\/|$)/, vars.get("HOME")?.[0] ?? UNKNOWN);

function namesOf(name: string, service: Fields, call: ComposeCall, state: State): readonly string[] {
  const own = service["container_name"];
  const folders = state.location.cwd.map((cwd) => absolute(call.directory, cwd).split("/").at(-1) ?? "");
  const projects = call.project === null ? folders : [call.project];
  const made = projects.flatMap((project) => [`${project}-${name}-1`, `${project}_${name}_1`]);
  return [name, ...(typeof own === "string" ? [own] : []), ...made];
}

/** Only what is proved counts: what is filled in from elsewhere is no reason to ask. */
function runService(service: Fields, mounts: readonly Mount[], state: State, machine: Machine): void {
  const { entrypoint, command, healthcheck, working_dir } = service;
  const directory = typeof working_dir === "string" ? working_dir : null;
  const start = [...wordsOf(entrypoint), ...wordsOf(command)].map((word) => filled(word, state).replaceAll("$$", "$"));
  const [kind, ...test] = wordsOf(fieldsOf(healthcheck)["test"]);
  const strict = machine.provedOnly();
  if (start.length > 0) strict.runArgv(start, containerState(state, mounts, directory));
  if (kind === "CMD") strict.runArgv(test, containerState(state, mounts, directory));
  else if (test.length > 0) strict.runText(test.join(" "), containerState(state, mounts, directory));
}

/** The plan itself wrote the file of the image. */
function isBuiltFromOwn({ build }: Fields, folder: string, state: State, machine: Machine): boolean {
  if (build === undefined) return false;
  const { context = build, dockerfile = "Dockerfile" } = fieldsOf(build);
  return state.location.cwd.some((cwd) =>
    isWritten(absolute(`${String(context)}/${String(dockerfile)}`, absolute(folder, cwd)), state, machine),
  );
}

/** A text is split as a shell would, without running anything. */
function wordsOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.map(String);
  if (typeof value !== "string") return [];
  return [...value.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double?.replace(/\\(.)/g, "$1") ?? single ?? plain ?? "",
  );
}

const NAMED = /^\s*(?:-\s*)?(?:env_file|file|path|include|extends|label_file):\s*["']?([^\s"'#[\]{}|>]+)/gm;

const LISTED = /^\s*(?:env_file|include|label_file):[^\S\n]*\n((?:\s*-\s+[^\n]+\n?)+)/gm;

const composeFilesInVariable = (state: State): readonly string[] =>
  valuesOf(state, "COMPOSE_FILE").flatMap((paths) => paths.split(":").filter((path) => path !== "" && !isOpen(path)));

/** Lists the compose files of a command and what they name: files of variables, secrets and settings, and other compose files. */
export const composedFrom: AppliesRule = (argv, state) => {
  const { verb } = dockerCommand(argv);
  if (!/^compose (?:up|run|start|create|build|restart|exec|pull|push|watch)$/.test(verb)) return [];
  const files = [...namedComposeFiles(argv), ...composeFilesInVariable(state)];
  return files.flatMap((file) => [file, ...knownTexts(file, state).flatMap((text) => composedBy(text, file))]);
};

function composedBy(text: string, file: string): readonly string[] {
  const folder = file.includes("/") ? file.slice(0, file.lastIndexOf("/")) : ".";
  const below = (path: string) => (path.startsWith("/") ? path : `${folder}/${path}`);
  const listed = [...text.matchAll(LISTED)].flatMap(([, list = ""]) =>
    [...list.matchAll(/-\s+["']?(?:path:\s*)?["']?([^\s"'#]+)/g)].map(([, path = ""]) => path),
  );
  const named = [...text.matchAll(NAMED)].map(([, path = ""]) => path);
  return [...[...named, ...listed].filter((path) => !path.includes("$")).map(below)];
}

/** Returns a sentence if a compose file builds an image, because orch does not list what goes into that image. */
export const unfollowed = (argv: readonly string[], state: State): string | null => {
  const { verb } = dockerCommand(argv);
  const builds = verb === "compose build" || (/^compose (?:up|run|create)$/.test(verb) && argv.includes("--build"));
  if (!builds) return null;
  const texts = namedComposeFiles(argv).flatMap((file) => knownTexts(file, state));
  return texts.some((text) => /^\s*build:/m.test(text))
    ? "what the images of the compose file are built from is not covered"
    : null;
};
