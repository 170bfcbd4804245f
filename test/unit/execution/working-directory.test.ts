// Where the commands of a task run.
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { workingDirectory } from "../../../src/execution/working-directory.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "orch-place-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

test("is the home directory when the target names none", async () => {
  expect(await workingDirectory(undefined, "/home/ops")).toEqual({ cwd: "/home/ops" });
});

test("is the compose directory with its links resolved", async () => {
  const real = join(directory, "real");
  await mkdir(real);
  await symlink(real, join(directory, "link"));
  expect(await workingDirectory(join(directory, "link"), "/tmp")).toEqual({ cwd: real });
});

test("is refused when it is missing, a file, relative, empty, or leads to the root", async () => {
  await writeFile(join(directory, "file"), "");
  await symlink("/", join(directory, "root"));
  const refusals = { missing: "ENOENT", file: "not a directory", root: "the root directory" };
  for (const [name, why] of Object.entries(refusals)) {
    const path = join(directory, name);
    const place = await workingDirectory(path, "/tmp");
    expect(place).toEqual({ issue: expect.stringContaining(why) });
    expect(place).toEqual({ issue: expect.stringContaining(`compose_dir "${path}"`) });
  }
  for (const path of ["", "srv/web", "~/web"]) {
    expect(await workingDirectory(path, "/tmp")).toEqual({ issue: expect.stringContaining("not an absolute path") });
  }
});
