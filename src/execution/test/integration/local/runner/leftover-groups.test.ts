// Only what is surely left over is ended at start.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { bootId, identityOf } from "../../../../../process/process-stat.ts";
import { endLeftoverGroups } from "../../../../local/runner/leftovers.ts";
import { type GroupNote, noteGroupsIn } from "../../../../local/runner/running-groups.ts";
import { expectGone, home, isAlive } from "../a-command.ts";

const alive: ChildProcess[] = [];
afterEach(() => {
  for (const { pid } of alive.splice(0)) if (pid !== undefined && isAlive(pid)) process.kill(-pid, "SIGKILL");
});

function aGroup(): number {
  const child = spawn("/bin/sleep", ["60"], { detached: true, stdio: "ignore" });
  alive.push(child);
  if (child.pid === undefined) throw new Error("sleep did not start");
  return child.pid;
}

const directory = () => join(home(), "running");
const files = () => readdirSync(directory());
const end = () => endLeftoverGroups(directory(), 200);
const identity = (pid: number) => identityOf(pid) ?? { pid, started: "0" };
const lost = { pid: process.pid, started: "1" };

/** A note on a group whose server is gone, varied. */
function write(pid: number, over: Partial<GroupNote> | object = {}, name = `${pid}.json`): void {
  mkdirSync(directory(), { recursive: true });
  const note = { ...identity(pid), boot_id: bootId(), owners: [lost], ...over };
  writeFileSync(join(directory(), name), JSON.stringify(note));
}

test("a directory that is not there holds nothing", async () => {
  expect(await end()).toEqual([]);
});

test("a group whose runner or server is gone is ended, and its note removed", async () => {
  const pid = aGroup();
  write(pid, { owners: [identity(process.pid), lost] });
  expect(await end()).toEqual([{ pid, ended: true }]);
  await expectGone([pid]);
  expect(files()).toEqual([]);
});

describe("a living process is not touched", () => {
  test.each<[string, (pid: number) => object]>([
    ["whose start time is another", (pid) => ({ started: `${BigInt(identity(pid).started) + 1n}` })],
    ["that was noted before the machine started anew", () => ({ boot_id: "00000000-0000-0000-0000-000000000000" })],
    ["by a note with a field too many", () => ({ and: "more" })],
    ["by a note whose pid is a text", (pid) => ({ pid: String(pid) })],
    ["by a note without owners", () => ({ owners: undefined })],
    ["by a note of no owner", () => ({ owners: [] })],
  ])("%s", async (_, over) => {
    const pid = aGroup();
    write(pid, over(pid));
    expect(await end()).toEqual([]);
    expect(isAlive(pid)).toBe(true);
    expect(files()).toEqual([]);
  });

  test("that leads no group", async () => {
    const child = spawn("/bin/sleep", ["60"], { stdio: "ignore" });
    const pid = child.pid ?? 0;
    write(pid);
    expect(await end()).toEqual([]);
    expect(isAlive(pid)).toBe(true);
    child.kill("SIGKILL");
  });

  test("while its runner and its server live, and the file of its note serves the next command", async () => {
    const noteGroup = noteGroupsIn(directory());
    const first = aGroup();
    const strikeOut = noteGroup(first);
    expect(await end()).toEqual([]);
    expect(isAlive(first)).toBe(true);
    strikeOut();
    strikeOut();
    expect(await end()).toEqual([]);
    const [second, third] = [aGroup(), aGroup()];
    noteGroup(second);
    noteGroup(third);
    const noted = files().map((name) => JSON.parse(readFileSync(join(directory(), name), "utf8")).pid);
    expect(noted.toSorted((a, b) => a - b)).toEqual([second, third].toSorted((a, b) => a - b));
  });
});

test.each([-1, 0, 1])("the pid %i, to which a signal would go to everyone, is never believed", async (pid) => {
  write(pid, { pid, started: identity(1).started });
  expect(await end()).toEqual([]);
  expect(files()).toEqual([]);
});

test("what is damaged or foreign is removed, and where a link leads is left alone", async () => {
  const pid = aGroup();
  write(pid, {}, "../note.json");
  const target = join(home(), "note.json");
  symlinkSync(target, join(directory(), "link.json"));
  writeFileSync(join(directory(), "empty.json"), "");
  writeFileSync(join(directory(), "half.json"), '{"pid":12');
  writeFileSync(join(directory(), "notes.txt"), "foreign");
  writeFileSync(join(directory(), "long.json"), `${" ".repeat(5_000)}{}`);
  mkdirSync(join(directory(), "folder"));
  expect(await end()).toEqual([]);
  expect(files()).toEqual(["folder"]);
  expect(readdirSync(home())).toContain("note.json");
  expect(isAlive(pid)).toBe(true);
});
