// Follows `make` and programs that run what a file of the project lists, where its text is known: what the named targets run, what
// they depend on, and what their files include.
import type { Machine, Output, Program } from "../../interpreter/machine.ts";
import { scriptTexts, textAt } from "../../interpreter/redirects.ts";
import { deeper, keepFiles, type State } from "../../interpreter/state.ts";
import { absolute } from "../../paths.ts";
import { matches } from "../../words/glob.ts";
import { optionValue, optionValues, parseOptions, words } from "../../words/options.ts";
import { globbed, hasGlob, isOpen, readable, SOME, STAR, UNKNOWN } from "../../words/symbols.ts";
import type { AppliesRule, EffectRule, FilesRule, ProgramRecord, StartedBy } from "../record.ts";
import { unlessDry } from "../rules/effects.ts";
import { runThere } from "../rules/elsewhere.ts";
import { launched } from "../rules/launch.ts";
import { each } from "../rules/texts.ts";
import { RAILS_CONSEQUENCES } from "./frameworks.ts";

/** Where recipes are looked for: the files that are named, or those of that name in the directory. */
function recipeFiles(args: readonly string[], defaults: readonly string[]): readonly string[] {
  const parsed = parseOptions(args, {
    short: "fCjIlodt",
    long: words("file makefile directory justfile taskfile rakefile"),
  });
  const directory = optionValue(parsed, "C", "directory", "d") ?? ".";
  const files = optionValues(parsed, "f", "file", "makefile", "justfile", "taskfile", "t", "rakefile").filter(
    (path) => path !== null && path !== "-" && !isOpen(path) && !hasGlob(path),
  );
  const found = files.length > 0 ? files.map((path) => path ?? "") : defaults;
  return found.map((file) => (file.startsWith("/") || directory === "." ? file : `${directory}/${file}`));
}

const PROCESSES: readonly StartedBy[] = [{ files: /\/Procfile$/, commands: each(/^[\w-]+:\s*(.+)$/gm) }];

const VALUED = { short: "fCjIlo", long: words("file makefile directory eval jobs") };

const DEFAULTS = words("GNUmakefile makefile Makefile");

const makeFiles = (args: readonly string[]): readonly string[] => recipeFiles(args, DEFAULTS);

type Rule = { readonly targets: string[]; readonly needs: string; readonly recipe: string[] };

type Makefile = {
  readonly rules: Rule[];
  readonly variables: Map<string, string>;
  /** Texts that make expands while it reads the makefile, even if nothing uses the value. */
  readonly expanded_at_read: string[];
};

const ASSIGNS = /^(?:override\s+|export\s+)*([\w.-]+)\s*(\??|\+|::?:?|!)=\s*(.*)$/;

const MAX_LINES = 4096;

