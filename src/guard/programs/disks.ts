// Holds the records of disks, volumes, file systems and mounts: what makes file systems, wipes devices or partitions disks.
import { has, words } from "../words/options.ts";
import { anyOperand, onlyWith, unless } from "./blocked-operands.ts";
import { bindMount } from "./copy.ts";
import { passes } from "./launchers.ts";
import { looks } from "./looks/rule.ts";
import {
  type BlockRule,
  byOptions,
  DISKS,
  type EffectRule,
  mayBeOption,
  options,
  type ProgramRecord,
  unlessDry,
  verbs,
} from "./record.ts";

const KINDS = words("ext2 ext3 ext4 xfs btrfs vfat fat msdos ntfs exfat f2fs minix cramfs jfs reiserfs bfs");

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

/** Programs that make file systems, wipe devices or partition disks. */
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

const partitionLooks = options({ reads: "l x d J s list dump json verify show-size", otherwise: changesDisks });

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
  { names: "fdisk", effect: partitionLooks, alwaysBlocked: unless(/^(-l|--list|-s|-x)/), suspected: "anywhere" },
  {
    names: "sfdisk",
    effect: partitionLooks,
    alwaysBlocked: unless(/^(-l|-d|-J|-s|-V|-F|--list|--dump|--json|--show-|--verify)/),
    suspected: "anywhere",
  },
  { names: "gdisk", effect: partitionLooks, alwaysBlocked: unless(/^-l/) },
  { names: "cfdisk", effect: changesDisks, alwaysBlocked: anyOperand },
  { names: "cgdisk", alwaysBlocked: anyOperand },
];

/** A letter of these with a number sets, alone it shows. */
const SETS_OR_SHOWS = /^-[aAbBMWdkKmQrRX](?!$)|^-[yYzZwDESfFsnp]/;

const hdparm: EffectRule = ([, ...args]) => {
  if (args.some((arg, at) => SETS_OR_SHOWS.test(arg) || (/^-\w$/.test(arg) && /^\d/.test(args[at + 1] ?? ""))))
    return { changes: DISKS };
  const shows = args.filter((arg) => arg.startsWith("-"));
  return shows.length > 0 && shows.every((arg) => /^-[IitTCgBMWaAbdkmQrHNv]+$/.test(arg)) ? "reads" : "unknown";
};

/** Without operands, mount lists. */
const mount = byOptions("t o L U O N p T types options source target fstab", (parsed) => {
  if (parsed.operands.some(mayBeOption)) return "unknown";
  const acts = parsed.operands.length > 0 || has(parsed, "a", "all", "o", "options", "L", "U", "source", "target");
  return acts ? { changes: DISKS } : "reads";
});

/** `zpool import` alone lists what could be imported. */
const bareLists = options({ why: DISKS, operands: 0, changes: "a" });

const blockdev: EffectRule = ([, ...args]) => {
  if (args.some((arg) => /^--(set|flush|reread)/.test(arg))) return { changes: DISKS };
  return args.some((arg) => /^--(get|report)/.test(arg)) ? "reads" : "unknown";
};

const looksWith = (names: string, valued = ""): EffectRule =>
  options({ why: DISKS, reads: names, valued, otherwise: { changes: DISKS } });

