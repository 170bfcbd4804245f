// The last part of what steps write: what is kept of how many.
import { expect, test } from "vitest";
import { createLiveTails } from "../../../src/domain/live-output.ts";

const piece = (text: string, missed_bytes = 0) =>
  ({ index: 0, attempt: 1, stream: "stdout", missed_bytes, text }) as const;
const textsOf = (pieces: readonly { text: string }[]) => pieces.map(({ text }) => text);

test("each reader has a position of its own, and one that is late hears how much it missed", () => {
  const tails = createLiveTails();
  const [quick, late] = [tails.reader(), tails.reader()];
  tails.append("a", piece("first"));
  expect(textsOf(quick())).toEqual(["first"]);
  tails.append("a", piece("x".repeat(60_000), 3));
  tails.append("a", piece("y".repeat(60_000)));
  expect(tails.lengthOf("a")).toBe(120_008);
  expect(quick().map(({ missed_bytes }) => missed_bytes)).toEqual([60_003]);
  expect(late().map(({ missed_bytes }) => missed_bytes)).toEqual([60_008]);
  expect([quick(), late()]).toEqual([[], []]);
});

test("with more steps than are kept, the one that wrote nothing for longest is dropped", () => {
  const tails = createLiveTails(2);
  for (const key of ["a", "b", "a", "c"]) tails.append(key, piece(key));
  expect(textsOf(tails.reader()())).toEqual(["a", "a", "c"]);
  tails.drop("a");
  expect([textsOf(tails.reader()()), tails.lengthOf("a")]).toEqual([["c"], 0]);
});
