// Lists the files that decide what a command does, besides its scripts: definitions, settings, lists, statements.
import { textAt } from "../../interpreter/redirects.ts";
import { type State, valuesOf } from "../../interpreter/state.ts";
import { absolute } from "../../paths.ts";
import { optionTable, optionValues, parseOptions, words } from "../../words/options.ts";
import { globbed, isOpen } from "../../words/symbols.ts";
import { namedComposeFiles } from "../compose-file.ts";
import { composeCommand, dockerCommand } from "../docker-command.ts";
import { APPLIED, APPLIED_BY_VARIABLE, type AppliedRow } from "./applied-table.ts";

const ROWS = new Map<string, AppliedRow[]>();
for (const row of APPLIED) for (const name of words(row.of)) ROWS.set(name, [...(ROWS.get(name) ?? []), row]);

const ENGINES = /^(?:docker|podman|nerdctl)$/;

/** Programs that run the text on their standard input, unless a word of the command names another text. */
const INTERPRETERS =
  /^(?:(?:ba|da|z|k|a|mk|fi)?sh|rbash|python|pypy|perl|ruby|node|nodejs|php|lua|luajit|Rscript|R|julia|tclsh|expect|awk|ed|ex)[\d.]*$/;

const rowsOf = ([name = "", ...args]: readonly string[]): readonly AppliedRow[] =>
  (ROWS.get(name) ?? []).filter(({ when }) => when?.test(args.join(" ")) !== false);

/** Returns files, directories and patterns, as the command names them. */
export function appliedBy(argv: readonly string[], state: State): readonly string[] {
  const files = rowsOf(argv).flatMap((row) => withIncluded(namedIn(argv.slice(1), row), row, state));
  return [
    ...files,
    ...readStatements(argv),
    ...builtFrom(argv, state),
    ...composedFrom(argv, state),
    ...namedByVariables(argv, state),
  ];
}

const namedByVariables = ([program = ""]: readonly string[], { bindings: { vars } }: State): readonly string[] =>
  APPLIED_BY_VARIABLE.flatMap(({ name, of, paths }) =>
    (of.test(program) ? (vars.get(name) ?? []) : []).flatMap((value) =>
      [...value.matchAll(paths)].map(([, path = ""]) => path),
    ),
  );

function namedIn(args: readonly string[], row: AppliedRow): readonly string[] {
  const { options = "", valued = "", operands, verbs = 0, names = "", directory } = row;
  // `-chdir=x` and `-jar x` are long names after one dash.
  const spelled = args.map((arg) =>
    /^-[a-zA-Z][\w-]{2,}(?:=|$)/.test(arg) && longAfterOne(arg, row) ? `-${arg}` : arg,
  );
  const parsed = parseOptions(spelled, optionTable(`${options} ${valued}`));
  const values = optionValues(parsed, ...words(options)).flatMap((value) => (value === null ? [] : value.split(",")));
  const given = values.map((value) => value.replace(/^@|^file:\/\/|^[\w.-]+=@?(?=.*[/.])/, ""));
  const base = directory === undefined ? null : (optionValues(parsed, directory).at(-1) ?? null);
  const found = words(names).map((name) => (base === null || name.startsWith("/") ? name : `${base}/${name}`));
  const picked = operands === undefined ? [] : parsed.operands.slice(verbs).filter((word) => operands.test(word));
  return [...given.filter((path) => path !== "-"), ...picked.filter((path) => path !== "-"), ...found.map(globbed)];
}

/** Adds the files that the named files include, and what those include. */
function withIncluded(named: readonly string[], { includes, includes_in }: AppliedRow, state: State) {
  if (includes === undefined) return named;
  const all = new Set(named);
  for (const file of all) {
    if (all.size > MAX_INCLUDED) break;
    const own = includes_in === undefined ? [file] : words(includes_in).map((name) => `${file}/${name}`);
    for (const from of own)
      for (const text of textsOf(from, state))
        for (const [, path = ""] of text.matchAll(includes)) {
          all.add(globbed(path));
          if (!path.startsWith("/")) all.add(globbed(`${folderOf(from)}/${path}`));
        }
  }
  return [...all];
}

const MAX_INCLUDED = 256;
const folderOf = (file: string): string => (file.includes("/") ? file.slice(0, file.lastIndexOf("/")) : ".");

function longAfterOne(arg: string, { options = "", valued = "" }: AppliedRow): boolean {
  const name = arg.slice(1).replace(/=.*$/, "");
  return words(`${options} ${valued}`).includes(name);
}

