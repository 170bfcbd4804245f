import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli, startServe } from "../../support/cli-process.ts";
import { deadUrl } from "../../support/cli-server.ts";
import { temporaryDirectory } from "../../support/orch-process.ts";

const OTHER = "another-token-that-is-long-enough-0123456789";

test("a command says that no server runs and how to start one", async () => {
  const env = { ORCH_URL: await deadUrl() };
  const said = await runCli(["tasks"], { env });
  expect(said).toMatchObject({ exit: 6, stdout: "" });
  expect(said.stderr).toMatch(
    /^error: orch does not answer at http:\/\/127\.0\.0\.1:\d+ .*\nStart it with: orch serve\n/,
  );
  const asJson = await runCli(["tasks", "--json"], { env });
  expect(asJson).toMatchObject({ exit: 6, stdout: "" });
  expect(JSON.parse(asJson.stderr)).toMatchObject({ code: "unreachable" });
  const follow = await runCli(["task", "t-1", "--follow"], { env });
  expect(follow.exit, "at once, where there never was an answer").toBe(6);
});

test("serve starts one; the token finds itself, and a wrong one is told by where it is from", async () => {
  await using directory = await temporaryDirectory();
  const data_dir = join(directory.path, "state");
  const server = await startServe({ ORCH_DATA_DIR: data_dir });
  try {
    const env = { ORCH_URL: server.url, ORCH_DATA_DIR: data_dir };
    expect(await runCli(["tasks"], { env })).toMatchObject({ exit: 0, stdout: "There are no such tasks.\n" });
    const wrong = await runCli(["tasks"], { env: { ...env, ORCH_TOKEN: OTHER } });
    expect(wrong).toMatchObject({
      exit: 6,
      stderr: expect.stringContaining("orch refuses the token from ORCH_TOKEN"),
    });
    expect(wrong.stderr).not.toContain(OTHER);
    const second = await runCli(["serve"], { env: { ORCH_DATA_DIR: data_dir, ORCH_PORT: "0" } });
    expect(second, "no fault of orch").toMatchObject({
      exit: 2,
      stderr: expect.stringMatching(/cannot start: another orch server \(pid \d+\) is using this database/),
    });
    const none = await runCli(["tasks"], { env: { ORCH_URL: server.url, ORCH_DATA_DIR: join(data_dir, "nowhere") } });
    expect(none).toMatchObject({
      exit: 6,
      stderr: expect.stringMatching(/no token was found: .*nowhere\/token does not exist/),
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
