// The cookie tool as a process: its address, its output, and its end after an interruption.
import { execFile, execFileSync } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, type TestContext, test } from "vitest";
import { COOKIE, REGISTER, silence } from "../../simulators/login-provider/login-provider.ts";
import { isOpen, isServing } from "../../support/cookie/cookie-process.ts";
import { removeCertificates, setPromptedScene, setScene } from "../../support/cookie/scene.ts";

afterAll(removeCertificates);

const LONG = { timeout: 60_000 };
const ROOT = join(import.meta.dirname, "../../..");
const elsewhere = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === "IPv4" && !internal)?.address;

/** A pipe that is full: no further byte can be written. */
function fullPipe({ onTestFinished }: TestContext): number {
  const directory = mkdtempSync(join(tmpdir(), "cookie-pipe-"));
  const path = join(directory, "pipe");
  execFileSync("sh", ["-c", `mkfifo "$0"`, path]);
  const descriptor = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  onTestFinished(() => {
    closeSync(descriptor);
    rmSync(directory, { recursive: true });
  });
  const some = Buffer.alloc(4_096);
  const isTaken = () => {
    try {
      return writeSync(descriptor, some) > 0;
    } catch {
      return false;
    }
  };
  while (isTaken());
  return descriptor;
}

describe.concurrent("the cookie tool", () => {
  test("[4.cookie.listen] listens on all interfaces, and closes its port when it ends", async (context) => {
    const { tool } = await setPromptedScene(context);
    const addresses = ["127.0.0.1", "127.0.0.2", ...(elsewhere === undefined ? [] : [elsewhere])];
    const open = () => Promise.all(addresses.map((address) => isOpen(tool.port, address)));
    expect(await open()).not.toContain(false);
    await tool.kill("SIGTERM");
    expect(await open()).not.toContain(true);
  });

  test("[4.cookie.prompt] [4.cookie.own_address] prompts on standard error, with address and warning, and waits", async (context) => {
    const { browser, tool } = await setPromptedScene(context);
    await tool.says("Ctrl-C");
    expect(tool.stderr()).toContain(`\n    http://127.0.0.1:${tool.port}/\n`);
    expect(tool.stderr()).toContain("private window");
    expect(tool.stderr()).toMatch(/Warning: .*anyone on the network can reach/);
    expect(tool.stderr()).not.toContain("error");
    expect((await browser.get("/")).body).toContain(`http://127.0.0.1:${tool.port}/www.amazon.co.jp/ap/signin`);
    expect(tool.stdout()).toBe("");
    expect(tool.child.exitCode).toBeNull();
  });

  test.for([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("ends at its prompt with %s and status %i", async ([signal, status], context) => {
    const { tool } = await setPromptedScene(context);
    const [directory = ""] = tool.temporary();
    expect(directory).toMatch(/^orch-cookie-/);
    expect(statSync(join(tool.directory, directory)).mode & 0o777, "no other user opens it").toBe(0o700);
    const { exit, stdout, stderr } = await tool.kill(signal);
    expect({ exit, stdout }).toEqual({ exit: status, stdout: "" });
    expect(stderr).toMatch(/Interrupted: the login proxy is stopped, no cookie was printed\.\n$/);
    expect(tool.temporary()).toEqual([]);
  });

  test("ends with Ctrl-C in the middle of a login", async (context) => {
    const { browser, provider, tool } = await setPromptedScene(context, { routes: { [REGISTER]: silence } });
    await browser.logIn();
    await context.expect.poll(provider.routes, LONG).toContain(REGISTER);
    expect(await tool.kill("SIGINT")).toMatchObject({ exit: 130, stdout: "" });
    expect(tool.temporary()).toEqual([]);
  });

  test("has succeeded when it is interrupted after it printed the cookie", async (context) => {
    const { browser, tool } = await setPromptedScene(context);
    await browser.submit(await browser.get("/"));
    await tool.prints("\n");
    // npm does this: it passes on a Ctrl-C that the terminal has already sent to all processes.
    tool.child.kill("SIGINT");
    expect(await tool.kill("SIGINT")).toMatchObject({ exit: 0, stdout: `${COOKIE}\n` });
  });

  test("ends at once with a second Ctrl-C when its standard error is not read", async (context) => {
    const { tool } = await setScene(context, { stderr: fullPipe(context) });
    await context.expect.poll(() => isServing(tool.port), LONG).toBe(true);
    tool.child.kill("SIGINT");
    await context.expect.poll(() => isOpen(tool.port, "127.0.0.1"), LONG).toBe(false);
    expect(await tool.kill("SIGINT")).toMatchObject({ exit: 130, stdout: "" });
  });

  test("shows its usage, also when npm runs it", async () => {
    const run = promisify(execFile)("npm", ["run", "--silent", "cookie", "--", "--help"], { cwd: ROOT });
    const { stdout, stderr } = await run;
    expect(stdout).toMatch(/^Usage: npm run --silent cookie/);
    expect(stdout).toContain("--quiet");
    expect(stderr).toBe("");
  });

  test("refuses a wrong option with one line and status 2", async (context) => {
    const { exit, stdout, stderr } = await (await setScene(context, { args: ["--prot", "1"] })).tool.ended;
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: "" });
    expect(stderr).toMatch(/^error: Unknown option '--prot'[^\n]*\n$/);
  });
});