/** Reads all branches of a condition, because orch does not evaluate it. */
function readMakefile(text: string, into: Makefile): Makefile {
  const { rules, variables, expanded_at_read } = into;
  let last: Rule | null = null;
  for (const line of text
    .replace(/\\\n\s*/g, " ")
    .split("\n")
    .slice(0, MAX_LINES)) {
    if (line.startsWith("\t")) {
      last?.recipe.push(line.slice(1));
      continue;
    }
    const plain = line.replace(/(^|\s)#.*$/, "").trim();
    const [, name, how, value = ""] = ASSIGNS.exec(plain) ?? [];
    if (name !== undefined) {
      const before = variables.get(name);
      if (how === "!" || how?.startsWith(":") === true)
        expanded_at_read.push(how === "!" ? `$(shell ${value})` : value);
      if (how === "+" && before !== undefined) variables.set(name, `${before} ${value}`);
      else if (how !== "?" || before === undefined) variables.set(name, how === "!" ? `$(shell ${value})` : value);
      continue;
    }
    if (/^-?s?include\s/.test(plain)) continue;
    if (plain.includes("$(shell")) expanded_at_read.push(plain);
    const [, targets, needs = "", , inline] = /^([^:=#]+)::?\s*([^=;]*)(;\s*(.*))?$/.exec(plain) ?? [];
    if (targets === undefined) continue;
    last = { targets: [...words(targets)], needs, recipe: inline === undefined ? [] : [inline] };
    rules.push(last);
  }
  return into;
}

type Making = { readonly makefile: Makefile; readonly given: ReadonlyMap<string, string>; readonly shells: string[] };

const MAX_NESTED = 16;

/** `$(NAME)`. What a function of make would give is a plain word; what `$(shell ...)` runs is noted. */
function filled(text: string, making: Making, own: ReadonlyMap<string, string>, depth = 0): string {
  if (depth > MAX_NESTED) return UNKNOWN;
  let result = "";
  for (let at = 0; at < text.length; at += 1) {
    const next = text.charAt(at + 1);
    if (text.charAt(at) !== "$" || next === "") result += text.charAt(at);
    else if (next === "(" || next === "{") {
      const end = closing(text, at + 1);
      result += valueIn(text.slice(at + 2, end), making, own, depth);
      at = end;
    } else {
      result += next === "$" ? "$" : (own.get(next) ?? making.makefile.variables.get(next) ?? SOME);
      at += 1;
    }
  }
  return result;
}

function closing(text: string, from: number): number {
  const [open, close] = text.charAt(from) === "(" ? ["(", ")"] : ["{", "}"];
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    if (text.charAt(at) === open) depth += 1;
    if (text.charAt(at) === close) depth -= 1;
    if (depth === 0) return at;
  }
  return text.length;
}

function valueIn(inner: string, making: Making, own: ReadonlyMap<string, string>, depth: number): string {
  const [, call, rest = ""] = /^([a-z]+)\s+([\s\S]*)$/.exec(inner) ?? [];
  if (call === "shell") {
    making.shells.push(filled(rest, making, own, depth + 1));
    return SOME;
  }
  if (call !== undefined) {
    const value = filled(rest, making, own, depth + 1);
    return call === "strip" ? value.trim() : SOME;
  }
  const name = inner.replace(/:.*$/, "");
  const { given, makefile } = making;
  const value = given.get(name) ?? own.get(name) ?? makefile.variables.get(name);
  return value === undefined ? "" : filled(value, making, own, depth + 1);
}

/** Rules of the targets and of all that they need, those needed first. */
function rulesFor(names: readonly string[], making: Making): readonly (readonly [string, Rule])[] {
  const { rules } = making.makefile;
  const found: (readonly [string, Rule])[] = [];
  const seen = new Set<string>();
  const visit = (name: string): void => {
    if (seen.has(name)) return;
    seen.add(name);
    const own = rules.filter(({ targets }) => targets.some((target) => fits(filled(target, making, NO_NAMES), name)));
    for (const rule of own) {
      for (const need of words(filled(rule.needs, making, NO_NAMES))) visit(need);
      found.push([name, rule]);
    }
  };
  for (const name of names) visit(name);
  return found;
}

const NO_NAMES: ReadonlyMap<string, string> = new Map();

/** `%.o` is a pattern; a target that is not wholly known may be any. */
function fits(target: string, name: string): boolean {
  if (target === name || isOpen(target) || isOpen(name)) return true;
  const [before = "", after] = target.split("%");
  return after !== undefined && name.startsWith(before) && name.endsWith(after);
}

const INCLUDES = /^-?s?include\s+([^#\n]+)/gm;

/** What the makefile includes, relative to its directory; one that a rule makes is not there yet. */
function includedBy(text: string, making: Making, state: State, machine: Machine): readonly string[] {
  const lines = [...text.replace(/\\\n\s*/g, " ").matchAll(INCLUDES)];
  const names = lines.flatMap(([, line = ""]) =>
    words(filled(line.replace(/\$\((?:wildcard|sort)\s+([^()]*)\)/g, "$1"), making, NO_NAMES)),
  );
  return names.flatMap((name) =>
    state.location.cwd.flatMap((cwd) => readIncluded(absolute(globbed(name), cwd), state, machine)),
  );
}

const MAX_INCLUDED = 256;

const runMake: Program = ([, ...args], state, machine): Output => {
  const parsed = parseOptions(args, VALUED);
  const directory = optionValue(parsed, "C", "directory");
  const inner = deeper(
    state,
    directory === null ? {} : { location: { cwd: state.location.cwd.map((cwd) => absolute(directory, cwd)) } },
  );
  const given = new Map<string, string>();
  const goals: string[] = [];
  for (const operand of parsed.operands) {
    const [, name, value = ""] = /^([\w.-]+):?=([\s\S]*)$/.exec(operand) ?? [];
    if (name === undefined) goals.push(operand);
    else given.set(name, value);
  }
  const making: Making = {
    makefile: { rules: [], variables: variablesOf(state), expanded_at_read: [] },
    given,
    shells: [],
  };
  const texts = [...textsOf(args, state), ...evaluated(args)];
  for (const text of texts) {
    machine.tick(text.length / 256);
    readMakefile(text, making.makefile);
    if (state.location.here && texts.length < MAX_INCLUDED)
      texts.push(...includedBy(text, making, inner, machine).filter((one) => !texts.includes(one)));
  }
  for (const text of making.makefile.expanded_at_read) filled(text, making, NO_NAMES);
  const isDry = parsed.options.some(({ name }) => /^(n|q|t|just-print|dry-run|recon|question|touch)$/.test(name));
  const { rules, variables } = making.makefile;
  const first =
    variables.get(".DEFAULT_GOAL") ?? rules.flatMap(({ targets }) => targets).find((name) => !/^\.[A-Z]|%/.test(name));
  const wanted = goals.length > 0 ? goals : first === undefined ? [] : [first];
  for (const [name, { recipe, needs }] of rulesFor(wanted, making))
    if (!isDry) runRecipe({ name, lines: recipe, needs }, making, inner, machine);
  for (const [name, value] of given) if (COMPILERS.test(name)) machine.provedOnly().runText(value, deeper(inner));
  // Each recipe would be given to it.
  const interpreter = given.get("SHELL") ?? "";
  if (/\s/.test(interpreter)) machine.provedOnly().runText(interpreter, deeper(inner));
  for (const text of making.shells) machine.runText(text, deeper(inner));
  keepFiles(state, inner);
  return [UNKNOWN];
};

/** Variables with which the rules of make itself begin a command. */
const COMPILERS = /^(?:CC|CXX|CPP|FC|LD|AR|AS|RM|LEX|YACC)$/;

/** Variables of the environment are variables of make. */
const variablesOf = ({ bindings: { vars, exported } }: State): Map<string, string> =>
  new Map([
    ["MAKE", "make"],
    ...[...vars].flatMap(([name, [value = ""]]) =>
      exported.has(name) ? [[name, value.replaceAll("$", "$$")] as const] : [],
    ),
  ]);

/** Without `-f` the first of the usual names that is known. */
function textsOf(args: readonly string[], state: State): readonly string[] {
  const parsed = parseOptions(args, VALUED);
  if (
    parsed.options.some(
      ({ name, value }) => /^(f|file|makefile)$/.test(name) && (value === "-" || value === "/dev/stdin"),
    )
  )
    return state.io.stdin ?? [];
  const known = makeFiles(args).map((file) => scriptTexts(file, state));
  return parsed.options.some(({ name }) => /^(f|file|makefile)$/.test(name))
    ? known.flat()
    : (known.find((texts) => texts.length > 0) ?? []);
}

const evaluated = (args: readonly string[]): readonly string[] =>
  args.flatMap((arg, at) =>
    arg.startsWith("--eval=") ? [arg.slice(7)] : arg === "--eval" ? [args[at + 1] ?? ""] : [],
  );

type Recipe = { readonly name: string; readonly lines: readonly string[]; readonly needs: string };

/** Each line is a shell of its own. */
function runRecipe({ name, lines, needs }: Recipe, making: Making, state: State, machine: Machine): void {
  const [first = ""] = words(needs);
  const own = new Map([
    ["@", name],
    ["<", first],
    ["^", needs],
    ["*", SOME],
    ["?", needs],
    ["@D", "."],
    ["@F", name],
  ]);
  for (const line of lines) {
    const text = filled(line, making, own).replace(/^[@+\s-]+/, "");
    if (text === "") continue;
    const inner = deeper(state, { io: { stdin: null }, shell: { posix: true } });
    machine.runText(text, inner);
    keepFiles(state, inner);
  }
}

/** A makefile may run programs while it is only read. */
const dryMake = unlessDry(
  "n just-print dry-run recon q question",
  { changes: "builds files" },
  "C f I j l o W directory file",
);

const makeEffect: EffectRule = (argv, state) => {
  const effect = dryMake(argv, state);
  return effect === "reads" ? "unknown" : effect;
};

/** Notes a file, or the files of a pattern, that another file includes, and gives their known texts. */
function readIncluded(path: string, state: State, machine: Machine): readonly string[] {
  if (isOpen(path)) machine.cannotFollow(`what is included as ${readable(path)} is not covered`);
  else if (hasGlob(path)) machine.runsMatching(path);
  else machine.runsFile(path, textAt(path, state));
  if (!hasGlob(path)) return textAt(path, state) ?? [];
  const known = [...state.io.files].filter(([file]) => matches(path, file));
  for (const [file, texts] of known) machine.runsFile(file, texts);
  return known.flatMap(([, texts]) => texts);
}

/** Its own language is not read: only what its lines prove. */
interface Tasks {
  readonly files: FilesRule;
  readonly runs: Program;
  readonly obeys: AppliesRule;
}

const tasksIn = (names: string): Tasks => {
  const files = (args: readonly string[]): readonly string[] => recipeFiles(args, words(names));
  return { files, runs: runTasks(files), obeys: ([, ...args]) => (ONLY_LISTS.test(args.join(" ")) ? [] : files(args)) };
};

const ONLY_LISTS = /(?:^|\s)(?:-l|--list\S*|--summary|--show|-T|--tasks|--version|--help)(?=\s|$)/;

/** Indented lines of another format, and the code in them: only what is proved counts. */
const runTasks =
  (files: FilesRule): Program =>
  ([, ...args], state, machine): Output => {
    for (const text of files(args, state).flatMap((file) => scriptTexts(file, state)))
      for (const line of text.split("\n").slice(0, MAX_LINES)) {
        const [, command = ""] =
          /^\s+(?:-\s+)?(?:(?:cmd|sh|system|(?:ansible\.builtin\.)?(?:shell|command|raw)):?\s*\(?\s*)?@?(.*)$/.exec(
            line,
          ) ?? [];
        const [, inline] = /\b(?:sh|system)\s*\(?\s*(["'][^"']*["'])/.exec(command === "" ? line : "") ?? [];
        const bare = (inline ?? command).replace(/^(["'])(.*)\1\)?$/, "$2");
        if (bare !== "") machine.provedOnly().runText(bare, deeper(state, { io: { stdin: null } }));
      }
    return [UNKNOWN];
  };

const JUST = tasksIn("justfile Justfile .justfile");

/** `just --command rm x`. */
const runJust: Program = (argv, state, machine) => {
  const at = argv.findIndex((word) => word === "-c" || word === "--command");
  return at < 0 ? JUST.runs(argv, state, machine) : machine.runArgv(argv.slice(at + 1), launched(state));
};

const PYTHON_TASKS = tasksIn("tasks.py fabfile.py dodo.py");

/** `fab -H host -- uptime`: what comes after the dashes runs there. */
const runFab: Program = (argv, state, machine) => {
  const at = argv.indexOf("--");
  return at < 0 ? PYTHON_TASKS.runs(argv, state, machine) : runThere(argv.slice(at + 1).join(" "), state, machine);
};

/** `ansible-playbook site.yml`: tasks for this machine, or for others. */
const playbooks: FilesRule = (args) => args.filter((arg) => /\.ya?ml$/.test(arg));

export const PLAYBOOKS: Pick<ProgramRecord, "files" | "runs"> = { files: playbooks, runs: runTasks(playbooks) };

/** `run-parts DIRECTORY`: each file in it. */
const runParts: Program = ([, ...args], state, machine): Output => {
  const [directory = "."] = parseOptions(args, { short: "a", long: ["arg", "regex", "umask"] }).operands.slice(-1);
  const folders = state.location.cwd.map((cwd) => `${absolute(directory, cwd)}/`);
  for (const path of state.io.files.keys())
    if (folders.some((folder) => path.startsWith(folder) && !path.slice(folder.length).includes("/")))
      machine.runArgv([path], deeper(state));
  return [UNKNOWN];
};

const partsOf: FilesRule = (args) =>
  parseOptions(args, { short: "a", long: ["arg", "regex", "umask"] })
    .operands.slice(-1)
    .map((directory) => `${directory}/${STAR}`);

export const RECORDS: readonly ProgramRecord[] = [
  {
    names: "make gmake",
    files: makeFiles,
    runs: runMake,
    effect: makeEffect,
    commands: {
      words: /^((?:MAKEFLAGS|GNUMAKEFLAGS)=.*\$\(shell .+)$/s,
      variables: "MAKEFLAGS GNUMAKEFLAGS",
      within: /\$\(shell\s+([^)]*)\)/g,
    },
    applies: { variable: "MAKEFILES", within: /(\S+)/g },
    writesKnown: true,
  },
  { names: "just", ...JUST, runs: runJust, applies: { names: "*.just" } },
  { names: "task go-task", ...tasksIn("Taskfile.yml Taskfile.yaml taskfile.yml") },
  {
    names: "rake",
    ...tasksIn("Rakefile rakefile Rakefile.rb"),
    consequences: RAILS_CONSEQUENCES,
    applies: { names: "*.rake lib/tasks" },
  },
  { names: "invoke fab doit", modules: "invoke doit", ...PYTHON_TASKS, runs: runFab },
  { names: "run-parts", looks: "--test, --list", runs: runParts, files: partsOf },
  { names: "earthly", obeys: { names: "Earthfile" } },
  { names: "foreman", applies: { options: "f procfile", names: "Procfile .env" }, startedBy: PROCESSES },
  { names: "overmind hivemind honcho", applies: { options: "f procfile", names: "Procfile .env" } },
];
