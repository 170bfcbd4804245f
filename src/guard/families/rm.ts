// Family `rm`: a recursive delete that reaches a protected path, by whatever program (always blocked, spec section 5).
import { exposureOf } from "../paths.ts";
import { foundBy, withRoots } from "../shell/find.ts";
import type { Report } from "../shell/machine.ts";
import { has, hasLong, parseOptions } from "../shell/options.ts";
import type { State } from "../shell/state.ts";
import { DEEP, isOpen, readable, UNKNOWN } from "../shell/symbols.ts";

export type Judge = (argv: readonly string[], state: State, report: Report) => void;

/** Judges the operands of a delete that takes whole trees. */
function wide(operands: readonly string[], argv: readonly string[], state: State, report: Report): void {
  for (const operand of operands) {
    const exposure = operand === "" ? null : exposureOf(operand, state);
    if (exposure === null) continue;
    const path = readable(exposure.path);
    if (exposure.certain) {
      report("block", "rm.wide", `deletes ${path} and all below it; name the directory of the project instead`, argv);
      return;
    } else {
      const reason = `what is deleted cannot be told from the text (${path}); write the path out`;
      report("ask", "dyn.operand", reason, argv);
    }
  }
}

const rm: Judge = (argv, state, report) => {
  const parsed = parseOptions(argv.slice(1));
  if (has(parsed, "help", "version")) return;
  if (has(parsed, "r", "R") || hasLong(parsed, "recursive", 1)) return wide(parsed.operands, argv, state, report);
  // What find prints is every file below, so deleting it one by one is as wide.
  wide(
    parsed.operands.filter((operand) => operand.endsWith(DEEP)),
    argv,
    state,
    report,
  );
  const open = argv.slice(1).some((word) => word.startsWith(UNKNOWN) || (word.startsWith("-") && isOpen(word)));
  if (!open) return;
  const known = parsed.operands.filter((operand) => !operand.startsWith(UNKNOWN));
  if (known.some((operand) => exposureOf(operand, state)?.certain === true)) {
    report("ask", "dyn.operand", "an unknown option may make this delete recursive; write the options out", argv);
  }
};

const find: Judge = (argv, state, report) => {
  const { paths, deletes } = foundBy(withRoots(argv.slice(1), state));
  if (deletes) wide(paths, argv, state, report);
  else if (
    argv.slice(1).some((word, at) => at > 0 && (word === UNKNOWN || (word.startsWith("-") && isOpen(word)))) &&
    paths.some((path) => exposureOf(path, state) !== null)
  )
    report("ask", "dyn.operand", "an unknown word may make this delete what it finds; write the expression out", argv);
};

const rsync: Judge = (argv, state, report) => {
  const parsed = parseOptions(argv.slice(1), {
    short: "efTBM",
    long: ["rsh", "exclude", "include", "filter", "exclude-from"],
  });
  if (has(parsed, "n", "dry-run") || !parsed.options.some(({ name }) => name.startsWith("del"))) return;
  // `host:path` is a path of another machine, whose system is as worth keeping.
  wide(
    parsed.operands.slice(-1).map((path) => path.replace(/^[\w.@-]+:(?=.)/, "")),
    argv,
    state,
    report,
  );
};

/** Deletes single files: as wide as a tree when find hands it every file below. */
const single: Judge = (argv, state, report) =>
  wide(
    parseOptions(argv.slice(1)).operands.filter((operand) => operand.endsWith(DEEP)),
    argv,
    state,
    report,
  );

/** `--remove-files` deletes what was packed. */
const tar: Judge = (argv, state, report) => {
  if (!argv.includes("--remove-files")) return;
  wide(parseOptions(argv.slice(1), { short: "fCTXb", long: ["file", "directory"] }).operands, argv, state, report);
};

const everything: Judge = (argv, state, report) => wide(parseOptions(argv.slice(1)).operands, argv, state, report);

export const RM: readonly (readonly [string, Judge])[] = [
  ["rm", rm],
  ["grm", rm],
  ["srm", rm],
  ["find", find],
  ["rsync", rsync],
  ["unlink", single],
  ["shred", single],
  ["tar", tar],
  ["rimraf", everything],
];