export const DISK_TOOLS: readonly ProgramRecord[] = [
  {
    names: `lsblk findmnt lvs vgs pvs lvdisplay vgdisplay pvdisplay lvscan lvmdiskscan xfs_info dumpe2fs repquota
    quota ntfsinfo nfsiostat zdb`,
    effect: "reads",
  },
  { names: "blkid", effect: options({ why: DISKS, changes: "g garbage-collect" }) },
  { names: "mount", kinds: true, runs: bindMount, effect: mount },
  { names: "umount", kinds: true, effect: { changes: DISKS } },
  {
    names: `swapoff fstrim partprobe kpartx growpart lvcreate lvremove lvextend lvreduce lvresize lvchange
    lvrename lvconvert vgremove vgextend vgreduce vgchange vgrename vgimport vgexport pvremove pvresize
    pvmove pvchange quotaon quotaoff setquota edquota`,
    effect: { changes: DISKS },
  },
  { names: "vgcreate pvcreate", alwaysBlocked: anyOperand, effect: { changes: DISKS } },
  { names: "swapon", effect: options({ why: DISKS, changes: "a all", reads: "s show summary", operands: 0 }) },
  {
    names: "smartctl",
    effect: options({
      why: DISKS,
      changes: "t X s S o test abort smart saveauto offlineauto set",
      valued: "d n l T device log",
    }),
  },
  {
    names: "hdparm",
    alwaysBlocked: onlyWith(/^--(security-erase|trim-sector|make-bad-sector|write-sector|sanitize)/),
    effect: hdparm,
  },
  {
    names: "nvme",
    alwaysBlocked: onlyWith(/^(format|sanitize|write|write-zeroes|write-uncor)$/),
    effect: verbs(
      DISKS,
      `list list-subsys id-ctrl id-ns list-ns list-ctrl smart-log error-log fw-log get-feature show-regs effects-log
        version get-log endurance-log self-test-log ana-log id-nvmset id-iocs primary-ctrl-caps list-endgrp
        list-secondary show-topology persistent-event-log changed-ns-list-log supported-log-pages`,
      `format sanitize write write-zeroes write-uncor set-feature fw-commit fw-download fw-activate reset
        subsystem-reset create-ns delete-ns attach-ns detach-ns device-self-test connect disconnect`,
    ),
  },
  {
    names: "mdadm",
    alwaysBlocked: onlyWith(/^(-C|--create|--zero-superblock)/),
    effect: options({
      why: DISKS,
      changes: `C create A assemble S stop G grow a add f fail r remove zero-superblock manage re-add replace o readonly w
        readwrite run incremental I`,
      unsure: "F monitor follow",
      reads: "D detail E examine Q query V version",
      otherwise: "unknown",
    }),
  },
  { names: "vgck pvck", effect: looks("*", { unless: "f file updatemetadata repairtype" }) },
  {
    names: "debugfs",
    effect: looks(
      `-R stat*|ls*|cat*|icheck*|ncheck*|blocks*|show_super_stats*|stats*|imap*|htree*|extents*|ex*|features|params|testb*|testi*|
      bmap*|supported_features|filefrag*|lsdel, -c -R stat*|ls*|cat*`.replaceAll(/\s*\|\s*/g, "|"),
      { unless: "w f z" },
    ),
  },
  {
    names: "xfs_db",
    effect: looks("-r -c frag|freesp|sb|info|print|version|uuid|label|blockget*, -r -p xfs_db", { unless: "x" }),
  },
  {
    names: "xfs_quota",
    effect: looks("-x -c report*|df*|free*|quota*|state*|print*|paths*, -c report*|df*|free*|quota*|state*|print*"),
  },
  { names: "partx", effect: looks("-s|--show|-l|--list|-o|-g, --output", { unless: "a add d delete u update" }) },
  { names: "lvm", ...passes(/^(?:lv|vg|pv)\w+$/, looks("fullreport, segtypes, devtypes, formats")) },
  {
    names: "zpool",
    alwaysBlocked: onlyWith(/^(create|labelclear)$/),
    effect: verbs(
      DISKS,
      "list status get iostat history version wait",
      `create destroy add remove attach detach replace scrub trim initialize online offline clear export set
        split reguid reopen labelclear resilver checkpoint sync`,
      {
        rules: [
          ["import upgrade", bareLists],
          ["events", options({ why: DISKS, changes: "c" })],
        ],
      },
    ),
  },
  {
    names: "zfs",
    effect: verbs(
      DISKS,
      "list get diff holds userspace groupspace projectspace version send",
      `create set inherit snapshot snap rollback clone promote rename receive recv share unshare unmount
        umount hold release bookmark load-key unload-key change-key upgrade unallow program redact`,
      {
        rules: [
          ["destroy", unlessDry("n", { changes: DISKS })],
          ["mount", bareLists],
          ["allow", options({ why: DISKS, operands: 1, changes: "s c e u g l d" })],
        ],
      },
    ),
  },
  {
    names: "btrfs",
    effect: verbs(DISKS, "version", "restore rescue send receive", {
      rules: [
        ["replace", verbs(DISKS, "status", "start cancel")],
        [
          "check",
          options({
            reads: "readonly",
            changes: "repair init-csum-tree init-extent-tree clear-space-cache clear-ino-cache",
            why: DISKS,
            otherwise: "unknown",
          }),
        ],
        [
          "inspect-internal inspect",
          verbs(
            DISKS,
            "dump-super dump-tree rootid inode-resolve logical-resolve subvolid-resolve min-dev-size tree-stats list-chunks",
            "",
          ),
        ],
        ["filesystem fi", verbs(DISKS, "show df usage du", "resize defragment defrag sync label mkswapfile")],
        ["subvolume sub", verbs(DISKS, "list show get-default", "create delete snapshot set-default sync")],
        [
          "device dev",
          verbs(DISKS, "usage", "add remove delete scan ready", {
            rules: [["stats", options({ why: DISKS, changes: "z reset" })]],
          }),
        ],
        ["scrub balance", verbs(DISKS, "status", "start cancel resume pause")],
        ["property", verbs(DISKS, "get list", "set")],
        ["quota qgroup", verbs(DISKS, "show status", "enable disable rescan create destroy assign remove limit")],
      ],
    }),
  },
  {
    names: "tune2fs",
    effect: options({
      why: DISKS,
      valued: "c C e E g i I J L m M o O Q r s T u U z",
      changes: "c C e E f g i I j J L m M o O Q r s T u U z",
      reads: "l",
      otherwise: { changes: DISKS },
    }),
  },
  { names: "fsck", kinds: true, effect: options({ why: DISKS, reads: "n N", otherwise: { changes: DISKS } }) },
  { names: "e2fsck xfs_repair", effect: options({ why: DISKS, reads: "n N", otherwise: { changes: DISKS } }) },
  { names: "resize2fs", effect: looksWith("P") },
  { names: "xfs_growfs", effect: looksWith("n") },
  { names: "xfs_admin", effect: looksWith("l u") },
  { names: "blockdev", effect: blockdev },
  {
    names: "losetup",
    effect: options({
      why: DISKS,
      changes: "d D c f detach detach-all find",
      reads: "l a j list all",
      operands: 1,
      valued: "j O",
    }),
  },
  {
    names: "cryptsetup",
    alwaysBlocked: onlyWith(/^(luksFormat|erase|luksErase|reencrypt)$/),
    effect: verbs(
      DISKS,
      "status luksDump isLuks isLuks2 luksUUID benchmark bitlkDump tcryptDump",
      "luksFormat open close luksOpen luksClose erase luksErase reencrypt resize luksAddKey luksRemoveKey luksKillSlot",
    ),
  },
  {
    names: "dmsetup",
    effect: verbs(
      DISKS,
      "ls info status table deps targets version",
      "create remove remove_all suspend resume load reload rename message",
    ),
  },
  { names: "multipath", effect: options({ why: DISKS, reads: "l", otherwise: { changes: DISKS } }) },
  { names: "exportfs", effect: options({ why: DISKS, changes: "a r u f o", operands: 0 }) },
  { names: "zramctl", effect: options({ why: DISKS, changes: "f r s a find reset size algorithm", operands: 1 }) },
];
