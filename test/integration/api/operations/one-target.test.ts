// One target has one spelling: its procedures are found and its tasks wait for each other however a caller writes it.
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { accept } from "../../../../src/engine/tasks/transitions.ts";
import { aContract, check, cmd } from "../../../support/builders.ts";
import { openEngine } from "../../../support/engine.ts";
import { held } from "../../../support/held.ts";

const engine = held(await openEngine({ env: { ORCH_CONCURRENCY: "8" } }));
const place = join(engine.directory, "srv");
mkdirSync(join(place, "w"), { recursive: true });
mkdirSync(join(place, "other"));
symlinkSync(join(place, "w"), join(place, "link"));
symlinkSync("link", join(place, "chain"));
symlinkSync(place, join(engine.directory, "up"));

const KNOWN = { delegation_mode: "known_only" };
const STEPS = [cmd("true"), check("test -d /")];
const NFC = "caf\u00e9";
const NFD = "cafe\u0301";

describe("a target in another spelling is the same target (promises 4.4)", () => {
  test.each([
    ["a slash at the end", () => ({ compose_dir: `${place}/w/` })],
    ["several slashes at the end", () => ({ compose_dir: `${place}/w///` })],
    ["two slashes", () => ({ compose_dir: `${place}//w` })],
    ["two slashes at the beginning", () => ({ compose_dir: `/${place}/w` })],
    ["a step up and down", () => ({ compose_dir: `${place}/w/../w` })],
    ["a step up from another directory", () => ({ compose_dir: `${place}/missing/../w` })],
    ["a dot", () => ({ compose_dir: `${place}/./w` })],
    ["a dot at the end", () => ({ compose_dir: `${place}/w/.` })],
    ["decomposed letters", () => ({ compose_dir: `${place}/w`, service: NFD })],
  ])("%s", async (_name, over) => {
    const target = { service: NFC, compose_dir: `${place}/w` };
    if (!learned) await engine.learn("deploy", target, STEPS);
    learned = true;
    const task_id = `spelled-${Math.random().toString(36).slice(2, 10)}`;
    const task = await engine.run(task_id, { ...KNOWN, target: { ...target, ...over() } });
    expect(task).toMatchObject({ status: "ok", target });
    expect(await engine.run(task_id, { ...KNOWN, target })).toMatchObject({ status: "ok" });
  });
  let learned = false;

  test.each([
    ["compose_dir", { compose_dir: "~/w" }, "absolute path"],
    ["compose_dir", { compose_dir: "~" }, "absolute path"],
    ["compose_dir", { compose_dir: "srv/w" }, "absolute path"],
    ["compose_dir", { compose_dir: "./w" }, "absolute path"],
    ["compose_dir", { compose_dir: ".." }, "absolute path"],
    ["compose_dir", { compose_dir: "$HOME/w" }, "absolute path"],
    ["compose_dir", { compose_dir: "/" }, "root directory"],
    ["compose_dir", { compose_dir: "//" }, "root directory"],
    ["compose_dir", { compose_dir: "/srv/.." }, "root directory"],
    ["compose_dir", { compose_dir: "/srv/w " }, "blank"],
    ["compose_dir", { compose_dir: " /srv/w" }, "blank"],
    ["compose_dir", { compose_dir: "/srv/w\n" }, "blank"],
    ["service", { service: "web " }, "blank"],
    ["service", { service: "\u00a0web" }, "blank"],
    ["service", { service: "web\u200b" }, "invisible"],
    ["service", { service: "\ufeffweb" }, "blank"],
    ["service", { service: "" }, "empty"],
  ])("%s of %j is refused by every operation that takes a target", async (name, target, why) => {
    const contract = engine.contract("never", { target });
    const { task_id: _id, requested_at: _at, ...scheduled } = contract;
    const file = JSON.stringify({ intent: "deploy", target, steps: STEPS });
    const issue = { path: `target.${name}`, message: expect.stringContaining(why) };
    const inside = { ...issue, path: `contract.target.${name}` };
    for (const [operation, input, wanted] of [
      ["submit_task", contract, issue],
      ["teach", { intent: "deploy", target, steps: STEPS }, issue],
      ["import_sop", { file }, issue],
      ["copy_sop", { sop_id: "00000000-0000-4000-8000-000000000000", target }, issue],
      ["freeze", { target, reason: "test" }, issue],
      ["explain", { contract }, inside],
      ["add_schedule", { name: "never", contract: scheduled, every: "1d" }, inside],
    ] as const) {
      const { issues } = await engine.refusal(operation, input);
      expect(issues, operation).toContainEqual(wanted);
    }
  });

  test("an update of an SOP names the target in any spelling", async () => {
    const target = { compose_dir: join(place, "other") };
    await engine.learn("restart", target, STEPS);
    const payload = {
      intent: "restart",
      target: { compose_dir: `${place}/other/` },
      steps: [cmd("echo 2"), check("test -d /")],
    };
    const task = await engine.run("spelled-update", {
      intent: "update_sop",
      target: {},
      payload,
      success_criteria: [],
    });
    expect(task).toMatchObject({ status: "need_approval" });
    const refused = { ...payload, target: { compose_dir: "~/other" } };
    expect(
      await engine.run("wrong-update", { intent: "update_sop", target: {}, payload: refused, success_criteria: [] }),
    ).toMatchObject({
      status: "blocked",
      outcome: { reason_code: "update_invalid", message: expect.stringContaining("payload.target.compose_dir") },
    });
  });

  test("a schedule in another spelling is the same schedule", async () => {
    const {
      task_id: _id,
      requested_at: _at,
      ...contract
    } = engine.contract("scheduled", { target: { compose_dir: "/srv/x" } });
    const add = (compose_dir: string) =>
      engine.call("add_schedule", { name: "spelled", contract: { ...contract, target: { compose_dir } }, every: "1d" });
    expect((await add("/srv/x")).schedule.contract.target).toEqual({ compose_dir: "/srv/x" });
    expect((await add("/srv//x/")).schedule.contract.target).toEqual({ compose_dir: "/srv/x" });
    await engine.call("remove_schedule", { name: "spelled" });
  });

  test("a procedure and a task that an earlier version stored as they were sent are found", async () => {
    const raw = { service: "old", compose_dir: `${place}/w/` };
    const target = { service: "old", compose_dir: `${place}/w` };
    const { sop_id } = await engine.plant("deploy", raw, [cmd("true"), check("test -d /")], {
      criteria: [{ criterion: "the page is served", step_index: 1 }],
    });
    expect(await engine.run("of-earlier-sop", { ...KNOWN, target })).toMatchObject({ status: "ok", sop_id });
    const contract = aContract({ task_id: "of-earlier-task", ...KNOWN, target: raw });
    const { events, changes } = accept({ contract, backend: "local", at: new Date().toISOString() });
    await engine.store.commit({ thread_id: contract.task_id, after: null, events, changes });
    expect(await engine.call("submit_task", contract)).toMatchObject({ task_id: "of-earlier-task" });
  });
});

