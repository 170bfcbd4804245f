// Scripts at the gate of what the starter has started, in the space of plain steps and in a pid namespace: they end as without a gate (D-275, D-310).
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { createHidingSpawn, hidingBinds } from "../../../../../src/execution/local/confinement/hiding.ts";
import type { Containment } from "../../../../../src/execution/local/containment/containment.ts";
import { atGate } from "../../../../../src/execution/local/containment/gate.ts";
import { createGroupContainment } from "../../../../../src/execution/local/containment/group-containment.ts";
import { createNamespaceContainment } from "../../../../../src/execution/local/containment/namespace-containment.ts";
import { baseEnvironment } from "../../../../../src/execution/local/environment.ts";
import { createRunCommand } from "../../../../../src/execution/local/run-command.ts";
import { canSandbox } from "../a-command.ts";
import { MODES } from "../confinement/confined-commands.ts";
import { LOOKS_AT_ITSELF, script } from "./gate-scripts.ts";

const directory = mkdtempSync(join(tmpdir(), "orch-gate-contained-"));
const [hidden, cwd] = [join(directory, "hidden"), join(directory, "work")];
mkdirSync(hidden);
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const CONTAINMENTS = [
  [
    "the space of plain steps",
    MODES[0]?.fault === null,
    () => createGroupContainment(undefined, createHidingSpawn([hidden])),
  ],
  ["a pid namespace", canSandbox, () => createNamespaceContainment(hidingBinds([hidden]))],
] as const;

/** Counts the commands that have waited at a gate. */
function counted(containment: Containment) {
  let held = 0;
  const hold: Containment["hold"] = async (...given) => {
    const found = (await containment.hold?.(...given)) ?? null;
    if (found !== null) held += 1;
    return found;
  };
  return { containment: { ...containment, hold }, held: () => held };
}

async function compare(create: () => Containment, scripts: readonly string[]) {
  const { containment, held } = counted(create());
  const [gated, plain] = [createRunCommand({ containment }), createRunCommand({ containment: create() })];
  const run = (command: typeof gated, one: string, allowed?: Promise<boolean>) => {
    rmSync(cwd, { recursive: true, force: true });
    mkdirSync(cwd);
    const env = baseEnvironment({ home: cwd });
    const order = { script: one, strict: true, cwd, env, limit_ms: 20_000, grace_ms: 50 };
    return command({ ...order, ...(allowed && { allowed }) }, new AbortController().signal);
  };
  await run(gated, "true");
  for (const one of scripts) {
    const [first, again] = [await run(plain, one), await run(plain, one)];
    // One that ends in another way each time says nothing.
    if (JSON.stringify(first) !== JSON.stringify(again)) continue;
    const before = held();
    // What was started ahead is not there at once.
    for (let tries = 0; tries < 20 && held() === before; tries += 1) {
      const end = await run(gated, one, Promise.resolve(true));
      expect({ one, ...end }).toEqual({ one, ...first });
      if (held() === before) await sleep(20);
    }
  }
  return held();
}

describe.each(CONTAINMENTS)("in %s", (_name, works, create) => {
  test.skipIf(!works)("scripts end at their gate as without one", { timeout: 180_000 }, async () => {
    const generated = fc.sample(script, process.env["ORCH_TESTS"] === "all" ? 300 : 20);
    const scripts = [...LOOKS_AT_ITSELF, ...generated].filter((one) => atGate(one) !== null);
    expect(await compare(create, scripts)).toBeGreaterThan(scripts.length / 2);
  });

  test.skipIf(!works)("nothing runs before it is allowed, and nothing when it is not", async () => {
    const { containment, held } = counted(create());
    const run = createRunCommand({ containment });
    const order = {
      script: "touch made; ls",
      strict: true,
      cwd,
      env: { PATH: "/usr/bin:/bin" },
      limit_ms: 9_000,
      grace_ms: 50,
    };
    const signal = new AbortController().signal;
    await run({ ...order, script: "true" }, signal);
    await sleep(300);
    const { promise: allowed, resolve } = Promise.withResolvers<boolean>();
    const refused = run({ ...order, allowed }, signal);
    await expect.poll(held).toBe(1);
    await sleep(200);
    resolve(false);
    expect(await refused).toMatchObject({ ran: false });
    expect(await run({ ...order, script: "ls" }, signal)).toMatchObject({ ran: true, stdout: { text: "" } });
    expect(await run({ ...order, allowed: Promise.resolve(true) }, signal)).toMatchObject({
      stdout: { text: "made\n" },
    });
  });
});
