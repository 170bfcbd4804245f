// Disks, volumes, file systems and mounts.
import { has } from "../words/options.ts";
import { anyOperand, onlyWith } from "./blocked-operands.ts";
import { bindMount } from "./placed-files.ts";
import { byOptions, type EffectRule, mayBeOption, options, type ProgramRecord, verbs } from "./record.ts";

const DISKS = "changes disks or mounts";

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
    effect: options({ why: DISKS, reads: "I i t T C g", changes: "y Y S B M W w z Z D E X", otherwise: "unknown" }),
  },
  {
    names: "nvme",
    alwaysBlocked: onlyWith(/^(format|sanitize|write|write-zeroes|write-uncor)$/),
    effect: verbs(
      DISKS,
      `list list-subsys id-ctrl id-ns list-ns list-ctrl smart-log error-log fw-log get-feature show-regs effects-log
        version get-log endurance-log self-test-log`,
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
      reads: "D detail E examine Q query F monitor follow V version",
      otherwise: "unknown",
    }),
  },
  {
    names: "zpool",
    alwaysBlocked: onlyWith(/^(create|labelclear)$/),
    effect: verbs(
      DISKS,
      "list status get iostat history events version",
      `create destroy add remove attach detach replace scrub trim initialize online offline clear export set
        upgrade split reguid reopen labelclear resilver checkpoint sync`,
      { rules: [["import", bareLists]] },
    ),
  },
  {
    names: "zfs",
    effect: verbs(
      DISKS,
      "list get diff holds userspace groupspace projectspace version send",
      `create destroy set inherit snapshot snap rollback clone promote rename receive recv share unshare unmount
        umount hold release bookmark load-key unload-key change-key upgrade unallow program redact`,
      {
        rules: [
          ["mount", bareLists],
          ["allow", options({ why: DISKS, operands: 1, changes: "s c e u g l d" })],
        ],
      },
    ),
  },
  {
    names: "btrfs",
    effect: verbs(DISKS, "version", "replace restore rescue send receive", {
      rules: [
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
        ["quota qgroup", verbs(DISKS, "show", "enable disable rescan create destroy assign remove limit")],
      ],
    }),
  },
  { names: "tune2fs", effect: looksWith("l") },
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
      "status luksDump isLuks luksUUID benchmark",
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
