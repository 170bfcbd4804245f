// The container without a container engine: the steps of the Dockerfile are done in a directory, and its command is run
// there.
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { Devices } from "../../../voice/devices.ts";
import { startVoiceProvider } from "../../simulators/voice-provider/voice-provider.ts";
import { buildImage } from "../../support/voice/dockerfile.ts";
import { startVoiceProcess } from "../../support/voice/voice-process.ts";
import { quick } from "../../support/voice/voice-server.ts";

const ROOT = join(import.meta.dirname, "../../..");
const VOICE = join(ROOT, "voice");

test("the image holds what the server needs and nothing of the cookie tool, runs as an ordinary user, and passes its health check [1.B.3] [1.B.2.no_library] [1.B.4]", async () => {
  const into = await mkdtemp(join(tmpdir(), "image-"));
  const context = join(into, "context");
  for (const name of ["package.json", "package-lock.json", "voice"]) {
    await cp(join(ROOT, name), join(context, name), { recursive: true });
  }
  const secrets = ["voice/.env", "voice/secrets/voice_token", "voice/account_cookie", "voice/devices.json"];
  await mkdir(join(context, "voice/secrets"), { recursive: true });
  for (const name of secrets) await writeFile(join(context, name), "secret");
  const image = await buildImage({ context, dockerfile: "voice/Dockerfile", into });
  expect(new Set(image.from)).toEqual(new Set(["node:24-alpine"]));
  expect(image.user).toBe("node");
  expect(await readdir(image.root)).toEqual(["node_modules", "voice"]);
  const installed = await readdir(join(image.root, "node_modules"));
  expect(installed).toContain("express");
  expect(installed.filter((name) => /alexa|langchain|prisma|^@types/.test(name))).toEqual([]);
  const copied = await readdir(join(image.root, "voice"), { recursive: true });
  expect(copied.filter((name) => !/\.ts$|^package\.json$|^[a-z-]+$/.test(name))).toEqual([]);
  expect(copied).toContain("upstream/session.ts");
  expect(copied).not.toContain("flow");

  await using upstream = await startVoiceProvider();
  const token = "a-token-for-callers-of-speak";
  const env = { ...image.env, ...quick(upstream), VOICE_TOKEN: token, VOICE_HOST: "127.0.0.1" };
  await using voice = await startVoiceProcess({ env, cwd: image.root, command: image.command });
  const response = await fetch(`${voice.url}/speak`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({ device: "居間", text: "やあ" }),
  });
  expect(response.status).toBe(200);
  const [, ...check] = image.health_check;
  const asked = { cwd: image.root, env: { VOICE_PORT: new URL(voice.url).port } };
  await promisify(execFile)(process.execPath, check, asked);
  expect(await voice.end("SIGTERM")).toBe(0);
  await expect(promisify(execFile)(process.execPath, check, asked)).rejects.toMatchObject({ code: 1 });
  await rm(into, { recursive: true });
}, 120_000);

test("the service is on the engine's network, publishes no port, and gets its secrets as files [1.B.3.network]", async () => {
  const compose: unknown = parse(await readFile(join(VOICE, "compose.yaml"), "utf8"));
  const { services, networks, secrets } = z
    .object({
      services: z.object({ voice: z.record(z.string(), z.unknown()) }),
      networks: z.record(z.string(), z.record(z.string(), z.unknown())),
      secrets: z.record(z.string(), z.object({ file: z.string() })),
    })
    .parse(compose);
  const { voice } = services;
  expect(voice).not.toHaveProperty("ports");
  expect(voice).toMatchObject({
    read_only: true,
    cap_drop: ["ALL"],
    expose: ["3500"],
    networks: ["flowengine", "outbound"],
  });
  expect(networks["flowengine"]).toMatchObject({ external: true });
  expect(voice["secrets"]).toEqual(Object.keys(secrets));
  const environment = z.record(z.string(), z.string()).parse(voice["environment"]);
  for (const name of Object.keys(secrets)) expect(Object.values(environment)).toContain(`/run/secrets/${name}`);
  // The shipped script calls the server by this name.
  expect(await readFile(join(VOICE, "flow/f/voice/speak.ts"), "utf8")).toContain('"http://voice:3500"');
});

test("the example of a device table is valid", async () => {
  const example: unknown = JSON.parse(await readFile(join(VOICE, "devices.example.json"), "utf8"));
  expect(Devices.parse(example).map(({ name, devices }) => [name, devices.length])).toEqual([
    ["居間", 1],
    ["台所", 1],
    ["家中", 2],
  ]);
});
