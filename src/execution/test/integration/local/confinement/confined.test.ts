// What a confined command can reach: hidden paths are empty, read-only paths cannot be changed, the rest is as outside.

import { execFile } from "node:child_process";
import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { aContract, cmd } from "../../../../../../test/support/builders.ts";
import { anAgentSandbox } from "../../../../../../test/support/sandboxes.ts";
import { anObserver, aRequest } from "../../../../../../test/support/step-run.ts";
import { createAgentPlaces } from "../../../../local/agent-places.ts";
import { baseEnvironment } from "../../../../local/environment.ts";
import { createLocalBackend } from "../../../../local/local-backend.ts";
import { prepareConfined } from "../../../../local/prepare-command.ts";
import { createRunCommand, type RunCommand } from "../../../../local/run-command.ts";
import { createLaunch } from "../../../../sandbox/launcher.ts";
import { NO_LIMITS, PLAIN_STEP } from "../../../../sandbox/sandbox.ts";
import { makeSpace } from "../../../../sandbox/space.ts";
import { createSpaces } from "../../../../sandbox/spaces.ts";
import { commandsIn, home } from "../a-command.ts";
import { confined, confinedTo, files, isRoot, MODES, PROCESS, whereConfined } from "./confined-commands.ts";

/** Capabilities by number, such as dac_read_search, net_admin, sys_module, sys_rawio, sys_ptrace and sys_admin. */
const DANGEROUS = [2, 12, 13, 16, 17, 19, 21, 22, 24, 25, 27, 32, 33, 38, 39, 40];

whereConfined(() => {
  const { run, ran } = confined();

  test("a confined command finds a hidden directory empty and a hidden file without content, with any name", async () => {
    const names = ["a dir/with ' quotes/", "$(touch spliced)\nsecond line/", "file"];
    const hidden = [...files(...names), join(home(), "gone")];
    files("a dir/with ' quotes/x", "$(touch spliced)\nsecond line/x");
    symlinkSync(join(home(), "file"), join(home(), "link"));
    const script = 'ls -A "$A"; ls -A "$B"; cat file link; echo done';
    const env = { ...baseEnvironment({ home: homedir() }), A: hidden[0] ?? "", B: hidden[1] ?? "" };
    const { stdout, stderr } = await ran(script, { env, sandbox: confinedTo({ hidden }) });
    expect([stdout.text, stderr.text]).toEqual(["done\n", ""]);
    expect(existsSync(join(home(), "spliced"))).toBe(false);
    expect(readFileSync(join(home(), "file"), "utf8")).toBe("this is file\n");
  });

  test("a confined command finds the target of a link hidden when the link is named as hidden", async () => {
    const [data = ""] = files("data/");
    files("data/x");
    symlinkSync(data, join(home(), "link"));
    const over = { sandbox: confinedTo({ hidden: [join(home(), "link")] }) };
    expect((await ran("ls -A data link/", over)).stdout.text).toBe("data:\n\nlink/:\n");
  });

  test("can write neither to hidden nor to read-only paths, and to every other", async () => {
    const [data = "", code = "", file = ""] = files("data/", "code/", "crontab");
    files("code/deep/x", "free/x");
    const script = `for f in data/n code/n code/deep/x crontab free/x free/n; do echo new > $f && echo "wrote $f"; done
mv code free/; mv crontab free/; rm -rf code crontab; mv -T . ../away; cat crontab`;
    const over = { strict: false, sandbox: confinedTo({ hidden: [data], read_only: [code, file] }) };
    expect((await ran(script, over)).stdout.text).toBe("wrote free/x\nwrote free/n\nthis is crontab\n");
    expect(readFileSync(join(home(), "code/deep/x"), "utf8")).toBe("this is code/deep/x\n");
    expect(readFileSync(join(home(), "free/x"), "utf8")).toBe("new\n");
  });

  test("cannot move a hidden path away for a later command", async () => {
    const [data = ""] = files("above/it/data/");
    files("above/it/data/token");
    const over = { strict: false, sandbox: confinedTo({ hidden: [data] }) };
    await ran("mv above/it/data above/it/d; mv above/it above/i; mv above abov", over);
    expect((await ran("find . -name token", over)).stdout.text).toBe("");
    expect(existsSync(join(data, "token"))).toBe(true);
  });

  test("a confined command cannot change the system, and finds only harmless devices", async () => {
    const script = `for f in /proc/sys/kernel/core_pattern /proc/sysrq-trigger /sys/kernel/uevent_helper; do
  [[ -e $f ]] && : 2>/dev/null >> $f && echo "opened $f"
done
ls /dev; echo x > /dev/null; head -c 3 /dev/zero | wc -c; echo x > /dev/shm/x; cat /dev/shm/x; echo in | cat /dev/stdin`;
    const { stdout } = await ran(script, { strict: false });
    const devices = "fd full null ptmx pts random shm stderr stdin stdout tty urandom zero";
    expect(stdout.text.trim().split("\n").join(" ")).toBe(`${devices} 3 x in`);
  });

  test("a confined command lacks the capabilities to undo its sandbox, and cannot regain them", async () => {
    const { stdout } = await ran(
      "grep -E 'Cap(Inh|Prm|Bnd|Amb)|NoNewPrivs' /proc/self/status; sh -c 'grep CapEff /proc/self/status'",
    );
    const sets = [...stdout.text.matchAll(/Cap\w+:\s+([0-9a-f]{16})/g)].map(([, hex]) => BigInt(`0x${hex}`));
    expect(sets).toHaveLength(5);
    const kept = DANGEROUS.filter((bit) => sets.some((set) => ((set >> BigInt(bit)) & 1n) === 1n));
    expect(kept).toEqual([]);
    expect(stdout.text).toContain("NoNewPrivs:\t1");
  });

  test("a confined command sees only its own processes, and no environment of this one", async () => {
    const script = "ls -d /proc/[0-9]* | wc -l; cat /proc/[0-9]*/environ | tr '\\0' '\\n' | grep -c ^VITEST || true";
    const [processes, environments] = (await ran(script)).stdout.text.split("\n");
    expect(process.env["VITEST"]).toBeDefined();
    expect([Number(processes) < 8, environments]).toEqual([true, "0"]);
  });

  test("a confined command is otherwise like an unconfined one", async () => {
    const script = `id -u; umask; pwd; echo ~; ulimit -a; env | sort; echo "$0 $# $-"; trap; stat -c %d:%i / .
grep -E '^Sig(Blk|Ign|Cgt)' /proc/self/status; ls /proc/self/fd | wc -l; stat -c %t:%T /dev/null; echo err >&2`;
    const inside = await ran(script);
    const outside = await commandsIn(PLAIN_STEP).ran(script, { env: baseEnvironment({ home: homedir() }) });
    expect([inside.stdout.text, inside.stderr]).toEqual([outside.stdout.text, outside.stderr]);
  });

  test("a confined command keeps its limits", async () => {
    const limited = confined({ memory_mb: 512, file_mb: 3, processes: null });
    expect((await limited.ran("ulimit -d; ulimit -f")).stdout.text).toBe(`${512 * 1024}\n${3 * 1024}\n`);
  });

  test("a confined command does not start when its directory is hidden", async () => {
    const [data = "", inner = ""] = files("data/", "data/inner/");
    for (const cwd of [data, inner]) {
      const end = await run(`echo ran > ${home()}/ran`, { cwd, sandbox: confinedTo({ hidden: [data] }) });
      expect(end).toEqual({ ran: false, reason: expect.stringMatching(/ is in .*data, which is hidden from it$/) });
    }
    expect(existsSync(join(home(), "ran"))).toBe(false);
  });

  test("a confined command does not start when one of its mounts fails, and the reason names the mount", async () => {
    const spaceFor = async () => {
      const made = await makeSpace({ identity: "root", devices: true, mountings: [["ro", home(), ""]] });
      return "fault" in made ? made : Promise.reject(new Error("there is a mount at this directory"));
    };
    const end = await confined(NO_LIMITS, { spaceFor, bindsFor: async () => [] }).run(`echo ran > ${home()}/ran`);
    const reason = `the command could not be started: it cannot be confined here: mount: ${home()}`;
    expect(end).toEqual({ ran: false, reason: expect.stringContaining(reason) });
    expect(existsSync(join(home(), "ran"))).toBe(false);
  });
});

