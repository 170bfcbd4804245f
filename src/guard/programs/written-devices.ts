// Reports devices that a program would write to through an operand or an option, whichever program it is.
import type { State } from "../interpreter/state.ts";
import { deviceAt } from "../paths.ts";
import { optionTable, optionValues, parseOptions, rowsByName, words } from "../words/options.ts";
import { isOpen } from "../words/symbols.ts";
import { DESTROYS, UNDECIDED } from "./blocked-operands.ts";
import type { BlockRule } from "./record.ts";
import { DEVICE_WRITERS, NO_OUTPUT, WRITTEN, type WrittenRow } from "./written-operands.ts";

/** The rows of a name; `mkfs.*` is a name of its own. */
const BY_NAME = rowsByName([...WRITTEN, ...DEVICE_WRITERS], ({ names }) => names);

const kindOfName = (name: string): string => name.replace(/\..*/, ".*");

const rowsOf = (name: string): readonly WrittenRow[] => [
  ...(BY_NAME.get(name) ?? []),
  ...(BY_NAME.get(kindOfName(name)) ?? []),
];

/** Names that the table is about; any other program is judged where one of its words is a device. */
export const WRITERS: ReadonlySet<string> = new Set(BY_NAME.keys());

/** Devices as a pool's tools name them. */
const SHORT =
  /^(?:sd[a-z]+\d*|[hv]d[a-z]\d*|xvd[a-z]\d*|nvme\d+n\d+(?:p\d+)?|mmcblk\d+(?:p\d+)?|md\d+|a?da\d+(?:p\d+)?|nvd\d+|r?disk\d+(?:s\d+)?|(?:ata|wwn|scsi|nvme|usb)-[\w.:-]+|c\d+t\d+d\d+\w*)$/;

/** Devices that are no block devices, but hold what is destroyed. */
const RAW = /^\/dev\/(?:sg|nvme|mtd|bsg\/|ubi|nst|st)\d/;

const OUTPUT =
  /^(?:-o|--?out|--?output|--?output-?(?:file|document|path)|--outfile|--out-file|-outdev|--result-file|--archive)$/;

const REMOVES = "removes a volume with all that it holds; name a snapshot, or leave this to the operator";

type Target = { readonly path: string; readonly row: WrittenRow | null };

function targetsOf(argv: readonly string[], row: WrittenRow): readonly Target[] {
  const [, ...args] = argv;
  const text = args.join(" ");
  if (row.only?.test(text) === false || row.unless?.test(text) === true) return [];
  const table = optionTable(`${row.options ?? ""} ${row.valued ?? ""}`);
  const parsed = parseOptions(args, table);
  const [verb = "", ...rest] = parsed.operands;
  if (row.verbs !== undefined && !row.verbs.test(verb)) return [];
  const operands = row.verbs === undefined ? parsed.operands : rest;
  const found = [
    ...optionValues(parsed, ...words(row.options ?? "")).map((value) => value ?? ""),
    ...picked(operands, row),
  ];
  if (row.words !== undefined) for (const arg of args) found.push(row.words.exec(arg)?.[1] ?? "");
  return found.map((path) => ({ path: path.replace(/^[\w.@-]+:(?=\/)/, ""), row }));
}

function picked(operands: readonly string[], { operands: which }: WrittenRow): readonly string[] {
  if (which === undefined) return [];
  if (which === "first") return operands.slice(0, 1);
  if (which === "second") return operands.slice(1, 2);
  return which === "last" ? operands.slice(-1) : operands;
}

/** `-o x`, `--output=x`, `of=x`: the same in most programs. */
const outputs = ([name = "", ...args]: readonly string[]): readonly Target[] =>
  NO_OUTPUT.has(name)
    ? []
    : args.flatMap((arg, at) => {
        const [, attached] = /^(?:-o(?=\/)|--?[a-z-]*=|[a-z]+=)(\/dev\/.+)$/.exec(arg) ?? [];
        const named = /^(?:-o|--?out|--[a-z-]*out[a-z-]*=|(?:of|wipe)=|--result-file=|--archive=)/.test(arg);
        if (attached !== undefined) return named ? [{ path: attached, row: null }] : [];
        return OUTPUT.test(arg) ? [{ path: args[at + 1] ?? "", row: null }] : [];
      });

/** The worst of all that is written to. */
export const judgeWritten: BlockRule = (argv, state, report) => {
  const rows = rowsOf(argv[0] ?? "");
  const destroyed = rows.flatMap((row) => (row.always !== undefined && isMeant(argv, row) ? [row.always] : []));
  const found = [...rows.flatMap((row) => targetsOf(argv, row)), ...outputs(argv)].map((target) =>
    kindOf(target, state),
  );
  if (destroyed.includes("block") || found.includes("yes")) report("block", "disk.write", DESTROYS, argv);
  else if (destroyed.length > 0) report("ask", "disk.write", REMOVES, argv);
  else if (found.includes("possibly")) report("ask", "dyn.operand", UNDECIDED, argv);
};

function isMeant(argv: readonly string[], { only, unless, verbs }: WrittenRow): boolean {
  const text = argv.slice(1).join(" ");
  if (only?.test(text) === false || unless?.test(text) === true) return false;
  const { operands } = parseOptions(argv.slice(1));
  return verbs === undefined
    ? operands.length > 0 || only !== undefined || argv.length > 1
    : verbs.test(operands[0] ?? "") && operands.length > 1;
}

function kindOf({ path, row }: Target, state: State): "yes" | "possibly" | "no" {
  if (path === "") return "no";
  const devices = row?.devices === true;
  if (RAW.test(path) || (devices && SHORT.test(path.replace(/^\/dev\//, "")))) return "yes";
  const kind = deviceAt(path, state);
  return kind === "possibly" && !path.startsWith("/dev/") && !(devices && isOpen(path)) ? "no" : kind;
}
