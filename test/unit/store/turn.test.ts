import { expect, test } from "vitest";
import { createTurn } from "../../../src/store/turn.ts";

test("lets holders in one at a time, in the order of asking", async () => {
  const turn = createTurn();
  const seen: string[] = [];
  const hold = async (name: string) => {
    await turn.acquire();
    seen.push(`${name} in`);
    await Promise.resolve();
    seen.push(`${name} out`);
    turn.release();
  };
  await Promise.all(["a", "b", "c"].map(hold));
  expect(seen).toEqual(["a in", "a out", "b in", "b out", "c in", "c out"]);
});

test("cannot be overtaken between a release and the one who waited", async () => {
  const turn = createTurn();
  const seen: string[] = [];
  await turn.acquire();
  const waiting = turn.acquire().then(() => seen.push("waited"));
  turn.release();
  const late = turn.acquire().then(() => seen.push("late"));
  await waiting;
  expect(seen).toEqual(["waited"]);
  turn.release();
  await late;
  expect(seen).toEqual(["waited", "late"]);
});
