// Lists the operands and options of programs that are written to, from their manuals, and the tools that destroy what is on a
// device: writers of images, erasers, makers of encrypted volumes. What a program reads is not in it.
import { words } from "../words/options.ts";

export type WrittenRow = {
  /** Base names, separated by blanks; `mkfs.*` is every name that begins so. */
  readonly names: string;
  /** The verb in front of the operands; without it the row is for none. */
  readonly verbs?: RegExp;
  /** All words after the name, joined: the row is only for these, or not for these. */
  readonly only?: RegExp;
  readonly unless?: RegExp;
  /** Options whose value is written to, and others that have a value. */
  readonly options?: string;
  readonly valued?: string;
  readonly operands?: "all" | "first" | "second" | "last";
  /** Words that hold a path as their first group. */
  readonly words?: RegExp;
  /** Operands are devices: an unknown one is a question, and `sda` is /dev/sda. */
  readonly devices?: true;
  /** It destroys a pool, a group or an array, with any operand; or what may be one. */
  readonly always?: "block" | "ask";
};

const DRY = /(?:^|\s)(?:-\w*n\w*|--test|-t|--dry-run|--dryrun|--help|-h|--version|-V)(?=\s|$)/;

const TABLE_LOOKS = /(?:^|\s)(?:--help|-h|--version|-V)(?=\s|$)/;

const TABLE_MAKERS: readonly WrittenRow[] = [
  {
    names: `mkfs.* mkexfatfs mkudffs mke4fs mkreiserfs mkntfs mkdosfs newfs_hfs newfs_msdos newfs_apfs newfs_exfat newfs_udf make-bcache wipe-bcache srm ubiformat
    flash_erase flash_eraseall nandwrite flashcp`,
    unless: DRY,
    operands: "all",
    options: "B C",
    devices: true,
  },
  { names: "bcache", verbs: /^make$/, operands: "all", devices: true, options: "B C" },
  { names: "bcachefs", verbs: /^(?:format|device|set-passphrase)$/, operands: "all", devices: true },
  {
    names: "sg_format sg_sanitize sg_write_same sg_write_x sg_unmap sg_dd",
    unless: TABLE_LOOKS,
    operands: "all",
    words: /^of=(.+)/,
  },
  { names: "nvme", verbs: /^(?:delete-ns|format|sanitize|sanitize-ns|write\S*|dsm|zns)$/, operands: "all" },
  { names: "blkzone", verbs: /^reset$/, operands: "all" },
  { names: "mtd_debug", verbs: /^(?:write|erase)$/, operands: "all" },
  { names: "veracrypt truecrypt", only: /(?:^|\s)(?:-c|--create)(?=\s|$)/, operands: "all" },
  {
    names: "storcli storcli64 perccli perccli64",
    only: /\bdel(?:ete)?\b|\binitialize\b|\binit\b|\berase\b/,
    always: "block",
  },
  { names: "megacli MegaCli MegaCli64", only: /-Cfg(?:Ld|Clr|LdDel|Foreign -Clear)|-LDInit/i, always: "block" },
  { names: "ssacli hpssacli hpacucli", only: /\bdelete\b|\bmodify erase\b/, always: "block" },
  {
    names: "diskutil",
    only: /\b(?:erase\w*|zeroDisk|randomDisk|secureErase|partitionDisk|reformat)\b/i,
    operands: "all",
    devices: true,
  },
];

