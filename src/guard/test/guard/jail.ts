// Runs shell scripts where they can do no harm, and records which of the listed programs they start. The jail is
// bubblewrap with bash, harmless text tools, and a recorder in place of every listed program.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";

/** A listed program with its words as they arrived. A write to a device has the program `>`. */
export type Call = { readonly cwd: string; readonly argv: readonly string[] };

/** `late`: the script was still running when its time was over, and was ended. */
export type Run = { readonly calls: readonly Call[]; readonly late: boolean };

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

const RECORDED = words(`rm podman nerdctl dd mkfs mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mke2fs mkswap wipefs shred
  blkdiscard fdisk sfdisk sgdisk parted chown chgrp mv rsync truncate`);
const STANDS_IN: Readonly<Record<string, readonly string[]>> = {
  recorder: RECORDED,
  launcher: words("sudo doas su runuser ssh chroot strace busybox"),
  git: ["git", "git-reset"],
  docker: ["docker"],
  find: ["find"],
  chmod: ["chmod"],
  cp: ["cp"],
};
/** After the stand-ins of the same name. */
const HIDDEN = ["git", "find", "chmod", "cp", "rm"];
const REAL =
  words(`bash sh cat head tail tac rev tr base64 xxd od cut paste fold sort uniq wc ls printenv sed awk perl grep expr seq
  dirname basename realpath readlink pwd printf echo true false env nohup nice ionice timeout stdbuf setsid flock xargs
  mkdir touch tee mktemp sleep date id`);
const FOLDERS =
  words(`/boot/grub /boot/efi /etc/app /etc/ssl /etc/hosts.d /home/op /home/guest /opt/x /opt/y /root/a /root/b
  /run/lock /run/user /usr/bin /usr/sbin /usr/lib/x /usr/lib/git-core /usr/local/bin /usr/share/doc /var/lib/app
  /var/lib/db /var/log/app /var/cache/app /var/tmp /mnt/disk /media/usb /sys/class /sys/block /data /srv/app /srv/www`);
const WRITABLE = ["/tmp", "/home/op", "/srv/app", "/data"];
const LINKS = ["bin", "sbin", "lib"].map((name) => [`usr/${name}`, `/${name}`] as const);
const ENVIRONMENT = {
  HOME: "/home/op",
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  SHELL: "/bin/bash",
  LANG: "C.UTF-8",
  ORCH_TARGET_DIR: "/data/site",
};

const find = (program: string): string | undefined =>
  ["/usr/bin", "/bin", "/usr/sbin", "/usr/local/bin"]
    .map((folder) => join(folder, program))
    .find((path) => existsSync(path));

/** Why nothing can run here; null when it can. */
export function jailProblem(): string | null {
  const [bwrap, bash, ldd] = ["bwrap", "bash", "ldd"].map(find);
  if (bwrap === undefined || bash === undefined || ldd === undefined) return "bwrap, bash or ldd is not installed";
  try {
    execFileSync(bwrap, ["--ro-bind", "/", "/", "--unshare-all", "--uid", "1000", "true"], { stdio: "pipe" });
  } catch (error) {
    return `bubblewrap cannot start here (${error instanceof Error ? error.message.split("\n")[0] : "unknown"})`;
  }
  const version = Number(execFileSync(bash, ["-c", "echo $BASH_VERSINFO"], { encoding: "utf8" }));
  return version >= 5 ? null : `bash 5 is needed, here is ${version}`;
}

