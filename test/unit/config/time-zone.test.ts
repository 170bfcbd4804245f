import { describe, expect, test } from "vitest";
import { machineZone } from "../../../src/config/values.ts";
import { readConfiguration } from "../../../src/doctor/configuration.ts";

describe("the time zone of the machine (promises 4.2)", () => {
  test.each([
    ["Europe/Berlin", "Europe/Berlin"],
    [":Europe/Berlin", "Europe/Berlin"],
    ["posix/Europe/Berlin", "Europe/Berlin"],
    ["/usr/share/zoneinfo/Europe/Berlin", "Europe/Berlin"],
    [":/no/such/zoneinfo/posix/Europe/Berlin", "Europe/Berlin"],
    ["UTC", "UTC"],
    ["GMT", "GMT"],
    ["EST5EDT", "EST5EDT"],
  ])("TZ=%s is %s", (tz, zone) => {
    expect(machineZone(tz)).toEqual({ zone, fault: null });
  });

  test.each([
    "",
    ":",
    "UTC0",
    "UTC+0",
    "CET-1CEST",
    "CET-1CEST,M3.5.0,M10.5.0/3",
    "<+01>-1",
    "Mars/X",
    ":/no/such/file",
    "Europe/",
    "\n",
  ])("TZ=%j is UTC, and doctor names it", (TZ) => {
    expect(machineZone(TZ)).toEqual({ zone: "UTC", fault: expect.stringContaining(`TZ=${JSON.stringify(TZ)}`) });
    expect(readConfiguration({ TZ }).diagnosis).toMatchObject({
      state: "falls_back",
      found: expect.stringContaining("schedules and freeze windows use UTC"),
    });
  });

  test("without TZ is that of the machine, or UTC", () => {
    expect(machineZone(undefined).zone).toMatch(/^\w/);
  });
});
