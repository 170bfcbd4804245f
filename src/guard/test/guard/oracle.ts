// Decides whether a started command, with concrete words, is an operation that is always blocked. It shares no code with
// the guard and knows nothing of shells.
import type { Call, Run } from "./jail.ts";

export type Family = "rm" | "git" | "docker" | "disk";

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

const SYSTEM = words(`/ /bin /boot /dev /etc /home /lib /lib64 /proc /root /run /sbin /sys /usr /var
  /usr/bin /usr/lib /var/lib /home/op /home/guest`);
/** What the jail shows in those that a pattern such as `/etc/*` may be about. */
const CONTENT: readonly (readonly string[])[] = [
  words("/boot/efi /boot/grub"),
  words("/etc/app /etc/hosts.d /etc/ssl"),
  words("/home/guest /home/op"),
  words("/home/op/notes /home/op/photos"),
  words("/root/a /root/b"),
  words("/usr/bin /usr/lib /usr/local /usr/sbin /usr/share"),
  words("/var/cache /var/lib /var/log /var/tmp"),
  words("/var/lib/app /var/lib/db"),
];
const DEVICE = /^\/dev\/(sd[a-z]\d*|vd[a-z]\d*|nvme\d+n\d+(p\d+)?|mmcblk\d+(p\d+)?)$/;

/** The family of the first listed operation that the script reached; null when it reached none. */
export function reachedBy(run: Run): Family | null {
  for (const call of run.calls) {
    const family = familyOf(call);
    if (family !== null) return family;
  }
  return null;
}

function familyOf({ cwd, argv: [program = "", ...args] }: Call): Family | null {
  switch (program) {
    case "rm":
      return removesWide(args, cwd) ? "rm" : null;
    case "find":
      return findsWide(args, cwd) ? "rm" : null;
    case "rsync":
      return args.includes("--delete") && isWide(args.slice(-1), cwd) ? "rm" : null;
    case "git":
    case "git-reset":
      return isHardReset(program === "git" ? args : ["reset", ...args]) ? "git" : null;
    case "docker":
    case "podman":
    case "nerdctl":
      return prunesAll(args) ? "docker" : null;
    default:
      return touchesDisk(program, args, cwd) ? "disk" : null;
  }
}

