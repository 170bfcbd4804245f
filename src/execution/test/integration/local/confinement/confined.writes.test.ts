// What a confined command may write, and whom it can reach: only what is named for it, and nothing that runs later with more rights
// than it has. Each probe works where nothing is confined.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anAgentSandbox } from "../../../../../../test/support/sandboxes.ts";
import type { CommandEnd } from "../../../../local/run-command.ts";
import { MODES, NOBODY, ordered } from "./confined-commands.ts";

const CONNECT = `python3 -c 'import socket,sys; socket.socket(socket.AF_UNIX).connect(sys.argv[1]); print("GOT IT")'`;

type Probe = readonly [title: string, script: string];

/** `$HOME`, `$OUT` (a directory beside the task's own), `$OTHERS` (the sockets of other accounts). Each prints GOT IT when it has an effect. */
const PROBES: readonly Probe[] = [
  ["a file beside the task's directory", ": > $OUT/planted && echo GOT IT"],
  ["a directory moved to where it may write", "mv $OUT $PWD/out && echo GOT IT"],
  [
    "another mount of the same directory",
    "for f in /proc/*/root$OUT /proc/*/cwd/../out; do : > $f/planted && echo GOT IT; done",
  ],
  ["the socket of another account's terminals", `${CONNECT} $OTHERS/default`],
  ["the sockets of a forwarded ssh agent", `for s in $OTHERS/*; do ${CONNECT} $s; done`],
  ["a remount", "mount -o remount,bind,rw / && : > $OUT/planted && echo GOT IT"],
  ["a set-uid file that stays", "cp /bin/true s && chmod 4755 s && echo GOT IT"],
  ["a set-gid file that stays", "cp /bin/true s && chmod g+s s && echo GOT IT"],
  [
    "a set-uid file, made as one",
    `python3 -c 'import os; os.umask(0); print("GOT IT" if os.fstat(os.open("t", os.O_CREAT | os.O_WRONLY, 0o4755)).st_mode & 0o4000 else "")'`,
  ],
  [
    "memory that another program shares",
    `python3 -c 'import ctypes, sys; print("GOT IT" if ctypes.CDLL(None).shmget(int(sys.argv[1]), 0, 0) >= 0 else "")' $SHARED`,
  ],
  [
    "the keys of the account",
    `python3 -c 'import ctypes; c = ctypes.CDLL(None); print("GOT IT" if c.syscall(250 if __import__("platform").machine() == "x86_64" else 219, 0, -4, 1) >= 0 else "")'`,
  ],
  [
    "a socket to the host of a virtual machine",
    `python3 -c 'import socket; socket.socket(40, socket.SOCK_STREAM); print("GOT IT")'`,
  ],
];

const PROBES_OF_ROOT: readonly Probe[] = [
  ["a socket in /run", `${CONNECT} /run/$SOCKET`],
  ["a socket in /run, as the account that it trusts", `setpriv --reuid=1 --clear-groups ${CONNECT} /run/$SOCKET`],
  ["the preload list of the loader", ": >> /etc/ld.so.preload && echo GOT IT"],
  ["the tools that confine it", "cp -f /bin/true /usr/bin/.planted && rm -f /usr/bin/.planted && echo GOT IT"],
  ["a program in front of the system's", ": > /usr/local/bin/planted && rm -f /usr/local/bin/planted && echo GOT IT"],
  ["a job of cron", "echo '#' > /etc/cron.d/planted && rm -f /etc/cron.d/planted && echo GOT IT"],
  [
    "a remount in new namespaces",
    "unshare -Urm bash -c 'mount -o remount,bind,rw / && umount $OUT; : > $OUT/planted && echo GOT IT'",
  ],
  [
    "a device",
    `python3 -c 'import os; os.mknod("/dev/shm/disk", 0o60600, os.makedev(254, 0)); print("GOT IT"); os.remove("/dev/shm/disk")'`,
  ],
  ["a file with rights of its own", "cp /bin/true c && setcap cap_setuid+ep c && echo GOT IT"],
  ["the mode of a device of the machine", "chmod 0667 /dev/full && echo GOT IT; chmod 0666 /dev/full"],
];
/** Here nothing but the confinement could help, or nothing is there to be had. */
const NEVER_WORKS = /remount|\/proc\/\*\/root/;

function aPlace(as_nobody: boolean) {
  const base = mkdtempSync(join(tmpdir(), "orch-writes-"));
  const [own, out, others, real] = ["own", "out", "others", "home"].map((name) => join(base, name)) as [
    string,
    string,
    string,
    string,
  ];
  for (const path of [own, out, others, real]) mkdirSync(path);
  writeFileSync(join(real, ".bashrc"), "# mine\n");
  if (as_nobody) execFileSync("chown", ["-R", `${NOBODY}:${NOBODY}`, base]);
  return { base, own, out, others, real };
}

const listening = (path: string): Promise<Server> =>
  new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy());
    server.listen({ path, readableAll: true, writableAll: true }, () => resolve(server));
  });

