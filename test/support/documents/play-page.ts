// Does what a page says, in order, as a new user on a new machine: one fresh home directory, one shell after the other, and
// each server that the page starts as a process of its own, on free ports in the place of those of the page.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { freePort } from "../free-port.ts";
import { COMPILE_CACHE, temporaryDirectory } from "../orch-process.ts";
import { compare, type Ids, withIds } from "./compare.ts";
import { type Command, type PageStep, stepsOf } from "./page.ts";

const CHECKOUT = join(import.meta.dirname, "../../..");
/** The home directory that a page shows. */
const SHOWN_HOME = "/home/you";

export type Played = { readonly step: PageStep; readonly printed: string; readonly fault: string | null };

/** Ends at the first step that did not do what the page says. `saw` is called with each one. */
export async function playPage(page: string, saw: (played: Played) => void = () => {}): Promise<Played[]> {
  await using directory = await temporaryDirectory();
  await using reader = await createReader(directory.path, page);
  const played: Played[] = [];
  for (const step of stepsOf(page)) {
    const one = await reader.follow(step);
    played.push(one);
    saw(one);
    if (one.fault !== null) break;
  }
  return played;
}

async function createReader(root: string, page: string) {
  const ports = await freePorts(page);
  const home = join(root, "home");
  const state = join(root, "state");
  const shown = (text: string) => inShown(text.replaceAll(home, SHOWN_HOME), ports);
  const real = (text: string) => inReal(text.replaceAll(SHOWN_HOME, home), ports);
  await prepare(root, home, state);
  const env = environmentOf(root, home, ports.get("3400") ?? "0");
  const stays: Stay[] = [];
  let ids: Ids = new Map();

  const scriptOf = (step: Command) => `${withIds(real(step.script), ids)}\n`;

  async function run(step: PageStep & Command): Promise<Played> {
    const child = spawn("bash", ["-eu", "-c", around(state, scriptOf(step))], { cwd: home, env, stdio: PIPES });
    const output = outputOf(child);
    const [exit] = await once(child, "close");
    const printed = shown(output());
    if (step.expected === null) return { step, printed, fault: exit === 0 ? null : `the exit code is ${exit}` };
    const after = compare(step.expected, printed, ids);
    ids = after ?? ids;
    return { step, printed, fault: after === null ? "it printed something else than the page shows" : null };
  }

  async function stay(step: PageStep & Command): Promise<Played> {
    // A page that starts orch a second time has ended the first one with Ctrl-C.
    const name = /\borch serve\b/.test(step.script) ? "orch serve" : step.script;
    for (const before of stays.filter((one) => one.name === name)) await stop(before.child);
    const child = spawn("bash", ["-eu", "-c", around(state, scriptOf(step))], {
      cwd: home,
      env,
      detached: true,
      stdio: PIPES,
    });
    stays.push({ name, child });
    const output = outputOf(child);
    const ended = once(child, "close").then(([exit]) => `it ended with ${exit}`);
    await until(() => child.exitCode !== null || /listens|https?:\/\//.test(output()));
    const fault = child.exitCode === null ? null : await ended;
    return { step, printed: shown(output()), fault };
  }

  async function follow(step: PageStep): Promise<Played> {
    if (step.kind === "skip") return { step, printed: "", fault: step.reason === "" ? "it has no reason" : null };
    if (step.kind !== "write") return step.kind === "run" ? run(step) : stay(step);
    const script = `cat > ${step.file} <<'EOF'\n${step.text}EOF`;
    return { ...(await run({ kind: "run", line: step.line, script, expected: null })), step };
  }

  return {
    follow,
    [Symbol.asyncDispose]: async () => void (await Promise.all(stays.map(({ child }) => stop(child)))),
  };
}

type Stay = { readonly name: string; readonly child: ChildProcess };
const PIPES = ["ignore", "pipe", "pipe"] satisfies ["ignore", "pipe", "pipe"];

/** Each block is a shell of its own; the directory and the exported variables go from one to the next. */
const around = (state: string, script: string): string =>
  `set +u; . ${state}/variables; set -u; cd "$(cat ${state}/directory)"
trap 'pwd > ${state}/directory; export -p > ${state}/variables' EXIT
${script}`;

async function prepare(root: string, home: string, state: string): Promise<void> {
  for (const path of [home, state, join(root, "bin")]) await mkdir(path);
  await writeFile(join(state, "variables"), "");
  await writeFile(join(state, "directory"), `${home}\n`);
  await symlink(CHECKOUT, join(home, "orch"));
  const orch = join(root, "bin/orch");
  await writeFile(orch, `#!/bin/sh\nexec "${process.execPath}" "${join(CHECKOUT, "src/orch.ts")}" "$@"\n`);
  await chmod(orch, 0o755);
}

const environmentOf = (root: string, home: string, port: string) => ({
  PATH: [join(root, "bin"), dirname(process.execPath), process.env["PATH"] ?? ""].join(":"),
  HOME: home,
  NODE_COMPILE_CACHE: COMPILE_CACHE,
  ORCH_PORT: port,
  LANG: "C.UTF-8",
  TZ: "UTC",
});

/** The ports that the page names, each with a free one. */
async function freePorts(page: string): Promise<Map<string, string>> {
  const named = [...page.matchAll(/127\.0\.0\.1:(\d{4,5})\b|--port (\d{4,5})\b/g)].map(([, a, b]) => a ?? b ?? "");
  const ports = new Map<string, string>();
  for (const port of new Set(["3400", ...named])) ports.set(port, String(await freePort()));
  return ports;
}

function inReal(text: string, ports: ReadonlyMap<string, string>): string {
  return text.replaceAll(/(?<=127\.0\.0\.1:|--port )\d{4,5}\b/g, (port) => ports.get(port) ?? port);
}

function inShown(text: string, ports: ReadonlyMap<string, string>): string {
  const named = new Map([...ports].map(([shown, real]) => [real, shown]));
  return text.replaceAll(/\b\d{4,5}\b/g, (port) => named.get(port) ?? port);
}

function outputOf(child: ChildProcess): () => string {
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk;
    });
  return () => output;
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** With everything that its shell started. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = once(child, "close");
  process.kill(-child.pid, "SIGINT");
  await ended;
}
