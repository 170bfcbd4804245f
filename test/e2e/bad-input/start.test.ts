// A server that cannot start prints one sentence with the cause and the remedy, without a stack trace or a secret, and
// changes nothing.
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Start, temporaryDirectory } from "../../support/orch-process.ts";
import { expectSound, fileServers } from "./sound-server.ts";

const { startServer, refusal } = fileServers();

const CONSTRAIN = join(import.meta.dirname, "constrain.ts");
const NOBODY = "65534";
/** Root may write everywhere, so a test that runs as root starts the server with another uid. */
const asStranger = process.getuid?.() === 0 ? { CONSTRAIN_UID: NOBODY } : {};

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
beforeAll(async () => {
  directory = await temporaryDirectory();
  chmodSync(directory.path, 0o755);
});
afterAll(() => directory[Symbol.asyncDispose]());

const place = (name: string): string => {
  const data_dir = join(directory.path, name);
  mkdirSync(data_dir);
  return data_dir;
};

/** The server prints one sentence, without a stack trace or a source location. */
async function expectRefusal(start: Start, reason: RegExp): Promise<void> {
  const said = await refusal(start);
  expect(said).toMatch(/^orch ended with 1 before it listened:\norch cannot start: /);
  expect(said).toMatch(reason);
  expect(said).not.toMatch(/\n\s+at |node:internal|\.ts:\d/);
}

test.concurrent("a port that is in use is named", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => other.once("listening", resolve));
  const address = other.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const data_dir = place("port");
  await expectRefusal(
    { data_dir, env: { ORCH_PORT: String(port) } },
    new RegExp(`port ${port} \\(EADDRINUSE\\).*ORCH_PORT`),
  );
  other.close();
  const orch = await startServer({ data_dir, env: { ORCH_PORT: String(port) } });
  await expectSound(orch, data_dir);
  expect(await orch.kill("SIGTERM")).toBe(0);
});

test.concurrent("an address that no interface of the machine has is named", async () => {
  const env = { ORCH_HOST: "192.0.2.1", ORCH_PUBLIC_HOST: "lab.example" };
  await expectRefusal({ data_dir: place("address"), env }, /192\.0\.2\.1.*EADDRNOTAVAIL.*ORCH_HOST/);
});

test.concurrent("a server with a public host name listens on all interfaces and serves that name only", async () => {
  const data_dir = place("public");
  const env = { ORCH_HOST: "0.0.0.0", ORCH_PUBLIC_HOST: "lab.example" };
  const orch = await startServer({ data_dir, env });
  const { port } = new URL(orch.url);
  const statusFor = (host: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const options = { host: "127.0.0.1", port, path: "/healthz", headers: { host } };
      request(options, (answer) => resolve(answer.resume().statusCode))
        .on("error", reject)
        .end();
    });
  expect(await statusFor(`lab.example:${port}`)).toBe(200);
  expect(await statusFor("localhost")).toBe(200);
  expect(await statusFor("evil.example")).toBe(421);
  expect(await orch.kill("SIGTERM")).toBe(0);
});

test.concurrent("a database server that does not answer is named without its password", async () => {
  const env = { DATABASE_URL: "postgresql://orch:hunter2hunter2@127.0.0.1:1/orch" };
  const said = await refusal({ data_dir: place("postgresql"), env });
  expect(said).toContain("127.0.0.1:1/orch: the server cannot be reached");
  expect(said).not.toContain("hunter2");
});

test.concurrent("a data directory that is a file, or below one, is refused", async () => {
  const data_dir = place("file");
  writeFileSync(join(data_dir, "state"), "notes");
  await expectRefusal({ data_dir }, /cannot be created \(EEXIST\).*ORCH_DATA_DIR/);
  const env = { ORCH_DATA_DIR: join(data_dir, "state", "deeper") };
  await expectRefusal({ data_dir, env }, /cannot be created \(ENOTDIR\).*ORCH_DATA_DIR/);
});

test.concurrent.each([
  ["cannot be created", {}, false, /cannot be created \(EACCES\).*ORCH_DATA_DIR/],
  ["cannot be written", {}, true, /cannot use the database .*cannot be opened or written/],
  ["cannot take a token", { ORCH_TOKEN: "" }, true, /The token file .* cannot be created/],
])("a data directory that %s is refused", async (title, env, exists, reason) => {
  const data_dir = place(title.replaceAll(" ", "-"));
  if (exists) mkdirSync(join(data_dir, "state"));
  chmodSync(exists ? join(data_dir, "state") : data_dir, 0o555);
  await expectRefusal({ data_dir, preload: CONSTRAIN, env: { ...asStranger, ...env } }, reason);
});
