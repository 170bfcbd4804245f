// Further tools that destroy what is on a device, as data: writers of images, erasers, makers of encrypted volumes.
import type { WrittenRow } from "./table.ts";

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

export const DEVICE_WRITERS: readonly WrittenRow[] = [...IMAGE_WRITERS, ...ERASERS, ...MAKERS];