const POOLS: readonly WrittenRow[] = [
  {
    names: "zpool",
    verbs: /^(?:create|add|replace|attach|labelclear)$/,
    unless: DRY,
    valued: "o O m R t",
    operands: "all",
    devices: true,
  },
  { names: "zpool", verbs: /^destroy$/, unless: DRY, always: "block" },
  { names: "zfs", verbs: /^destroy$/, unless: DRY, only: /(?:^|\s)[^\s/@#-][^\s/@#]*$/, always: "block" },
  { names: "vgcreate vgextend pvcreate pvremove", unless: DRY, operands: "all", devices: true },
  { names: "vgremove", unless: DRY, always: "block" },
  { names: "btrfs", verbs: /^(?:device|dev|d)$/, only: /(?:^|\s)add\s/, operands: "all", devices: true },
  { names: "btrfs", verbs: /^replace$/, only: /(?:^|\s)start\s/, operands: "all", devices: true },
  {
    names: "mdadm",
    only: /(?:^|\s)(?:-\w*[Ca]|--create|--add|--add-spare|--zero-superblock|--build|-B)(?=\s|$)/,
    unless: TABLE_LOOKS,
    valued: "l n c x e N level raid-devices chunk spare-devices metadata name bitmap",
    operands: "all",
    devices: true,
  },
  {
    names: "ceph-volume",
    only: /\b(?:zap|create|prepare|batch|migrate)\b/,
    unless: /--report\b|--help\b/,
    operands: "all",
    options: "data block.db block.wal",
    devices: true,
  },
  { names: "ceph-disk ceph-deploy", only: /\b(?:zap|prepare|purgedata|destroy)\b/, always: "block" },
  { names: "ceph", only: /^osd\s+(?:purge|destroy|rm|pool\s+(?:delete|rm))\b/, unless: TABLE_LOOKS, always: "block" },
  { names: "rados", verbs: /^(?:rmpool|purge)$/, always: "block" },
  { names: "drbdadm", verbs: /^(?:create-md|wipe-md|invalidate)$/, always: "block" },
  { names: "vdo", verbs: /^(?:create|remove)$/, always: "block" },
];

const VOLUMES: readonly WrittenRow[] = [
  { names: "zfs", verbs: /^destroy$/, unless: DRY, only: /-\w*[rR]\w*\s[^@#]*$/, always: "ask" },
  { names: "lvremove", unless: /--test|snap/, always: "ask" },
];

const COPIERS: readonly WrittenRow[] = [
  { names: "partclone.*", options: "o O output overwrite", valued: "s source" },
  { names: "ntfsclone", options: "O overwrite o output" },
  { names: "dc3dd dcfldd dd_rescue", words: /^(?:of|wipe|hwipe|hof|ofs|hofs)=(.+)/, operands: "last" },
  {
    names:
      "safecopy myrescue xfs_mdrestore rpi-imager e2image xfs_copy btrfs-image etcher balena-etcher wodim cdrecord",
    only: /\s\S/,
    operands: "last",
  },
  { names: "bmaptool", verbs: /^copy$/, operands: "last" },
  { names: "balena", only: /\b(?:local\s+flash|os\s+initialize)\b/, options: "drive d", always: "block" },
  { names: "install-mbr ms-sys", unless: TABLE_LOOKS, operands: "all", devices: true },
  { names: "debugfs", only: /(?:^|\s)-\w*w/, operands: "all", valued: "f R s b d", devices: true },
  { names: "drbl-ocs ocs-live-restore", only: /\brestore(?:disk|parts)\b/, operands: "all", devices: true },
  { names: "ocs-onthefly", options: "t target d", operands: "all", valued: "f source", devices: true },
  { names: "ocs-sr", only: /\brestore(?:disk|parts)\b/, operands: "all", devices: true },
  { names: "fio", only: /--(?:rw|readwrite)[= ](?!read\b|randread\b)/, words: /^--filename=(.+)/ },
  { names: "growisofs", words: /^([^=]+)=/, options: "Z M" },
  { names: "scp", operands: "last", valued: "c D F i J l o P S X" },
  { names: "rsync", only: /--write-devices\b/, operands: "last", valued: "e f B M T" },
  { names: "cp install mksquashfs ffmpeg objcopy qemu-img", operands: "last", valued: "m o g t S O f" },
  { names: "uniq lz4 xxd", operands: "second", valued: "f s w c l s" },
  { names: "zip", operands: "first", valued: "b x i t n" },
  { names: "7z 7za 7zr rar ar", only: /^-?[aruqcd]+\w*\s/, operands: "second" },
  { names: "sponge fallocate", operands: "all", valued: "l o" },
  { names: "script", operands: "first", valued: "c E I O B T m o" },
  {
    names: "socat",
    words: /(?:^|!!)(?:OPEN|FILE|CREATE|CREAT|GOPEN):(?![^,]*(?:,.*)?,(?:rdonly|o-rdonly))(\/dev\/[^,!]+)/i,
    unless: /^(?:-\S+\s+)*-u\s+(?:-\S+\s+)*(?:OPEN|FILE|GOPEN):\S+\s+(?!\S*:\/dev\/)/i,
  },
  { names: "virsh", verbs: /^(?:vol-download|save|dump|screenshot)$/, operands: "last" },
];

const OPTIONS: readonly WrittenRow[] = [
  {
    names: "tar gtar bsdtar",
    only: /^-?\w*[cruA]\w*(?=\s|$)|--(?:create|append|update|catenate|concatenate|delete)\b/,
    words: /^(\/dev\/.+)$/,
    options: "f file",
  },
  { names: "cpio", only: /(?:^|\s)(?:-\w*[op]\w*|--create|--pass-through)(?=\s|$)/, options: "F O file" },
  { names: "pax", only: /(?:^|\s)-\w*w/, options: "f" },
  { names: "sed gsed perl", words: /(?:^|[;{}$\d/|,!\s])[wW]\s*(\/dev\/[\w/.-]+)/ },
  { names: "sed gsed", only: /(?:^|\s)(?:-\w*i|--in-place)/, operands: "all" },
  {
    names: "vi vim nvim ex view ed",
    words: /(?:^|[+:|\s%,$\d])(?:w|wq|x|sav|saveas|write|update|up)!?\s+(?:\+\+\S+\s+)*(?:>>\s*)?(\/dev\/[\w/.-]+)/,
  },
  { names: "tcpdump tshark dumpcap", options: "w" },
  { names: "curl", options: "o output" },
  { names: "wget", options: "O output-document" },
  { names: "aria2c", options: "o out" },
  { names: "pg_dump pg_dumpall", options: "f file" },
  { names: "openssl", words: /^(?!)$/, options: "out keyout" },
];

export const WRITTEN: readonly WrittenRow[] = [...TABLE_MAKERS, ...POOLS, ...VOLUMES, ...COPIERS, ...OPTIONS];

/** Their `-o` has another meaning, and what follows may be a pattern or a device that they read. */
export const NO_OUTPUT = new Set(
  words(`grep egrep fgrep zgrep rg ag ack ps pgrep pidof lsof lsblk blkid mount findmnt btrfs ssh scp sftp echo printf df
  smartctl e2fsck fsck find test [ read umount bash sh`),
);

const LOOKS = /(?:^|\s)(?:--help|-h|--version|-V|--dry-run)(?=\s|$)/;

const IMAGE_WRITERS: readonly WrittenRow[] = [
  {
    names: "usbimager livecd-iso-to-disk mkusb fedora-image-writer virt-resize virt-make-fs dd_rhelp woeusb",
    only: /\s\S/,
    unless: LOOKS,
    operands: "last",
    devices: true,
  },
  { names: "VBoxManage vboxmanage", verbs: /^(?:convertfromraw|clonemedium|clonehd|convertdd)$/, operands: "last" },
  { names: "coreos-installer", verbs: /^install$/, operands: "last", valued: "u i I s f p ignition-file stream" },
  { names: "mintstick", options: "t target u usb", valued: "m mode i iso f filesystem n name" },
  { names: "ventoy Ventoy2Disk.sh", only: /(?:^|\s)-[iI](?=\s|$)/, operands: "all", devices: true },
  { names: "arm-image-installer", options: "media", valued: "image target" },
  { names: "unetbootin", words: /^targetdrive=(.+)/ },
  { names: "xorriso cdrskin wodim cdrecord", words: /^(?:dev=)?(?:stdio:)?(\/dev\/(?!sr|cd|dvd).+)/ },
  { names: "fsarchiver", only: /\brestfs\b/, words: /(?:^|,)dest=([^,]+)/ },
  { names: "partimage", only: /\brestore\b/, operands: "all" },
  { names: "e2image", only: /(?:^|\s)-\w*I/, operands: "first" },
  { names: "ubiupdatevol", operands: "first", valued: "s", unless: LOOKS },
  { names: "dump", options: "f", valued: "b B d h L I j z M Q s T" },
];

const ERASERS: readonly WrittenRow[] = [
  { names: "wipe", unless: LOOKS, operands: "all", valued: "b l o P q Q S C R x X" },
  { names: "f3probe", only: /--destructive/, operands: "all", devices: true },
  { names: "f3fix f3brew mformat", unless: LOOKS, operands: "all", options: "i", valued: "a b f k l s t h v" },
  { names: "virt-format", options: "a add" },
  { names: "virt-sparsify", only: /--in-place/, operands: "all" },
  { names: "mmc", verbs: /^(?:secure-erase|secure-trim[12]|erase|trim|sanitize|ffu)$/, operands: "last" },
  { names: "mt", only: /\b(?:erase|weof|eof)\b/, options: "f" },
  { names: "sg_raw sg_write_buffer sg_write_long", unless: LOOKS, operands: "first" },
  {
    names: "sedutil-cli",
    only: /--(?:revert|yesIreally|PSIDrevert|eraseLockingRange|setupLockingRange)/i,
    always: "block",
  },
  { names: "xfs_db", only: /\b(?:blocktrash|fuzz)\b|(?:^|\s)write\s/, operands: "all", valued: "c p l" },
  { names: "dmraid", only: /(?:^|\s)-\w*[EC]/, operands: "all", devices: true },
];

const MAKERS: readonly WrittenRow[] = [
  { names: "cryptsetup", verbs: /^(?:luksHeaderRestore|repair)$/, operands: "all", valued: "header-backup-file" },
  { names: "tcplay zulucrypt-cli zuluCrypt-cli", only: /(?:^|\s)(?:-c|--create)(?=\s|$)/, options: "d device" },
  { names: "geli", verbs: /^(?:init|kill|restore)$/, operands: "all", devices: true },
  { names: "gpart", verbs: /^(?:destroy|create|restore|delete)$/, operands: "all", valued: "s f n i", devices: true },
  { names: "gpt", only: /\b(?:create|destroy)\b/, operands: "all", devices: true },
  { names: "bioctl", only: /(?:^|\s)-\w*c\b/, options: "l", devices: true },
  { names: "vdoformat", unless: LOOKS, operands: "all" },
  { names: "vdo", verbs: /^create$/, options: "device" },
  { names: "drbdmeta", only: /\b(?:create-md|wipe-md)\b/, operands: "all" },
  {
    names: "stratis",
    only: /^(?:pool\s+(?:create|add-data|init-cache)|blockdev\s+wipe)\b/,
    operands: "all",
    devices: true,
  },
  { names: "systemd-makefs", operands: "second" },
  {
    names: "systemd-repart",
    only: /--empty=(?:force|create)|--factory-reset=(?:yes|true|1)/,
    unless: /--dry-run=(?:yes|true|1)/,
    operands: "all",
  },
  { names: "cephadm", only: /\bceph-volume\b.*\b(?:zap|create|prepare|batch)\b/, operands: "all", devices: true },
  { names: "ceph", only: /^orch\s+device\s+zap\b/, always: "block" },
  { names: "talosctl", only: /\bwipe\s+disk\b/, always: "block" },
  { names: "disko", only: /--mode[= ](?:disko|destroy|format)/, unless: LOOKS, always: "ask" },
];

/** Further tools that destroy what is on a device, as data: writers of images, erasers, makers of encrypted volumes. */
export const DEVICE_WRITERS: readonly WrittenRow[] = [...IMAGE_WRITERS, ...ERASERS, ...MAKERS];