/** `sqlite3 x.db ".read y.sql"`, `psql -c '\i y.sql'`, `mysql -e 'source y.sql'`. */
function readStatements([name = "", ...args]: readonly string[]): readonly string[] {
  if (!/^(?:sqlite3|psql|mysql|mariadb|duckdb)$/.test(name)) return [];
  return args.flatMap((arg) =>
    [...arg.matchAll(/(?:^|\s|;)(?:\.read|\\ir?|source|\\\.)\s+["']?([^\s;"']+)/g)].map(([, path = ""]) => path),
  );
}

const BUILD = {
  short: "ftm",
  long: words("file tag build-arg target platform label network cache-from cache-to output secret ssh builder iidfile"),
};

/** Lists the Dockerfile of an image build and the files that it copies. */
function builtFrom(argv: readonly string[], state: State): readonly string[] {
  if (!ENGINES.test(argv[0] ?? "")) return [];
  const { verb, args } = dockerCommand(argv);
  if (!/^(?:build|image build|builder build|buildx build)$/.test(verb)) return [];
  const parsed = parseOptions(args, BUILD);
  const context = parsed.operands.at(-1) ?? ".";
  if (context === "-" || /:\/\//.test(context)) return [];
  const file = optionValues(parsed, "f", "file").at(-1) ?? `${context}/Dockerfile`;
  return imageFiles(context, file, state);
}

const textsOf = (file: string, state: State): readonly string[] =>
  state.location.cwd.flatMap((cwd) => textAt(absolute(file, cwd), state) ?? []);

const imageFiles = (context: string, file: string, state: State): readonly string[] => [
  file,
  `${context}/.dockerignore`,
  ...textsOf(file, state)
    .flatMap(copiedBy)
    .map((path) => `${context}/${path}`),
];

const NAMED = /^\s*(?:-\s*)?(?:env_file|file|path|include|extends|label_file):\s*["']?([^\s"'#[\]{}|>]+)/gm;
const LISTED = /^\s*(?:env_file|include|label_file):[^\S\n]*\n((?:\s*-\s+[^\n]+\n?)+)/gm;

/** Reads `docker compose`, `docker-compose` and their like in one form. For another program, the verb does not begin with `compose`. */
function composeCallOf(argv: readonly string[]): { readonly words: readonly string[]; readonly verb: string } {
  const [name = ""] = argv;
  const words = /^(?:docker|podman)-compose$/.test(name) ? composeCommand(argv) : argv;
  return { words, verb: ENGINES.test(words[0] ?? "") ? dockerCommand(words).verb : "" };
}

const composeFilesInVariable = (state: State): readonly string[] =>
  valuesOf(state, "COMPOSE_FILE").flatMap((paths) => paths.split(":").filter((path) => path !== "" && !isOpen(path)));

/** Lists the compose files of a command and what they name: files of variables, secrets and settings, and other compose files. */
function composedFrom(argv: readonly string[], state: State): readonly string[] {
  const { words, verb } = composeCallOf(argv);
  if (!/^compose (?:up|run|start|create|build|restart|exec|pull|push|watch)$/.test(verb)) return [];
  const files = [...namedComposeFiles(words), ...composeFilesInVariable(state)];
  return files.flatMap((file) => [file, ...textsOf(file, state).flatMap((text) => composedBy(text, file))]);
}

function composedBy(text: string, file: string): readonly string[] {
  const below = (path: string) => (path.startsWith("/") ? path : `${folderOf(file)}/${path}`);
  const listed = [...text.matchAll(LISTED)].flatMap(([, list = ""]) =>
    [...list.matchAll(/-\s+["']?(?:path:\s*)?["']?([^\s"'#]+)/g)].map(([, path = ""]) => path),
  );
  const named = [...text.matchAll(NAMED)].map(([, path = ""]) => path);
  return [...[...named, ...listed].filter((path) => !path.includes("$")).map(below)];
}

/** `COPY --chown=x a b /app/`: all but the last word; what comes from another stage or from the network is not here. */
function copiedBy(text: string): readonly string[] {
  return [...text.replace(/\\\r?\n/g, " ").matchAll(/^\s*(?:COPY|ADD)\s+(.+)$/gim)].flatMap(([, line = ""]) => {
    if (/(?:^|\s)--from=/.test(line)) return [];
    const list = /^\s*(?:--\S+\s+)*(\[.*\])\s*$/.exec(line)?.[1];
    const all = list === undefined ? words(line) : [...list.matchAll(/"([^"]*)"/g)].map(([, word = ""]) => word);
    const paths = all.filter((word) => !word.startsWith("--")).slice(0, -1);
    return paths.filter((path) => !/:\/\/|\$|^<</.test(path)).map((path) => globbed(path.replace(/^\/+/, "")));
  });
}

/** Decides which files on standard input the program runs or applies. */
export function inputRunBy(argv: readonly string[]): "all" | "redirected" | "none" {
  const [name = "", ...args] = argv;
  if (INTERPRETERS.test(name)) return readsProgram(name, args) ? "all" : "none";
  const rows = rowsOf(argv);
  if (rows.some(({ input }) => input === "all")) return "all";
  return rows.some(({ input }) => input === "redirected") ? "redirected" : "none";
}

/** Decides whether an interpreter reads its program from standard input: no word and no option gives it. */
function readsProgram(name: string, args: readonly string[]): boolean {
  if (/^(?:awk|ed|ex)$/.test(name)) return name !== "awk";
  if (/sh$/.test(name) && args.some((arg) => /^-[a-zA-Z]*s/.test(arg))) return true;
  if (args.some((arg) => /^-\w*[ceErp]$|^--eval|^-m$/.test(arg))) return false;
  const first = args.find((arg) => arg === "-" || arg === "--" || !/^[-+]/.test(arg));
  return first === undefined || first === "-";
}

/** Returns a sentence if a compose file builds an image, because orch does not list what goes into that image. */
export function unfollowedBy(argv: readonly string[], state: State): string | null {
  const { words, verb } = composeCallOf(argv);
  const builds = verb === "compose build" || (/^compose (?:up|run|create)$/.test(verb) && words.includes("--build"));
  if (!builds) return null;
  const texts = namedComposeFiles(words).flatMap((file) => textsOf(file, state));
  return texts.some((text) => /^\s*build:/m.test(text))
    ? "what the images of the compose file are built from is not covered"
    : null;
}
