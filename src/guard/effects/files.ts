// Files: programs that show, compare, pack, write or delete them.
import { has, optionValue, parseOptions } from "../shell/options.ts";
import {
  changes,
  changing,
  type Family,
  isFile,
  mayBeOption,
  options,
  READS,
  type Rule,
  reads,
  UNSURE,
  unlessDry,
  verbs,
} from "./effect.ts";

const WRITES = "writes files";
const PERMISSIONS = "changes permissions";

const find: Rule = ([, ...args]) => {
  if (args.includes("-delete")) return changes("deletes files");
  if (args.some((arg) => /^-f(print|ls)/.test(arg))) return changes(WRITES);
  return args.some(mayBeOption) ? UNSURE : READS;
};

/** Listing and unpacking to standard output look; so does an archive that goes there. */
const tar: Rule = ([, first = "", ...rest]) => {
  const args = [first.startsWith("-") ? first : `-${first}`, ...rest];
  const parsed = parseOptions(args, { short: "fCTXbgIHKN", long: ["file", "directory", "exclude"] });
  if (has(parsed, "to-command", "checkpoint-action", "use-compress-program", "I")) return UNSURE;
  if (has(parsed, "t", "list", "d", "diff", "compare", "version", "help")) return READS;
  if (has(parsed, "x", "extract", "get")) return has(parsed, "O", "to-stdout") ? READS : changes(WRITES);
  if (has(parsed, "c", "create")) return isFile(optionValue(parsed, "f", "file")) ? changes(WRITES) : READS;
  return has(parsed, "r", "append", "u", "update", "A", "concatenate", "delete") ? changes(WRITES) : UNSURE;
};

const dd: Rule = ([, ...args]) => {
  const target = args.find((arg) => arg.startsWith("of="))?.slice(3);
  if (args.some(mayBeOption)) return UNSURE;
  return isFile(target) ? changes(WRITES) : READS;
};

/** Without a file they pass standard input on. */
const compressor: Rule = ([, ...args]) => {
  const parsed = parseOptions(args, { short: "So", long: ["suffix"] });
  if (has(parsed, "o")) return changes(WRITES);
  const looks = has(parsed, "c", "stdout", "to-stdout", "l", "list", "t", "test", "V", "h");
  return looks || parsed.operands.every((operand) => operand === "-") ? READS : changes(WRITES);
};

const rsync: Rule = ([, ...args]) => {
  const parsed = parseOptions(args, { short: "efBMT", long: ["rsh", "exclude", "include", "filter", "log-file"] });
  if (has(parsed, "log-file", "only-write-batch", "write-batch")) return changes(WRITES);
  if (has(parsed, "n", "dry-run", "list-only")) return READS;
  if (parsed.operands.some(mayBeOption)) return UNSURE;
  return parsed.operands.length > 1 ? changes(WRITES) : READS;
};

export const FILES: Family = [
  [
    `ls dir vdir exa eza cat zcat bzcat xzcat zstdcat lz4cat head tail tac gcat more most bat batcat nl stat file du df ncdu
    realpath readlink basename dirname cmp diff diff3 colordiff comm md5sum sha1sum sha224sum sha256sum sha384sum
    sha512sum shasum b2sum cksum sum crc32 od hexdump hd strings namei locate plocate mlocate getfacl getfattr lsattr getcap
    readelf nm objdump size zipinfo tee lsof mountpoint pathchk sync fd fdfind`,
    reads,
  ],
  ["find gfind", find],
  ["less", options({ why: WRITES, changes: "o O log-file LOG-FILE", valued: "o O b h j k p P t T x y z" })],
  ["tree", options({ why: WRITES, changes: "o", valued: "o L P I H T" })],
  ["sdiff", options({ why: WRITES, changes: "o output", valued: "o w" })],
  ["xxd", options({ why: WRITES, operands: 1, valued: "c g l n o s cols groupsize len seek" })],
  ["rm rmdir unlink shred srm rimraf wipe trash trash-put", changing("deletes files")],
  [
    `mv cp ln link install scp sftp touch mkdir mkfifo mknod truncate split csplit rename sponge dos2unix unix2dos zip
    fallocate mkisofs genisoimage xorriso updatedb`,
    changing(WRITES),
  ],
  ["mktemp tempfile", unlessDry("u dry-run", changing(WRITES))],
  ["patch", unlessDry("dry-run", changing(WRITES))],
  ["chmod chown chgrp chattr setfattr setcap chcon restorecon", changing(PERMISSIONS)],
  ["setfacl", unlessDry("test", changing(PERMISSIONS))],
  ["tar gtar bsdtar", tar],
  ["gzip gunzip bzip2 bunzip2 xz unxz lzma unlzma zstd unzstd lz4 pigz unpigz compress uncompress", compressor],
  ["unzip", options({ why: WRITES, reads: "l p c t Z v z", otherwise: changes(WRITES) })],
  ["7z 7za 7zr", verbs({ why: WRITES, reads: "l t i", changes: "a d e u x rn" })],
  ["unrar rar", verbs({ why: WRITES, reads: "l lb lt v vb vt t p", changes: "x e a d f m u" })],
  ["cpio", options({ why: WRITES, changes: "p pass-through O", reads: "t list o create", otherwise: changes(WRITES) })],
  ["ar", ([, mode = ""]) => (/^-?[tp]/.test(mode) ? READS : changes(WRITES))],
  ["dd dcfldd", dd],
  ["rsync", rsync],
  [
    "rclone",
    verbs({
      why: WRITES,
      valued: "--config",
      reads: "ls lsd lsl lsf lsjson size check cryptcheck about version listremotes tree cat md5sum sha1sum hashsum",
      changes:
        "copy copyto move moveto sync bisync delete deletefile purge rmdir rmdirs mkdir touch cleanup dedupe settier",
    }),
  ],
  [
    "restic",
    verbs({
      why: "changes a backup",
      valued: "-r --repo -p --password-file --cache-dir -o",
      reads: "snapshots stats check ls find diff list cat version dump",
      changes: "backup forget prune init restore tag unlock rewrite repair migrate copy key",
    }),
  ],
  [
    "borg",
    verbs({
      why: "changes a backup",
      reads: "list info diff check version",
      changes: "create delete prune compact init extract rename mount umount recreate upgrade",
    }),
  ],
  ["logrotate", unlessDry("d debug", changing(WRITES), "s state l log")],
  ["inotifywait inotifywatch", options({ why: WRITES, changes: "o outfile d daemon", valued: "o outfile e t" })],
  ["ldconfig", options({ why: WRITES, reads: "p print-cache", otherwise: changes(WRITES) })],
  ["gpg gpg2", options({ reads: "k K list-keys list-secret-keys verify list-packets fingerprint", otherwise: UNSURE })],
];
