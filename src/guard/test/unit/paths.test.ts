import { describe, expect, test } from "vitest";
import { initialState } from "../../interpreter/interpret.ts";
import { fork } from "../../interpreter/state.ts";
import { absolute, deviceAt, exposureOf } from "../../paths.ts";
import { DEEP, SOME, STAR, UNKNOWN } from "../../words/symbols.ts";
import { CONTEXT } from "./guard-outcome.ts";

const STATE = initialState(CONTEXT);

describe("absolute paths", () => {
  test.each([
    ["x/../y", "/srv/app/y"],
    ["//usr/./lib//", "/usr/lib"],
    ["../../..", "/"],
    [`${UNKNOWN}/x`, `${UNKNOWN}/x`],
    [`${UNKNOWN}/..`, UNKNOWN],
    [`${SOME}/..`, "/srv/app"],
  ])("%j is %j", (path, expected) => {
    expect(absolute(path, "/srv/app")).toBe(expected);
  });
});

describe("exposure", () => {
  test.each([
    ["/", "root"],
    ["/usr", "system"],
    ["/home/op/", "home"],
    ["/home/someone", "home"],
    [`/usr/${STAR}`, "system"],
    [`/etc/${STAR}`, "content"],
    [`/etc/${DEEP}`, "content"],
    [`/${STAR}`, "root"],
  ])("%j is protected as %s", (path, kind) => {
    expect(exposureOf(path, STATE)).toMatchObject({ kind, certain: true });
  });

  test.each(["/srv/app", "/tmp", "/usr/local/x", "/home/op/x", `/tmp/${STAR}`, `/etc/x${STAR}`, `/var/log/${UNKNOWN}`])(
    "%j is not protected",
    (path) => {
      expect(exposureOf(path, STATE)).toBeNull();
    },
  );

  test("unknown text makes it uncertain", () => {
    expect(exposureOf(UNKNOWN, STATE)?.certain).toBe(false);
    expect(exposureOf(`/usr/${UNKNOWN}`, STATE)?.certain).toBe(false);
  });

  test("a mount leads out of the container", () => {
    const inside = fork(STATE, { location: { mounts: [{ host: "/", inside: "/host" }] } });
    expect(exposureOf("/host/etc", inside)).toMatchObject({ path: "/etc", certain: true });
    expect(exposureOf("/host/srv/app", inside)).toBeNull();
  });
});

describe("block devices", () => {
  test.each(["/dev/sda", "/dev/nvme0n1p1", "/dev/mapper/x", `/dev/sd${STAR}`])("%j is one", (path) => {
    expect(deviceAt(path, STATE)).toBe("yes");
  });

  test.each(["/dev/null", "/dev/stderr", "/dev/tty", "disk.img", "/dev/shm/x", `/tmp/${UNKNOWN}`])(
    "%j is none",
    (path) => {
      expect(deviceAt(path, STATE)).toBe("no");
    },
  );

  test("unknown text may be one", () => {
    expect(deviceAt(UNKNOWN, STATE)).toBe("possibly");
  });
});
