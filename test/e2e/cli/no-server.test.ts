import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli, startServe } from "../../support/cli-process.ts";
import { deadUrl } from "../../support/cli-server.ts";
import { temporaryDirectory } from "../../support/orch-process.ts";

test("following a task ends at once where there never was an answer", async () => {
  const env = { ORCH_URL: await deadUrl() };
  const asJson = await runCli(["tasks", "--json"], { env });
  expect(asJson).toMatchObject({ exit: 6, stdout: "" });
  expect(JSON.parse(asJson.stderr)).toMatchObject({ code: "unreachable" });
  expect((await runCli(["task", "t-1", "--follow"], { env })).exit).toBe(6);
});

test("serve starts a server, whose token is found, and a second one on its database is refused", async () => {
  await using directory = await temporaryDirectory();
  const data_dir = join(directory.path, "state");
  const server = await startServe({ ORCH_DATA_DIR: data_dir });
  try {
    const env = { ORCH_URL: server.url, ORCH_DATA_DIR: data_dir };
    expect(await runCli(["tasks"], { env })).toMatchObject({ exit: 0, stdout: "There are no such tasks.\n" });
    const second = await runCli(["serve"], { env: { ORCH_DATA_DIR: data_dir, ORCH_PORT: "0" } });
    expect(second, "no fault of orch").toMatchObject({
      exit: 2,
      stderr: expect.stringMatching(/cannot start: another orch server \(pid \d+\) is using this database/),
    });
  } finally {
    const { exit, stdout } = await server.kill("SIGTERM");
    expect({ exit, stdout }).toEqual({
      exit: 0,
      stdout: expect.stringContaining(`the bearer token is in ${data_dir}/token\nSIGTERM`),
    });
  }
});

test("doctor says that no server runs, and what is broken", async () => {
  await using directory = await temporaryDirectory();
  const env = { ORCH_URL: await deadUrl(), ORCH_DATA_DIR: join(directory.path, "state") };
  const well = await runCli(["doctor"], { env });
  expect(well).toMatchObject({
    exit: 0,
    stderr: "",
    stdout: expect.stringMatching(/^server +off +.*\n +fix {2}.*orch serve$/m),
  });
  const ill = await runCli(["doctor", "--json"], { env: { ...env, ORCH_PORT: "many" } });
  expect(ill).toMatchObject({ exit: 1, stderr: "" });
  expect(JSON.parse(ill.stdout)).toEqual(
    expect.arrayContaining([expect.objectContaining({ name: "configuration", state: "broken" })]),
  );
});

test("serve that cannot start says why", async () => {
  const said = await runCli(["serve"], { env: { ORCH_PORT: "many", LOG_LEVEL: "loud" } });
  expect(said).toMatchObject({ exit: 2, stdout: "" });
  expect(said.stderr).toMatch(/^error: orch cannot start: .*\n {2}ORCH_PORT must be.*\n {2}LOG_LEVEL must be/);
});
