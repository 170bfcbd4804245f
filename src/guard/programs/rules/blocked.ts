// Reports what is always blocked: protected paths whose whole tree is deleted, and devices that are written to.
import type { Report } from "../../interpreter/machine.ts";
import type { State } from "../../interpreter/state.ts";
import { absolute, deviceAt, exposureOf } from "../../paths.ts";
import { optionTable, optionValue, parseOptions } from "../../words/options.ts";
import { DEEP, isOpen, isUnknown, readable } from "../../words/symbols.ts";
import type { BlockRule, Deleted, Written } from "../record.ts";
import { isMeant, selected } from "./select.ts";

/** The words of the command line that a rule is about. */
type Operands = (args: readonly string[], state: State) => readonly string[];

/** The program deletes each of the operands with all below it. `isPart`: which parts of a protected tree it must not replace. */
export const deletesTrees =
  (operands: Operands, isPart: (path: string) => boolean = () => true): BlockRule =>
  (argv, state, report) => {
    for (const operand of operands(argv.slice(1), state)) {
      const exposure = operand === "" ? null : exposureOf(operand, state);
      if (exposure === null && leadsAnywhere(operand, state))
        report("ask", "dyn.operand", `${readable(operand)} ${OUT_OF_IT}`, argv);
      if (exposure === null) continue;
      const path = readable(exposure.path);
      if (exposure.kind === "part" && !isPart(exposure.path)) continue;
      if (exposure.kind === "part") {
        report(
          "ask",
          "rm.wide",
          `deletes ${path}, which a system or its data need as a whole; name what is below it`,
          argv,
        );
        continue;
      }
      if (exposure.certain) {
        report("block", "rm.wide", `deletes ${path} and all below it; name the directory of the project instead`, argv);
        return;
      }
      const reason = `what is deleted cannot be determined from the text (${path}); write the path out`;
      report("ask", "dyn.operand", reason, argv);
    }
  };

const OUT_OF_IT =
  "may lead out of its directory: a part of it comes from the payload; use a value that is a plain name, or write the path out";

/** `/srv/app/$p`, where p was made of the payload by a program that is not followed: `../../usr` is a value. */
const leadsAnywhere = (operand: string, { io: { payload } }: State): boolean =>
  payload.isUnresolved && isUnknown(operand) && !operand.endsWith(DEEP);

export const DESTROYS = "destroys what is on a device; work on an image file, or leave this to the operator";

export const UNDECIDED = "the device cannot be determined from the text; write it out";

/** The program destroys what is on each of the operands. */
export const writesDevices =
  (operands: Operands): BlockRule =>
  (argv, state, report) => {
    const found = operands(argv.slice(1), state).map((operand) => deviceAt(operand, state));
    if (found.includes("yes")) report("block", "disk.write", DESTROYS, argv);
    else if (found.includes("possibly")) report("ask", "dyn.operand", UNDECIDED, argv);
  };

export const anyOperand = writesDevices((args) => args);

/** Any operand of these on a device destroys it, unless one of the words only looks. */
export const unless = (looks: RegExp): BlockRule =>
  writesDevices((args) => (args.some((arg) => looks.test(arg)) ? [] : args));

/**
 * Only with one of these words. What is not known may be one of them where the command has none that says what it does: neither
 * an option nor, as the operand in the place of `verb`, a word.
 */
export const onlyWith = (changes: RegExp, verb: number | null = null): BlockRule =>
  writesDevices((args) => {
    if (args.some((arg) => changes.test(arg))) return args;
    const says = verb === null ? args.slice(0, args.length - 1)[0] : args.filter((arg) => !arg.startsWith("-"))[verb];
    return isUnknown(says ?? "") ? args : [];
  });

export const lastOperand = writesDevices((args) => parseOptions(args).operands.slice(-1));

/** A redirection, or a program such as `tee`, that writes to the path. */
export function judgeWrite(path: string, state: State, report: Report): void {
  const device = deviceAt(path, state);
  if (device === "possibly" && path.startsWith("/dev/")) report("ask", "dyn.operand", UNDECIDED, [">", path]);
  if (device === "yes") report("block", "disk.write", DESTROYS, [">", path]);
}

function treesOf(args: readonly string[], row: Deleted): readonly string[] {
  const paths = isMeant(args, row) ? selected(args, row) : [];
  return row.accounts === true ? paths.map((name) => `/home/${name}`) : paths.filter((path) => !/^[\w-]+:/.test(path));
}

