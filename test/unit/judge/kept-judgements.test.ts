// What is kept of judgements: each is made once, none is taken for another, and no caller changes what the next one gets.
import { serialize } from "node:v8";
import { describe, expect, test } from "vitest";
import { type Answering, createKeptJudgements } from "../../../src/judge/thread-judge.ts";

function counting() {
  const made: string[] = [];
  const known = new Map<string, (...given: unknown[]) => unknown>();
  const nameOf = (judgement: { readonly name: string }): string => {
    known.set(judgement.name, judgement as never);
    return judgement.name;
  };
  const answering: Answering = async ({ name, given }) => {
    made.push(name);
    const value = serialize(known.get(name)?.(...given));
    return { value, is_cut: name === cutOff.name };
  };
  return { made, judge: createKeptJudgements(nameOf)(answering) };
}

const lengthOf = (text: string) => ({ lengths: [text.length] });
const wordsIn = (text: string) => text.split(" ");
const sizeOf = ({ texts }: { readonly texts: ReadonlyMap<string, string> }) => texts.size;
const cutOff = (text: string) => text;

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

test("a judgement of a task is made once for each task, and is never that of another one", async () => {
  const { judge, made } = counting();
  const idOf = ({ task_id }: { readonly task_id: string }) => [task_id];
  for (const task_id of ["t-1", "t-2", "t-1"]) expect(await judge(idOf, { task_id })).toEqual([task_id]);
  expect(made).toEqual(["idOf", "idOf"]);
});
