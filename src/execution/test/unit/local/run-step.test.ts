// Where the commands of a task run.
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { workingDirectory } from "../../../local/environment.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "orch-place-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

test("the working directory is the home directory when the target names none", async () => {
  expect(await workingDirectory(undefined, "/home/ops")).toEqual({ cwd: "/home/ops" });
});

test("the working directory is the compose directory with its links resolved", async () => {
  const real = join(directory, "real");
  await mkdir(real);
  await symlink(real, join(directory, "link"));
  expect(await workingDirectory(join(directory, "link"), "/tmp")).toEqual({ cwd: real });
});

test("the working directory is refused when it is missing, a file, relative, empty, or leads to the root", async () => {
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

describe("with roots", () => {
  const place = (compose_dir: string, ...roots: string[]) => workingDirectory(compose_dir, "/tmp", roots);
  const outside = { issue: expect.stringContaining("is not in a directory of ORCH_COMPOSE_ROOTS") };
  let srv: string;
  let srvx: string;
  beforeEach(async () => {
    srv = join(directory, "srv");
    srvx = join(directory, "srvx");
    for (const path of [join(srv, "web"), join(srv, "..web"), srvx]) await mkdir(path, { recursive: true });
  });

  test("a root itself and what lies below it are fine", async () => {
    for (const path of [srv, join(srv, "web"), join(srv, "..web")])
      expect(await place(path, srv)).toEqual({ cwd: path });
    expect(await place(srvx, srv, srvx)).toEqual({ cwd: srvx });
    expect(await place(srvx, "/")).toEqual({ cwd: srvx });
  });

  test("what lies beside or above them is refused, a longer name with the same beginning too", async () => {
    for (const path of [srvx, directory, join(srv, "web", "..", "..", "srvx")])
      expect(await place(path, srv)).toEqual(outside);
    expect(await place(srv)).toEqual(outside);
  });

  test("a link inside that leads out is refused by where it leads, one outside that leads in is fine", async () => {
    await symlink(srvx, join(srv, "out"));
    await symlink(join(srv, "web"), join(srvx, "in"));
    const refusal = await place(join(srv, "out"), srv);
    expect(refusal).toEqual(outside);
    expect(refusal).toEqual({ issue: expect.stringContaining(JSON.stringify(srvx)) });
    expect(await place(join(srvx, "in"), srv)).toEqual({ cwd: join(srv, "web") });
  });

  test("a root may be a link, and one that is missing contains nothing", async () => {
    await symlink(srv, join(directory, "root"));
    expect(await place(join(srv, "web"), join(directory, "root"))).toEqual({ cwd: join(srv, "web") });
    expect(await place(srv, join(directory, "gone"))).toEqual(outside);
  });

  test("the home directory is where it is", async () => {
    expect(await workingDirectory(undefined, "/home/ops", [srv])).toEqual({ cwd: "/home/ops" });
  });
});