const PACKED = optionTable("f C T X b file directory exclude");

/** `tar -C / -c usr --remove-files`. */
function packedBy([first = "", ...rest]: readonly string[]): readonly string[] {
  if (!rest.concat(first).some((arg) => /^--remove/.test(arg))) return [];
  const parsed = parseOptions([/^[-]/.test(first) ? first : `-${first}`, ...rest], PACKED);
  const directory = optionValue(parsed, "C", "directory");
  return directory === null ? parsed.operands : parsed.operands.map((path) => absolute(path, directory));
}

/** Trees that a row of the record says are deleted. */
export function judgeDeleted(argv: readonly string[], row: Deleted, state: State, report: Report): void {
  deletesTrees((args) => (row.packs === true ? packedBy(args) : treesOf(args, row)))(argv, state, report);
}

/** Devices as a pool's tools name them. */
const SHORT =
  /^(?:sd[a-z]+\d*|[hv]d[a-z]\d*|xvd[a-z]\d*|nvme\d+n\d+(?:p\d+)?|mmcblk\d+(?:p\d+)?|md\d+|a?da\d+(?:p\d+)?|nvd\d+|r?disk\d+(?:s\d+)?|(?:ata|wwn|scsi|nvme|usb)-[\w.:-]+|c\d+t\d+d\d+\w*)$/;

/** Devices that are no block devices, but hold what is destroyed. */
const RAW = /^\/dev\/(?:sg|nvme|mtd|bsg\/|ubi|nst|st)\d/;

const OUTPUT =
  /^(?:-o|--?out|--?output|--?output-?(?:file|document|path)|--outfile|--out-file|-outdev|--result-file|--archive)$/;

const REMOVES = "removes a volume with all that it holds; name a snapshot, or leave this to the operator";

type Target = { readonly path: string; readonly row: Written | null };

const targetsOf = ([, ...args]: readonly string[], row: Written): readonly Target[] =>
  isMeant(args, row) ? selected(args, row).map((path) => ({ path: path.replace(/^[\w.@-]+:(?=\/)/, ""), row })) : [];

/** `-o x`, `--output=x`, `of=x`: the same in most programs. */
const outputs = ([, ...args]: readonly string[]): readonly Target[] =>
  args.flatMap((arg, at) => {
    const [, attached] = /^(?:-o(?=\/)|--?[a-z-]*=|[a-z]+=)(\/dev\/.+)$/.exec(arg) ?? [];
    const named = /^(?:-o|--?out|--[a-z-]*out[a-z-]*=|(?:of|wipe)=|--result-file=|--archive=)/.test(arg);
    if (attached !== undefined) return named ? [{ path: attached, row: null }] : [];
    return OUTPUT.test(arg) ? [{ path: args[at + 1] ?? "", row: null }] : [];
  });

type Writer = { readonly rows: readonly Written[]; readonly otherOutput: boolean };

/** The worst of all that is written to. */
export function judgeWritten(
  argv: readonly string[],
  { rows, otherOutput }: Writer,
  state: State,
  report: Report,
): void {
  const destroyed = rows.flatMap((row) => (row.always !== undefined && destroys(argv, row) ? [row.always] : []));
  const found = [...rows.flatMap((row) => targetsOf(argv, row)), ...(otherOutput ? [] : outputs(argv))].map((target) =>
    kindOf(target, state),
  );
  if (destroyed.includes("block") || found.includes("yes")) report("block", "disk.write", DESTROYS, argv);
  else if (destroyed.length > 0) report("ask", "disk.write", REMOVES, argv);
  else if (found.includes("possibly")) report("ask", "dyn.operand", UNDECIDED, argv);
}

function destroys([, ...args]: readonly string[], row: Written): boolean {
  if (!isMeant(args, row)) return false;
  const { operands } = parseOptions(args);
  return row.verb === undefined
    ? row.when !== undefined || args.length > 0
    : row.verb.test(operands[0] ?? "") && operands.length > 1;
}

function kindOf({ path, row }: Target, state: State): "yes" | "possibly" | "no" {
  if (path === "") return "no";
  const devices = row?.devices === true;
  if (RAW.test(path) || (devices && SHORT.test(path.replace(/^\/dev\//, "")))) return "yes";
  const kind = deviceAt(path, state);
  return kind === "possibly" && !path.startsWith("/dev/") && !(devices && isOpen(path)) ? "no" : kind;
}
