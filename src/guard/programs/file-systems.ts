// Programs that make file systems, wipe devices or partition disks.
import { has } from "../words/options.ts";
import { anyOperand, onlyWith, unless } from "./blocked-operands.ts";
import { type BlockRule, byOptions, mayBeOption, options, type ProgramRecord } from "./record.ts";
import { DISKS } from "./sentences.ts";

const KINDS = "ext2 ext3 ext4 xfs btrfs vfat fat msdos ntfs exfat f2fs minix cramfs jfs reiserfs bfs".split(" ");

const wipefs: BlockRule = (argv, state, report) => {
  if (argv.some((arg) => /^-\w*n|^--no-act/.test(arg))) return;
  onlyWith(/^-\w*[ao]|^--(all|offset)/)(argv, state, report);
};

const changesDisks = { changes: DISKS };
/** Options of some that only tell what would be done. */
const destroysExt = unless(/^-\w*n$|^-V/);
const destroysXfs = unless(/^-\w*N$|^-V/);
const JUDGED_KINDS = new Map([
  ...["ext2", "ext3", "ext4"].map((kind) => [kind, destroysExt] as const),
  ["xfs", destroysXfs],
]);

export const FILE_SYSTEMS: readonly ProgramRecord[] = [
  { names: "mkfs", effect: changesDisks, alwaysBlocked: anyOperand, suspected: "anywhere", kinds: true },
  { names: "mke2fs", effect: changesDisks, alwaysBlocked: destroysExt, suspected: "anywhere" },
  { names: "mkswap", effect: changesDisks, alwaysBlocked: anyOperand, suspected: "anywhere" },
  { names: "mkntfs mkdosfs newfs", effect: changesDisks, alwaysBlocked: anyOperand },
  ...KINDS.map((kind) => ({ names: `mkfs.${kind}`, alwaysBlocked: JUDGED_KINDS.get(kind) ?? anyOperand })),
  {
    names: "wipefs",
    effect: options({ why: DISKS, dry: "n no-act", changes: "a o f all offset force", valued: "t O types output" }),
    alwaysBlocked: wipefs,
    suspected: "anywhere",
  },
  {
    names: "badblocks",
    effect: options({ why: DISKS, changes: "w n o", valued: "b c e d o p t i" }),
    alwaysBlocked: onlyWith(/^-\w*[wn]/),
  },
  { names: "scrub nwipe sg_format", alwaysBlocked: anyOperand },
];

const partedEffect = byOptions("a align", (parsed) => {
  if (has(parsed, "l", "list")) return "reads";
  const verb = parsed.operands[1];
  if (verb === undefined || mayBeOption(verb)) return "unknown";
  if (/^(print|unit|align-check|version|help)$/.test(verb)) {
    return parsed.operands.some((word) => /^(mk|rm|resize|set|toggle|name|rescue)/.test(word)) ? changesDisks : "reads";
  }
  return changesDisks;
});

const looks = options({ reads: "l x d J s list dump json verify show-size", otherwise: changesDisks });

export const PARTITIONS: readonly ProgramRecord[] = [
  { names: "blkdiscard", effect: changesDisks, alwaysBlocked: anyOperand, suspected: "anywhere" },
  {
    names: "sgdisk",
    effect: options({
      why: DISKS,
      changes: `Z z o n d t c g zap zap-all clear new delete typecode change-name mbrtogpt load-backup replicate
        randomize-guids backup partition-guid disk-guid attributes move-second-header resize-table sort`,
      reads:
        "p i v E F f D print info verify end-of-largest first-in-largest first-aligned-in-largest display-alignment",
      valued: "i a info",
      otherwise: changesDisks,
    }),
    alwaysBlocked: onlyWith(
      /^-\w*[ZzondtcgGlRrumsACUe]|^--(zap|clear|new|delete|typecode|mbrtogpt|load|replicate|randomize)/,
    ),
    suspected: "anywhere",
  },
  {
    names: "parted",
    effect: partedEffect,
    alwaysBlocked: onlyWith(
      /^(mklabel|mktable|mkpart|mkpartfs|mkfs|rm|resizepart|resize|move|set|toggle|name|rescue)\b/,
    ),
    suspected: "anywhere",
  },
  { names: "fdisk", effect: looks, alwaysBlocked: unless(/^(-l|--list|-s|-x)/), suspected: "anywhere" },
  {
    names: "sfdisk",
    effect: looks,
    alwaysBlocked: unless(/^(-l|-d|-J|-s|-V|-F|--list|--dump|--json|--show-|--verify)/),
    suspected: "anywhere",
  },
  { names: "gdisk", effect: looks, alwaysBlocked: unless(/^-l/) },
  { names: "cfdisk", effect: changesDisks, alwaysBlocked: anyOperand },
  { names: "cgdisk", alwaysBlocked: anyOperand },
];
