// Lists the files that decide what a command does, besides scripts: definitions, settings, lists, statements. Files that a program
// only reads, such as a log, are not here: they may change between a question and its answer.
import { textAt } from "../interpreter/redirects.ts";
import type { State } from "../interpreter/state.ts";
import { absolute } from "../paths.ts";
import { optionValues, words } from "../words/options.ts";
import { globbed } from "../words/symbols.ts";
import type { Applied, AppliesRule } from "./record.ts";
import { interpreterOf } from "./registry.ts";
import { isMeant, onlyOptions, operandsOf, parsedBy, rowsIn } from "./rules/select.ts";

const rowsOf = ([name = "", ...args]: readonly string[]): readonly (Applied | AppliesRule)[] =>
  rowsIn(interpreterOf(name)?.applies, onlyOptions).filter((row) => typeof row === "function" || isMeant(args, row));

/** Files, directories and patterns that decide what the command does, as it names them. */
export function appliedBy(argv: readonly string[], state: State): readonly string[] {
  const files = rowsOf(argv).flatMap((row) =>
    typeof row === "function" ? row(argv, state) : withIncluded(namedIn(argv.slice(1), row, state), row, state),
  );
  return [...files, ...within(valuesIn(state, "LD_PRELOAD"), /([^\s:]*\/[^\s:]+)/g)];
}

const valuesIn = ({ bindings: { vars } }: State, name: string): readonly string[] => vars.get(name) ?? [];

const within = (texts: readonly string[], paths: RegExp): readonly string[] =>
  texts.flatMap((text) => [...text.matchAll(paths)].map(([, path = ""]) => path));

function namedIn(args: readonly string[], row: Applied, state: State): readonly string[] {
  const { options = "", names = "", directory, variable } = row;
  if (row.within !== undefined) return within(variable === undefined ? args : valuesIn(state, variable), row.within);
  // `-chdir=x` and `-jar x` are long names after one dash.
  const spelled = args.map((arg) =>
    /^-[a-zA-Z][\w-]{2,}(?:=|$)/.test(arg) && longAfterOne(arg, row) ? `-${arg}` : arg,
  );
  const parsed = parsedBy(spelled, row);
  const values = optionValues(parsed, ...words(options)).flatMap((value) => (value === null ? [] : value.split(",")));
  const given = values.map((value) => value.replace(/^@|^file:\/\/|^[\w.-]+=@?(?=.*[/.])/, ""));
  const base = directory === undefined ? null : (optionValues(parsed, directory).at(-1) ?? null);
  const found = words(names).map((name) => (base === null || name.startsWith("/") ? name : `${base}/${name}`));
  const picked = operandsOf(parsed, row);
  return [...given.filter((path) => path !== "-"), ...picked.filter((path) => path !== "-"), ...found.map(globbed)];
}

/** Adds the files that the named files include, and what those include. */
function withIncluded(named: readonly string[], { includes, includesIn }: Applied, state: State) {
  if (includes === undefined) return named;
  const all = new Set(named);
  for (const file of all) {
    if (all.size > MAX_INCLUDED) break;
    const own = includesIn === undefined ? [file] : words(includesIn).map((name) => `${file}/${name}`);
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

function longAfterOne(arg: string, { options = "", valued = "" }: Applied): boolean {
  const name = arg.slice(1).replace(/=.*$/, "");
  return words(`${options} ${valued}`).includes(name);
}

const textsOf = (file: string, state: State): readonly string[] =>
  state.location.cwd.flatMap((cwd) => textAt(absolute(file, cwd), state) ?? []);

/** Decides which files on standard input the program runs or applies. */
export function inputRunBy(argv: readonly string[]): "all" | "redirected" | "none" {
  const [name = "", ...args] = argv;
  if (interpreterOf(name)?.readsCode === true) return readsProgram(name, args) ? "all" : "none";
  const inputs = rowsOf(argv).map((row) => (typeof row === "function" ? undefined : row.input));
  return inputs.includes("all") ? "all" : inputs.includes("redirected") ? "redirected" : "none";
}

/** Decides whether an interpreter reads its program from standard input: no word and no option gives it. */
function readsProgram(name: string, args: readonly string[]): boolean {
  if (/sh$/.test(name) && args.some((arg) => /^-[a-zA-Z]*s/.test(arg))) return true;
  if (args.some((arg) => /^-\w*[ceErp]$|^--eval|^-m$/.test(arg))) return false;
  const first = args.find((arg) => arg === "-" || arg === "--" || !/^[-+]/.test(arg));
  return first === undefined || first === "-";
}