function resolved(path: string, cwd: string): string {
  const parts: string[] = [];
  for (const part of (path.startsWith("/") ? path : `${cwd}/${path}`).split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}

function isWide(operands: readonly string[], cwd: string): boolean {
  const paths = new Set(operands.filter((operand) => operand !== "").map((operand) => resolved(operand, cwd)));
  return SYSTEM.some((path) => paths.has(path)) || CONTENT.some((all) => all.every((path) => paths.has(path)));
}

/** Options and operands may be mixed; `--` ends the options. */
function split(args: readonly string[]): { options: string[]; operands: string[] } {
  const end = args.indexOf("--");
  const before = end < 0 ? args : args.slice(0, end);
  const isOption = (word: string) => word.startsWith("-") && word !== "-";
  return {
    options: before.filter(isOption),
    operands: [...before.filter((word) => !isOption(word)), ...(end < 0 ? [] : args.slice(end + 1))],
  };
}

const isPrefix = (option: string, full: string, shortest: number): boolean =>
  option.length >= shortest && full.startsWith(option);

const RM_LONG = words(`--force --recursive --dir --verbose --interactive --one-file-system --preserve-root
  --no-preserve-root`);

function removesWide(args: readonly string[], cwd: string): boolean {
  const { options, operands } = split(args);
  const isKnown = (option: string) =>
    /^-[dfiIrRv]+$/.test(option) || RM_LONG.some((full) => isPrefix(option.replace(/=.*/, ""), full, 3));
  const recursive = options.some((option) => /^-[a-zA-Z]*[rR]/.test(option) || isPrefix(option, "--recursive", 3));
  return recursive && options.every(isKnown) && isWide(operands, cwd);
}

/** Only the plain form: roots, and no test that picks some of what is below them. */
function findsWide(args: readonly string[], cwd: string): boolean {
  const start = args.findIndex((arg) => /^[-(!]/.test(arg));
  const expression = start < 0 ? [] : args.slice(start);
  const plain = words("-delete -depth -xdev -mount -mindepth -maxdepth 1 -print");
  return (
    expression.includes("-delete") &&
    expression.every((word) => plain.includes(word)) &&
    isWide(args.slice(0, start), cwd)
  );
}

const GIT_VALUED = words("-C -c --git-dir --work-tree --namespace --super-prefix --config-env");
const GIT_FLAGS =
  /^(-p|-P|--(no-)?(paginate|pager|replace-objects|optional-locks|lazy-fetch)|--bare|--\w+-pathspecs|--[\w-]+=.*)$/;
const RESET_OPTIONS = /^(-q|--(no-)?(quiet|refresh|recurse-submodules)|--(h|ha|har|hard|soft|mixed|merge|keep))$/;

function isHardReset(args: readonly string[]): boolean {
  let at = 0;
  for (; args[at]?.startsWith("-") === true; at += 1) {
    if (GIT_VALUED.includes(args[at] ?? "")) at += 1;
    else if (!GIT_FLAGS.test(args[at] ?? "")) return false;
  }
  const { options } = split(args.slice(at + 1));
  const modes = options.filter((option) => /^--(h|ha|har|hard|soft|mixed|merge|keep)$/.test(option));
  const hard = (modes.at(-1) ?? "").startsWith("--h");
  return args[at] === "reset" && hard && options.every((option) => RESET_OPTIONS.test(option));
}

const DOCKER_VALUED = words(
  "-H --host -c --context --config -l --log-level --tlscacert --tlscert --tlskey --connection",
);

function prunesAll(args: readonly string[]): boolean {
  let at = 0;
  while (args[at]?.startsWith("-") === true) at += DOCKER_VALUED.includes(args[at] ?? "") ? 2 : 1;
  if (args[at] !== "system" || args[at + 1] !== "prune") return false;
  let all = false;
  for (const option of args.slice(at + 2)) {
    if (/^(--all|-a)(=(true|1|t|T|TRUE|True))?$|^-[af]*a[af]*$/.test(option)) all = true;
    else if (/^(--all|-a)=/.test(option)) all = false;
    else if (!/^(-f|--force|--volumes)(=true)?$/.test(option)) return false;
  }
  return all;
}

function touchesDisk(program: string, args: readonly string[], cwd: string): boolean {
  const { options, operands } = split(args);
  const device = operands.some((operand) => DEVICE.test(resolved(operand, cwd)));
  if (/^(mkfs(\.\w+)?|mke2fs|mkswap|shred|blkdiscard|>)$/.test(program)) return device;
  switch (program) {
    case "wipefs":
      return device && options.some((option) => /^(-\w*a|--all$)/.test(option));
    case "parted":
      return device && operands.some((operand) => /^(mklabel|mktable|mkpart|rm)$/.test(operand));
    case "sgdisk":
      return device && options.some((option) => /^(-Z|-z|-o|--zap|--zap-all|--clear)$/.test(option));
    case "dd":
      return args.some((arg) => arg.startsWith("of=") && DEVICE.test(resolved(arg.slice(3), cwd)));
    case "cp":
      return DEVICE.test(resolved(operands.at(-1) ?? "", cwd));
    case "chmod":
    case "chown":
    case "chgrp": {
      const recursive = options.some((option) => /^-\w*R/.test(option) || isPrefix(option, "--recursive", 5));
      return recursive && operands.slice(1).some((operand) => resolved(operand, cwd) === "/");
    }
    case "mv":
      return operands.length > 1 && SYSTEM.includes(resolved(operands[0] ?? "", cwd));
    default:
      return false;
  }
}
