// Holds the records of storage beside the file system: pools of many machines, controllers, writers of images, erasers.
import type { ProgramRecord } from "../record.ts";
import { anyOperand } from "../rules/blocked.ts";
import { onThisMachine } from "../rules/effects.ts";
import { ASKS_HELP, DRY, ONLY_LOOKS } from "../rules/select.ts";

const megacliLooks =
  "-LDInfo|-PDList|-AdpAllInfo|-LdPdInfo|-EncInfo|-PDInfo|-PdGetMissing|-AdpGetTime|-LDGetProp|-AdpGetProp|-CfgDsply|-ShowSummary, -AdpBbuCmd -GetBbu*|-a*, -AdpEventLog -GetEventLogInfo, -CfgForeign -Scan";

const SG_FORMAT_WRITES: NonNullable<ProgramRecord["writes"]> = {
  unless: ASKS_HELP,
  operands: "all",
  words: /^of=(.+)/,
};

const VERACRYPT_WRITES: NonNullable<ProgramRecord["writes"]> = {
  when: /(?:^|\s)(?:-c|--create)(?=\s|$)/,
  operands: "all",
};

export const RECORDS: readonly ProgramRecord[] = [
  ...onThisMachine([
    { names: "scrub nwipe", alwaysBlocked: anyOperand },
    {
      names: "sg_format",
      alwaysBlocked: anyOperand,
      writes: SG_FORMAT_WRITES,
    },
  ]),
  { names: "nbdinfo", looks: "*" },
  {
    names: "garage",
    looks:
      "status, stats, layout show|history, bucket list|info, key list|info, worker list|get, block list-errors|info",
  },
  {
    names: "ceph",
    valued: "n c m id name conf cluster",
    looks: `status, health, versions, features, -s, -v, -w, df, fsid, quorum_status, time-sync-status, report, log last, node ls,
    osd tree|df|dump|ls|stat|perf|status|find|metadata|blocked-by|utilization|safe-to-destroy|ok-to-stop|versions,
    osd pool ls|get|stats|autoscale-status, osd pool application get, osd crush tree|dump, osd crush rule ls|dump,
    osd crush class ls, osd erasure-code-profile ls|get, osd blocklist|blacklist ls, mon stat|dump|metadata|versions,
    mgr stat|dump|metadata|services|versions, mgr module ls, mds stat|metadata|versions,
    pg stat|dump|ls|ls-by-pool|ls-by-osd|dump_stuck|map, pg * query, fs ls|status|dump|get, auth ls|list|get|get-key,
    config dump|get|show|ls|log|help, config-key ls|dump|get, crash ls|ls-new|info|stat,
    orch ps|ls|status, orch host ls, orch device ls, orch upgrade status|check|ls, device ls|info|get-health-metrics,
    telemetry status|show|preview, balancer status|eval, service status|dump, tell * version, tell * perf dump`,
    unless: "i o",
    consequences: {
      deletes_data:
        /^(?:osd\s+(?:purge|destroy|rm|pool\s+(?:delete|rm|rmsnap))|fs\s+rm|fs\s+(?:subvolume|volume)\s+rm|auth\s+(?:del|rm))(?:\s|$)/,
    },
    writes: [
      { when: /^osd\s+(?:purge|destroy|rm|pool\s+(?:delete|rm))\b/, unless: ASKS_HELP, always: "block" },
      { when: /^orch\s+device\s+zap\b/, always: "block" },
    ],
  },
  {
    names: "cephadm",
    looks: "ls, list-networks, gather-facts, check-host, inspect-image, ceph-volume inventory, ceph-volume lvm list",
    writes: { when: /\bceph-volume\b.*\b(?:zap|create|prepare|batch)\b/, operands: "all", devices: true },
  },
  {
    names: "rbd",
    valued: "p pool m id n c",
    looks: `ls|list, info, du|disk-usage, showmapped, status, children, diff, snap|lock|device|trash|namespace ls|list,
    mirror pool status|info, mirror image status, pool stats, watch, perf image iostat|iotop`,
  },
  {
    names: "rados",
    valued: "p pool n m c",
    looks: "df, lspools, ls, stat, listxattr, getxattr, lssnap, listwatchers",
    consequences: { deletes_data: /^(?:rm|rmpool|purge|rmsnap|rollback|truncate)\s/ },
    writes: { verb: /^(?:rmpool|purge)$/, always: "block" },
  },
  {
    names: "gluster",
    looks: `volume info|status|list|get, volume heal * info|statistics, volume quota * list, volume rebalance * status,
    snapshot list|info|status, peer status, pool list`,
  },
  {
    names: "drbdadm",
    looks: "status, dump, cstate, dstate, role, sh-resources, sh-dev, sh-minor",
    writes: { verb: /^(?:create-md|wipe-md|invalidate)$/, always: "block" },
  },
  {
    names: "linstor",
    looks: `node|n list|l|info, resource|r list|l|list-volumes|lv, volume|v list|l, storage-pool|sp list|l, controller|c version|v,
    resource-definition|rd list|l, volume-definition|vd list|l, error-reports|err list|l|show, snapshot|s list|l, space-reporting query`,
  },
  {
    names: "snapraid",
    valued: "c d f l",
    looks: "status, diff, smart, list, dup, devices, probe, check",
    unless: "l log gen-conf",
  },
  {
    names: "arc_summary arcstat zilstat cifsiostat compsize bcache-super-show filefrag",
    looks: "*",
    unless: "o s-file",
  },
  {
    names: "iscsiadm",
    looks: "-m session|node|iface|host|fw, --mode session|node|iface|host|fw",
    unless: "o op l u login logout R U L C rescan",
  },
  { names: "targetcli", looks: "ls, pwd, get, sessions list|detail, status" },
  { names: "sdparm", looks: "*", unless: "s S c C command defaults D" },
  { names: "sg_inq sg_vpd sg_readcap sg_modes sg_luns sg_map sg_scan sg_turs", looks: "*" },
  { names: "sg_ses", looks: "*", unless: "c control C clear S set b byte1 d data n nickname seid" },
  { names: "sg_logs", looks: "*", unless: "r R select S" },
  { names: "hdsentinel", looks: "*" },
  {
    names: "veracrypt",
    looks: "--text --list, --list, -t -l",
    writes: VERACRYPT_WRITES,
  },
  { names: "nbd-client", looks: "-l, --list, -c, -check" },
  { names: "e4defrag", looks: "-c" },
  { names: "mergerfs.ctl", looks: "-m * info, info" },
  {
    names: "storcli storcli64 perccli perccli64",
    looks: "* show, show",
    writes: { when: /\bdel(?:ete)?\b|\binitialize\b|\binit\b|\berase\b/, always: "block" },
  },
  {
    names: "megacli MegaCli MegaCli64",
    looks: megacliLooks,
    writes: { when: /-Cfg(?:Ld|Clr|LdDel|Foreign -Clear)|-LDInit/i, always: "block" },
  },
  { names: "megacli64", looks: megacliLooks },
  {
    names: "ssacli hpacucli hpssacli",
    looks: "* * show, * * * show, * * * * show, * show",
    writes: { when: /\bdelete\b|\bmodify erase\b/, always: "block" },
  },
  { names: "arcconf", looks: "getconfig, getstatus, getversion, list, getsmartstats" },
  { names: "sas2ircu sas3ircu", looks: "list|LIST, * display|DISPLAY, * status|STATUS" },
  { names: "ledctl", looks: "--list-controllers, -L, --list-slots, -P, --get-slot, -G, --version" },
  {
    names:
      "mkfs.* mkexfatfs mkudffs mke4fs mkreiserfs newfs_hfs newfs_msdos newfs_apfs newfs_exfat newfs_udf make-bcache wipe-bcache ubiformat flash_erase flash_eraseall nandwrite flashcp",
    writes: { unless: DRY, operands: "all", options: "B C", devices: true },
  },
  { names: "bcache", writes: { verb: /^make$/, operands: "all", devices: true, options: "B C" } },
  { names: "bcachefs", writes: { verb: /^(?:format|device|set-passphrase)$/, operands: "all", devices: true } },
  {
    names: "sg_sanitize sg_write_same sg_write_x sg_unmap sg_dd",
    writes: SG_FORMAT_WRITES,
  },
  { names: "blkzone", writes: { verb: /^reset$/, operands: "all" } },
  { names: "mtd_debug", writes: { verb: /^(?:write|erase)$/, operands: "all" } },
  { names: "truecrypt", writes: VERACRYPT_WRITES },
  {
    names: "diskutil",
    writes: {
      when: /\b(?:erase\w*|zeroDisk|randomDisk|secureErase|partitionDisk|reformat)\b/i,
      operands: "all",
      devices: true,
    },
  },
  {
    names: "ceph-volume",
    writes: {
      when: /\b(?:zap|create|prepare|batch|migrate)\b/,
      unless: /--report\b|--help\b/,
      operands: "all",
      options: "data block.db block.wal",
      devices: true,
    },
  },
  { names: "ceph-disk ceph-deploy", writes: { when: /\b(?:zap|prepare|purgedata|destroy)\b/, always: "block" } },
  {
    names: "vdo",
    writes: [
      { verb: /^(?:create|remove)$/, always: "block" },
      { verb: /^create$/, options: "device" },
    ],
  },
  { names: "partclone.*", writes: { options: "o O output overwrite", valued: "s source" } },
  { names: "ntfsclone", writes: "O overwrite o output" },
  { names: "dc3dd dd_rescue", writes: { words: /^(?:of|wipe|hwipe|hof|ofs|hofs)=(.+)/, operands: "last" } },
  {
    names: "safecopy myrescue xfs_mdrestore rpi-imager xfs_copy btrfs-image etcher balena-etcher",
    writes: { when: /\s\S/, operands: "last" },
  },
  {
    names: "e2image",
    writes: [
      { when: /\s\S/, operands: "last" },
      { when: /(?:^|\s)-\w*I/, operands: "first" },
    ],
  },
  {
    names: "wodim cdrecord",
    writes: [{ when: /\s\S/, operands: "last" }, { words: /^(?:dev=)?(?:stdio:)?(\/dev\/(?!sr|cd|dvd).+)/ }],
  },
  { names: "bmaptool", writes: { verb: /^copy$/, operands: "last" } },
  { names: "balena", writes: { when: /\b(?:local\s+flash|os\s+initialize)\b/, options: "drive d", always: "block" } },
  { names: "install-mbr ms-sys", writes: { unless: ASKS_HELP, operands: "all", devices: true } },
  {
    names: "drbl-ocs ocs-sr ocs-live-restore",
    writes: { when: /\brestore(?:disk|parts)\b/, operands: "all", devices: true },
  },
  { names: "ocs-onthefly", writes: { options: "t target d", operands: "all", valued: "f source", devices: true } },
  {
    names: "fio",
    writes: { when: /--(?:rw|readwrite)[= ](?!read\b|randread\b)/, words: /^--filename=(.+)/ },
    applies: { operands: /\.(?:fio|job|ini)$/ },
  },
  { names: "growisofs", writes: { words: /^([^=]+)=/, options: "Z M" } },
  {
    names: "usbimager livecd-iso-to-disk mkusb fedora-image-writer virt-resize virt-make-fs dd_rhelp woeusb",
    writes: { when: /\s\S/, unless: ONLY_LOOKS, operands: "last", devices: true },
  },
  {
    names: "coreos-installer",
    writes: { verb: /^install$/, operands: "last", valued: "u i I s f p ignition-file stream" },
  },
  { names: "mintstick", writes: { options: "t target u usb", valued: "m mode i iso f filesystem n name" } },
  { names: "ventoy Ventoy2Disk.sh", writes: { when: /(?:^|\s)-[iI](?=\s|$)/, operands: "all", devices: true } },
  { names: "arm-image-installer", writes: { options: "media", valued: "image target" } },
  { names: "unetbootin", writes: { words: /^targetdrive=(.+)/ } },
  { names: "cdrskin", writes: { words: /^(?:dev=)?(?:stdio:)?(\/dev\/(?!sr|cd|dvd).+)/ } },
  { names: "fsarchiver", writes: { when: /\brestfs\b/, words: /(?:^|,)dest=([^,]+)/ } },
  { names: "partimage", writes: { when: /\brestore\b/, operands: "all" } },
  { names: "ubiupdatevol", writes: { operands: "first", valued: "s", unless: ONLY_LOOKS } },
  { names: "dump", writes: { options: "f", valued: "b B d h L I j z M Q s T" } },
  { names: "f3probe", writes: { when: /--destructive/, operands: "all", devices: true } },
  {
    names: "f3fix f3brew mformat",
    writes: { unless: ONLY_LOOKS, operands: "all", options: "i", valued: "a b f k l s t h v" },
  },
  { names: "mmc", writes: { verb: /^(?:secure-erase|secure-trim[12]|erase|trim|sanitize|ffu)$/, operands: "last" } },
  { names: "mt", writes: { when: /\b(?:erase|weof|eof)\b/, options: "f" } },
  { names: "sg_raw sg_write_buffer sg_write_long", writes: { unless: ONLY_LOOKS, operands: "first" } },
  {
    names: "sedutil-cli",
    writes: { when: /--(?:revert|yesIreally|PSIDrevert|eraseLockingRange|setupLockingRange)/i, always: "block" },
  },
  { names: "dmraid", writes: { when: /(?:^|\s)-\w*[EC]/, operands: "all", devices: true } },
  {
    names: "tcplay zulucrypt-cli zuluCrypt-cli",
    writes: { when: /(?:^|\s)(?:-c|--create)(?=\s|$)/, options: "d device" },
  },
  { names: "geli", writes: { verb: /^(?:init|kill|restore)$/, operands: "all", devices: true } },
  {
    names: "gpart",
    writes: { verb: /^(?:destroy|create|restore|delete)$/, operands: "all", valued: "s f n i", devices: true },
  },
  { names: "gpt", writes: { when: /\b(?:create|destroy)\b/, operands: "all", devices: true } },
  { names: "bioctl", writes: { when: /(?:^|\s)-\w*c\b/, options: "l", devices: true } },
  { names: "vdoformat", writes: { unless: ONLY_LOOKS, operands: "all" } },
  { names: "drbdmeta", writes: { when: /\b(?:create-md|wipe-md)\b/, operands: "all" } },
  {
    names: "stratis",
    writes: { when: /^(?:pool\s+(?:create|add-data|init-cache)|blockdev\s+wipe)\b/, operands: "all", devices: true },
  },
  { names: "systemd-makefs", writes: { operands: "second" } },
  {
    names: "systemd-repart",
    writes: {
      when: /--empty=(?:force|create)|--factory-reset=(?:yes|true|1)/,
      unless: /--dry-run=(?:yes|true|1)/,
      operands: "all",
    },
  },
  { names: "disko", writes: { when: /--mode[= ](?:disko|destroy|format)/, unless: ONLY_LOOKS, always: "ask" } },
  { names: "stress-ng", applies: { operands: /\.(?:fio|job|ini)$/ } },
  { names: "flashrom", consequences: { writes_device: /(?:^|\s)(?:-\w*[wE]|--(?:write|erase))(?=\s|$|=)/ } },
  {
    names: "esptool esptool.py",
    consequences: { writes_device: /(?:^|\s)(?:write|erase)[-_](?:flash|region|mem)(?=\s|$)/ },
  },
  { names: "grub-install grub2-install extlinux syslinux", consequences: { writes_device: true } },
  { names: "avrdude", consequences: { writes_device: /(?:^|\s)(?:-e|-U\s*\w+:w:)/ } },
  { names: "dfu-util", consequences: { writes_device: /(?:^|\s)(?:-\w*D|--download)/ } },
];
