// orch library on the command line: what is listed and shown without a server, and what is imported into a real one.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { runInProcess } from "../../support/cli-in-process.ts";
import { type Engine, openEngine } from "../../support/engine.ts";
import { freePort } from "../../support/free-port.ts";
import { type RunningHttp, startHttp, TOKEN } from "../../support/http-endpoint.ts";

let engine: Engine;
let endpoint: RunningHttp;
let closed: string;
beforeAll(async () => {
  engine = await openEngine();
  endpoint = await startHttp({ operations: engine.operations });
  closed = `http://127.0.0.1:${await freePort()}`;
});
afterAll(async () => {
  await endpoint.stop();
  await engine[Symbol.asyncDispose]();
});

const at = (url: string, args: readonly string[], columns?: number) =>
  runInProcess(args, { environment: { ORCH_URL: url, ORCH_TOKEN: TOKEN }, ...(columns !== undefined && { columns }) });
const orch = (...args: string[]) => at(endpoint.url, args);
const alone = (...args: string[]) => at(closed, args);

const RESTART = ["--target", "compose_dir=/srv/shop", "--target", "service=shop"];

describe("orch library without a server", () => {
  test("lists each procedure with its effect, when it asks and what it needs", async () => {
    const { exit, stdout } = await alone("library", "list");
    expect(exit).toBe(0);
    expect(stdout).toMatch(/^compose-restart\s+changes\s+no\s+docker, curl\s+Restart a compose service/m);
    expect(stdout).toMatch(/^zfs-prune\s+deletes\s+deletes_data\s/m);
    expect(stdout).toMatch(/^apt-upgrade\s+changes\s+every run\s/m);
    expect(stdout).toMatch(/^dns-record\s+changes\s+no\s+tool server dns\s/m);
    const { procedures } = JSON.parse((await alone("--json", "library", "list")).stdout);
    expect(procedures).toHaveLength(19);
    expect(procedures[0]).toMatchObject({ name: "apt-fetch", effect: "writes", safety_level: "approval_required" });
  });

  test("shows a procedure and its contract, and says why there are no verdicts", async () => {
    const { exit, stdout, stderr } = await alone("library", "show", "zfs-prune");
    expect(exit).toBe(0);
    expect(stdout).toContain("dataset: the dataset whose snapshots named orch-... are pruned");
    expect(stdout).toContain("intent: deploy");
    expect(stdout).toContain("require_approval_for:");
    expect(stderr).toContain("The verdicts of policy are not shown: ");
  });

  test("gives the procedure or the contract alone, as a file that other commands take", async () => {
    const sop = parse((await alone("library", "show", "compose-restart", "--sop", ...RESTART)).stdout);
    expect(sop).toMatchObject({ intent: "restart", target: { service: "shop", compose_dir: "/srv/shop" } });
    const contract = parse((await alone("library", "show", "compose-restart", "--contract", ...RESTART)).stdout);
    expect(contract).toMatchObject({ task_id: "restart-web-1", target: sop.target, delegation_mode: "known_only" });
  });

  test.each([
    ["zfs-prun", "Did you mean zfs-prune or zfs-update?"],
    ["backup", "Did you mean restic-backup or router-backup?"],
    ["../notes/examples/record-to-notes", "Did you mean dns-record or record-to-notes?"],
    ["tea", "See: orch library list"],
  ])("refuses the name %s and says what there is", async (name, fix) => {
    for (const verb of ["show", "import"]) {
      const { exit, stderr } = await alone("library", verb, name);
      expect(exit).toBe(2);
      expect(stderr).toContain(`There is no procedure ${JSON.stringify(name)} in the library. (library_unknown)`);
      expect(stderr).toContain(fix);
    }
  });

  test("gives one of the two files at a time", async () => {
    const both = await alone("library", "show", "compose-restart", "--sop", "--contract");
    expect(both).toMatchObject({ exit: 2, stdout: "" });
    expect(both.stderr).toContain("Give either --sop or --contract.");
  });

  test("cannot import", async () => {
    expect(await alone("library", "import", "compose-restart", ...RESTART)).toMatchObject({ exit: 6, stdout: "" });
  });
});

describe("orch library with a server", () => {
  test("shows the verdict of policy on each step", async () => {
    const { exit, stdout, stderr } = await orch("library", "show", "compose-restart", ...RESTART);
    expect(exit).toBe(0);
    expect(stderr).toBe("");
    expect(stdout).toMatch(/^run {2}it would run$/m);
    expect(stdout).toMatch(/^ {2}0 {2}allow {2}cmd {2}docker compose restart/m);
    const shown = JSON.parse((await orch("--json", "library", "show", "zfs-prune")).stdout);
    expect(shown.explanation).toMatchObject({ would: "ask", steps: [{ verdict: "ask" }, { kind: "check" }] });
    expect(shown.contract).toMatchObject({ intent: "deploy", payload: { keep: 7 } });
  });

  test("imports a candidate for the target that is given, and never more than a candidate", async () => {
    const { exit, stdout, stderr } = await orch("--json", "library", "import", "compose-restart", ...RESTART);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
    const { sop } = JSON.parse(stdout);
    expect(sop).toMatchObject({ status: "candidate", intent: "restart", level: "defined" });
    expect(sop.target_signature).toBe("compose_dir=/srv/shop;health_url=http://127.0.0.1:8080/health;service=shop");
    const { sops } = await engine.call("list_sops", { status: "active" });
    expect(sops).toEqual([]);
    const blocked = await engine.submit({ intent: "restart", target: sop.target, delegation_mode: "known_only" });
    expect(blocked).toMatchObject({ status: "blocked" });
  });

  test("says which attributes are still those of the example, and takes another intent", async () => {
    const given = ["library", "import", "disk-triage", "--intent", "health_check", "--target", "mount=/data"];
    expect((await orch(...given)).stdout).toMatch(/candidate {2}health_check, version 1/);
    const { stderr } = await orch("library", "import", "zfs-prune", "--target", "dataset=tank/shop");
    expect(stderr).toContain("job is that of the example: snapshot-prune");
    expect(stderr).not.toContain("dataset is that");
  });

  test("refuses an intent that only looks for a procedure that changes something", async () => {
    const { exit, stderr } = await orch("library", "import", "compose-restart", "--intent", "triage", ...RESTART);
    expect(exit).toBe(2);
    expect(stderr).toContain("sop_steps_invalid");
  });

  test("stores nothing where the same procedure is in use", async () => {
    const target = ["--target", "mount=/srv/again"];
    const { sop, approval_id } = JSON.parse(
      (await orch("--json", "library", "import", "disk-triage", ...target)).stdout,
    );
    await engine.call("approve", { approval_id, decision: "approve" });
    await expect.poll(async () => (await engine.call("get_sop", { sop_id: sop.sop_id })).sop.status).toBe("active");
    expect((await orch("library", "import", "disk-triage", ...target)).stdout).toContain("nothing was stored");
  });
});
