// Lists programs beside rm and find that delete whole trees, with their operands that are deleted, and judges these.
import { absolute } from "../paths.ts";
import { optionTable, optionValue, parseOptions, rowsByName } from "../words/options.ts";
import { deletesTrees } from "./blocked-operands.ts";
import type { BlockRule } from "./record.ts";

type TreeRow = {
  readonly names: string;
  /** All words after the name, joined: the row is only for these, or not for these. */
  readonly only?: RegExp;
  readonly unless?: RegExp;
  readonly valued?: string;
  /** How many operands come first that are no paths. */
  readonly skip?: number;
  readonly last?: true;
  /** The operands are accounts, whose homes are deleted. */
  readonly accounts?: true;
  /** It packs files and then deletes them. */
  readonly packs?: true;
};

const ROWS: readonly TreeRow[] = [
  { names: "tar gtar bsdtar", only: /--remove/, packs: true },
  { names: "userdel", only: /(?:^|\s)(?:-\w*r|--remove)/, valued: "P R prefix root", accounts: true },
  { names: "deluser", only: /--remove-(?:home|all-files)/, valued: "backup-to conf", accounts: true },
  { names: "pw", only: /^userdel\b.*\s-\w*r/, skip: 1, accounts: true },
  { names: "zip", only: /(?:^|\s)(?:-\w*m\w*|--move)(?=\s|$)/, valued: "b n x i t tt", skip: 1 },
  { names: "tmpreaper", unless: /(?:^|\s)(?:-\w*t|--test)/, valued: "T runtime protect", skip: 1 },
  { names: "tmpwatch", unless: /(?:^|\s)(?:-\w*t|--test)/, valued: "x U exclude exclude-user", skip: 1 },
  {
    names: "rclone",
    only: /\b(?:purge|delete|rmdirs)\b/,
    unless: /(?:^|\s)(?:-n|--dry-run)/,
    valued: "config",
    skip: 1,
  },
  { names: "rclone", only: /\b(?:sync|move)\b/, unless: /(?:^|\s)(?:-n|--dry-run)/, valued: "config", last: true },
  { names: "trash trash-put gio rimraf del-cli", only: /^(?!list|info)/, skip: 0 },
  { names: "7z 7za rar", only: /(?:^|\s)-(?:sdel|df)(?=\s|$)/, skip: 2 },
];

const TREES_BY_NAME = rowsByName(ROWS, ({ names }) => names);

export const TREE_DELETERS: ReadonlySet<string> = new Set(TREES_BY_NAME.keys());

function operandsOf(args: readonly string[], row: TreeRow): readonly string[] {
  const text = args.join(" ");
  if (row.only?.test(text) === false || row.unless?.test(text) === true) return [];
  const { operands } = parseOptions(args, optionTable(row.valued ?? ""));
  const paths = row.last === true ? operands.slice(1).slice(-1) : operands.slice(row.skip ?? 0);
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

export const judgeTrees: BlockRule = (argv, state, report) => {
  const [name = "", ...args] = argv;
  for (const row of TREES_BY_NAME.get(name) ?? [])
    deletesTrees(() => (row.packs === true ? packedBy(args) : operandsOf(args, row)))(argv, state, report);
};
