import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findToken, readTokens } from "../../../../src/api/http/caller.ts";
import { tokenPath } from "../../../../src/config/token-file.ts";

let data_dir: string;
beforeEach(async () => {
  data_dir = join(await mkdtemp(join(tmpdir(), "orch-token-")), "state", "orch");
});
afterEach(() => rm(join(data_dir, "..", ".."), { recursive: true }));

const fromFile = () => readTokens({ token: null, approver_token: null, data_dir });
const held = async () => (await readFile(tokenPath(data_dir), "utf8")).trim();
const TOKEN = "t".repeat(32);
const APPROVER = "a".repeat(32);

describe("the token file", () => {
  test("is created with 256 random bits, for its owner only, in a directory for its owner only", async () => {
    const { tokens, path, secrets } = await fromFile();
    expect(path).toBe(tokenPath(data_dir));
    const value = await held();
    expect(Buffer.from(value, "base64url")).toHaveLength(32);
    expect(secrets).toEqual([value]);
    expect(findToken(tokens, value)?.token_id).toBe("supervisor");
    expect((await stat(tokenPath(data_dir))).mode & 0o777).toBe(0o600);
    expect((await stat(data_dir)).mode & 0o777).toBe(0o700);
    expect(await readdir(data_dir), "nothing is left beside it").toEqual(["token"]);
  });

  test("is used again by the next start", async () => {
    await fromFile();
    const value = await held();
    const { tokens } = await fromFile();
    expect(await held()).toBe(value);
    expect(findToken(tokens, value)).not.toBeNull();
  });

  test("is created once when several processes start together", async () => {
    const all = await Promise.all(Array.from({ length: 8 }, fromFile));
    const value = await held();
    expect(all.map(({ secrets }) => secrets)).toEqual(Array(8).fill([value]));
    expect(await readdir(data_dir)).toEqual(["token"]);
  });

  test.each([0o640, 0o604, 0o620, 0o666])("with mode %o is refused with the command that corrects it", async (mode) => {
    await fromFile();
    await chmod(tokenPath(data_dir), mode);
    await expect(fromFile()).rejects.toMatchObject({
      code: "config_invalid",
      fix: `Run: chmod 600 ${tokenPath(data_dir)}`,
    });
  });

  test("in a directory that others may write to is refused", async () => {
    await mkdir(data_dir, { recursive: true });
    await chmod(data_dir, 0o770);
    await expect(fromFile()).rejects.toMatchObject({ fix: `Run: chmod 700 ${data_dir}` });
  });

  test.each(["", "short\n", `${"x".repeat(40)} ${"y".repeat(40)}`])(
    "that holds %j is refused without showing its content",
    async (text) => {
      await mkdir(data_dir, { recursive: true, mode: 0o700 });
      await writeFile(tokenPath(data_dir), text, { mode: 0o600 });
      const error = await fromFile().catch((refusal: Error) => refusal);
      expect(error).toMatchObject({ code: "config_invalid", message: expect.stringContaining("holds no token") });
      if (text !== "") expect(String(error)).not.toContain(text.trim());
    },
  );

  test("that is a directory is refused", async () => {
    await mkdir(tokenPath(data_dir), { recursive: true, mode: 0o700 });
    await expect(fromFile()).rejects.toMatchObject({ code: "config_invalid" });
  });

  test("is refused with the variable to set when its directory cannot be created", async () => {
    await mkdir(join(data_dir, ".."));
    await writeFile(data_dir, "a file where the directory should be");
    await expect(fromFile()).rejects.toMatchObject({ fix: "Set ORCH_DATA_DIR to one that can." });
  });

  test("is not touched when the environment gives the token", async () => {
    const { path, tokens } = await readTokens({ token: TOKEN, approver_token: null, data_dir });
    expect(path).toBeNull();
    expect(findToken(tokens, TOKEN)).not.toBeNull();
    await expect(stat(data_dir)).rejects.toThrow("ENOENT");
  });
});

describe("scopes", () => {
  const scopesOf = async (approver_token: string | null) => {
    const { tokens } = await readTokens({ token: TOKEN, approver_token, data_dir });
    return tokens.map(({ token_id, scopes }) => [token_id, [...scopes].toSorted()]);
  };

  test("are all granted to a single token", async () => {
    expect(await scopesOf(null)).toEqual([["supervisor", ["approve", "read", "submit", "teach"]]]);
  });

  test("are split when there is an approver's token, and both tokens may read", async () => {
    expect(await scopesOf(APPROVER)).toEqual([
      ["supervisor", ["read", "submit", "teach"]],
      ["approver", ["approve", "read"]],
    ]);
  });
});

test("a token is found only by its exact value, and its value is not kept", async () => {
  const { tokens } = await readTokens({ token: TOKEN, approver_token: APPROVER, data_dir });
  expect(findToken(tokens, APPROVER)?.token_id).toBe("approver");
  for (const wrong of ["", "t", TOKEN.slice(1), `${TOKEN}t`, TOKEN.toUpperCase()]) {
    expect(findToken(tokens, wrong)).toBeNull();
  }
  expect(JSON.stringify(tokens)).not.toContain(TOKEN);
});
