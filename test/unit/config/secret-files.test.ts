import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readConfig } from "../../../src/config/config.ts";
import { findConnection } from "../../../src/config/connection.ts";
import { withoutOwnSecrets } from "../../../src/config/secret-files.ts";
import { secretsOf } from "../../../src/config/secrets.ts";
import { readConfiguration } from "../../../src/doctor/configuration.ts";

const directory = mkdtempSync(join(tmpdir(), "orch-secrets-"));
afterAll(() => rmSync(directory, { recursive: true }));

const HOME = { HOME: "/home/op" };
const TOKEN = "t".repeat(40);
const file = (name: string, text: string, below = ""): string => {
  mkdirSync(join(directory, below), { recursive: true });
  writeFileSync(join(directory, below, name), text);
  return join(directory, below, name);
};

test("each secret is read from the file that its variable with _FILE names, without the end of its line", () => {
  const config = readConfig({
    ...HOME,
    ORCH_TOKEN_FILE: file("token", `${TOKEN}\n`),
    DATABASE_URL_FILE: file("database", "postgresql://orch:pass@db/orch\r\n"),
    MCP_NOTES_URL: "https://notes",
    MCP_NOTES_TOKEN_FILE: file("notes", "notes-token"),
  });
  expect(config).toMatchObject({ token: TOKEN, database_url: "postgresql://orch:pass@db/orch" });
  expect(config.tool_servers.get("notes")).toMatchObject({ token: "notes-token" });
  expect(secretsOf(config)).toEqual(expect.arrayContaining([TOKEN, "pass", "notes-token"]));
});

test("the credentials of a service are found by the names of their variables, and a variable counts more", () => {
  file("ORCH_TOKEN", TOKEN, "credentials");
  file("ORCH_APPROVER_TOKEN", "a".repeat(40), "credentials");
  file("of-another-program", "x", "credentials");
  const given = { ...HOME, CREDENTIALS_DIRECTORY: join(directory, "credentials"), ORCH_APPROVER_TOKEN: "b".repeat(40) };
  expect(readConfig(given)).toMatchObject({ token: TOKEN, approver_token: "b".repeat(40) });
  expect(readConfig({ ...HOME, CREDENTIALS_DIRECTORY: join(directory, "none") })).toMatchObject({ token: null });
});

test.each([
  [
    "a file that is missing",
    { ORCH_TOKEN_FILE: "/none/token" },
    "ORCH_TOKEN_FILE must be a file that orch can read (ENOENT)",
  ],
  [
    "a secret in the place of a name",
    { ORCH_TOKEN_FILE: TOKEN },
    "ORCH_TOKEN_FILE must be the absolute path of a file",
  ],
  ["an empty file", { ORCH_TOKEN_FILE: file("empty", "\n") }, "ORCH_TOKEN_FILE must be a file that holds the value"],
  [
    "both",
    { ORCH_TOKEN_FILE: file("token", TOKEN), ORCH_TOKEN: TOKEN },
    "ORCH_TOKEN_FILE must not be set beside ORCH_TOKEN",
  ],
  [
    "a value that is no token",
    { ORCH_TOKEN_FILE: file("short", "short") },
    "ORCH_TOKEN_FILE must be 32 to 512 letters",
  ],
  [
    "a credential that is no token",
    { CREDENTIALS_DIRECTORY: join(file("ORCH_TOKEN", "short", "bad"), "..") },
    "CREDENTIALS_DIRECTORY ORCH_TOKEN there must be 32 to 512",
  ],
])("%s is refused by the name of the variable, and no message repeats the value", (_what, env, message) => {
  const refused = () => readConfig({ ...HOME, ...env });
  expect(refused).toThrow(message);
  expect(refused).not.toThrow(/tttt|\bshort\b|\/none/);
  // doctor reads the rest of the configuration all the same.
  expect(readConfiguration({ ...HOME, ...env })).toMatchObject({ diagnosis: { state: "broken" } });
});

test("doctor knows the names of the files, and finds one that is misspelt", () => {
  const env = {
    ...HOME,
    ORCH_TOKEN_FILE: file("token", TOKEN),
    MCP_A_URL: "https://a",
    MCP_A_TOKEN_FILE: file("a", "a"),
  };
  expect(readConfiguration(env).diagnosis.state).toBe("works");
  expect(readConfiguration({ ...HOME, ORCH_PORT_FILE: "/x" }).diagnosis).toMatchObject({ state: "falls_back" });
});

test("the command line reads its token from the file too, and a fault in the file of another secret does not stop it", async () => {
  const env = { ...HOME, ORCH_TOKEN_FILE: file("token", TOKEN), ORCH_WEBHOOK_SECRET_FILE: "/none" };
  expect(await findConnection(env)).toMatchObject({ token: { value: TOKEN } });
  await expect(findConnection({ ...HOME, ORCH_TOKEN_FILE: "/none" })).rejects.toThrow("ORCH_TOKEN_FILE must be a file");
});

const volume = join(directory, "volume");
mkdirSync(join(volume, "..2026"), { recursive: true });
writeFileSync(join(volume, "..2026", "token"), TOKEN);
symlinkSync("..2026", join(volume, "..data"));
symlinkSync("..data/token", join(volume, "token"));
const NOTES = { MCP_NOTES_URL: "https://notes" };

test.each([
  ["the file of a token", { ORCH_TOKEN_FILE: file("token", TOKEN) }, join(directory, "token")],
  ["the file of a tool server", { ...NOTES, MCP_NOTES_TOKEN_FILE: file("notes", "n") }, join(directory, "notes")],
  ["a Kubernetes volume", { ORCH_APPROVER_TOKEN_FILE: join(volume, "token") }, volume],
  [
    "the credentials of a service",
    { CREDENTIALS_DIRECTORY: "/run/credentials/orch.service" },
    "/run/credentials/orch.service",
  ],
  ["a key for the database", { DATABASE_URL: "postgresql://orch@db/orch?sslkey=/etc/db.key" }, "/etc/db.key"],
  ["a file of the driver for passwords", { PGPASSFILE: "/etc/orch/pgpass" }, "/etc/orch/pgpass"],
  ["the directory of a container's secrets", {}, "/run/secrets"],
])("%s is among the paths that no command may read (promises 2.6)", (_, given, path) => {
  expect(readConfig({ ...HOME, ...given }).secret_paths).toContain(path);
});

test("a certificate of an authority is no secret", () => {
  const url = "postgresql://orch@db/orch?sslrootcert=/etc/ca.pem&sslmode=verify-full";
  expect(readConfig({ ...HOME, DATABASE_URL: url }).secret_paths).not.toContain("/etc/ca.pem");
});

test("code that is given the environment of the server is not given what opens orch", () => {
  const given = {
    PATH: "/bin",
    ORCH_APPROVER_TOKEN: TOKEN,
    ORCH_TOKEN_FILE: "/x",
    DATABASE_URL: "x",
    GITHUB_TOKEN: "own",
  };
  expect(withoutOwnSecrets({ ...given, MCP_NOTES_TOKEN: "n" })).toEqual({
    PATH: "/bin",
    GITHUB_TOKEN: "own",
    MCP_NOTES_TOKEN: "n",
  });
});
