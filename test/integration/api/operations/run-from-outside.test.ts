// A version in use runs the scripts on disk that its promotion has shown: one that has changed since is asked about once.
import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { check, cmd } from "../../../support/builders.ts";
import { held } from "../../../support/held.ts";
import { ASKED, evidenceFaults, KNOWN, openWithMemory } from "../../../support/promoted-version.ts";

let engine: Engine;
let promoted: Opened["promoted"];
let decide: Opened["decide"];
type Opened = Awaited<ReturnType<typeof openWithMemory>>;
type Engine = Opened["engine"];
const opened = held(await openWithMemory());
({ engine, promoted, decide } = opened);

const GO = "echo one >> ran\n";
const TWO = "echo two >> ran\n";
const CHECKED = check("test -s ran");

describe("promises 2.4: a script that has changed since the promotion", () => {
  test("asks once, shows what has changed, and settles with the run that was approved", async () => {
    const version = await promoted("settles", [cmd("bash ./go.sh"), CHECKED], { "go.sh": GO });
    expect((await version.run()).task).toMatchObject({ status: "ok" });
    version.write("go.sh", TWO);
    const contract = engine.contract("explained", { ...KNOWN, target: version.target });
    expect(await engine.call("explain", { contract })).toMatchObject({ would: "ask" });
    const { task_id, task } = await version.run();
    expect(task).toMatchObject(ASKED);
    expect(task.outcome?.message).toContain(join(version.directory, "go.sh"));
    expect(task.outcome?.message).toContain("-echo one >> ran\n+echo two >> ran");
    expect(version.ran()).toBe("one\n");
    expect(await decide(task_id, "approve")).toMatchObject({ status: "ok" });
    expect((await version.run()).task).toMatchObject({ status: "ok" });
    expect(version.ran()).toBe("one\ntwo\ntwo\n");
    expect(await evidenceFaults(engine, task_id)).toEqual([]);
  });

  test("is not run where the change is rejected, and is asked about again", async () => {
    const version = await promoted("rejected", [cmd("bash ./go.sh"), CHECKED], { "go.sh": GO });
    version.write("go.sh", TWO);
    const { task_id, task } = await version.run();
    expect(task).toMatchObject(ASKED);
    expect(await decide(task_id, "reject")).toMatchObject({ status: "blocked" });
    expect((await version.run()).task).toMatchObject(ASKED);
    version.write("go.sh", GO);
    expect((await version.run()).task).toMatchObject({ status: "ok" });
  });

  test("is asked about again where the approved run has failed", async () => {
    const version = await promoted("failed", [cmd("bash ./go.sh"), CHECKED], { "go.sh": GO });
    version.write("go.sh", "true\n");
    const { task_id } = await version.run();
    expect(await decide(task_id, "approve")).toMatchObject({ status: "failed" });
    expect((await version.run()).task).toMatchObject(ASKED);
  });

  const MORE = "test ! -e more.sh || bash ./more.sh; echo 1 >> ran";
  const ANY = 'for s in ./m*.sh; do test ! -e "$s" || bash "$s"; done; echo 1 >> ran';
  const linked = (version: Awaited<ReturnType<typeof promoted>>) => {
    rmSync(join(version.directory, "go.sh"));
    symlinkSync("b.sh", join(version.directory, "go.sh"));
  };
  test.each<[string, Record<string, string>, string, string, string?]>([
    ["the script that another script calls", { "go.sh": "bash ./lib.sh\n", "lib.sh": GO }, "lib.sh", TWO],
    ["a script that is sourced", { "go.sh": ". ./env.sh; echo $X >> ran\n", "env.sh": "X=1\n" }, "env.sh", "X=2\n"],
    ["a script that was not there", { "go.sh": `${MORE}\n` }, "more.sh", GO],
    ["a script whose only change is a comment", { "go.sh": GO }, "go.sh", `# hello\n${GO}`],
    ["a script by name, where there was none at all", {}, "more.sh", GO, MORE],
    ["a script of a pattern, where there was none at all", {}, "more.sh", GO, ANY],
    ["a link that leads to another text", { "b.sh": TWO, "go.sh": GO }, "", ""],
    ["a script that is too long to be judged now", { "go.sh": GO }, "go.sh", `${GO}#${"x".repeat(70_000)}\n`],
    ["the script of a check", { "go.sh": "test -s ran\n" }, "go.sh", "true\n", "echo 1 >> ran"],
  ])("asks: %s", async (name, files, file, text, command = "bash ./go.sh") => {
    const last = name.endsWith("of a check") ? check("bash ./go.sh") : CHECKED;
    const version = await promoted(name.replaceAll(/\W+/g, "-"), [cmd(command), last], files);
    if (file === "") linked(version);
    else version.write(file, text);
    const { task } = await version.run();
    expect(task.status).toBe("need_approval");
    const codes: string[] = task.outcome?.findings.map(({ code }: { code: string }) => code);
    expect([...new Set(codes)].sort()).toEqual([
      ...(text.length > 70_000 ? ["cap.length"] : []),
      "safety.not_as_promoted",
    ]);
  });

  test("asks also of a version that has replaced another", async () => {
    const version = await promoted("replaced", [cmd("echo 0 >> ran"), CHECKED], { "go.sh": GO });
    const steps = [cmd("bash ./go.sh"), CHECKED];
    const update = { payload: { intent: "deploy", target: version.target, steps } };
    await engine.run("replacing", {
      intent: "update_sop",
      delegation_mode: "known_only",
      success_criteria: [],
      ...update,
    });
    expect(await decide("replacing", "approve")).toMatchObject({ status: "ok" });
    const first = await version.run();
    expect(first.task).toMatchObject({ outcome: { findings: [{ code: "safety.on_trial" }] } });
    await decide(first.task_id, "approve");
    version.write("go.sh", TWO);
    const { task } = await version.run();
    expect(task.status).toBe("need_approval");
    expect(task.outcome?.findings?.map(({ code }: { code: string }) => code)).toContain("safety.not_as_promoted");
  });

  test("does not ask where nothing that the steps run has changed", async () => {
    const version = await promoted("same", [cmd("bash ./go.sh"), CHECKED], { "go.sh": GO, "data.txt": "a\n" });
    version.write("data.txt", "b\n");
    version.write("unused.sh", "false\n");
    expect((await version.run()).task).toMatchObject({ status: "ok" });
  });

  test("records what it finds where the version was promoted by an orch that recorded nothing", async () => {
    const directory = opened.directoryWith("old", { "go.sh": GO });
    const target = { service: "old", compose_dir: directory };
    await engine.plant("deploy", target, [cmd("bash ./go.sh"), CHECKED]);
    const run = (task_id: string) => engine.run(task_id, { ...KNOWN, target });
    expect(await run("old-1")).toMatchObject({ status: "ok" });
    writeFileSync(join(directory, "go.sh"), TWO);
    expect(await run("old-2")).toMatchObject(ASKED);
  });
});
