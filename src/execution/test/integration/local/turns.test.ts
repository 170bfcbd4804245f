// Which commands wait for the end of a command that runs, because one of the two is an agent's and can write where the other works.
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { aContract } from "../../../../../test/support/builders.ts";
import { createTurns } from "../../../local/agent-places.ts";
import type { CommandEnd, RunCommand } from "../../../local/run-command.ts";
import { home } from "./a-command.ts";

const ENDED: CommandEnd = { ran: false, reason: "it has ended" };
type Wanted = { readonly dir?: string; readonly script?: string; readonly scope?: string; readonly id?: string };

/** Commands that run until they are ended. `place` holds `inner`, `way` leads to `place`, and every agent can write in `shared`. */
function commands() {
  for (const name of ["place/inner", "shared/inner", "elsewhere"]) mkdirSync(join(home(), name), { recursive: true });
  symlinkSync(join(home(), "place"), join(home(), "way"));
  const turns = createTurns([join(home(), "shared")]);
  let ids = 0;
  const start = (of: "ofAgents" | "ofSteps", { dir, script = "true", scope, id = `other-${++ids}` }: Wanted) => {
    const ended = Promise.withResolvers<CommandEnd>();
    const abort = new AbortController();
    let hasBegun = false;
    const run: RunCommand = () => {
      hasBegun = true;
      return ended.promise;
    };
    const implicit_scope = scope === undefined ? [] : [`write:${join(home(), scope)}`];
    const compose_dir = dir === undefined ? undefined : join(home(), dir);
    const contract = aContract({
      task_id: id,
      target: compose_dir === undefined ? {} : { compose_dir },
      constraints: { implicit_scope, require_approval_for: [], max_minutes: 1 },
    });
    const words = script.replaceAll("HOME", home());
    const around = { strict: true, env: {}, limit_ms: 1_000, grace_ms: 0 };
    const end = turns[of](run, contract)({ script: words, cwd: compose_dir ?? "/usr", ...around }, abort.signal);
    return { begun: () => hasBegun, end: () => ended.resolve(ENDED), ended: end, abort: () => abort.abort() };
  };
  const agent = (wanted: Wanted) => start("ofAgents", wanted);
  const step = (wanted: Wanted) => start("ofSteps", wanted);
  return { agent, step };
}

/** Longer than the looks at a path take. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 50));

test.each<[string, "agent" | "step", Wanted, boolean]>([
  ["an agent in a directory below", "agent", { dir: "place/inner" }, true],
  ["an agent in a directory below, by a link on the way", "agent", { dir: "way/inner" }, true],
  ["an agent that may write a file below", "agent", { dir: "elsewhere", scope: "place/file" }, true],
  ["an agent in the same directory", "agent", { dir: "place" }, false],
  ["an agent elsewhere", "agent", { dir: "elsewhere" }, false],
  ["an agent below what all agents can write", "agent", { dir: "shared/inner" }, true],
  ["a step in what all agents can write", "step", { dir: "shared" }, true],
  ["a step in the directory", "step", { dir: "place" }, true],
  ["a step below", "step", { dir: "place/inner" }, true],
  ["a step above", "step", { dir: "" }, true],
  ["a step that names the directory", "step", { dir: "elsewhere", script: "git -C HOME/place status" }, true],
  ["a step elsewhere", "step", { dir: "elsewhere" }, false],
  ["a step of the same task", "step", { dir: "place", id: "t-1" }, false],
])("while a command of an agent runs, %s waits or not", async (_title, kind, wanted, waits) => {
  const { agent, [kind]: start } = { ...commands() };
  const first = agent({ dir: "place", id: "t-1" });
  await settled();
  const second = start(wanted);
  await settled();
  expect([first.begun(), second.begun()]).toEqual([true, !waits]);
  first.end();
  await first.ended;
  await expect.poll(second.begun).toBe(true);
  second.end();
  expect(await second.ended).toEqual(ENDED);
});

test("while a step runs, a command of an agent that can write there waits", async () => {
  const { agent, step } = commands();
  const first = step({ dir: "place/inner" });
  await settled();
  const [near, far] = [agent({ dir: "place" }), agent({ dir: "elsewhere" })];
  await settled();
  expect([near.begun(), far.begun()]).toEqual([false, true]);
  first.end();
  await expect.poll(near.begun).toBe(true);
});

test("what waits ends when its task is cancelled, and has not run", async () => {
  const { agent, step } = commands();
  const first = agent({ dir: "place" });
  await settled();
  const second = step({ dir: "place" });
  await settled();
  second.abort();
  expect(await second.ended).toMatchObject({ ran: false, reason: expect.stringContaining("stopped") });
  first.end();
  await settled();
  expect(second.begun()).toBe(false);
});
