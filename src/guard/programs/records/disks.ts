// Holds the records of disks, volumes, file systems and mounts: what makes file systems, wipes devices or partitions disks.
import { has } from "../../words/options.ts";
import type { BlockRule, EffectRule, ProgramRecord } from "../record.ts";
import { anyOperand, onlyWith, unless } from "../rules/blocked.ts";
import { byOptions, DISKS, mayBeOption, onThisMachine, options, unlessDry, verbs, WRITING } from "../rules/effects.ts";
import { bindMount } from "../rules/elsewhere.ts";
import { passes } from "../rules/launch.ts";
import { looks } from "../rules/looks.ts";
import { ASKS_HELP, DRY } from "../rules/select.ts";

const wipefs: BlockRule = (argv, state, report) => {
  if (argv.some((arg) => /^-\w*n|^--no-act/.test(arg))) return;
  onlyWith(/^-\w*[ao]|^--(all|offset)/)(argv, state, report);
};

const changesDisks = { changes: DISKS };

/** Options of some that only tell what would be done. */
const destroysExt = unless(/^-\w*n$|^-V/);

const destroysXfs = unless(/^-\w*N$|^-V/);

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

const e2fsckEffect = options({ why: DISKS, reads: "n N", otherwise: { changes: DISKS } });

export const RECORDS: readonly ProgramRecord[] = [
  ...onThisMachine([
    {
      names: "mkfs",
      effect: changesDisks,
      alwaysBlocked: anyOperand,
      suspected: 6,
      suspectedInWords: true,
      kinds: true,
    },
    { names: "mke2fs", effect: changesDisks, alwaysBlocked: destroysExt, suspected: 7, suspectedInWords: true },
    { names: "mkswap", effect: changesDisks, alwaysBlocked: anyOperand, suspected: 8, suspectedInWords: true },
    {
      names: "mkntfs mkdosfs",
      effect: changesDisks,
      alwaysBlocked: anyOperand,
      writes: { unless: DRY, operands: "all", options: "B C", devices: true },
    },
    { names: "newfs", effect: changesDisks, alwaysBlocked: anyOperand },
    { names: "mkfs.ext2 mkfs.ext3 mkfs.ext4", alwaysBlocked: destroysExt },
    { names: "mkfs.xfs", alwaysBlocked: destroysXfs },
    {
      names:
        "mkfs.btrfs mkfs.vfat mkfs.fat mkfs.msdos mkfs.ntfs mkfs.exfat mkfs.f2fs mkfs.minix mkfs.cramfs mkfs.jfs mkfs.reiserfs mkfs.bfs",
      alwaysBlocked: anyOperand,
    },
    {
      names: "wipefs",
      effect: options({ why: DISKS, dry: "n no-act", changes: "a o f all offset force", valued: "t O types output" }),
      alwaysBlocked: wipefs,
      suspected: 9,
      suspectedInWords: true,
    },
    {
      names: "badblocks",
      effect: options({ why: DISKS, changes: "w n o", valued: "b c e d o p t i" }),
      alwaysBlocked: onlyWith(/^-\w*[wn]/),
    },
    { names: "blkdiscard", effect: changesDisks, alwaysBlocked: anyOperand, suspected: 19, suspectedInWords: true },
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
      suspected: 20,
      suspectedInWords: true,
      applies: { options: "l load-backup", input: "all" },
    },
    {
      names: "parted",
      effect: partedEffect,
      alwaysBlocked: onlyWith(
        /^(mklabel|mktable|mkpart|mkpartfs|mkfs|rm|resizepart|resize|move|set|toggle|name|rescue)\b/,
        1,
      ),
      suspected: 21,
      suspectedInWords: true,
      applies: { options: "l load-backup", input: "all" },
    },
    {
      names: "fdisk",
      effect: partitionLooks,
      alwaysBlocked: unless(/^(-l|--list|-s|-x)/),
      suspected: 22,
      suspectedInWords: true,
      applies: { options: "l load-backup", input: "all" },
    },
    {
      names: "sfdisk",
      effect: partitionLooks,
      alwaysBlocked: unless(/^(-l|-d|-J|-s|-V|-F|--list|--dump|--json|--show-|--verify)/),
      suspected: 23,
      suspectedInWords: true,
      applies: { options: "l load-backup", input: "all" },
    },
    {
      names: "gdisk",
      effect: partitionLooks,
      alwaysBlocked: unless(/^-l/),
      applies: { options: "l load-backup", input: "all" },
    },
    { names: "cfdisk", effect: changesDisks, alwaysBlocked: anyOperand },
    { names: "cgdisk", alwaysBlocked: anyOperand },
    {
      names: "blkid",
      effect: options({ why: DISKS, changes: "g garbage-collect" }),
      sideEffects: { words: /^-\w*c/, when: /-\w*c\s*(?!\/dev\/null)\S/, effect: WRITING },
      otherOutput: true,
    },
    { names: "mount", kinds: true, runs: bindMount, effect: mount, between: true, otherOutput: true, attaches: true },
    { names: "umount", kinds: true, effect: { changes: DISKS }, otherOutput: true, attaches: true },
    { names: "swapoff kpartx quotaon quotaoff", effect: { changes: DISKS }, attaches: true },
    {
      names:
        "fstrim partprobe growpart lvcreate lvextend lvreduce lvresize lvchange lvrename lvconvert vgreduce vgchange vgrename vgimport vgexport pvresize pvmove pvchange setquota edquota",
      effect: { changes: DISKS },
    },
    {
      names: "lvremove",
      effect: { changes: DISKS },
      consequences: { deletes_data: true },
      writes: { unless: /--test|snap/, always: "ask" },
    },
    {
      names: "vgremove",
      effect: { changes: DISKS },
      consequences: { deletes_data: true },
      writes: { unless: DRY, always: "block" },
    },
    { names: "vgextend", effect: { changes: DISKS }, writes: { unless: DRY, operands: "all", devices: true } },
    {
      names: "pvremove",
      effect: { changes: DISKS },
      consequences: { deletes_data: true },
      writes: { unless: DRY, operands: "all", devices: true },
    },
    {
      names: "vgcreate pvcreate",
      alwaysBlocked: anyOperand,
      effect: { changes: DISKS },
      writes: { unless: DRY, operands: "all", devices: true },
    },
    {
      names: "swapon",
      effect: options({ why: DISKS, changes: "a all", reads: "s show summary", operands: 0 }),
      attaches: true,
    },
    {
      names: "smartctl",
      effect: options({
        why: DISKS,
        changes: "t X s S o test abort smart saveauto offlineauto set",
        valued: "d n l T device log",
      }),
      otherOutput: true,
      attaches: true,
    },
    {
      names: "hdparm",
      alwaysBlocked: onlyWith(/^--(security-erase|trim-sector|make-bad-sector|write-sector|sanitize)/),
      effect: hdparm,
    },
    {
      names: "nvme",
      alwaysBlocked: onlyWith(/^(format|sanitize|write|write-zeroes|write-uncor)$/, 0),
      effect: verbs(
        DISKS,
        `list list-subsys id-ctrl id-ns list-ns list-ctrl smart-log error-log fw-log get-feature show-regs effects-log
        version get-log endurance-log self-test-log ana-log id-nvmset id-iocs primary-ctrl-caps list-endgrp
        list-secondary show-topology persistent-event-log changed-ns-list-log supported-log-pages`,
        `format sanitize write write-zeroes write-uncor set-feature fw-commit fw-download fw-activate reset
        subsystem-reset create-ns delete-ns attach-ns detach-ns device-self-test connect disconnect`,
      ),
      writes: { verb: /^(?:delete-ns|format|sanitize|sanitize-ns|write\S*|dsm|zns)$/, operands: "all" },
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
      writes: {
        when: /(?:^|\s)(?:-\w*[Ca]|--create|--add|--add-spare|--zero-superblock|--build|-B)(?=\s|$)/,
        unless: ASKS_HELP,
        valued: "l n c x e N level raid-devices chunk spare-devices metadata name bitmap",
        operands: "all",
        devices: true,
      },
    },
    { names: "vgck pvck", looks: "*", unless: "f file updatemetadata repairtype" },
    {
      names: "debugfs",
      looks:
        `-R stat*|ls*|cat*|icheck*|ncheck*|blocks*|show_super_stats*|stats*|imap*|htree*|extents*|ex*|features|params|testb*|testi*|
      bmap*|supported_features|filefrag*|lsdel, -c -R stat*|ls*|cat*`.replaceAll(/\s*\|\s*/g, "|"),
      unless: "w f z",
      writes: { when: /(?:^|\s)-\w*w/, operands: "all", valued: "f R s b d", devices: true },
    },
    {
      names: "xfs_db",
      looks: "-r -c frag|freesp|sb|info|print|version|uuid|label|blockget*, -r -p xfs_db",
      unless: "x",
      writes: { when: /\b(?:blocktrash|fuzz)\b|(?:^|\s)write\s/, operands: "all", valued: "c p l" },
    },
    {
      names: "xfs_quota",
      looks: "-x -c report*|df*|free*|quota*|state*|print*|paths*, -c report*|df*|free*|quota*|state*|print*",
    },
    { names: "partx", looks: "-s|--show|-l|--list|-o|-g, --output", unless: "a add d delete u update" },
    { names: "lvm", ...passes(/^(?:lv|vg|pv)\w+$/, looks("fullreport, segtypes, devtypes, formats")) },
    {
      names: "zpool",
      alwaysBlocked: onlyWith(/^(create|labelclear)$/, 0),
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
      consequences: { deletes_data: /^(?:destroy|labelclear)\s/ },
      writes: [
        {
          verb: /^(?:create|add|replace|attach|labelclear)$/,
          unless: DRY,
          valued: "o O m R t",
          operands: "all",
          devices: true,
        },
        { verb: /^destroy$/, unless: DRY, always: "block" },
      ],
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
      consequences: { deletes_data: /^(?:destroy|rollback)\s/ },
      writes: [
        {
          verb: /^destroy$/,
          unless: DRY,
          when: /(?:^|\s)[^\s/@#\uFDD0-\uFDEF-][^\s/@#\uFDD0-\uFDEF]*$/,
          always: "block",
        },
        { verb: /^destroy$/, unless: DRY, when: /-\w*[rR]\w*\s[^@#]*$/, always: "ask" },
        // A pool, a file system or a snapshot.
        { verb: /^destroy$/, unless: DRY, when: /(?:^|\s)[^\s/@#]*[\uFDD0-\uFDEF][^\s/@#]*$/, always: "ask" },
      ],
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
      consequences: { deletes_data: /^(?:subvolume|sub|su)\s+del\w*\s/ },
      writes: [
        { verb: /^(?:device|dev|d)$/, when: /(?:^|\s)add\s/, operands: "all", devices: true },
        { verb: /^replace$/, when: /(?:^|\s)start\s/, operands: "all", devices: true },
      ],
      otherOutput: true,
    },
    { names: "e2label ntfslabel", effect: options({ why: DISKS, operands: 1 }) },
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
    {
      names: "fsck",
      kinds: true,
      effect: options({ why: DISKS, reads: "n N", otherwise: { changes: DISKS } }),
      otherOutput: true,
    },
    { names: "e2fsck", effect: e2fsckEffect, otherOutput: true },
    { names: "xfs_repair", effect: e2fsckEffect },
    { names: "resize2fs", effect: looksWith("P") },
    { names: "xfs_growfs", effect: looksWith("n") },
    { names: "xfs_admin", effect: looksWith("l u") },
    { names: "blockdev", effect: blockdev, attaches: true },
    {
      names: "losetup",
      effect: options({
        why: DISKS,
        changes: "d D c f detach detach-all find",
        reads: "l a j list all",
        operands: 1,
        valued: "j O",
      }),
      attaches: true,
    },
    {
      names: "cryptsetup",
      alwaysBlocked: onlyWith(/^(luksFormat|erase|luksErase|reencrypt)$/, 0),
      effect: verbs(
        DISKS,
        "status luksDump isLuks isLuks2 luksUUID benchmark bitlkDump tcryptDump",
        "luksFormat open close luksOpen luksClose erase luksErase reencrypt resize luksAddKey luksRemoveKey luksKillSlot",
      ),
      writes: { verb: /^(?:luksHeaderRestore|repair)$/, operands: "all", valued: "header-backup-file" },
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
    { names: "exportfs", effect: options({ why: DISKS, changes: "a r u f o", operands: 0 }), attaches: true },
    { names: "zramctl", effect: options({ why: DISKS, changes: "f r s a find reset size algorithm", operands: 1 }) },
  ]),
  { names: "lsblk findmnt", effect: "reads", otherOutput: true },
  {
    names:
      "lvs vgs pvs lvdisplay vgdisplay pvdisplay lvscan lvmdiskscan xfs_info dumpe2fs repquota quota ntfsinfo nfsiostat zdb",
    effect: "reads",
  },
  { names: "mount.nfs mount.nfs4 sshfs", between: true },
];