describe("two targets of one real directory do not run at once (promises 4.4)", () => {
  test.each([
    ["a link", () => join(place, "link")],
    ["a link to a link", () => join(place, "chain")],
    ["a link above", () => join(engine.directory, "up", "w")],
    ["a link with a slash", () => `${join(place, "link")}/`],
    ["a link both ways", () => join(engine.directory, "up", "chain")],
  ])("%s", async (name, linked) => {
    const mark = name.replaceAll(" ", "-");
    const service = mark;
    const first = { service, compose_dir: join(place, "w") };
    const second = { service, compose_dir: linked() };
    const marked = (between: string) =>
      cmd(`echo "+$ORCH_TASK_ID" >> ${mark}; ${between}; echo "-$ORCH_TASK_ID" >> ${mark}`);
    await engine.learn("deploy", first, [marked("sleep 0.3"), check("test -d /")]);
    await engine.learn("restart", second, [marked("sleep 0.3"), check("test -d /")]);
    const contracts = [
      engine.contract(`${mark}-1`, { ...KNOWN, target: second, intent: "restart" }),
      engine.contract(`${mark}-2`, { ...KNOWN, target: first }),
      engine.contract(`${mark}-3`, { ...KNOWN, target: second, intent: "restart" }),
    ];
    await Promise.all(contracts.map((contract) => engine.call("submit_task", contract)));
    for (const { task_id } of contracts) expect(await engine.outcomeOf(task_id)).toMatchObject({ status: "ok" });
    const written = engine.linesOf(`srv/w/${mark}`);
    expect(written).toHaveLength(6);
    for (let at = 0; at < 6; at += 2) expect(written[at + 1]).toBe(written[at]?.replace("+", "-"));
  });
});
