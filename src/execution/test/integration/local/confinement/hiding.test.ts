// What a plain step cannot see, also where it runs what an agent has planted: the token and the database of orch. The same steps find
// both where nothing is hidden.

import { execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { IN_PIDS } from "../../../../../../test/support/sandboxes.ts";
import { baseEnvironment } from "../../../../local/environment.ts";
import { type CommandEnd, createRunCommand } from "../../../../local/run-command.ts";
import { createLaunch } from "../../../../sandbox/launcher.ts";
import { signalProcess } from "../../../../sandbox/processes.ts";
import { PLAIN_STEP } from "../../../../sandbox/sandbox.ts";
import { SPACE_SCRIPT } from "../../../../sandbox/space.ts";
import { createSpaces } from "../../../../sandbox/spaces.ts";
import { canSandbox, commandsIn, home } from "../a-command.ts";
import { childrenOf, titleOf } from "../running-processes.ts";
import { files, isRoot, MODES, NOBODY, ordered } from "./confined-commands.ts";

type Planted = readonly [title: string, script: string];

/** Each step is an ordinary one; what it runs was planted. */
const PLANTED: readonly Planted[] = [
  ["a monitor of files in git's global configuration", "git -C $PLACE/global status >&2; cat $PLACE/loot"],
  ["a monitor of files in the configuration of the repository", "git -C $PLACE/local status >&2; cat $PLACE/loot"],
  ["a hook of the repository", "git -C $PLACE/hooked commit -q --allow-empty -m x; cat $PLACE/loot"],
  ["a script of the project", "$PLACE/steal; cat $PLACE/loot"],
  ["a start-up file of the shell", "HOME=$PLACE bash -i -c true </dev/null 2>/dev/null; cat $PLACE/loot"],
  ["a module of the project", "cd $PLACE && python3 -c 'import planted'; cat $PLACE/loot"],
];
const DIRECTLY: readonly Planted[] = [
  ["the token by its path", 'cat "$DATA/token"'],
  ["the token by a link that was made before", "cat $PLACE/link/token"],
];
/** An account other than root has another identity for the kernel. */
const THROUGH_THE_SERVER: readonly Planted[] = [
  [
    "the token through the runner",
    `at=$PPID; while grep -qx orch-launcher /proc/$at/comm; do at=$(cut -d' ' -f4 /proc/$at/stat); done
      cat /proc/$at/root"$DATA/token" /proc/$at/cwd/"$DATA/token"`,
  ],
  ["the token through its parent", 'cat /proc/$PPID/root"$DATA/token" /proc/$PPID/cwd/"$DATA/token"'],
  ["the environment of the server", "cat /proc/$SERVER/environ"],
  ["the token through the server", 'cat "/proc/$SERVER/root$DATA/token"'],
  ["the token in the mounts of the server", "nsenter -t $SERVER -m -U --preserve-credentials cat $DATA/token"],
  ["the token below what covers it", "$PLACE/uncover"],
];

function aServer(as_nobody: boolean) {
  const place = mkdtempSync(join(tmpdir(), "orch-hiding-"));
  const key = `the-key-${randomUUID()}`;
  const data = join(place, "data");
  mkdirSync(data);
  writeFileSync(join(data, "token"), key, { mode: 0o600 });
  const steal = join(place, "steal");
  writeFileSync(steal, `#!/bin/sh\nrm -f ${place}/loot; X=token; cat ${data}/$X > ${place}/loot\n`);
  chmodSync(steal, 0o755);
  const uncover = `umount ${data}; cat ${data}/token; unshare -Urm sh -c 'umount ${data}; cat ${data}/token'`;
  writeFileSync(join(place, "uncover"), `#!/bin/sh\n${uncover}\n`, { mode: 0o755 });
  execFileSync("bash", ["-euc", MAKE_REPOSITORIES, steal, place], { env: { ...process.env, HOME: place } });
  writeFileSync(join(place, ".bashrc"), `${steal}\n`);
  writeFileSync(join(place, "planted.py"), `import os; os.system("${steal}")\n`);
  execFileSync("ln", ["-s", data, join(place, "link")]);
  if (as_nobody) execFileSync("chown", ["-R", `${NOBODY}:${NOBODY}`, place]);
  const who = as_nobody ? { uid: NOBODY, gid: NOBODY } : {};
  const child = spawn("/bin/sleep", ["600"], { env: { ORCH_TOKEN: key }, stdio: "ignore", detached: true, ...who });
  return { place, key, data, child };
}

const MAKE_REPOSITORIES = `cd "$1"
git config --global user.name x; git config --global user.email x@localhost
for name in global local hooked; do git init -q $name; done
git -C local config core.fsmonitor "$0"
printf '#!/bin/sh\\n%s\\n' "$0" > hooked/.git/hooks/pre-commit
chmod +x hooked/.git/hooks/pre-commit
git config --global core.fsmonitor "$0"`;

describe.each(MODES)("from a plain step of $name", ({ as_nobody, fault }) => {
  describe.skipIf(fault !== null)(fault ?? "is hidden", () => {
    const tried = [...PLANTED, ...DIRECTLY, ...(as_nobody || !isRoot ? THROUGH_THE_SERVER : [])];
    let server: ReturnType<typeof aServer>;
    let ends: CommandEnd[] = [];

    const run = (scripts: readonly string[], hides: boolean, hides_always = false) => {
      const { place, data, child } = server;
      const env = { HOME: place, PLACE: place, DATA: data, SERVER: String(child.pid) };
      return ordered(
        { hidden: hides ? [data] : [], hides_always, sandbox: null, cwd: place, env, scripts, at_once: 1 },
        as_nobody,
      );
    };
    const has = (end: CommandEnd | undefined) => end?.ran === true && end.stdout.text.includes(server.key);

    beforeAll(async () => {
      server = aServer(as_nobody);
      ends = await run(
        tried.map(([, script]) => `rm -f $PLACE/loot; ${script}`),
        true,
      );
    });
    afterAll(() => {
      server.child.kill("SIGKILL");
      rmSync(server.place, { recursive: true, force: true });
    });

    test.each(tried.map(([title], at) => [title, at] as const))("by %s", (_, at) => {
      expect(ends[at]).toMatchObject({ ran: true });
      expect(has(ends[at])).toBe(false);
    });

    test("nothing, where nothing is hidden", async () => {
      // An ordinary account can never look into what starts its steps.
      const never = ["the token in the mounts of the server", "the token through its parent"];
      const working = tried.filter(([title]) => !never.includes(title));
      const found = await run(
        working.map(([, script]) => `rm -f $PLACE/loot; ${script}`),
        false,
      );
      expect(working.filter((_, at) => !has(found[at])).map(([title]) => title)).toEqual([]);
    });

    test("nothing that a step names which a program with rights of its own may need", async () => {
      const [end] = await run(["cat $DATA/token; true || umount /nowhere"], true);
      expect(has(end)).toBe(true);
    });

    test.each(["true || umount /nowhere", "# sudo", "echo crontab > /dev/null", "command -v su"])(
      "all of it from a step that names such a program, where there is an approver token (promises 2.6): %s",
      async (named) => {
        const [end] = await run([`cat $DATA/token; ${named}`], true, true);
        expect(end).toMatchObject({ ran: true });
        expect(has(end)).toBe(false);
      },
    );
  });
});

const [{ fault = null } = {}] = MODES;
const inside = (hidden: readonly string[], sandboxed: boolean) =>
  commandsIn({ ...(sandboxed ? IN_PIDS : PLAIN_STEP), hidden });

describe.skipIf(fault !== null).each([false, ...(canSandbox ? [true] : [])])(
  "where something is hidden, in a pid namespace: %s",
  (sandboxed) => {
    test("a step in the hidden directory sees its own directory and writes it, and nothing beside it", async () => {
      const [cwd = ""] = files("data/work/");
      files("data/token", "data/work/x");
      const { ran } = inside([join(home(), "data")], sandboxed);
      const end = await ran("ls; ls -A ..; echo new > y; : > ../z || true", { cwd });
      expect(end.stdout.text).toBe("x\nwork\n");
      expect(existsSync(join(home(), "data/z"))).toBe(false);
      expect(execFileSync("ls", [cwd], { encoding: "utf8" })).toBe("x\ny\n");
    });

    test("files that appear later beside a database are hidden too", async () => {
      const names = ["db", "db-wal"].map((name) => join(home(), name));
      const { ran } = inside(names, sandboxed);
      files("db");
      expect((await ran("cat db*")).stdout.text).toBe("");
      files("db-wal");
      expect((await ran("cat db*")).stdout.text).toBe("");
    });

    test("a step is otherwise as elsewhere", async () => {
      const script = `id; umask; pwd; echo ~; ulimit -a; env | sort; echo "$0 $# $-"; trap; stat -c %d:%i / ~
grep -E '^(Sig(Blk|Ign|Cgt)|Cap|NoNewPrivs)' /proc/self/status; ls /proc/self/fd | wc -l; echo err >&2; touch made; ls -ln --time-style=+ made; exit 7`;
      files("data/token");
      const around = { cwd: home(), env: baseEnvironment({ home: homedir() }), strict: false };
      const there = await inside([], sandboxed).ran(script, around);
      const here = await inside([join(home(), "data")], sandboxed).ran(script, around);
      expect(here).toEqual(there);
    });
  },
);

test.skipIf(fault !== null)("a step does not run where its space cannot be made", async () => {
  const [cwd = ""] = files("here/");
  const end = await inside([`${"x/".repeat(3)}\0`], false).run("echo ran", { cwd });
  expect(end).toMatchObject({ ran: false, reason: expect.stringContaining("cannot determine what to hide from it") });
});

test.skipIf(MODES[0]?.fault !== null)("a space that could not be made is made again by the next step", async () => {
  const hidden = mkdtempSync(join(tmpdir(), "orch-hidden-"));
  const env = baseEnvironment({ home: hidden });
  const order = { script: "true", strict: true, cwd: "/", env, limit_ms: 20_000, grace_ms: 100 };
  const abort = new AbortController().signal;
  const run = createRunCommand({
    plain: { ...PLAIN_STEP, hidden: [hidden] },
    launch: createLaunch({ spaces: createSpaces() }),
  });
  const first = run(order, abort);
  const makers = () => childrenOf(process.pid).filter((pid) => titleOf(pid).includes(SPACE_SCRIPT));
  for (let ms = 0; makers().length === 0 && ms < 10_000; ms += 1) await sleep(1);
  // What makes it is ended when it has said that it is made, and that was not read yet, unless this process was slow.
  execFileSync("sleep", ["0.3"]);
  for (const pid of makers()) signalProcess(Number(pid), "SIGKILL");
  await first;
  expect(await run(order, abort)).toMatchObject({ ran: true, exit_code: 0 });
  rmSync(hidden, { recursive: true, force: true });
});