describe.each(MODES)("$name", ({ as_nobody, fault }) => {
  describe.skipIf(fault !== null)(fault ?? "confined", () => {
    const probes = as_nobody ? PROBES : [...PROBES, ...PROBES_OF_ROOT];
    const socket = `orch-test-${process.pid}.sock`;
    const shared = process.pid + 0x4f524348 + (as_nobody ? 1 : 0);
    let place: ReturnType<typeof aPlace>;
    let servers: Server[] = [];
    let ends: CommandEnd[] = [];

    const run = (scripts: readonly string[], confined: boolean) => {
      const env = {
        HOME: place.real,
        REAL: place.real,
        OUT: place.out,
        OTHERS: place.others,
        SOCKET: socket,
        SHARED: String(shared),
      };
      const sandbox = confined ? anAgentSandbox({ writable: [place.own], run: "one" }) : null;
      return ordered({ sandbox, cwd: place.own, env, scripts }, as_nobody);
    };
    const said = (end: CommandEnd | undefined) => (end?.ran === true ? end.stdout.text : `not run: ${end?.reason}`);

    beforeAll(async () => {
      place = aPlace(as_nobody);
      const paths = [join(place.others, "default"), join(place.others, "agent.1")];
      execFileSync("python3", ["-c", `import ctypes; ctypes.CDLL(None).shmget(${shared}, 4096, 0o1666)`]);
      servers = await Promise.all([...paths, ...(as_nobody ? [] : [join("/run", socket)])].map(listening));
      ends = await run(
        probes.map(([, script]) => script),
        true,
      );
    });

    afterAll(() => {
      for (const server of servers) server.close();
      execFileSync("ipcrm", ["-M", String(shared)]);
      rmSync(place.base, { recursive: true, force: true });
    });

    test.each(probes.map(([title], at) => [title, at] as const))("%s is out of reach", (_, at) => {
      expect(ends[at]).toMatchObject({ ran: true });
      expect(said(ends[at])).not.toContain("GOT IT");
    });

    test("what it writes to its home directory is not in that of the account", async () => {
      const plant = "git config --global core.fsmonitor ./x; echo planted >> ~/.bashrc; echo planted > $REAL/planted";
      const planted = () => [".gitconfig", "planted"].filter((name) => existsSync(join(place.real, name)));
      await run([plant], true);
      expect([planted(), readFileSync(join(place.real, ".bashrc"), "utf8")]).toEqual([[], "# mine\n"]);
      await run([plant], false);
      expect(planted()).toEqual([".gitconfig", "planted"]);
    });

    test("commands of one run share their /tmp and their home, and leave nothing there", async () => {
      const [first, second] = await run(
        ["echo kept > /tmp/mine; echo kept > ~/mine; echo done > here", "sleep 0.3; cat /tmp/mine ~/mine here"],
        true,
      );
      expect([said(first), said(second)]).toEqual(["", "kept\nkept\ndone\n"]);
      expect([existsSync("/tmp/mine"), existsSync(join(place.real, "mine"))]).toEqual([false, false]);
      expect(readFileSync(join(place.own, "here"), "utf8")).toBe("done\n");
    });

    test("what it has of its own shares one limit, of a fifth of the memory", async () => {
      const own = '/tmp /var/tmp /run "$HOME" /dev/shm';
      const limit = "echo $(($(stat -f -c '%b * %S' /tmp) / 1024)); awk '/^MemTotal/ { print $2 }' /proc/meminfo";
      const [devices, limits] = await run([`stat -c %d ${own} | sort -u | wc -l`, limit], true);
      const [shared = 0, memory = 0] = said(limits).split("\n").map(Number);
      expect([said(devices), (shared / memory).toFixed(2)]).toEqual(["1\n", "0.20"]);
    });

    test("a socket that the operator opens can be reached", async () => {
      const opened = join(place.others, "default");
      const sandbox = anAgentSandbox({ writable: [place.own, opened] });
      const scripts = [`${CONNECT} ${opened}; ls ${place.others}`];
      const [end] = await ordered({ sandbox, cwd: place.own, env: {}, scripts }, as_nobody);
      expect(said(end)).toBe("GOT IT\ndefault\n");
    });

    test("a link that a command has made does not open where it leads", async () => {
      const link = join(place.own, "link");
      const open = anAgentSandbox({ writable: [place.own, link], run: "two" });
      const tries = ["ln -s $OUT link", ": > link/planted && echo GOT IT; : > $OUT/planted && echo GOT IT"];
      for (const script of tries) {
        const env = { OUT: place.out };
        const [end] = await ordered({ sandbox: open, cwd: place.own, env, scripts: [script] }, as_nobody);
        expect(said(end)).toBe("");
      }
    });

    test("a directory whose place a link has taken since it was named is not opened", async () => {
      const taken = join(place.base, "taken");
      symlinkSync(place.out, taken);
      const sandbox = anAgentSandbox({ writable: [place.own, taken] });
      const scripts = [": > $OUT/planted && echo GOT IT; : > $OUT/../taken/planted && echo GOT IT"];
      const [end] = await ordered({ sandbox, cwd: place.own, env: { OUT: place.out }, scripts }, as_nobody);
      expect([said(end), existsSync(join(place.out, "planted"))]).toEqual(["", false]);
    });

    test("unconfined, every probe gets it", async () => {
      const working = probes.filter(
        ([title, script]) => !NEVER_WORKS.test(script) && !title.startsWith("a directory moved"),
      );
      const outside = await run(
        working.map(([, script]) => script),
        false,
      );
      expect(working.filter((_, at) => !said(outside[at]).includes("GOT IT")).map(([title]) => title)).toEqual([]);
    });
  });
});
