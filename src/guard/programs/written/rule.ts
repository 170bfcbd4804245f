// Reports devices that a program would write to through an operand or an option, whichever program it is.
import type { State } from "../../interpreter/state.ts";
import { absolute, deviceAt } from "../../paths.ts";
import { optionTable, optionValue, optionValues, parseOptions, rowsByName, words } from "../../words/options.ts";
import { isOpen } from "../../words/symbols.ts";
import { DESTROYS, deletesTrees, UNDECIDED } from "../blocked-operands.ts";
import type { BlockRule } from "../record.ts";

// Programs beside rm and find that delete whole trees, as data: which of their operands.

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

// Which operands and options of a program are written to, as data: from their manuals. What a program reads is not in it.

type WrittenRow = {
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

const WRITTEN: readonly WrittenRow[] = [...TABLE_MAKERS, ...POOLS, ...VOLUMES, ...COPIERS, ...OPTIONS];

/** Their `-o` has another meaning, and what follows may be a pattern or a device that they read. */
const NO_OUTPUT = new Set(
  words(`grep egrep fgrep zgrep rg ag ack ps pgrep pidof lsof lsblk blkid mount findmnt btrfs ssh scp sftp echo printf df
  smartctl e2fsck fsck find test [ read umount bash sh`),
);

// Further tools that destroy what is on a device, as data: writers of images, erasers, makers of encrypted volumes.

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

const DEVICE_WRITERS: readonly WrittenRow[] = [...IMAGE_WRITERS, ...ERASERS, ...MAKERS];

/** The rows of a name; `mkfs.*` is a name of its own. */
const BY_NAME = rowsByName([...WRITTEN, ...DEVICE_WRITERS], ({ names }) => names);

const kindOfName = (name: string): string => name.replace(/\..*/, ".*");
const rowsOf = (name: string): readonly WrittenRow[] => [
  ...(BY_NAME.get(name) ?? []),
  ...(BY_NAME.get(kindOfName(name)) ?? []),
];

/** Names that the table is about; any other program is judged where one of its words is a device. */
export const WRITERS: ReadonlySet<string> = new Set(BY_NAME.keys());

/** Devices as a pool's tools name them. */
const SHORT =
  /^(?:sd[a-z]+\d*|[hv]d[a-z]\d*|xvd[a-z]\d*|nvme\d+n\d+(?:p\d+)?|mmcblk\d+(?:p\d+)?|md\d+|a?da\d+(?:p\d+)?|nvd\d+|r?disk\d+(?:s\d+)?|(?:ata|wwn|scsi|nvme|usb)-[\w.:-]+|c\d+t\d+d\d+\w*)$/;
/** Devices that are no block devices, but hold what is destroyed. */
const RAW = /^\/dev\/(?:sg|nvme|mtd|bsg\/|ubi|nst|st)\d/;
const OUTPUT =
  /^(?:-o|--?out|--?output|--?output-?(?:file|document|path)|--outfile|--out-file|-outdev|--result-file|--archive)$/;

const REMOVES = "removes a volume with all that it holds; name a snapshot, or leave this to the operator";

type Target = { readonly path: string; readonly row: WrittenRow | null };

function targetsOf(argv: readonly string[], row: WrittenRow): readonly Target[] {
  const [, ...args] = argv;
  const text = args.join(" ");
  if (row.only?.test(text) === false || row.unless?.test(text) === true) return [];
  const table = optionTable(`${row.options ?? ""} ${row.valued ?? ""}`);
  const parsed = parseOptions(args, table);
  const [verb = "", ...rest] = parsed.operands;
  if (row.verbs !== undefined && !row.verbs.test(verb)) return [];
  const operands = row.verbs === undefined ? parsed.operands : rest;
  const found = [
    ...optionValues(parsed, ...words(row.options ?? "")).map((value) => value ?? ""),
    ...picked(operands, row),
  ];
  if (row.words !== undefined) for (const arg of args) found.push(row.words.exec(arg)?.[1] ?? "");
  return found.map((path) => ({ path: path.replace(/^[\w.@-]+:(?=\/)/, ""), row }));
}

function picked(operands: readonly string[], { operands: which }: WrittenRow): readonly string[] {
  if (which === undefined) return [];
  if (which === "first") return operands.slice(0, 1);
  if (which === "second") return operands.slice(1, 2);
  return which === "last" ? operands.slice(-1) : operands;
}

/** `-o x`, `--output=x`, `of=x`: the same in most programs. */
const outputs = ([name = "", ...args]: readonly string[]): readonly Target[] =>
  NO_OUTPUT.has(name)
    ? []
    : args.flatMap((arg, at) => {
        const [, attached] = /^(?:-o(?=\/)|--?[a-z-]*=|[a-z]+=)(\/dev\/.+)$/.exec(arg) ?? [];
        const named = /^(?:-o|--?out|--[a-z-]*out[a-z-]*=|(?:of|wipe)=|--result-file=|--archive=)/.test(arg);
        if (attached !== undefined) return named ? [{ path: attached, row: null }] : [];
        return OUTPUT.test(arg) ? [{ path: args[at + 1] ?? "", row: null }] : [];
      });

/** The worst of all that is written to. */
export const judgeWritten: BlockRule = (argv, state, report) => {
  const rows = rowsOf(argv[0] ?? "");
  const destroyed = rows.flatMap((row) => (row.always !== undefined && isMeant(argv, row) ? [row.always] : []));
  const found = [...rows.flatMap((row) => targetsOf(argv, row)), ...outputs(argv)].map((target) =>
    kindOf(target, state),
  );
  if (destroyed.includes("block") || found.includes("yes")) report("block", "disk.write", DESTROYS, argv);
  else if (destroyed.length > 0) report("ask", "disk.write", REMOVES, argv);
  else if (found.includes("possibly")) report("ask", "dyn.operand", UNDECIDED, argv);
};

function isMeant(argv: readonly string[], { only, unless, verbs }: WrittenRow): boolean {
  const text = argv.slice(1).join(" ");
  if (only?.test(text) === false || unless?.test(text) === true) return false;
  const { operands } = parseOptions(argv.slice(1));
  return verbs === undefined
    ? operands.length > 0 || only !== undefined || argv.length > 1
    : verbs.test(operands[0] ?? "") && operands.length > 1;
}

function kindOf({ path, row }: Target, state: State): "yes" | "possibly" | "no" {
  if (path === "") return "no";
  const devices = row?.devices === true;
  if (RAW.test(path) || (devices && SHORT.test(path.replace(/^\/dev\//, "")))) return "yes";
  const kind = deviceAt(path, state);
  return kind === "possibly" && !path.startsWith("/dev/") && !(devices && isOpen(path)) ? "no" : kind;
}
