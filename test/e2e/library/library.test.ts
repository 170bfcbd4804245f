// Every procedure of the library, run for real: DONE as it is, and not DONE without a step that changes something or with
// programs that lie (D-376). Its checks are red in an empty world.
import { afterAll, describe, expect, test } from "vitest";
import { createRunCommand } from "../../../src/execution/execution.ts";
import { createControl, createControlProbe } from "../../../src/execution/local/control/control.ts";
import { readLibrary } from "../../../src/features/procedures/library-commands.ts";
import { aimed, contractFor, writeSopFile } from "../../../src/schema/sop-file.ts";
import { createControls } from "../../library/controls.ts";
import { stopPostgres } from "../../library/data-scenes.ts";
import { PLAN_DIGEST } from "../../library/machine-scenes.ts";
import { badWays, type Run, runOnce } from "../../library/prove-procedure.ts";
import type { OpenScene } from "../../library/scene.ts";
import { SCENES } from "../../library/scenes.ts";
import { deployed } from "../../library/service-scenes.ts";
import { makeWorld } from "../../library/world.ts";
import { openLookingEngine } from "../../support/looking-engine.ts";

const LIBRARY = await readLibrary();
const controls = createControls();
const fault = await createControlProbe(createControl({ runCommand: createRunCommand() }))();

afterAll(stopPostgres);

const sceneOf = (name: string): OpenScene => {
  const open = SCENES[name];
  if (open === undefined) throw new Error(`${name} has no scene`);
  return open;
};

async function ran(name: string, look?: (run: Run) => unknown, open = sceneOf(name)) {
  const found = LIBRARY.find((one) => one.name === name);
  if (found === undefined) throw new Error(`${name} is not in the library`);
  return runOnce(found.entry, { open, way: { kind: "as_it_is" }, twice: true, ...(look !== undefined && { look }) });
}

/** With another payload than that of its scene. */
const given =
  (name: string, payload: Readonly<Record<string, unknown>>): OpenScene =>
  async (world) => {
    const scene = await sceneOf(name)(world);
    return scene === null ? null : { ...scene, payload: { ...scene.payload, ...payload } };
  };

describe.each(LIBRARY)("the procedure $name", ({ name, entry }) => {
  test("ends DONE in a sound world, and a second time where there is something to do again", async () => {
    const run = await runOnce(entry, { open: sceneOf(name), way: { kind: "as_it_is" }, twice: true });
    if (run === null) return;
    expect(run.task).toMatchObject({ label: "DONE", outcome: { reason_code: "verified" } });
    expect(run.asked).toBe(
      entry.procedure.safety_level === "approval_required" ||
        entry.contract.constraints.require_approval_for.length > 0,
    );
    // The plan of an upgrade that was made is no longer the one that was approved.
    expect(run.again.label).toBe(name === "apt-upgrade" ? "FAILED" : "DONE");
  });

  test.each(badWays(entry).map((way) => ({ way, title: JSON.stringify(way) })))(
    "is not DONE in a world that is spoiled: $title",
    async ({ way }) => {
      const run = await runOnce(entry, { open: sceneOf(name), way });
      if (run !== null) expect(run.task).toMatchObject({ status: "failed" });
    },
  );

  test.skipIf(fault !== null)("has no check that passes in an empty world", async () => {
    for (const { answer } of await controls.answersOf(entry)) expect(["red", "cannot_tell"]).toContain(answer);
  });
});

describe("a procedure that was imported", () => {
  test("is a candidate, is promoted by an approval, asks once more on trial, and is proved by its run", async () => {
    using world = makeWorld();
    const scene = await sceneOf("git-push")(world);
    const entry = LIBRARY.find(({ name }) => name === "git-push")?.entry;
    if (scene === null || entry === undefined) throw new Error("git is not installed");
    await using engine = await openLookingEngine();
    const procedure = aimed(entry, { target: scene.target });
    const { sop, approval_id } = await engine.call("import_sop", { file: writeSopFile(procedure) });
    expect(sop.status).toBe("candidate");
    await engine.call("approve", { approval_id: approval_id ?? "", decision: "approve" });
    await expect.poll(() => engine.version(sop.sop_id)).toMatchObject({ status: "active", trial_left: 1 });
    const contract = { ...contractFor(entry, procedure), payload: scene.payload };
    const task = await engine.ran(contract.task_id, procedure.target, contract);
    expect(task).toMatchObject({ label: "DONE", sop_id: sop.sop_id, checks: [{ proof: "proved" }] });
    expect(await engine.version(sop.sop_id)).toMatchObject({ status: "active", level: "proved", trial_left: 0 });
  });
});

