// What is kept of judgements: each is made once, none is taken for another, and no caller changes what the next one gets.
import { describe, expect, test } from "vitest";
import { createKeptJudgements } from "../../../src/judge/kept-judgements.ts";
import type { Judge } from "../../../src/ports.ts";

function counting() {
  const made: string[] = [];
  const judge: Judge = async (judgement, ...given) => {
    made.push(judgement.name);
    return judgement(...given);
  };
  return { made, judge: createKeptJudgements(({ name }) => name)(judge) };
}

const lengthOf = (text: string) => ({ lengths: [text.length] });
const wordsIn = (text: string) => text.split(" ");
const sizeOf = ({ texts }: { readonly texts: ReadonlyMap<string, string> }) => texts.size;
const cutOff = (text: string) => [{ code: "cap.time", text }];

describe("a judgement", () => {
  test("is made once for the same judgement of the same", async () => {
    const { judge, made } = counting();
    expect([await judge(lengthOf, "ls"), await judge(lengthOf, "ls")]).toEqual([{ lengths: [2] }, { lengths: [2] }]);
    expect(await judge(wordsIn, "ls")).toEqual(["ls"]);
    expect(await judge(lengthOf, "ls -l")).toEqual({ lengths: [5] });
    expect(made).toEqual(["lengthOf", "wordsIn", "lengthOf"]);
  });

  test("distinguishes the texts of a map", async () => {
    const { judge, made } = counting();
    const texts = (...paths: string[]) => ({ texts: new Map(paths.map((path) => [path, "echo"])) });
    expect(await judge(sizeOf, texts("/a"))).toBe(1);
    expect(await judge(sizeOf, texts("/a", "/b"))).toBe(2);
    expect(await judge(sizeOf, texts("/c"))).toBe(1);
    expect(made).toHaveLength(3);
  });

  test("that the time has cut off is made again", async () => {
    const { judge, made } = counting();
    await judge(cutOff, "a");
    await judge(cutOff, "a");
    expect(made).toHaveLength(2);
  });

  test("that rejects is made again", async () => {
    const { judge, made } = counting();
    const fails = (text: string) => {
      throw new Error(text);
    };
    await expect(judge(fails, "a")).rejects.toThrow("a");
    await expect(judge(fails, "a")).rejects.toThrow("a");
    expect(made).toHaveLength(2);
  });

  test("is the caller's own: what one caller changes, the next one does not get", async () => {
    const { judge } = counting();
    const first = await judge(lengthOf, "ls");
    first.lengths.push(1);
    const second = await judge(lengthOf, "ls");
    second.lengths.push(2);
    expect(await judge(lengthOf, "ls")).toEqual({ lengths: [2] });
  });

  test("is made again for a long text, and of many the last 256 are kept", async () => {
    const { judge, made } = counting();
    const long = "x".repeat(40_000);
    await judge(lengthOf, long);
    await judge(lengthOf, long);
    expect(made).toHaveLength(2);
    for (let n = 0; n <= 256; n++) await judge(lengthOf, `text ${n}`);
    made.length = 0;
    await judge(lengthOf, "text 1");
    expect(made).toEqual([]);
    await judge(lengthOf, "text 0");
    expect(made).toEqual(["lengthOf"]);
  });
});
