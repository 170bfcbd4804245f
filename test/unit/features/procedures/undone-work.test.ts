import { describe, expect, test } from "vitest";
import { shellContextOf } from "../../../../src/engine/policy/judge-plan.ts";
import { projection } from "../../../../src/engine/tasks/projection.ts";
import { unneededWork } from "../../../../src/features/procedures/unneeded-work.ts";
import { agentJournal, changed } from "../../../support/agent-journal.ts";
import { aContract } from "../../../support/builders.ts";

const contract = aContract({ target: { service: "web", compose_dir: "/srv/web" } });
type Made = Parameters<typeof agentJournal>[0][number];

function unneeded(made: Made) {
  const { calls } = projection(agentJournal([made])).agent;
  const { dropped, remarks } = unneededWork(calls, shellContextOf(contract, "/root"));
  return { dropped: [...dropped].map(([{ index }, why]) => `${index}: ${why}`).sort(), remarks };
}
const run = (...commands: string[]) => unneeded(commands.map((command) => changed(command)));
const BOTH = "call 2 undoes call 0: see whether the steps between need both";
const SAME = "calls 0 and 1 are the same: see whether the second is needed";
const LEAVE_OUT = "leave it out where it has nothing to undo";

describe("a change of an agent", () => {
  test.each([
    ["mkdir build", "rmdir build"],
    ["mkdir build", "rm -r /srv/web/build"],
  ])("is no step, and neither is its inverse, where it was not so before: %s, %s", (made, undone) => {
    expect(run("make a", made, undone, "make b")).toEqual({
      dropped: ["1: call 2 undid it", "2: it only undid call 1"],
      remarks: [],
    });
  });

  test("is no step where git stash has put something away, and its pop is none either", () => {
    const stash = changed("git stash", { result: { stdout: "Saved working directory and index state\n" } });
    expect(unneeded([stash, changed("git stash pop")]).dropped).toHaveLength(2);
    expect(run("git stash", "git stash pop").dropped).toEqual([]);
  });

  test("is no step where its inner work was undone first", () => {
    expect(run("mkdir a", "mkdir a/b", "rmdir a/b", "rmdir a").dropped).toHaveLength(4);
  });

  test.each([
    ["docker compose up -d", "docker compose down"],
    ["docker compose -f a.yaml up -d web", "docker compose -f a.yaml down web"],
    ["sudo systemctl start web", "sudo systemctl stop web"],
    ["systemctl enable --now web", "systemctl disable web"],
  ])("is no step where its inverse, which stays, followed: %s, %s", (made, undone) => {
    expect(run(made, undone)).toEqual({
      dropped: ["0: call 1 undid it"],
      remarks: [`step of call 1 undid call 0: ${LEAVE_OUT}`],
    });
  });

  test.each([
    [
      ["systemctl stop web", "systemctl start web"],
      "calls 0 and 1 undo and make the same: together they may be a restart",
    ],
    [["docker compose up -d", "make x", "docker compose down"], BOTH],
    [["mkdir d", "make x", "rm -r d"], BOTH],
    [["echo x > f", "rm f"], "call 1 removes what call 0 wrote"],
    [["./migrate", "./migrate"], SAME],
    [["echo x >> f", "echo x >> f"], SAME],
  ])("stays with a remark where that is not certain: %j", (commands, remark) => {
    expect(run(...commands)).toEqual({ dropped: [], remarks: [remark] });
  });

  test.each([
    [["systemctl restart web", "systemctl restart web"], ["0: call 1 did the same again"]],
    [["mkdir -p a", "mkdir -p a"], ["0: call 1 did the same again"]],
    [["echo a > conf", "echo b > conf"], ["0: call 1 wrote the same file again, whole"]],
    [["echo a > conf", "printf b > /srv/web/conf"], ["0: call 1 wrote the same file again, whole"]],
  ])("is no step where the next made it again: %j", (commands, dropped) => {
    expect(run(...commands)).toEqual({ dropped, remarks: [] });
  });

  test.each([
    [["echo a > conf", "systemctl restart web", "echo b > conf"]],
    [["echo a > conf", "echo b >> conf"]],
    [["echo a > conf", "cat conf more > conf"]],
    [["mkdir -p d", "rmdir e"]],
    [["systemctl start web", "systemctl stop db"]],
    [["cd a && docker compose up -d", "cd b && docker compose down"]],
    [["docker compose up -d && ./migrate", "docker compose down"]],
  ])("stays where nothing is known of it: %j", (commands) => {
    expect(run(...commands)).toEqual({ dropped: [], remarks: [] });
  });

  test("stays where a change between failed, which may have done a part of its work", () => {
    const failed = changed("make x", { result: { status: "failed", exit_code: 2 } });
    expect(unneeded([changed("mkdir d"), failed, changed("rmdir d")]).dropped).toEqual([]);
  });
});
