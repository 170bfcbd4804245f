// Disks, volumes, file systems and mounts.
import { has, parseOptions } from "../shell/options.ts";
import {
  changes,
  changing,
  type Family,
  mayBeOption,
  options,
  READS,
  type Rule,
  reads,
  UNSURE,
  verbs,
} from "./effect.ts";

const DISKS = "changes disks or mounts";
const MOUNT_VALUED = { short: "toLUONpT", long: ["types", "options", "source", "target", "fstab"] };

/** Without operands, mount lists. */
const mount: Rule = ([, ...args]) => {
  const parsed = parseOptions(args, MOUNT_VALUED);
  if (parsed.operands.some(mayBeOption)) return UNSURE;
  const acts = parsed.operands.length > 0 || has(parsed, "a", "all", "o", "options", "L", "U", "source", "target");
  return acts ? changes(DISKS) : READS;
};

/** `zpool import` alone lists what could be imported. */
const bareLists = options({ why: DISKS, operands: 0, changes: "a" });

const parted: Rule = ([, ...args]) => {
  const parsed = parseOptions(args, { short: "a", long: ["align"] });
  if (has(parsed, "l", "list")) return READS;
  const verb = parsed.operands[1];
  if (verb === undefined || mayBeOption(verb)) return UNSURE;
  if (/^(print|unit|align-check|version|help)$/.test(verb)) {
    return parsed.operands.some((word) => /^(mk|rm|resize|set|toggle|name|rescue)/.test(word)) ? changes(DISKS) : READS;
  }
  return changes(DISKS);
};

const blockdev: Rule = ([, ...args]) => {
  if (args.some((arg) => /^--(set|flush|reread)/.test(arg))) return changes(DISKS);
  return args.some((arg) => /^--(get|report)/.test(arg)) ? READS : UNSURE;
};

const looksWith = (names: string, valued = ""): Rule =>
  options({ why: DISKS, reads: names, valued, otherwise: changes(DISKS) });

const subgroup = (reading: string, change: string) => verbs({ why: DISKS, reads: reading, changes: change });

export const DISKS_AND_MOUNTS: Family = [
  [
    `lsblk findmnt lvs vgs pvs lvdisplay vgdisplay pvdisplay lvscan lvmdiskscan xfs_info dumpe2fs repquota quota
    ntfsinfo nfsiostat zdb`,
    reads,
  ],
  ["blkid", options({ why: DISKS, changes: "g garbage-collect" })],
  ["mount", mount],
  [
    `umount swapoff mkfs mke2fs mkntfs mkdosfs mkswap newfs wipefs blkdiscard fstrim partprobe kpartx growpart
    lvcreate lvremove lvextend lvreduce lvresize lvchange lvrename lvconvert vgcreate vgremove vgextend vgreduce vgchange
    vgrename vgimport vgexport pvcreate pvremove pvresize pvmove pvchange badblocks cfdisk quotaon quotaoff setquota
    edquota`,
    changing(DISKS),
  ],
  ["swapon", options({ why: DISKS, changes: "a all", reads: "s show summary", operands: 0 })],
  [
    "smartctl",
    options({
      why: DISKS,
      changes: "t X s S o test abort smart saveauto offlineauto set",
      valued: "d n l T device log",
    }),
  ],
  ["hdparm", options({ why: DISKS, reads: "I i t T C g", changes: "y Y S B M W w z Z D E X", otherwise: UNSURE })],
  [
    "nvme",
    verbs({
      why: DISKS,
      reads: `list list-subsys id-ctrl id-ns list-ns list-ctrl smart-log error-log fw-log get-feature show-regs effects-log
        version get-log endurance-log self-test-log`,
      changes: `format sanitize write write-zeroes write-uncor set-feature fw-commit fw-download fw-activate reset
        subsystem-reset create-ns delete-ns attach-ns detach-ns device-self-test connect disconnect`,
    }),
  ],
  [
    "mdadm",
    options({
      why: DISKS,
      changes: `C create A assemble S stop G grow a add f fail r remove zero-superblock manage re-add replace o readonly w
        readwrite run incremental I`,
      reads: "D detail E examine Q query F monitor follow V version",
      otherwise: UNSURE,
    }),
  ],
  [
    "zpool",
    verbs({
      why: DISKS,
      reads: "list status get iostat history events version",
      changes: `create destroy add remove attach detach replace scrub trim initialize online offline clear export set
        upgrade split reguid reopen labelclear resilver checkpoint sync`,
      rules: [["import", bareLists]],
    }),
  ],
  [
    "zfs",
    verbs({
      why: DISKS,
      reads: "list get diff holds userspace groupspace projectspace version send",
      changes: `create destroy set inherit snapshot snap rollback clone promote rename receive recv share unshare unmount
        umount hold release bookmark load-key unload-key change-key upgrade unallow program redact`,
      rules: [
        ["mount", bareLists],
        ["allow", options({ why: DISKS, operands: 1, changes: "s c e u g l d" })],
      ],
    }),
  ],
  [
    "btrfs",
    verbs({
      why: DISKS,
      reads: "version",
      changes: "replace restore rescue send receive",
      rules: [
        ["filesystem fi", subgroup("show df usage du", "resize defragment defrag sync label mkswapfile")],
        ["subvolume sub", subgroup("list show get-default", "create delete snapshot set-default sync")],
        [
          "device dev",
          verbs({
            why: DISKS,
            reads: "usage",
            changes: "add remove delete scan ready",
            rules: [["stats", options({ why: DISKS, changes: "z reset" })]],
          }),
        ],
        ["scrub balance", subgroup("status", "start cancel resume pause")],
        ["property", subgroup("get list", "set")],
        ["quota qgroup", subgroup("show", "enable disable rescan create destroy assign remove limit")],
      ],
    }),
  ],
  ["tune2fs", looksWith("l")],
  ["fsck e2fsck xfs_repair", options({ why: DISKS, reads: "n N", otherwise: changes(DISKS) })],
  ["resize2fs", looksWith("P")],
  ["xfs_growfs", looksWith("n")],
  ["xfs_admin", looksWith("l u")],
  ["fdisk sfdisk gdisk", looksWith("l x d J s list dump json verify show-size")],
  ["sgdisk", options({ why: DISKS, reads: "p i v", otherwise: changes(DISKS), changes: "Z z o n d t c g" })],
  ["parted", parted],
  ["blockdev", blockdev],
  [
    "losetup",
    options({
      why: DISKS,
      changes: "d D c f detach detach-all find",
      reads: "l a j list all",
      operands: 1,
      valued: "j O",
    }),
  ],
  [
    "cryptsetup",
    verbs({
      why: DISKS,
      reads: "status luksDump isLuks luksUUID benchmark",
      changes:
        "luksFormat open close luksOpen luksClose erase luksErase reencrypt resize luksAddKey luksRemoveKey luksKillSlot",
    }),
  ],
  [
    "dmsetup",
    verbs({
      why: DISKS,
      reads: "ls info status table deps targets version",
      changes: "create remove remove_all suspend resume load reload rename message",
    }),
  ],
  ["multipath", options({ why: DISKS, reads: "l", otherwise: changes(DISKS) })],
  ["exportfs", options({ why: DISKS, changes: "a r u f o", operands: 0 })],
  ["zramctl", options({ why: DISKS, changes: "f r s a find reset size algorithm", operands: 1 })],
];
