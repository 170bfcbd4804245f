// Programs that make file systems or wipe devices.
import { onlyWith, unless } from "./device-write.ts";
import type { BlockRule, ProgramRecord } from "./record.ts";

const KINDS = "ext2 ext3 ext4 xfs btrfs vfat fat msdos ntfs exfat f2fs minix cramfs jfs reiserfs bfs".split(" ");

const wipefs: BlockRule = (argv, state, report) => {
  if (argv.some((arg) => /^-\w*n|^--no-act/.test(arg))) return;
  onlyWith(/^-\w*[ao]|^--(all|offset)/)(argv, state, report);
};

const destroys = unless(null);
const changesDisks = { changes: "changes disks or mounts" };
/** Options of some that only tell what would be done. */
const destroysExt = unless(/^-\w*n$|^-V/);
const destroysXfs = unless(/^-\w*N$|^-V/);
const JUDGED_KINDS = new Map([
  ...["ext2", "ext3", "ext4"].map((kind) => [kind, destroysExt] as const),
  ["xfs", destroysXfs],
]);

export const FILE_SYSTEMS: readonly ProgramRecord[] = [
  { names: "mkfs", effect: changesDisks, alwaysBlocked: destroys, suspected: "anywhere", kinds: true },
  { names: "mke2fs", effect: changesDisks, alwaysBlocked: destroysExt, suspected: "anywhere" },
  { names: "mkswap", effect: changesDisks, alwaysBlocked: destroys, suspected: "anywhere" },
  { names: "mkntfs mkdosfs newfs", effect: changesDisks, alwaysBlocked: destroys },
  ...KINDS.map((kind) => ({ names: `mkfs.${kind}`, alwaysBlocked: JUDGED_KINDS.get(kind) ?? destroys })),
  { names: "wipefs", effect: changesDisks, alwaysBlocked: wipefs, suspected: "anywhere" },
  { names: "badblocks", effect: changesDisks, alwaysBlocked: onlyWith(/^-\w*[wn]/) },
  { names: "scrub nwipe sg_format", alwaysBlocked: destroys },
];

export const BLKDISCARD: readonly ProgramRecord[] = [
  { names: "blkdiscard", effect: changesDisks, alwaysBlocked: destroys, suspected: "anywhere" },
];
