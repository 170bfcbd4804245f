// What a real command writes while it runs, as its watchers see it: in time, without secrets, bounded, and without a cost for others.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { aRunnerSetup } from "../../../../test/support/sandboxes.ts";
import type { LiveOutput, LivePiece } from "../../../domain/live-output.ts";
import { createRedactor, findBeginning } from "../../../redact/find-secrets.ts";
import { createLiveOutput } from "../../live-output.ts";
import { baseEnvironment } from "../../local/environment.ts";
import { type CommandRunner, createCommandRunner } from "../../local/runner/command-runner.ts";

const SECRET = "orch-secret-0123456789";
const never = new AbortController().signal;

let home: string;
let runner: CommandRunner;
let live: LiveOutput;
/** How many pieces the runner process has sent. */
let sent = 0;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "orch-live-"));
  runner = createCommandRunner(baseEnvironment({ home: "/" }), aRunnerSetup());
  sent = 0;
  const watch: CommandRunner["watch"] = (task_id, receive) =>
    runner.watch(
      task_id,
      receive === null
        ? null
        : (step, bytes) => {
            if (bytes !== null) sent += 1;
            receive(step, bytes);
          },
    );
  live = createLiveOutput({ watch, redact: createRedactor([SECRET]), beginningOf: findBeginning([SECRET]) });
});
afterEach(() => {
  runner.close();
  rmSync(home, { recursive: true, force: true });
});

function start(script: string, task_id = "t-1", index = 0) {
  const step = { task_id, index, attempt: 1 };
  const env = baseEnvironment({ home });
  return runner.runCommand({ script, strict: true, cwd: home, env, limit_ms: 30_000, grace_ms: 200, step }, never);
}

/** A reader that takes everything as soon as it is there. */
function watch(task_id = "t-1") {
  const pieces: (LivePiece & { readonly at: number })[] = [];
  const reader = live.watch(task_id, () => {
    for (const piece of reader.read()) pieces.push({ ...piece, at: performance.now() });
  });
  const text = (stream = "stdout") =>
    pieces
      .filter((piece) => piece.stream === stream)
      .map((piece) => piece.text)
      .join("");
  return { ...reader, pieces, text };
}

const until = (seen: () => unknown) => expect.poll(seen, { timeout: 10_000 });

test("a line is seen while the command runs, on the stream to which it was written", async () => {
  const { text, pieces } = watch();
  const end = start("echo one; echo two >&2; until test -e go; do sleep 0.02; done");
  await until(text).toBe("one\n");
  await until(() => text("stderr")).toBe("two\n");
  expect(pieces[0]).toMatchObject({ index: 0, attempt: 1, stream: "stdout", missed_bytes: 0 });
  await start("touch go", "t-2");
  expect(await end).toMatchObject({ exit_code: 0, stdout: { text: "one\n" }, stderr: { text: "two\n" } });
});

test("a line without its end is seen when it is quiet, and at most two pieces a second are sent", async () => {
  const { text } = watch();
  const begun = performance.now();
  await start("for i in {1..40}; do printf '%s ' $i; sleep 0.05; done; sleep 1");
  expect(text()).toMatch(/^1 2 3 .* 40 $/);
  expect(sent).toBeLessThanOrEqual(2 * ((performance.now() - begun) / 1_000) + 2);
});

test("a secret that is written in pieces is never seen, not even in part", async () => {
  const { text } = watch();
  const parts = [...SECRET].map((letter) => `printf '${letter}'; sleep 0.04`).join("; ");
  await start(`printf 'is '; ${parts.replace("s; sleep 0.04", "s; sleep 0.7")}; echo; echo done; sleep 1`);
  expect(text()).toMatch(/^is (orc)?\[redacted\]\ndone\n$/);
});

test("nothing is sent of a step that is not watched, and nothing more when its last watcher has gone", async () => {
  await start("echo one; sleep 0.3; echo two");
  const other = watch("t-2");
  await start("echo one; sleep 0.3");
  expect([sent, other.pieces]).toEqual([0, []]);
  const { close, text } = watch();
  const end = start("echo one; sleep 0.7; echo two; sleep 0.7; echo three");
  await until(text).toContain("one\n");
  const before = sent;
  close();
  close();
  expect(await end).toMatchObject({ stdout: { text: "one\ntwo\nthree\n" } });
  expect(sent).toBeLessThanOrEqual(before + 1);
});

test("a watcher that comes in the middle sees what was written before, as does a second one and one that comes again", async () => {
  const end = start("echo one; sleep 0.5; echo two; until test -e go; do sleep 0.02; done");
  await sleep(300);
  const first = watch();
  await until(first.text).toBe("one\ntwo\n");
  const second = live.watch("t-1", () => undefined);
  expect(
    second
      .read()
      .map(({ text }) => text)
      .join(""),
  ).toBe("one\ntwo\n");
  expect(second.read()).toEqual([]);
  second.close();
  first.close();
  const again = watch();
  await until(again.text).toBe("one\ntwo\n");
  await start("touch go", "t-2");
  await end;
});

test("a slow reader of 5 MB gets the last part, hears how much it missed, and keeps nothing waiting", async () => {
  let mores = 0;
  const slow = live.watch("t-1", () => (mores += 1));
  const quick = watch();
  const end = start(
    "for i in {1..5}; do yes 'some words of output that are long enough' | head -c 1000000 || true; sleep 0.55; done; echo last; until test -e go; do sleep 0.02; done",
  );
  await until(quick.text).toContain("last\n");
  const pieces = slow.read();
  const bytes = pieces.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  const missed = pieces.reduce((sum, { missed_bytes }) => sum + missed_bytes, 0);
  expect(bytes).toBeLessThanOrEqual(64 * 1024);
  expect(pieces.at(-1)?.text).toMatch(/last\n$/);
  expect(bytes + missed).toBe(5_000_005);
  expect(quick.pieces.reduce((sum, { text, missed_bytes }) => sum + Buffer.byteLength(text) + missed_bytes, 0)).toBe(
    5_000_005,
  );
  expect(mores).toBe(quick.pieces.length);
  await start("touch go", "t-2");
  expect(await end).toMatchObject({ stdout: { bytes: 5_000_005 } });
});

test("what a step has written is forgotten when it has ended, and the next step begins anew", async () => {
  const late = live.watch("t-1", () => undefined);
  const quick = watch();
  await start("echo one; sleep 0.5");
  expect(quick.text()).toBe("one\n");
  expect(late.read()).toEqual([]);
  const end = start("echo two; sleep 0.6", "t-1", 1);
  await until(() => quick.text()).toBe("one\ntwo\n");
  expect(late.read()).toEqual([{ index: 1, attempt: 1, stream: "stdout", text: "two\n", missed_bytes: 0 }]);
  await end;
});
