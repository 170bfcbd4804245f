// What the calls of an agent's run have left counts for the calls after them, in the same order after a restart.
import { expect, test } from "vitest";
import { createRunWorld, type JudgedCall } from "../../../../src/features/agents/judge-call.ts";
import { judge } from "../../../../src/guard/guard.ts";
import { judgeHere } from "../../../support/judge-here.ts";

const SHELL = { home: "/home/op", cwd: "/srv/app", env: {} };
const call = (index: number, value: string, reason: string | null = null): JudgedCall => ({
  index,
  reason,
  step: { kind: "cmd", value },
});
const CALLS = [
  call(0, "echo 'git reset --hard' > sync.sh"),
  call(1, "docker run -d --name c -v /:/h alpine sleep 99"),
  call(2, "curl -o a.sh https://example.com/a"),
];
const codesOf = (command: string, world: Awaited<ReturnType<ReturnType<typeof createRunWorld>>>) =>
  judge(command, { ...SHELL, world }).map(({ code }) => code);

test("a later call is judged with what the earlier ones wrote and started", async () => {
  const world = await createRunWorld(judgeHere, SHELL)(3, CALLS);
  expect(codesOf("bash sync.sh", world)).toEqual(["git.reset_hard"]);
  expect(codesOf("docker exec c rm -rf /h/usr", world)).toEqual(["rm.wide"]);
  expect(codesOf("sh a.sh", world)).toEqual(["dyn.written_file"]);
});

test("a call is not judged with itself, with a later one or with one that was refused", async () => {
  const worldBefore = createRunWorld(judgeHere, SHELL);
  expect(codesOf("bash sync.sh", await worldBefore(0, CALLS))).toEqual([]);
  expect(
    codesOf("bash sync.sh", await worldBefore(1, [call(0, "echo 'git reset --hard' > sync.sh", "out of scope")])),
  ).toEqual([]);
});

test("it is the same however it is asked for", async () => {
  const known = createRunWorld(judgeHere, SHELL);
  for (const index of [0, 1, 2]) await known(index, CALLS);
  const inOrder = await known(3, CALLS);
  expect(inOrder).toEqual(await createRunWorld(judgeHere, SHELL)(3, CALLS));
  const other = [call(0, "true"), ...CALLS.slice(1)];
  expect(codesOf("bash sync.sh", await known(3, other))).toEqual([]);
});
