// Code of a skill that misbehaves: its run ends, with a reason, and the server goes on as if nothing was.
import { spawn } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { aContract } from "../../../support/builders.ts";
import { temporaryFolder } from "../../../support/database.ts";
import { faultOf, isAlive, LIMITS, run } from "./a-run.ts";

const folder = temporaryFolder();
afterAll(() => folder.remove());

describe("a run ends by itself and not the server", () => {
  const uncaught = /^HandlerLost: an error that its code does not catch: /;
  const WRITE = "(await import('node:fs')).writeSync";
  const said = (...messages: object[]) =>
    `${WRITE}(3, ${JSON.stringify(`${JSON.stringify(messages)}\n`)}); await sleep(9_000);`;
  const WRITE_ALL = (text: string) =>
    `{ const all = Buffer.from(${text} + "\\n"); for (let at = 0; at < all.length; ) try { at += ${WRITE}(3, all, at); } catch { await sleep(1); } }`;
  const exited = /^HandlerLost: its process has ended with exit code/;
  const killed = /^HandlerLost: its process has ended with SIGKILL/;
  const looped = /^HandlerLost: its code has not yielded for 1\.5 s/;
  const memory = /^HandlerLost: (.*memory|its process has ended with SIGABRT)/i;

  const long = "await sleep(9_000);";
  const timer = (code: string) => `setTimeout(() => { ${code} }, 5); ${long}`;
  const fault = "throw new Error('x');";
  const emitter = "new (await import('node:events')).EventEmitter()";
  const stepped = Array.from({ length: 50 }, (_, id) => ({ is: "stepped", id, answer: { value: "{{" } }));
  const no_number = { is: "progressed", done: { toString: 1, valueOf: 2 }, total: 1, text: "" };
  const threads = "for (let n = 0; n < 3; n++) new Worker('for(;;);', { eval: true }); for (;;);";
  const wait = "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);";
  const all_files = `for (let fd = 0; fd < 64; fd++) try { ${WRITE}(fd, '{\\n'); } catch {} ${long}`;
  const listener = `ctx.signal.addEventListener('x', () => 1); queueMicrotask(() => { ${fault} }); ${long}`;
  const none = /no message/;
  const server = /cannot end the server that runs it/;

  test.each([
    ["a forgotten await", `void (async () => { await sleep(5); ${fault} })(); ${long}`, uncaught],
    ["a throw in a timer", timer(fault), uncaught],
    ["a throw of nothing in a timer", timer("throw undefined;"), uncaught],
    ["a throw in a listener", listener, uncaught],
    ["an event named error", `${emitter}.emit('error', new Error('x'));`, /Error: x/],
    ["an exit", "process.exit(0);", exited],
    ["an exit in a timer", timer("process.exit(1)"), exited],
    ["an exit within an exit", "process.on('exit', () => { for (;;); }); process.exit(0);", looped],
    ["a signal to its process", "process.kill(process.pid, 'SIGKILL');", killed],
    ["a signal to its group", `process.kill(0, 'SIGTERM'); ${long}`, /ended with SIGTERM/],
    ["a signal to the server", "process.kill(process.ppid, 'SIGTERM');", server],
    ["a signal to all", "process.kill(-1, 'SIGTERM');", server],
    ["an abort", "process.abort();", /ended with SIGABRT/],
    ["a fault of memory", `process.kill(process.pid, 'SIGSEGV'); ${long}`, /ended with SIGSEGV/],
    ["a command that does not end", "(await import('node:child_process')).execSync('sleep 600');", looped],
    ["a loop", "for (;;);", looped],
    ["a loop of microtasks", "for (;;) await null;", looped],
    ["a loop in a pattern", "/^(a+)+$/.test('a'.repeat(40) + 'b');", looped],
    ["a wait of the process", wait, looped],
    ["threads of its own", `const { Worker } = await import('node:worker_threads'); ${threads}`, looped],
    ["a recursion without end", "const f = () => f() + 1; f();", /Maximum call stack/],
    ["a heap without end", "const all = []; for (;;) { all.push(new Array(1_000).fill(all.length)); }", memory],
    ["buffers without end", "const all = []; for (;;) { all.push(Buffer.alloc(8e6, 1)); await sleep(5); }", memory],
    ["what is no JSON in its pipe", `${WRITE}(3, '\\0{{{{ no json\\n'); ${long}`, none],
    ["a line without end", `for (;;) { ${WRITE}(3, 'x'.repeat(1e5)); await sleep(0); }`, none],
    ["messages of its own", `${WRITE}(3, 'null\\n'); ${long}`, none],
    ["a forged message", `${WRITE}(3, '[{ "is": "asks" }]\\n'); ${long}`, none],
    ["the same in every file of its process", all_files, none],
    ["an end that is no JSON", said({ is: "ended", answer: { value: "no json" } }), none],
    ["a number that is none", said(no_number), none],
    ["a step that is no JSON", `void ctx.step('s', () => sleep(9_000)); await sleep(300); ${said(...stepped)}`, none],
    ["brackets without end", `${WRITE_ALL('"[".repeat(24e6)')} ${long}`, /it is nested deeper than 100 levels/],
    ["empty lists without end", `${WRITE_ALL('"[" + "[],".repeat(8e6) + "[]]"')} ${long}`, /it holds more than 32000/],
    ["too many values", "return Array.from({ length: 2e5 + 1 }, () => ({}));", /holds more than 200000 values/],
    [
      "steps without end",
      `for (let n = 0; n < 2e4; n++) void ctx.step('s' + n, () => 1, 'repeat'); ${long}`,
      /than 10000/,
    ],
    ["a closed pipe", `(await import('node:fs')).closeSync(3); ${long}`, /closed the pipe|not yielded|has ended with/],
    ["a throw of what has no words", "throw { toString() { throw 1; } };", /cannot be put into words/],
    ["what is no JSON", "return { big: 1n };", /BigInt/],
    ["a circle", "const a = {}; a.a = a; return a;", /circular/],
    ["other words for JSON", "JSON.stringify = () => { throw new Error('mine'); }; return done;", /mine/],
  ] as const)("with %s", async (_what, body, reason) => {
    // Code that does not loop has the time of a busy machine.
    const limits = reason === looped ? LIMITS : { ...LIMITS, loop_ms: 20_000 };
    expect(await faultOf(body, { limits })).toMatch(reason);
  });

  test("with nothing that it waits for", async () => {
    const limits = { ...LIMITS, idle_ms: 300 };
    const never = "new Promise(() => undefined)";
    expect(await faultOf(`await ${never};`, { limits })).toMatch(/^HandlerLost: it has done nothing for/);
    expect(await faultOf(`await ctx.step('hang', () => ${never});`, { limits })).toMatch(/done nothing/);
  });

  test("with a module that never loads, or ends while it loads", async () => {
    expect(await faultOf("", { top: "process.exit(3);" })).toMatch(exited);
    expect(await faultOf("", { top: "for (;;);" })).toMatch(looped);
    expect(await faultOf("", { top: "throw new Error('at the top');" })).toMatch(/cannot be loaded: at the top/);
    const limits = { ...LIMITS, idle_ms: 300 };
    expect(await faultOf("", { top: "await new Promise(() => undefined);", limits })).toMatch(/done nothing|exit/);
  });
});

