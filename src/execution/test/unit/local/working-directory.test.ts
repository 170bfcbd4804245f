// Where the commands of a task run: in its compose directory, with links resolved, if that is in a directory of the roots.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { workingDirectory } from "../../../local/environment.ts";

const directory = mkdtempSync(join(tmpdir(), "orch-place-"));
for (const name of ["srv/web", "srv/..web", "srvx"]) mkdirSync(join(directory, name), { recursive: true });
writeFileSync(join(directory, "file"), "");
for (const [name, target] of [
  ["top", "/"],
  ["link", `${directory}/srv/web`],
  ["srv/out", `${directory}/srvx`],
  ["srvx/in", `${directory}/srv/web`],
  ["root", `${directory}/srv`],
] as const)
  symlinkSync(target, join(directory, name));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** HERE is the directory of the test. */
const place = (compose_dir: string | undefined, roots?: readonly string[]) => {
  const here = (path: string) => path.replace("HERE", directory);
  return workingDirectory(compose_dir && here(compose_dir), "/home/ops", roots?.map(here));
};

test.each<[string, string | undefined, string[] | undefined, string]>([
  ["none is named", undefined, undefined, "/home/ops"],
  ["none is named, although there are roots", undefined, ["HERE/srv"], "/home/ops"],
  ["it is named by a link", "HERE/link", undefined, "HERE/srv/web"],
  ["it is a root", "HERE/srv", ["HERE/srv"], "HERE/srv"],
  ["it lies in a root", "HERE/srv/web", ["HERE/srv"], "HERE/srv/web"],
  ["it lies in a root, and begins with dots", "HERE/srv/..web", ["HERE/srv"], "HERE/srv/..web"],
  ["it lies in the second root", "HERE/srvx", ["HERE/srv", "HERE/srvx"], "HERE/srvx"],
  ["everything is a root", "HERE/srvx", ["/"], "HERE/srvx"],
  ["a link outside leads into a root", "HERE/srvx/in", ["HERE/srv"], "HERE/srv/web"],
  ["the root is a link", "HERE/srv/web", ["HERE/root"], "HERE/srv/web"],
])("commands run in their place where %s", async (_what, compose_dir, roots, cwd) => {
  expect(await place(compose_dir, roots)).toEqual({ cwd: cwd.replace("HERE", directory) });
});

const OUTSIDE = "is not in a directory of ORCH_COMPOSE_ROOTS";
test.each<[string, string, string[] | undefined, string]>([
  ["is missing", "HERE/missing", undefined, "ENOENT"],
  ["is a file", "HERE/file", undefined, "not a directory"],
  ["leads to the root", "HERE/top", undefined, "the root directory"],
  ["is empty", "", undefined, "not an absolute path"],
  ["is relative", "srv/web", undefined, "not an absolute path"],
  ["is a home", "~/web", undefined, "not an absolute path"],
  ["has a longer name with the beginning of a root", "HERE/srvx", ["HERE/srv"], OUTSIDE],
  ["lies above the roots", "HERE", ["HERE/srv"], OUTSIDE],
  ["lies beside the roots, by dots", "HERE/srv/web/../../srvx", ["HERE/srv"], OUTSIDE],
  ["is named where there is no root", "HERE/srv", [], OUTSIDE],
  ["is a link inside that leads out", "HERE/srv/out", ["HERE/srv"], 'srvx" after its links'],
  ["would lie in a root that is missing", "HERE/srv", ["HERE/gone"], OUTSIDE],
])("a directory is refused that %s", async (_what, compose_dir, roots, why) => {
  const { issue = "" } = { issue: "", ...(await place(compose_dir, roots)) };
  expect(issue).toContain(why);
  expect(issue).toContain(`compose_dir "${compose_dir.replace("HERE", directory)}"`);
});
