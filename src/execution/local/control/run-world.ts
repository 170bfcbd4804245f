// Makes one world, runs the check in it by the scripts below, and says what was seen. The lists for the scripts are in a private
// directory, which is removed afterwards.
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { readPipes } from "../../../proof/proof.ts";
import { programIn } from "../containment/launcher.ts";
import { baseEnvironment } from "../environment.ts";
import type { CommandEnd, RunCommand } from "../run-command.ts";
import type { ControlCheck, WorldPlan } from "./world-plan.ts";

/** `absent`: programs of the check that the world has not; `missing`: names that the shell did not find while it ran. */
export type WorldEnd =
  | {
      readonly kind: "ended" /** Null: it waited for longer than its own time limit. */;
      readonly exit_code: number | null;
      readonly wrote: boolean;
      readonly absent: readonly string[];
      readonly missing: readonly string[] | null;
    }
  | { readonly kind: "stopped" }
  | { readonly kind: "lost" }
  | { readonly kind: "fault"; readonly reason: string };

export type WorldRun = {
  readonly runCommand: RunCommand;
  readonly unshare: string;
  readonly plan: WorldPlan;
  readonly check: ControlCheck;
  readonly first: string;
  /** Private and empty. */
  readonly directory: string;
  readonly limit_ms: number;
};

export async function inPrivateDirectory<Result>(use: (directory: string) => Promise<Result>): Promise<Result> {
  const directory = await mkdtemp(join(tmpdir(), "w-"));
  try {
    return await use(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

export async function runWorld(run: WorldRun, abort: AbortSignal): Promise<WorldEnd> {
  await writeWorld(run);
  const as = process.getuid?.() === 0 ? "" : "--user --map-current-user --keep-caps";
  const env = { ...baseEnvironment({ home: "/" }), W: run.directory, UNSHARE: run.unshare, AS: as };
  const { runCommand, limit_ms } = run;
  const command = { script: OPEN, strict: true, cwd: "/", env, limit_ms, grace_ms: 0, ends_with_orch: true } as const;
  const end = await runCommand(command, abort);
  return readEnd(end);
}

async function writeWorld({ plan, check, first, directory }: WorldRun): Promise<void> {
  const put = (name: string, text: string, mode = 0o600) => writeFile(join(directory, name), text, { mode });
  const list = (name: string, items: readonly string[]) => put(name, items.map((item) => `${item}\0`).join(""));
  const rights = process.getuid?.() === 0 ? RIGHTS_OF_ROOT : "-all";
  const env = Object.entries(check.env).map(([name, value]) => `${name}=${value}`);
  await Promise.all([
    ...SCRIPTS.map(([name, text]) => put(name, text)),
    ...[put("base", plan.base), put("world", plan.world), put("first", first), put("text", textOf(check))],
    ...[put("mounts", `${plan.mounts}\n`), put("inner", `${plan.inner}\n`), put("exempt", exemptions(check))],
    list("directories", plan.directories),
    list(
      "copied",
      plan.copied.map((path) => `.${path}`),
    ),
    list("whiteouts", plan.whiteouts),
    list("clock", [plan.clock.directory, ...plan.clock.programs]),
    list(
      "scanned",
      plan.covered.map((path) => `root${path}`),
    ),
    list("check", [
      ...[check.directory, rights, String(env.length), ...env],
      ...[String(check.programs.length), ...check.programs, ...plan.lent],
    ]),
    writeTree(join(directory, "tree"), plan),
  ]);
}

async function writeTree(tree: string, { files, programs, links }: WorldPlan): Promise<void> {
  const paths = [...Object.keys(files), ...Object.keys(programs), ...links.map(([path]) => `root${path}`)];
  const above = new Set([".", ...paths.map(dirname)]);
  for (const path of above) await mkdir(join(tree, path), { recursive: true, mode: 0o755 });
  await Promise.all([
    ...Object.entries(files).map(([path, text]) => writeFile(join(tree, path), text, { mode: 0o644 })),
    ...Object.entries(programs).map(async ([path, text]) => {
      await writeFile(join(tree, path), text, { mode: 0o755 });
      await chmod(join(tree, path), 0o755);
    }),
    ...links.map(([path, target]) => symlink(target, join(tree, "root", path))),
  ]);
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Read once and closed before the check runs: its text is in no argument, and in no file of the world. */
function textOf({ script }: ControlCheck): string {
  const pipes = readPipes(script, { strict: false }).last_part_decides ? "; set +o pipefail" : "";
  return `. /etc/bash.bashrc\nREPLY=${quoted(`unset REPLY${pipes}\n${script}`)}\nexec 8<&-\n`;
}

/** Lines of the list of changes that are no sign of a write: the clock, devices, files for a moment, names of mktemp. */
function exemptions({ env, script }: ControlCheck): string {
  const literal = (path: string) => path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const home = literal(env["HOME"] ?? "/root");
  const temporary = env["TMPDIR"];
  const lines = [
    ...["^root/proc", "^root/dev\t", "^root/dev/([^s]|st)", "^root/dev/shm\t", "^root/sys"],
    ...["^root/run/(adjtime|motd\\.dynamic|initctl)\t", "^root(/var)?/tmp\t"],
    ...[`^root${home}(/\\.ssh)?\t`],
    ...(temporary === undefined ? [] : [`^root${literal(temporary)}(/|\t)`]),
    ...(script.includes("tmp.") ? [] : ["^root/tmp/tmp\\.[A-Za-z0-9]{10}(/|\t)"]),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

function readEnd(end: CommandEnd): WorldEnd {
  if (!end.ran) return { kind: "fault", reason: end.reason };
  if (end.stopped !== null) return { kind: "stopped" };
  const lines = end.stdout.text.split("\n");
  if (lines[0] !== "began")
    return { kind: "fault", reason: end.stderr.text.trim() || `the set-up ended with ${end.signal ?? end.exit_code}` };
  const [, code, missing] = /^ended (\d+) ([01])$/m.exec(end.stdout.text) ?? [];
  if (code === undefined) return { kind: "lost" };
  return {
    kind: "ended",
    exit_code: Number(code),
    wrote: lines.includes("wrote"),
    absent: wordsAfter("absent", lines),
    missing: missing === "1" ? wordsAfter("names", lines) : null,
  };
}

/** The check may have written the names. */
function wordsAfter(name: string, lines: readonly string[]): string[] {
  const line = lines.find((one) => one.startsWith(name)) ?? name;
  const words = line.slice(name.length).split(" ");
  return [...new Set(words.filter((word) => /^[\w.+-]{1,64}$/.test(word)))];
}

/** What root keeps: as an agent's command, and in addition no writing to the audit log. */
const RIGHTS_OF_ROOT =
  "-all,+chown,+dac_override,+fowner,+fsetid,+kill,+setgid,+setuid,+setfcap,+net_bind_service,+sys_chroot";

/** The first process: everything else is in its namespaces, which end with it. */
const OPEN = `exec /usr/bin/setpriv --pdeathsig KILL "$UNSHARE" $AS --mount --net --ipc --uts --cgroup -- \\
  /bin/bash --noprofile --norc -p "$W/hold"`;

const SCRIPTS = [
  ["snapshot", programIn(import.meta.dirname, "snapshot.sh")],
  ["hold", programIn(import.meta.dirname, "world.sh")],
  ["enter", programIn(import.meta.dirname, "enter-world.sh")],
  ["init", programIn(import.meta.dirname, "world-init.sh")],
] as const;