describe("what procedures of the library leave alone", () => {
  test("A deploy of a version that does not answer fails, and the version before runs again", async () => {
    const look = ({ world }: Run) => {
      expect(world.read("web/.env")).toBe("SECRET=keep\nTAG=2.3.1\n");
      expect(world.read("state/docker/containers/web")).toContain("image=lab/web:2.3.1\n");
    };
    const run = await ran("compose-deploy", look, deployed("broken"));
    expect(run?.task).toMatchObject({ status: "failed", outcome: { reason_code: "step_failed", step_index: 0 } });
    expect(JSON.stringify(run?.bundle)).toContain("version broken does not answer: back to the version before");
  });

  test("A deploy refuses a version that is no tag, and changes nothing", async () => {
    const look = ({ world }: Run) => {
      expect(world.read("web/.env")).toBe("SECRET=keep\nTAG=2.3.1\n");
      expect(world.has("web/x")).toBe(false);
    };
    const run = await ran("compose-deploy", look, deployed("2.4.0; touch x"));
    expect(run?.task).toMatchObject({ status: "failed", outcome: { step_index: 0 } });
  });

  test.each([0, -1, 1.5, "2; rm", null])("A pruning deletes nothing where it is to keep %s", async (keep) => {
    const look = ({ world }: Run) => expect(world.read("state/snapshots").trim().split("\n")).toHaveLength(6);
    const run = await ran("zfs-prune", look, given("zfs-prune", { keep }));
    expect(run?.task.status).toBe("failed");
  });

  test("A peer is added once, beside the others, and the private key is in no record", async () => {
    const run = await ran("wireguard-peer", ({ world }) => {
      expect(world.read("etc/wg0.conf").match(/\[Peer\]/g)).toHaveLength(2);
      expect(world.read("state/wg/wg0").trim().split("\n")).toHaveLength(2);
    });
    expect(JSON.stringify(run?.bundle)).not.toContain("not-for-anybody");
  });

  test("An upgrade with another plan than the approved one installs nothing", async () => {
    const look = ({ world }: Run) => expect(world.read("state/apt/installed")).toBe("");
    const other = `${PLAN_DIGEST.slice(0, -1)}${PLAN_DIGEST.endsWith("0") ? "1" : "0"}`;
    const run = await ran("apt-upgrade", look, given("apt-upgrade", { plan: other }));
    expect(run?.task).toMatchObject({ status: "failed", outcome: { step_index: 0 } });
  });

  test("The plan that apt-fetch prints is the one that apt-upgrade takes", async () => {
    const run = await ran("apt-fetch");
    expect(JSON.stringify(run?.bundle)).toContain(PLAN_DIGEST);
  });

  test("The configuration of a router is in a file of one account, and in no record", async () => {
    const run = await ran("router-backup", ({ world }) =>
      expect(world.read("backup/gateway-router-1.uci")).toContain("hostname"),
    );
    expect(JSON.stringify(run?.bundle)).not.toContain("option hostname");
  });

  test("A drill examines the backup that it has restored, and not one that arrives meanwhile", async () => {
    const busy: OpenScene = async (world) => {
      const scene = await sceneOf("restore-drill")(world);
      const late = `$1 && echo "not whole" >${world.at("backups/orch-3.backup")}`;
      world.write("bin/orch", world.read("bin/orch").replace(/^exec (.*)$/m, late));
      return scene;
    };
    const look = ({ world }: Run) => expect(world.has("backups/orch-3.backup")).toBe(true);
    expect((await ran("restore-drill", look, busy))?.task).toMatchObject({ label: "DONE" });
  });
});
