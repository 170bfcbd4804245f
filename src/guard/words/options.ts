// Command-line options as getopt reads them, over symbolic words.

/** Which options take a value: single letters, and long names without their dashes. */
export type OptionTable = { readonly short: string; readonly long: readonly string[] };

export const words = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== "");

/** Of the texts in the records, each of which is asked for again and again. */
const TABLES = new Map<string, OptionTable>();
const MAX_TABLES = 4_096;

/** The letters and long names that take a value, separated by blanks. */
export function optionTable(valued: string): OptionTable {
  const known = TABLES.get(valued);
  if (known !== undefined) return known;
  const names = words(valued);
  const long = names.filter(({ length }) => length > 1);
  const table = { short: names.filter(({ length }) => length === 1).join(""), long };
  if (TABLES.size < MAX_TABLES) TABLES.set(valued, table);
  return table;
}

type Option = { readonly name: string; readonly value: string | null };
export type Parsed = { readonly options: readonly Option[]; readonly operands: readonly string[] };

const NONE: OptionTable = { short: "", long: [] };

/** `permute`: options may follow operands, as GNU programs allow; otherwise the first operand ends them. */
export function parseOptions(args: readonly string[], table: OptionTable = NONE, permute = true): Parsed {
  const options: Option[] = [];
  const operands: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? "";
    if (arg === "--") return { options, operands: [...operands, ...args.slice(at + 1)] };
    if (!arg.startsWith("-") || arg === "-") {
      if (!permute) return { options, operands: args.slice(at) };
      operands.push(arg);
    } else if (arg.startsWith("--")) at += readLong(arg, args[at + 1], table, options);
    else at += readCluster(arg, args[at + 1], table, options);
  }
  return { options, operands };
}

/** How many further words were used up: 0 or 1. */
function readLong(arg: string, next: string | undefined, table: OptionTable, into: Option[]): number {
  const equals = arg.indexOf("=");
  const name = equals < 0 ? arg.slice(2) : arg.slice(2, equals);
  const takesNext = equals < 0 && table.long.includes(name) && next !== undefined;
  into.push({ name, value: equals >= 0 ? arg.slice(equals + 1) : takesNext ? next : null });
  return takesNext ? 1 : 0;
}

function readCluster(arg: string, next: string | undefined, table: OptionTable, into: Option[]): number {
  for (let at = 1; at < arg.length; at += 1) {
    const name = arg.charAt(at);
    if (!table.short.includes(name)) {
      into.push({ name, value: null });
      continue;
    }
    const attached = arg.slice(at + 1);
    into.push({ name, value: attached === "" ? (next ?? null) : attached });
    return attached === "" ? 1 : 0;
  }
  return 0;
}

export const has = (parsed: Parsed, ...names: readonly string[]): boolean =>
  parsed.options.some(({ name }) => names.includes(name));

export const optionValue = (parsed: Parsed, ...names: readonly string[]): string | null =>
  parsed.options.findLast(({ name, value }) => names.includes(name) && value !== null)?.value ?? null;

/** What each of the options is given, in order; null where the value is missing. */
export const optionValues = (parsed: Parsed, ...names: readonly string[]): readonly (string | null)[] =>
  parsed.options.filter(({ name }) => names.includes(name)).map(({ value }) => value);

/** A long option or a prefix of it that GNU getopt would accept. `shortest`: how many letters make it unambiguous. */
export const hasLong = (parsed: Parsed, full: string, shortest: number): boolean =>
  parsed.options.some(({ name }) => name.length >= shortest && full.startsWith(name));
