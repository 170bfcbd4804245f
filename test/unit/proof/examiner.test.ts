// What an examination runs, and what it makes of the answers. The looks are played.
import { expect, test } from "vitest";
import { type CheckLooks, createExaminer } from "../../../src/proof/examiner.ts";
import type { ExaminedCheck } from "../../../src/proof/port.ts";
import { AT, aContract } from "../../support/builders.ts";
import { memoryStore } from "../../support/memory-store.ts";

type Colour = "red" | "green";
type Played = { readonly control: (script: string) => Colour; readonly decoy: (script: string) => Colour };

function examined(text: string, played: Played, decoy_on: ExaminedCheck["decoy_on"] = "machine") {
  const seen: { readonly look: string; readonly script: string; readonly limit_ms: number }[] = [];
  const look = (answer: Colour) => ({ answer, exit_code: answer === "red" ? 1 : 0, reason: null });
  const looks: CheckLooks = {
    control: async ({ script, limit_ms }) => {
      seen.push({ look: "control", script, limit_ms });
      return { ...look(played.control(script)), world: "empty", wrote: false };
    },
    decoy: async (scriptIn, { limit_ms }) => {
      const { script } = scriptIn("/nothing");
      seen.push({ look: "decoy", script, limit_ms });
      return look(played.decoy(script));
    },
    fingerprint: async () => "1",
  };
  const clock = () => new Date(AT);
  const examiner = createExaminer({ store: memoryStore(), clock, looks, home: "/root", version: "1" });
  const check = { text, contract: aContract(), commands: [], decoy_on };
  return examiner.examine(check).then((examination) => ({ examination, seen }));
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

test("a conjunction with a part that is red in both is not joined", async () => {
  const { examination, seen } = await examined(TEXT, {
    control: () => "red",
    decoy: (script) => (script === "docker ps" ? "green" : "red"),
  });
  expect(examination).toMatchObject({ joined: false, control: { answer: "red" }, decoy: { answer: "red" } });
  expect(seen.map(({ look }) => look)).toEqual(["control", "decoy", "control", "decoy"]);
});

test("the parts are looked at only where all of them together are red in both looks", async () => {
  const { examination, seen } = await examined(TEXT, { control: () => "red", decoy: () => "green" });
  expect([examination.joined, seen.length]).toEqual([false, 2]);
});

test("a look knows the time limit of the step", async () => {
  const { seen } = await examined("docker inspect web", { control: () => "green", decoy: () => "green" });
  expect(seen.map(({ limit_ms }) => limit_ms)).toEqual([60_000, 60_000]);
});

test("a check that has not run on the machine yet has no decoy, and is at most red in the control", async () => {
  const { examination, seen } = await examined(TEXT, { control: () => "red", decoy: () => "red" }, "nowhere");
  expect(examination).toMatchObject({ decoy: null, joined: false, control: { answer: "red" } });
  expect(seen.map(({ look }) => look)).toEqual(["control"]);
});
