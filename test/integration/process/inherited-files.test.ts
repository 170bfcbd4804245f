// A server that was started with open files does not hand them to its commands.
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";

const MODULE = new URL("../../../src/process/inherited-files.ts", import.meta.url);
const LIST = `console.log(require("node:child_process").execFileSync("ls", ["/proc/self/fd"], { encoding: "utf8" }))`;

const seenByACommand = (before: string): string[] => {
  const code = `${before}; ${LIST}`;
  const script = 'exec 5</etc/hostname 251</etc/hostname; "$0" --input-type=commonjs -e "$1"';
  return execFileSync("bash", ["-c", script, process.execPath, code], { encoding: "utf8" }).split(/\s+/);
};

test("a file that the process was started with is closed before its commands begin", () => {
  expect(seenByACommand("")).toContain("251");
  const closed = seenByACommand(`require(${JSON.stringify(MODULE.pathname)}).closeInherited()`);
  expect(closed.filter((fd) => Number(fd) > 3)).toEqual([]);
});
