// Family `disk`: the destructive row of the policy table (spec section 5): a device formatted, wiped, repartitioned or
// overwritten, the root's mode or owner changed, a system directory moved away.
import { deviceAt, exposureOf } from "../paths.ts";
import type { Report } from "../shell/machine.ts";
import { has, hasLong, parseOptions } from "../shell/options.ts";
import type { State } from "../shell/state.ts";
import { DEEP, isOpen, isUnknown, UNKNOWN } from "../shell/symbols.ts";
import type { Judge } from "./rm.ts";

const DESTROYS = "destroys what is on a device; work on an image file, or leave this to the operator";

function devices(operands: readonly string[], argv: readonly string[], state: State, report: Report): void {
  const found = operands.map((operand) => deviceAt(operand, state));
  if (found.includes("yes")) report("block", "disk.write", DESTROYS, argv);
  else if (found.includes("possibly")) {
    report("ask", "dyn.operand", "the device cannot be told from the text; write it out", argv);
  }
}

/** Any operand of these on a device destroys it, unless one of the words only looks. */
const unless =
  (looks: RegExp | null): Judge =>
  (argv, state, report) => {
    const args = argv.slice(1);
    if (looks === null || !args.some((arg) => looks.test(arg))) devices(args, argv, state, report);
  };

/** Only with one of these words. */
const onlyWith =
  (changes: RegExp): Judge =>
  (argv, state, report) => {
    const args = argv.slice(1);
    if (args.some((arg) => changes.test(arg) || isUnknown(arg))) devices(args, argv, state, report);
  };

const dd: Judge = (argv, state, report) =>
  devices(
    argv.filter((arg) => arg.startsWith("of=")).map((arg) => arg.slice(3)),
    argv,
    state,
    report,
  );

const outputOf =
  (...names: readonly string[]): Judge =>
  (argv, state, report) => {
    const parsed = parseOptions(argv.slice(1), {
      short: names.filter((name) => name.length === 1).join(""),
      long: names,
    });
    devices(
      parsed.options.flatMap(({ name, value }) => (names.includes(name) && value !== null ? [value] : [])),
      argv,
      state,
      report,
    );
  };

const lastOperand: Judge = (argv, state, report) =>
  devices(parseOptions(argv.slice(1)).operands.slice(-1), argv, state, report);

/** `ddrescue SOURCE DESTINATION [MAP]`. */
const lastOperandBefore: Judge = (argv, state, report) =>
  devices(
    parseOptions(argv.slice(1), { short: "abBcdeEHiIkKlmnoOprRsTwyX", long: [] }).operands.slice(1, 2),
    argv,
    state,
    report,
  );

const recursiveChange: Judge = (argv, state, report) => {
  const parsed = parseOptions(argv.slice(1));
  const recursive = has(parsed, "R") || hasLong(parsed, "recursive", 3);
  // What find prints is every file below, so changing it one by one is as wide.
  const open = argv.slice(1).some((word) => word === UNKNOWN || (word.startsWith("-") && isOpen(word)));
  for (const operand of recursive || open ? parsed.operands : parsed.operands.filter((path) => path.endsWith(DEEP))) {
    const exposure = exposureOf(operand, state);
    if (exposure?.kind !== "root") continue;
    if (exposure.certain && !open) {
      report("block", "disk.write", "changes mode or owner of the whole system; name the directory instead", argv);
    } else report("ask", "dyn.operand", "what is changed cannot be told from the text; write the path out", argv);
  }
};

const move: Judge = (argv, state, report) => {
  const parsed = parseOptions(argv.slice(1), { short: "tS", long: ["target-directory", "suffix"] });
  const whole = has(parsed, "t", "target-directory") ? parsed.operands : parsed.operands.slice(0, -1);
  for (const operand of whole) {
    const exposure = exposureOf(operand, state);
    if (exposure?.certain === false && exposure.path.startsWith("/")) {
      report("ask", "dyn.operand", "what is moved away cannot be told from the text; write the path out", argv);
    } else if (exposure?.certain === true && exposure.kind !== "home_content") {
      report("block", "disk.write", "moves a system directory away; move files inside it instead", argv);
    }
  }
};

const FORMATS =
  "mkfs mke2fs mkntfs mkdosfs mkswap newfs blkdiscard pvcreate vgcreate cfdisk cgdisk scrub nwipe sg_format".split(" ");
const KINDS = "ext2 ext3 ext4 xfs btrfs vfat fat msdos ntfs exfat f2fs minix cramfs jfs reiserfs bfs".split(" ");

const wipefs: Judge = (argv, state, report) => {
  if (argv.some((arg) => /^-\w*n|^--no-act/.test(arg))) return;
  onlyWith(/^-\w*[ao]|^--(all|offset)/)(argv, state, report);
};

/** Options that only tell what would be done, where a program has one. */
const TRIES: ReadonlyMap<string, RegExp> = new Map([
  ...["mke2fs", "mkfs.ext2", "mkfs.ext3", "mkfs.ext4"].map((name) => [name, /^-\w*n$|^-V/] as const),
  ["mkfs.xfs", /^-\w*N$|^-V/],
]);

export const DISK: readonly (readonly [string, Judge])[] = [
  ...[...FORMATS, ...KINDS.map((kind) => `mkfs.${kind}`)].map(
    (name) => [name, unless(TRIES.get(name) ?? null)] as const,
  ),
  ["wipefs", wipefs],
  ["shred", unless(/^--help$/)],
  ["fdisk", unless(/^(-l|--list|-s|-x)/)],
  ["sfdisk", unless(/^(-l|-d|-J|-s|-V|-F|--list|--dump|--json|--show-|--verify)/)],
  ["gdisk", unless(/^-l/)],
  [
    "sgdisk",
    onlyWith(/^-\w*[ZzondtcgGlRrumsACUe]|^--(zap|clear|new|delete|typecode|mbrtogpt|load|replicate|randomize)/),
  ],
  ["parted", onlyWith(/^(mklabel|mktable|mkpart|mkpartfs|mkfs|rm|resizepart|resize|move|set|toggle|name|rescue)\b/)],
  ["badblocks", onlyWith(/^-\w*[wn]/)],
  ["hdparm", onlyWith(/^--(security-erase|trim-sector|make-bad-sector|write-sector|sanitize)/)],
  ["nvme", onlyWith(/^(format|sanitize|write|write-zeroes|write-uncor)$/)],
  ["cryptsetup", onlyWith(/^(luksFormat|erase|luksErase|reencrypt)$/)],
  ["mdadm", onlyWith(/^(-C|--create|--zero-superblock)/)],
  ["dd", dd],
  ["dcfldd", dd],
  ["ddrescue", lastOperandBefore],
  ["zpool", onlyWith(/^(create|labelclear)$/)],
  ["wget", outputOf("O", "output-document")],
  ["curl", outputOf("o", "output")],
  ["qemu-img", lastOperand],
  ["cp", lastOperand],
  ["truncate", lastOperand],
  ["chmod", recursiveChange],
  ["chown", recursiveChange],
  ["chgrp", recursiveChange],
  ["mv", move],
];

/** A redirection, or a program such as `tee`, that writes to the path. */
export function judgeWrite(path: string, state: State, report: Report): void {
  const device = deviceAt(path, state);
  if (device === "possibly" && path.startsWith("/dev/"))
    report("ask", "dyn.operand", "the device cannot be told from the text; write it out", [">", path]);
  if (device === "yes") report("block", "disk.write", DESTROYS, [">", path]);
}