function librariesOf(programs: readonly string[]): string[] {
  const listed = execFileSync(find("ldd") ?? "", [...programs], { encoding: "utf8" });
  return [...new Set(listed.match(/\/\S+\.so\S*(?= \(0x)/g) ?? [])];
}

function rootOptions(): string[] {
  const real = [...REAL, ...HIDDEN].map((name) => [name, find(name)] as const);
  const found = real.flatMap(([name, path]) => (path === undefined ? [] : [[name, path] as const]));
  const shown = found.filter(([name]) => REAL.includes(name)).map(([name, path]) => [path, `/usr/bin/${name}`]);
  const hidden = found.filter(([name]) => HIDDEN.includes(name)).map(([name, path]) => [path, `/jail/real/${name}`]);
  const libraries = librariesOf([...new Set(found.map(([, path]) => path))]).map((path) => [path, path]);
  const shims = Object.keys(STANDS_IN).concat("driver");
  const own = shims.map((name) => [join(import.meta.dirname, "jail", name), `/jail/${name}`]);
  const links = Object.entries(STANDS_IN).flatMap(([shim, names]) =>
    names.map((name) => [`/jail/${shim}`, `/usr/${name === "git-reset" ? "lib/git-core" : "bin"}/${name}`] as const),
  );
  return [
    ...FOLDERS.flatMap((folder) => ["--dir", folder]),
    ...[...LINKS, ...links].flatMap(([to, at]) => ["--symlink", to, at]),
    ...[...shown, ...hidden, ...libraries, ...own].flatMap(([from = "", to = ""]) => ["--ro-bind", from, to]),
  ];
}

/** In the order of the scripts. Each runs in a fresh bash in /srv/app, with the files that the jail starts with. */
export async function runInJail(scripts: readonly string[]): Promise<Run[]> {
  const lanes = Math.min(4, availableParallelism(), scripts.length);
  const share = Math.ceil(scripts.length / lanes);
  const root = rootOptions();
  const runs = Array.from({ length: lanes }, (_, lane) =>
    runLane(scripts.slice(lane * share, (lane + 1) * share), root),
  );
  return (await Promise.all(runs)).flat();
}

async function runLane(scripts: readonly string[], root: readonly string[]): Promise<Run[]> {
  const folder = mkdtempSync(join(tmpdir(), "orch-jail-"));
  const [cases, log] = [join(folder, "cases"), join(folder, "log")];
  writeFileSync(cases, scripts.map((script) => `${script}\0`).join(""));
  writeFileSync(log, "");
  const options = [
    ...["--unshare-all", "--die-with-parent", "--new-session", "--uid", "1000", "--gid", "1000", "--clearenv"],
    ...Object.entries(ENVIRONMENT).flatMap(([name, value]) => ["--setenv", name, value]),
    ...root,
    ...["--ro-bind", cases, "/jail/cases", "--bind", log, "/jail/log"],
    ...WRITABLE.flatMap((path) => ["--tmpfs", path]),
    ...["--proc", "/proc", "--dev", "/dev", "--remount-ro", "/"],
  ];
  const child = spawn(find("bwrap") ?? "", [...options, "/jail/driver"], { stdio: ["ignore", "ignore", "pipe"] });
  let complaint = "";
  child.stderr.on("data", (chunk: Buffer) => {
    complaint += chunk.toString();
  });
  await once(child, "close");
  const runs = readLog(readFileSync(log, "utf8"));
  rmSync(folder, { recursive: true });
  if (runs.length !== scripts.length) {
    throw new Error(`the jail ended after ${runs.length} of ${scripts.length} scripts: ${complaint.slice(-2_000)}`);
  }
  return runs;
}

/** Fields end with NUL: the number of words, the directory, the words; or `end` and a state after each script. */
function readLog(text: string): Run[] {
  const fields = text.split("\0");
  const runs: Run[] = [];
  let calls: Call[] = [];
  for (let at = 0; at + 1 < fields.length; ) {
    const [head = "", second = ""] = fields.slice(at, at + 2);
    if (head === "end") {
      runs.push({ calls, late: second === "late" });
      calls = [];
      at += 2;
      continue;
    }
    calls.push({ cwd: second, argv: fields.slice(at + 2, at + 2 + Number(head)) });
    at += 2 + Number(head);
  }
  return runs;
}
