// What of this machine the worlds show: its programs, their libraries and the files in /etc that programs need to start.
// Nothing of what it is there for: no data, no service, no account of a person.
import { constants } from "node:fs";
import { access, lstat, readdir, readFile, readlink, realpath, stat } from "node:fs/promises";
import { basename } from "node:path";

const MERGED = ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];
/** Shown whole, besides the system directories. */
const SHOWN = "/nix/store /gnu/store /var/lib/dpkg /var/lib/rpm /etc/alternatives /etc/ssl/certs /etc/pki".split(" ");
const COPIED =
  `/etc/debian_version /etc/redhat-release /etc/alpine-release /etc/gai.conf /etc/host.conf /etc/ld.so.cache
  /etc/ld.so.conf /etc/localtime /etc/timezone /etc/locale.conf /etc/login.defs /etc/mime.types /etc/nsswitch.conf
  /etc/os-release /etc/protocols /etc/services /etc/shells /etc/rpc /etc/ethertypes /etc/networks
  /etc/ca-certificates.conf /etc/ssl/openssl.cnf`.split(/\s+/);
/** Empty in the worlds. */
const DIRECTORIES = `/boot /dev/mqueue /dev/pts /dev/shm /etc/cron.d /etc/default /etc/ld.so.conf.d /etc/init.d
  /etc/profile.d /etc/systemd/system /home /media /mnt /opt /root /run/lock /run/log /run/mount /run/systemd/system
  /run/udev /run/user /run/sshd /srv /tmp /usr /var/backups /var/cache /var/lib/misc /var/local /var/log/apt
  /var/log/journal /var/mail /var/opt /var/spool/cron /var/spool/mail /var/tmp /proc /sys`.split(/\s+/);
/** Empty files. */
const EMPTY = "/etc/fstab /etc/motd /etc/environment /etc/exports /var/log/wtmp /var/log/btmp /var/log/lastlog".split(
  " ",
);
const LOGS = "/var/log/faillog /var/log/dpkg.log /var/log/syslog /var/log/messages /var/log/auth.log".split(" ");
/** Of /usr/local only programs are shown, and what belongs to them. */
const LOCAL = new Set(["bin", "sbin", "lib", "lib32", "lib64", "libexec", "share", "man"]);
/** Here the kernel obeys the account in every namespace. */
const KNOBS = `/proc/sys /proc/sysrq-trigger /proc/bus /proc/fs /proc/irq /proc/acpi /proc/scsi /proc/mtrr /proc/driver
  /proc/asound /proc/latency_stats`.split(/\s+/);

export type ShownMachine = {
  /** Links in the root, for example /bin to usr/bin. */
  readonly links: readonly (readonly [path: string, target: string])[];
  readonly shown: readonly string[];
  readonly copied: readonly string[];
  readonly directories: readonly string[];
  readonly empty: readonly string[];
  /** Below something shown, and not shown. */
  readonly hidden: readonly string[];
  readonly knobs: readonly string[];
  readonly texts: Readonly<Record<string, string>>;
  /** The name of process 1. */
  readonly first: "systemd" | "init";
};

export async function readShownMachine(): Promise<ShownMachine> {
  const kinds = await Promise.all(MERGED.map(async (path) => [path, await linkAt(path)] as const));
  const java = (await names("/etc")).filter((name) => name.startsWith("java-")).map((name) => `/etc/${name}`);
  const own = MERGED.filter((path) => kinds.every(([link, target]) => link !== path || target === null));
  return {
    links: kinds.flatMap(([path, target]) => (target === null ? [] : [[path, target] as const])),
    shown: ["/usr", ...(await filter([...own, ...SHOWN, ...java], isDirectory))],
    copied: await filter(COPIED, isReadable),
    directories: DIRECTORIES,
    empty: [...EMPTY, ...(await filter(LOGS, exists))],
    hidden: await filter(
      (await names("/usr/local")).filter((name) => !LOCAL.has(name)).map((name) => `/usr/local/${name}`),
      async (path) => !(await isDirectory(path)) || (await names(path)).length > 0,
    ),
    knobs: await filter(KNOBS, exists),
    texts: await texts(),
    first: basename(await realpath("/sbin/init").catch(() => "")) === "systemd" ? "systemd" : "init",
  };
}

const HOSTS = "127.0.0.1\tlocalhost\n::1\tlocalhost ip6-localhost ip6-loopback\n";

async function texts(): Promise<Record<string, string>> {
  const uid = String(process.getuid?.());
  const gid = String(process.getgid?.());
  return {
    "/etc/hostname": "localhost\n",
    "/etc/hosts": HOSTS,
    "/etc/resolv.conf": "",
    "/etc/machine-id": `${"0a".repeat(16)}\n`,
    "/etc/passwd": systemOnly(await readFile("/etc/passwd", "utf8").catch(() => ""), uid),
    "/etc/group": systemOnly(await readFile("/etc/group", "utf8").catch(() => ""), gid),
  };
}

/** Other accounts may be what a check looks for. */
const systemOnly = (table: string, own: string): string =>
  table
    .split("\n")
    .filter((line) => {
      const id = line.split(":")[2] ?? "";
      return id !== "" && (Number(id) < 100 || id === "65534" || id === own);
    })
    .map((line) => `${line}\n`)
    .join("");

const linkAt = (path: string): Promise<string | null> => readlink(path).catch(() => null);
const names = (path: string): Promise<string[]> => readdir(path).catch(() => []);
const exists = (path: string) => lstat(path).then(() => true, no);
const isReadable = (path: string) => isAllowed(path, constants.R_OK);
export const isAllowed = (path: string, right: number): Promise<boolean> => access(path, right).then(() => true, no);
export const isDirectory = (path: string): Promise<boolean> => stat(path).then((entry) => entry.isDirectory(), no);
const no = () => false;

export async function filter(paths: readonly string[], holds: (path: string) => Promise<boolean>): Promise<string[]> {
  const held = await Promise.all(paths.map(holds));
  return paths.filter((_, at) => held[at]);
}
