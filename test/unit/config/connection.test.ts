// The server's address and the token, from the environment, the token file and --url.
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { clearTextWarning, findConnection } from "../../../src/config/connection.ts";
import { thisProcess } from "../../../src/process/holder.ts";

const TOKEN = "t".repeat(40);
const APPROVER = "a".repeat(40);
const FILED = "f".repeat(40);

let home: string;
let data_dir: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "orch-connection-"));
  data_dir = join(home, ".local", "state", "orch");
});
afterEach(() => rm(home, { recursive: true }));

const fileToken = async (mode = 0o600) => {
  await mkdir(data_dir, { recursive: true, mode: 0o700 });
  await writeFile(join(data_dir, "token"), `${FILED}\n`, { mode: 0o600 });
  await chmod(join(data_dir, "token"), mode);
};
const found = (env: Record<string, string> = {}, url?: string) => findConnection({ HOME: home, ...env }, url);

describe("the address", () => {
  test.each([
    [{}, "http://127.0.0.1:3400", null],
    [{ ORCH_PORT: "8080" }, "http://127.0.0.1:8080", "ORCH_HOST and ORCH_PORT"],
    [{ ORCH_HOST: "0.0.0.0" }, "http://127.0.0.1:3400", null],
    [{ ORCH_HOST: "::", ORCH_PORT: "1" }, "http://127.0.0.1:1", "ORCH_HOST and ORCH_PORT"],
    [{ ORCH_HOST: "::1" }, "http://[::1]:3400", "ORCH_HOST and ORCH_PORT"],
    [{ ORCH_HOST: "lab", ORCH_PORT: "" }, "http://lab:3400", "ORCH_HOST and ORCH_PORT"],
    [{ ORCH_URL: "https://lab.example/orch/?x#y", ORCH_PORT: "1" }, "https://lab.example/orch", "ORCH_URL"],
  ])("for %j is %s", async (env, url, url_from) => {
    expect(await found(env)).toMatchObject({ url, url_from });
  });

  const filed = async (url: string, over: object = {}, mode = 0o700) => {
    await mkdir(data_dir, { recursive: true, mode: 0o700 });
    const text = JSON.stringify({ url, holder: { ...thisProcess(), ...over } });
    await writeFile(join(data_dir, "url.json"), text, { mode: 0o600 });
    await chmod(data_dir, mode);
  };

  test.each([{}, { ORCH_PORT: "0" }])("for %j is the one that a running server has written", async (env) => {
    await filed("http://127.0.0.1:7777");
    const url_from = join(data_dir, "url.json");
    expect(await found(env)).toMatchObject({ url: "http://127.0.0.1:7777", url_from });
  });

  test.each([{ ORCH_URL: "http://127.0.0.1:1" }, { ORCH_PORT: "1" }])("in %j comes before it", async (env) => {
    await filed("http://127.0.0.1:7777");
    expect(await found(env)).toMatchObject({ url: "http://127.0.0.1:1" });
  });

  test.each<[string, () => Promise<void>]>([
    ["its process has ended", () => filed("http://127.0.0.1:7777", { started: "0" })],
    ["others may write to its directory", () => filed("http://127.0.0.1:7777", {}, 0o777)],
    ["it is no address", () => filed("file:///etc/passwd")],
  ])("is not taken from the file when %s", async (_why, write) => {
    await write();
    expect(await found()).toMatchObject({ url: "http://127.0.0.1:3400", url_from: null });
  });

  test("on the command line overrides the environment", async () => {
    const env = { ORCH_URL: "http://127.0.0.1:1", ORCH_PORT: "2" };
    expect(await found(env, "http://127.0.0.1:3/")).toMatchObject({ url: "http://127.0.0.1:3", url_from: "--url" });
  });

  test.each([
    [{ ORCH_URL: "lab:3400" }, /ORCH_URL must be an http/],
    [{ ORCH_URL: "http://me:hunter2@lab" }, /ORCH_URL must not hold a user name/],
    [{ ORCH_PORT: "0" }, /ORCH_PORT is 0, any free port: set ORCH_URL/],
    [{ ORCH_PORT: "many" }, /ORCH_PORT must be a whole number/],
  ])("in %j is refused by the name of the variable, without its value", async (env, message) => {
    const error: Error = await found(env).then(
      () => expect.unreachable(),
      (refusal) => refusal,
    );
    expect(error).toMatchObject({ code: "config_invalid", message: expect.stringMatching(message) });
    expect(error.message).not.toContain("hunter2");
  });

  test("on the command line is refused by the option's name when it is invalid", async () => {
    await expect(found({}, "ftp://lab")).rejects.toThrow(/--url must be an http/);
  });

  test("is found although variables that only the server reads are invalid", async () => {
    const env = { LOG_LEVEL: "loud", DATABASE_URL: "mysql://x", ROUTING_URL: "no", MCP_X_TOKEN: "alone" };
    expect((await found(env)).url).toBe("http://127.0.0.1:3400");
  });
});

