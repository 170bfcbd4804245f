// The doctor of the voice server: how far it gets on the way of a speech, without a speech.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { doctor } from "../../../voice/doctor/doctor.ts";
import { COOKIE, startVoiceProvider, TO_SIGN_IN } from "../../simulators/voice-provider/voice-provider.ts";
import { empty, html } from "../../support/request-recorder.ts";
import { quick } from "../../support/voice/voice-server.ts";

const MAIN = join(import.meta.dirname, "../../../voice/main.ts");

const stateOf = (lines: readonly string[]) =>
  lines.map((line) =>
    line
      .split(/ {2,}| (?=works|warns|broken|off)/)
      .slice(0, 2)
      .join(" "),
  );

test("everything works where a speech would be accepted, and nothing is spoken", async () => {
  await using upstream = await startVoiceProvider();
  const { lines, is_broken } = await doctor(quick(upstream));
  expect(is_broken).toBe(false);
  expect(stateOf(lines)).toEqual([
    "configuration works",
    "cookie works",
    "csrf works",
    "customer id works",
    "devices works",
    "devices works",
  ]);
  expect(upstream.paths()).toEqual([
    "GET /api/language",
    "GET /api/bootstrap",
    "GET /api/devices-v2/device?cached=false",
  ]);
  expect(lines.join("\n")).not.toMatch(/Atza|tok==|1168781950|A1CUSTOMERX/);
});

test.each([
  ["a configuration that is not valid", {}, { VOICE_PORT: "x" }, ["configuration broken"]],
  [
    "no cookie",
    {},
    { VOICE_COOKIE: "" },
    ["configuration works", "cookie broken", "csrf off", "customer id off", "devices off"],
  ],
  [
    "an expired cookie",
    { "/api/language": TO_SIGN_IN },
    {},
    ["configuration works", "cookie works", "csrf broken", "customer id off", "devices off"],
  ],
  [
    "an account that is challenged",
    { "/api/bootstrap": empty(302, { location: "/ap/cvf" }) },
    {},
    ["configuration works", "cookie works", "csrf works", "customer id broken", "devices off"],
  ],
  [
    "a provider without a list of devices",
    { "/api/devices-v2": html("<html>gone</html>", 404) },
    {},
    ["configuration works", "cookie works", "csrf works", "customer id works", "devices warns"],
  ],
])("%s is where it gets no further", async (_what, faults, env, states) => {
  await using upstream = await startVoiceProvider();
  for (const [path, fault] of Object.entries(faults)) upstream.fault(path, fault);
  const { lines, is_broken } = await doctor(quick(upstream, env));
  expect(stateOf(lines)).toEqual(states);
  expect(is_broken).toBe(states.some((state) => state.endsWith("broken")));
});

test("the table is compared with the devices of the account", async () => {
  await using upstream = await startVoiceProvider();
  const [living, kitchen] = upstream.state.devices;
  upstream.state.devices = [
    { ...living, online: false } as (typeof upstream.state.devices)[number],
    { ...kitchen, deviceType: "A9" } as (typeof upstream.state.devices)[number],
    { accountName: "寝室", serialNumber: "G0BED", deviceType: "A3", deviceFamily: "ECHO", online: true },
  ];
  const { lines, is_broken } = await doctor(quick(upstream));
  expect(is_broken).toBe(true);
  expect(lines.slice(-3)).toEqual([
    expect.stringContaining("居間: the device is offline"),
    expect.stringContaining("Kitchen: device_type must be A9"),
    expect.stringContaining('not in the table: {"name":"寝室","serial_number":"G0BED","device_type":"A3"}'),
  ]);
});

test("a cookie of another site is named", async () => {
  await using upstream = await startVoiceProvider();
  upstream.state.cookie = "session-id=1";
  const { lines } = await doctor(quick(upstream, { VOICE_COOKIE: "session-id=1" }));
  expect(lines[1]).toContain("at-acbjp is missing");
});

test("the command prints it, and exits with 1 where something is broken", async () => {
  await using upstream = await startVoiceProvider();
  const run = (env: Readonly<Record<string, string | undefined>>) =>
    promisify(execFile)(process.execPath, [MAIN, "doctor"], { env: { PATH: process.env["PATH"], ...env } });
  expect((await run(quick(upstream))).stdout).toContain("devices       works   居間: Echo 居間\n");
  await expect(run(quick(upstream, { VOICE_COOKIE: "" }))).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringContaining("cookie        broken  cookie_missing"),
  });
  expect(upstream.spoken).toEqual([]);
  expect(COOKIE).toContain("at-acbjp");
});