test("what a run changes of its world is gone with it", async () => {
  const body = `
    Object.prototype.polluted = 1; process.env.POLLUTED = "1"; globalThis.fetch = null;
    Array.prototype.map = () => []; setInterval(() => 1, 10);
    return done;`;
  expect(await run(body)).toMatchObject({ status: "ok" });
  expect([({} as Record<string, unknown>)["polluted"], process.env["POLLUTED"]]).toEqual([undefined, undefined]);
  expect([1].map((one) => one)).toEqual([1]);
  expect(typeof fetch).toBe("function");
});

test("a run that waits for the server is not idle", async () => {
  const limits = { ...LIMITS, idle_ms: 300 };
  const ended = faultOf("await ctx.step('call', () => ctx.call('notes', 'read', {}));", { limits });
  const early = await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 3_000, "still waits"))]);
  expect(early).toBe("still waits");
});

test("the event loop of the server goes on while eight runs loop", async () => {
  let longest = 0;
  let last = performance.now();
  const beat = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  }, 5);
  const faults = await Promise.all(Array.from({ length: 8 }, () => faultOf("for (;;);")));
  clearInterval(beat);
  expect(faults.every((fault) => fault.includes("has not yielded"))).toBe(true);
  // Each of them took 1.5 s. The two processors have eight threads to run.
  expect(longest).toBeLessThan(1_400);
});

test("what a run has started in a session of its own ends with it", async () => {
  const pid = await run(`
    const { spawn } = await import("node:child_process");
    return spawn("sleep", ["600"], { detached: true, stdio: "ignore" }).pid ?? 0;
  `);
  await expect.poll(() => isAlive(Number(pid)), { timeout: 20_000 }).toBe(false);
});

test("a run that loops ends with the server that was killed", async () => {
  const pidFile = join(folder.path, "pid");
  const file = join(folder.path, "orphan.ts");
  await writeFile(
    file,
    `import { writeFileSync } from "node:fs";
    export const HANDLED_INTENTS = ["try_out"];
    export async function handle() { writeFileSync(${JSON.stringify(pidFile)}, String(process.pid)); for (;;); }`,
  );
  const module = new URL("../../../../src/features/skills/process/run-in-process.ts", import.meta.url).href;
  const order = { is: "handle", file, offered: [], contract: aContract() };
  const server = spawn(
    process.execPath,
    [
      "--input-type=module",
      "-e",
      `const { runInProcess } = await import(${JSON.stringify(module)});
      await runInProcess(${JSON.stringify(order)}, { memory_mb: 64, loop_ms: 1e6, idle_ms: 1e6 }, new AbortController().signal, { printed: () => {} });`,
    ],
    { stdio: "ignore" },
  );
  const childPid = () => readFile(pidFile, "utf8").then(Number, () => 0);
  await expect.poll(childPid, { timeout: 20_000 }).toBeGreaterThan(0);
  const child = await childPid();
  expect(isAlive(child)).toBe(true);
  server.kill("SIGKILL");
  await expect.poll(() => isAlive(child), { timeout: 20_000 }).toBe(false);
});