const [{ fault: no_confinement = null } = {}] = MODES;

describe.skipIf(no_confinement !== null)("confined", () => {
  test.skipIf(!isRoot)("a hidden path is also hidden where it is mounted a second time", async () => {
    const [data = ""] = files("above/data/");
    files("above/data/token", "above/data/part/token", "twice/", "part/");
    const scripts = ["find . -name token; ls twice"];
    const around = { cwd: home(), env: {}, scripts };
    const order = JSON.stringify({ ...around, sandbox: confinedTo({ hidden: [data] }) });
    const mounts = 'cd "$0"; mount --bind above twice; mount --bind above/data/part part; exec "$@"';
    const args = ["--mount", "bash", "-c", mounts, home(), process.execPath, PROCESS, order];
    const { stdout } = await promisify(execFile)("unshare", args);
    expect(JSON.parse(stdout)).toMatchObject([{ ran: true, stdout: { text: "data\n" } }]);
  });

  test("is every command of a local backend with a confinement", async () => {
    const [data = ""] = files("data/");
    files("data/x");
    expect(await stepIn(data, createRunCommand({ launch: createLaunch({ spaces: createSpaces() }) }))).toMatchObject({
      status: "passed",
      stdout: "",
    });
  });
});

test("a command that must be confined is refused by a runner without confinement", async () => {
  const [data = ""] = files("data/");
  const stderr = "the command could not be started: commands are not confined here";
  expect(await stepIn(data, createRunCommand())).toMatchObject({ status: "failed", stderr });
});

async function stepIn(hidden: string, runCommand: RunCommand) {
  const around = { clock: () => new Date(), home: homedir(), runCommand };
  const places = createAgentPlaces(join(home(), "agent-places"));
  const prepare = prepareConfined(anAgentSandbox({ hidden: [hidden] }), { places, compose_roots: null });
  const task_contract = aContract({ target: { compose_dir: home() } });
  const backend = createLocalBackend({ ...around, prepare });
  const { observer } = anObserver();
  const { step_results } = await backend.run(
    aRequest([cmd("ls -A data")], { task_contract }),
    observer,
    new AbortController().signal,
  );
  return step_results[0];
}
