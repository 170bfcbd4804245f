// What is kept of judgements: each is made once, none is taken for another, and no caller changes what the next one gets.
import { serialize } from "node:v8";
import { describe, expect, test } from "vitest";
import { type Answering, createKeptJudgements } from "../../../src/judge/thread-judge.ts";
import { watchedTask } from "../../../src/judge/withheld-task.ts";

function counting() {
  const made: string[] = [];
  const known = new Map<string, (...given: unknown[]) => unknown>();
  const nameOf = (judgement: { readonly name: string }): string => {
    known.set(judgement.name, judgement as never);
    return judgement.name;
  };
  const answering: Answering = async ({ name, ...withheld }) => {
    made.push(name);
    const { given, hasRead } = watchedTask(withheld);
    const value = serialize(known.get(name)?.(...given));
    return { value, reads_task: hasRead(), is_cut: name === cutOff.name };
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

type Task = { readonly task_id: string | null; readonly target?: object };

const targetOf = ({ target }: Task) => target;
const idOf = ({ task_id }: Task) => [task_id];
const idIn = ({ contract: { task_id } }: { readonly contract: Task }) => [task_id];
const bothOf = (one: Task, other: Task) => [one.task_id, other.task_id];
const copied = (task: Task) => ({ ...task });

describe("a judgement of a task", () => {
  test("that does not read its id is made once for all tasks that are the same otherwise", async () => {
    const { judge, made } = counting();
    for (const task_id of ["t-1", "t-2"])
      expect(await judge(targetOf, { task_id, target: { a: 1 } })).toEqual({ a: 1 });
    expect(made).toHaveLength(1);
    await judge(targetOf, { task_id: "t-2", target: { a: 2 } });
    expect(made).toHaveLength(2);
  });

  test("that reads its id is made once for each task", async () => {
    const { judge, made } = counting();
    for (const task_id of ["t-1", "t-2", "t-1"]) {
      expect(await judge(idOf, { task_id })).toEqual([task_id]);
      expect(await judge(idIn, { contract: { task_id } })).toEqual([task_id]);
      expect(await judge(copied, { task_id })).toEqual({ task_id });
    }
    expect(made).toHaveLength(6);
  });

  test("reads an id that is part of its answer, even where only the answer is looked at", async () => {
    const { judge, made } = counting();
    const same = (task: Task) => task;
    expect(await judge(same, { task_id: "t-1" })).toEqual({ task_id: "t-1" });
    expect(await judge(same, { task_id: "t-2" })).toEqual({ task_id: "t-2" });
    expect(made).toHaveLength(2);
  });

  test("is that of all ids where it is given more than one, and of none where there is none", async () => {
    const { judge, made } = counting();
    const a = { task_id: "a" };
    const b = { task_id: "b" };
    expect([await judge(bothOf, a, b), await judge(bothOf, b, a)]).toEqual([
      ["a", "b"],
      ["b", "a"],
    ]);
    expect(await judge(idOf, { task_id: null })).toEqual([null]);
    expect(await judge(idOf, a)).toEqual(["a"]);
    expect(await judge(idOf, { task_id: null })).toEqual([null]);
    expect(made).toHaveLength(4);
  });
});