describe("the token", () => {
  test("in the environment overrides the one in the file", async () => {
    await fileToken();
    expect((await found({ ORCH_TOKEN: TOKEN })).token).toEqual({ value: TOKEN, from: "ORCH_TOKEN" });
    expect((await found()).token).toEqual({ value: FILED, from: join(data_dir, "token") });
  });

  test("is read from the data directory that is set", async () => {
    await fileToken();
    expect((await found({ HOME: "/nonexistent", ORCH_DATA_DIR: data_dir })).token.value).toBe(FILED);
  });

  test("that is missing is reported with the expected path, and nothing is created", async () => {
    const { token } = await found();
    expect(token.value).toBeNull();
    expect(token.from).toContain(`${join(data_dir, "token")} does not exist`);
    await expect(chmod(data_dir, 0o700)).rejects.toThrow("ENOENT");
  });

  test("in a file that others may read is not used, and the fix is given", async () => {
    await fileToken(0o644);
    const { token } = await found();
    expect(token.value).toBeNull();
    expect(token.from).toContain(`chmod 600 ${join(data_dir, "token")}`);
  });

  test("in the file is used only for the server on this machine", async () => {
    await fileToken();
    for (const url of ["https://lab.example", "http://10.0.0.5:3400"]) {
      expect((await found({ ORCH_URL: url })).token).toMatchObject({
        value: null,
        from: expect.stringContaining("set ORCH_TOKEN"),
      });
      expect((await found({}, url)).token.value).toBeNull();
    }
    expect((await found({ ORCH_URL: "http://localhost:9" })).token.value).toBe(FILED);
    expect((await found({ ORCH_HOST: "10.0.0.5" })).token.value, "where the server of this machine listens").toBe(
      FILED,
    );
  });

  test("that is invalid is refused and not repeated", async () => {
    const error: Error = await found({ ORCH_TOKEN: "short-secret" }).then(
      () => expect.unreachable(),
      (refusal) => refusal,
    );
    expect(error.message).toMatch(/ORCH_TOKEN must be 32/);
    expect(error.message).not.toContain("short-secret");
  });

  test("for decisions is the approver's when there is one", async () => {
    const env = { ORCH_TOKEN: TOKEN, ORCH_APPROVER_TOKEN: APPROVER };
    expect((await found(env)).approver).toEqual({ value: APPROVER, from: "ORCH_APPROVER_TOKEN" });
    expect((await found({ ORCH_TOKEN: TOKEN })).approver.value).toBe(TOKEN);
  });
});

describe("a token in clear text", () => {
  test.each([
    ["http://lab:3400", true],
    ["https://lab:3400", false],
    ["http://127.0.0.1:1", false],
    ["http://[::1]:1", false],
  ])("to %s is warned about: %s", async (ORCH_URL, warned) => {
    const warning = clearTextWarning(await found({ ORCH_URL, ORCH_TOKEN: TOKEN }));
    expect(warning !== null).toBe(warned);
    expect(warning ?? "").not.toContain(TOKEN);
  });
});
