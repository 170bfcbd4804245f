// The kernel's mount table, reduced to the mounts that a path reaches.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { aliasesOf, isBelow, isWithin, mountsIn } from "../../../../sandbox/mounts.ts";

const line = (id: number, parent: number, device: string, root: string, path: string, type = "ext4") =>
  `${id} ${parent} ${device} ${root} ${path} rw,relatime shared:1 master:2 - ${type} /dev/x rw`;

describe("the mounts", () => {
  test("on this machine include the root and /proc", () => {
    const mounts = mountsIn(readFileSync("/proc/self/mountinfo", "utf8"));
    expect(mounts.map(({ path }) => path)).toEqual(expect.arrayContaining(["/", "/proc"]));
  });

  test("may have blanks, tabs and backslashes in their paths", () => {
    const [mount] = mountsIn(line(1, 0, "8:1", "/a\\040b", "/mnt/c\\011d\\134e"));
    expect(mount).toEqual({
      is_read_only: false,
      id: "1",
      parent: "0",
      device: "8:1",
      root: "/a b",
      path: "/mnt/c\td\\e",
      type: "ext4",
    });
  });

  test("that no path reaches are left out, because a later mount covers them", () => {
    const lines = [
      line(1, 0, "8:1", "/", "/"),
      line(2, 1, "8:2", "/", "/srv/old"),
      line(3, 2, "8:3", "/", "/srv/old/deep"),
      line(4, 1, "8:4", "/", "/srv"),
      line(5, 4, "8:5", "/", "/srv/new"),
      line(6, 1, "0:9", "/", "/proc", "proc"),
      line(7, 6, "0:8", "/", "/proc/sys/fs/binfmt_misc", "binfmt_misc"),
      line(8, 6, "0:10", "/", "/proc", "proc"),
    ];
    const found = mountsIn(`${lines.join("\n")}\n`).map(({ id }) => id);
    expect(found).toEqual(["1", "4", "5", "6", "8"]);
  });
});

describe("other names of a path", () => {
  const mounts = mountsIn(
    [
      line(1, 0, "8:1", "/", "/"),
      line(2, 1, "8:2", "/@home", "/home"),
      line(3, 1, "8:2", "/", "/mnt/all"),
      line(4, 1, "8:2", "/@home/op/data/part", "/srv/part"),
      line(5, 1, "8:2", "/@other", "/srv/other"),
      line(6, 1, "8:2", "/", "/mnt/covered"),
      line(7, 6, "8:9", "/", "/mnt/covered/@home"),
    ].join("\n"),
  );

  test("are the other mounts of the same part of its file system, or of a part below it", () => {
    expect(aliasesOf("/home/op/data", mounts)).toEqual(["/mnt/all/@home/op/data", "/srv/part"]);
  });

  test("are found from each of them", () => {
    expect(aliasesOf("/mnt/all/@home/op/data", mounts)).toEqual(["/home/op/data", "/srv/part"]);
  });

  test("do not exist for a path that is mounted once", () => {
    expect(aliasesOf("/etc/passwd", mounts)).toEqual([]);
  });
});

test("a path is within a directory by whole names", () => {
  expect([isWithin("/a", "/a"), isWithin("/a/b", "/a"), isWithin("/ab", "/a"), isWithin("/a", "/")]).toEqual([
    ...[true, true, false, true],
  ]);
  expect([isBelow("/a", "/a"), isBelow("/", "/"), isBelow("/a/b", "/a")]).toEqual([false, false, true]);
});
