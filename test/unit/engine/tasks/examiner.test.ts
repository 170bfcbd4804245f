// What an examination runs, and what it makes of the answers. The looks are played.
import { describe, expect, test } from "vitest";
import type { ExaminedCheck } from "../../../../src/engine/tasks/check-looks.ts";
import { createExaminer } from "../../../../src/engine/tasks/check-looks.ts";
import type { Probes } from "../../../../src/proof/proof.ts";
import { AT, aContract } from "../../../support/builders.ts";
import { judgeHere } from "../../../support/judge-here.ts";
import { memoryStore } from "../../../support/memory-store.ts";

type Colour = "red" | "green";
type Played = { readonly control: (script: string) => Colour; readonly decoy: (script: string) => Colour };

const YES: Played = { control: () => "red", decoy: () => "red" };

function anExaminer(played: Played, store = memoryStore()) {
  const seen: { readonly look: string; readonly script: string }[] = [];
  const now = { programs: "1", at: AT };
  const look = (answer: Colour) => ({ answer, exit_code: answer === "red" ? 1 : 0, reason: null });
  const probes: Probes = {
    control: async ({ script }) => {
      seen.push({ look: "control", script });
      return { ...look(played.control(script)), world: "empty", wrote: false };
    },
    decoy: async (scriptIn) => {
      const { script } = await scriptIn("/nothing");
      seen.push({ look: "decoy", script });
      return look(played.decoy(script));
    },
    fingerprint: async () => now.programs,
    textAt: async () => null,
  };
  const clock = () => new Date(now.at);
  const examiner = createExaminer({
    store,
    clock,
    probes: () => probes,
    judge: judgeHere,
    home: "/root",
    version: "1",
  });
  return { examiner, seen, store, now };
}

const asked = (text: string, decoy_on: ExaminedCheck["decoy_on"] = "machine"): ExaminedCheck => ({
  text,
  contract: aContract(),
  commands: [],
  decoy_on,
});

async function examined(text: string, played: Played, decoy_on: ExaminedCheck["decoy_on"] = "machine") {
  const { examiner, seen } = anExaminer(played);
  return { examination: await examiner.examine(asked(text, decoy_on)), seen };
}

const TEXT = "docker ps && docker inspect web";
const SECOND = "docker ps || :; docker inspect web";

test("a conjunction of a part that is red in an empty world and one that is red with the decoy is joined", async () => {
  const { examination, seen } = await examined(TEXT, {
    control: (script) => (script === SECOND ? "green" : "red"),
    decoy: (script) => (script === "docker ps" ? "green" : "red"),
  });
  expect(examination).toMatchObject({ joined: true, names_target: true });
  expect(seen.filter(({ look }) => look === "control").map(({ script }) => script)).toEqual([
    TEXT,
    SECOND,
    "docker ps",
  ]);
});

describe("a check that was prepared before its run", () => {
  const ONE = asked("docker inspect web");
  const looksOf = (seen: readonly { readonly look: string }[]) => seen.map(({ look }) => look);

  test("has had its control, and has its decoy after the run", async () => {
    const { examiner, seen } = anExaminer(YES);
    await examiner.prepare(ONE);
    expect(looksOf(seen)).toEqual(["control"]);
    const examination = await examiner.examine(ONE);
    expect(looksOf(seen)).toEqual(["control", "decoy"]);
    expect(examination).toMatchObject({ control: { answer: "red" }, decoy: { answer: "red" }, joined: false });
  });

  test("is looked at again for another payload, which a program that it runs may read", async () => {
    const { examiner, seen } = anExaminer(YES);
    await examiner.examine(ONE);
    await examiner.examine({ ...ONE, contract: aContract({ task_id: "another", payload: { expect: "" } }) });
    expect(looksOf(seen).toSorted()).toEqual(["control", "control", "decoy", "decoy"]);
  });

  test("counts as not prepared when its run has replaced a program", async () => {
    const { examiner, seen, now } = anExaminer(YES);
    await examiner.examine(ONE);
    await examiner.prepare(ONE);
    now.programs = "2";
    await examiner.examine(ONE);
    expect(looksOf(seen).toSorted()).toEqual(["control", "control", "decoy", "decoy"]);
  });

  test("is read again for another run of the same check", async () => {
    const { examiner, store } = anExaminer(YES);
    await examiner.prepare(ONE);
    await store.commit({ thread_id: "later", after: null, events: [], changes: [examiner.redRun(ONE)] });
    expect((await examiner.examine({ ...ONE, contract: aContract({ task_id: "another" }) })).red_at).toBe(AT);
    expect((await examiner.examine(ONE)).red_at).toBeNull();
  });

  test("is kept in memory for 256 runs at most", async () => {
    const { examiner, store } = anExaminer(YES);
    for (let n = 0; n < 257; n++) await examiner.prepare({ ...ONE, contract: aContract({ task_id: `run-${n}` }) });
    await store.commit({ thread_id: "later", after: null, events: [], changes: [examiner.redRun(ONE)] });
    const redAt = async (n: number) =>
      (await examiner.examine({ ...ONE, contract: aContract({ task_id: `run-${n}` }) })).red_at;
    expect([await redAt(0), await redAt(1), await redAt(256)]).toEqual([AT, null, null]);
  });
});

test("a check that runs elsewhere is examined by its text alone, and by whether it was red before", async () => {
  const { examiner, seen, store } = anExaminer(YES);
  const elsewhere = (text: string) => examiner.examine(asked(text, "elsewhere"));
  const one = await elsewhere("docker inspect web");
  expect(one).toMatchObject({ constant: null, chance: null, names_target: true, reads_before: false, joined: false });
  expect(one).toMatchObject({
    decoy: null,
    red_at: null,
    control: { answer: "not_possible", reason: "the flow engine runs it, and orch has no empty world there" },
  });
  expect(await elsewhere("exit 0")).toMatchObject({
    constant: expect.any(String),
    control: { answer: "not_possible" },
  });
  expect(await elsewhere("[ $((RANDOM % 2)) = 0 ]")).toMatchObject({ chance: expect.any(String), names_target: false });
  expect(await elsewhere('[ -z "$(find logs -mmin -1)" ]')).toMatchObject({ by_time: true });
  expect(await elsewhere('[ "$(id)" != "$ORCH_BEFORE" ]')).toMatchObject({ reads_before: true });
  const changes = [examiner.redRun(asked("docker inspect web"))];
  await store.commit({ thread_id: "earlier", after: null, events: [], changes });
  expect(await elsewhere("docker inspect web")).toMatchObject({ red_at: AT });
  expect(seen).toEqual([]);
});
