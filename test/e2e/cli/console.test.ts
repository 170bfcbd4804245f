// orch console against a real server: the link that it prints logs in once, and it is opened only on a desktop.
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runInProcess } from "../../support/cli-in-process.ts";
import { logIn } from "../../support/console.ts";
import { type RunningHttp, startHttp, TOKEN } from "../../support/http-endpoint.ts";

let endpoint: RunningHttp;
let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "orch-console-"));
  endpoint = await startHttp({ console: { name: "nas", directory, trusted_proxies: [] } });
  const opened = join(directory, "xdg-open");
  await writeFile(
    opened,
    `#!/bin/sh\nenv > ${directory}/env\necho "$1" > ${directory}/part\nmv ${directory}/part ${directory}/opened\n`,
  );
  await chmod(opened, 0o755);
});
afterAll(async () => {
  await endpoint.stop();
  await rm(directory, { recursive: true });
});

const environment = (over: Record<string, string> = {}) => ({
  ORCH_URL: endpoint.url,
  ORCH_TOKEN: TOKEN,
  USER: "ann",
  HOME: directory,
  PATH: `${directory}:/usr/bin:/bin`,
  ...over,
});

describe("orch console", () => {
  test("prints a link that logs in once, as the user of the system", async () => {
    const { exit, stdout } = await runInProcess(["console"], { environment: environment() });
    expect([exit, stdout]).toEqual([0, expect.stringContaining("Open it within a minute")]);
    const link = /#link=([\w-]{22})$/m.exec(stdout)?.[1];
    const { answer } = await logIn(endpoint.url, { link });
    expect(answer).toMatchObject({ name: "ann", token_id: "supervisor" });
    await expect(logIn(endpoint.url, { link })).rejects.toThrow("unauthorized");
  });

  test("has the link and its end as JSON, for the name that is given", async () => {
    const { stdout } = await runInProcess(["console", "--json", "--name", "Bea"], { environment: environment() });
    const { url, expires_at } = JSON.parse(stdout);
    expect(Date.parse(expires_at) - Date.now()).toBeLessThan(61_000);
    expect((await logIn(endpoint.url, { link: url.split("#link=")[1] })).answer["name"]).toBe("Bea");
  });

  test.skipIf(process.platform !== "linux")("opens it on a desktop, and keeps the token from the browser", async () => {
    const { stdout } = await runInProcess(["console"], { environment: environment({ DISPLAY: ":0" }), columns: 200 });
    expect(stdout).toContain("The browser opens it.");
    const opened = () => readFile(join(directory, "opened"), "utf8").catch(() => "");
    await expect.poll(opened, { timeout: 10_000 }).toContain(`${endpoint.url}/console#link=`);
    const given = await readFile(join(directory, "env"), "utf8");
    expect([given.includes("DISPLAY=:0"), given.includes(TOKEN)]).toEqual([true, false]);
  });

  test("opens nothing with --print, into a pipe, or without a desktop", async () => {
    await rm(join(directory, "opened"), { force: true });
    const desktop = environment({ DISPLAY: ":0" });
    await runInProcess(["console", "--print"], { environment: desktop, columns: 200 });
    await runInProcess(["console"], { environment: desktop });
    const { stdout } = await runInProcess(["console"], { environment: environment(), columns: 200 });
    expect(stdout).toContain("Open it within a minute");
    expect(await readFile(join(directory, "opened"), "utf8").catch(() => "none")).toBe("none");
  });

  test("says where there is no server", async () => {
    const { exit } = await runInProcess(["console"], { environment: environment({ ORCH_URL: "http://127.0.0.1:9" }) });
    expect(exit).toBe(6);
  });
});
