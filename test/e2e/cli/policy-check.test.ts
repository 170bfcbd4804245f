// The guard on the command line, which needs no server. Most commands run in the process of the tests.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runInProcess } from "../../support/cli-in-process.ts";
import { runCli } from "../../support/cli-process.ts";
import { temporaryDirectory } from "../../support/orch-process.ts";

const check = (...args: string[]) => runInProcess(["policy", "check", ...args]);

test.each([
  ["ls -l /etc", 0, "allow"],
  ["rm -rf /", 1, "block"],
  ['sh -c "$UNKNOWN_THING"', 4, "ask"],
])("%s ends with %i: %s", async (command, exit, verdict) => {
  expect(await check(command)).toMatchObject({
    exit,
    stderr: "",
    stdout: expect.stringMatching(new RegExp(`^${verdict}  `)),
  });
  const asJson = await check(command, "--json");
  expect(asJson.exit).toBe(exit);
  expect(JSON.parse(asJson.stdout)).toMatchObject({ verdict });
});

test.each([
  [
    "shows the commands it saw",
    ['x=/usr; rm -rf "$x"'],
    1,
    /saw {2}rm -rf \/usr\n {6}changes something, deletes_data; reaches paths \/usr\n {6}block {2}rm\.wide/,
  ],
  ["knows the target", ['rm -rf "$ORCH_TARGET_DIR"', "--target", "dir=/etc"], 1, /rm -rf \/etc/],
  ["runs in compose_dir", ["rm -rf ./*", "--target", "compose_dir=/"], 1, /^block/],
  ["runs in the directory that is given", ["rm -rf ./*", "--cwd", "/"], 1, /^block/],
  ["lets a command run that is narrow", ["rm -rf ./*", "--cwd", "/srv/web/cache"], 0, /^allow/],
  ["knows the home directory", ["rm -rf ~", "--home", "/home/you"], 1, /\/home\/you/],
] as const)("policy check %s", async (_what, args, exit, text) => {
  expect(await check(...args)).toMatchObject({ exit, stdout: expect.stringMatching(text) });
});

test("it protects the trees of the site, and refuses paths that are not absolute", async () => {
  const environment = { ORCH_PROTECTED_PATHS: "/srv/photos:/srv/music" };
  const args = ["policy", "check", "rm -rf /srv/photos"];
  expect(await runInProcess(args)).toMatchObject({ exit: 0, stdout: expect.stringMatching(/^allow/) });
  expect(await runInProcess(args, { environment })).toMatchObject({ exit: 1, stdout: expect.stringMatching(/^block/) });
  expect(await runInProcess(args, { environment: { ORCH_PROTECTED_PATHS: "photos" } })).toMatchObject({
    exit: 2,
    stderr: expect.stringContaining("ORCH_PROTECTED_PATHS"),
  });
});

test("it reads a script from a file or from stdin", async () => {
  await using directory = await temporaryDirectory();
  const script = join(directory.path, "script.sh");
  writeFileSync(script, "set -e\ngit reset --hard\n");
  const seen = /^block {2}set -e\n.*git reset --hard/;
  expect(await check("--file", script)).toMatchObject({ exit: 1, stdout: expect.stringMatching(seen) });
  const piped = await runCli(["policy", "check", "--file", "-"], { stdin: "set -e\ngit reset --hard\n" });
  expect(piped).toMatchObject({ exit: 1, stdout: expect.stringMatching(seen) });
});
