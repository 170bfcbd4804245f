// Servers whose TZ is none of IANA: they start, say what they use, and take schedules. Which zone is used for which TZ is in the unit tests.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { contractBody } from "../support/builders.ts";
import { temporaryDirectory } from "../support/orch-process.ts";
import { fileServers } from "./bad-input/sound-server.ts";

const { startServer } = fileServers();
let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
beforeAll(async () => {
  directory = await temporaryDirectory();
});
afterAll(() => directory[Symbol.asyncDispose]());

describe("a server whose TZ names no zone uses UTC and says so (promises 4.2)", () => {
  test.each([
    [":/etc/localtime-that-is-missing", "UTC", true],
    ["CET-1CEST,M3.5.0,M10.5.0/3", "UTC", true],
    [":Europe/Berlin", "Europe/Berlin", false],
  ])("TZ=%j", async (TZ, zone, warns) => {
    const env = { TZ, ORCH_FREEZE_WINDOWS: "Fri 16:00 to Mon 07:00: weekend; cron 0 3 * * * for 1h: night" };
    const orch = await startServer({ data_dir: directory.path, env });
    const { task_id: _id, requested_at: _at, ...contract } = contractBody();
    const added = await orch.post("/v1/schedules", { name: "nightly", contract, cron: "30 2,14 * * *" });
    expect(added).toMatchObject({ status: 200, body: { schedule: { timezone: zone } } });
    const { body } = await orch.get("/v1/diagnosis");
    const found = body.checks.find(({ name }: { name: string }) => name === "configuration");
    expect(found.found.includes(`TZ=${JSON.stringify(TZ)}`)).toBe(warns);
    expect(orch.output().includes("schedules and freeze windows use UTC")).toBe(warns);
    await orch.post("/v1/schedules/nightly/remove", {});
    expect(await orch.kill("SIGTERM")).toBe(0);
  });
});
