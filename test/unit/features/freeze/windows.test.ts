// Windows by calendar: what an operator writes, and when it is in force, also where the clocks change.
import { describe, expect, test } from "vitest";
import { type FreezeWindow, windowIn, windowsAt } from "../../../../src/features/freeze/windows.ts";

function windowOf(text: string, local = "UTC"): FreezeWindow {
  const window = windowIn(text, local);
  if ("fault" in window) throw new Error(window.fault);
  return window;
}
const at = (text: string, now: string) => {
  const { held_by, changes_at } = windowsAt([windowOf(text)], new Date(now));
  return { until: held_by?.until ?? null, changes: changes_at?.toISOString() ?? null };
};
const inForce = (text: string, now: string): boolean => at(text, now).until !== null;

describe("a window that is written as days and times", () => {
  const WEEKEND = "Fri 16:00 to Mon 07:00 Europe/Berlin: weekend";

  test("is in force from its begin to before its end, over the end of the week", () => {
    const [until, next] = ["2026-03-09T06:00:00.000Z", "2026-03-13T15:00:00.000Z"];
    expect(at(WEEKEND, "2026-03-06T14:59:59.999Z")).toEqual({ until: null, changes: "2026-03-06T15:00:00.000Z" });
    expect(at(WEEKEND, "2026-03-06T15:00:00.000Z")).toEqual({ until, changes: until });
    expect(at(WEEKEND, "2026-03-08T12:00:00.000Z")).toEqual({ until, changes: until });
    expect(at(WEEKEND, "2026-03-09T05:59:59.999Z")).toEqual({ until, changes: until });
    expect(at(WEEKEND, "2026-03-09T06:00:00.000Z")).toEqual({ until: null, changes: next });
  });

  test("ends by the clock of its zone where that is set forward and back within it", () => {
    expect(at(WEEKEND, "2026-03-28T12:00:00.000Z").until).toBe("2026-03-30T05:00:00.000Z");
    expect(at(WEEKEND, "2026-10-24T12:00:00.000Z").until).toBe("2026-10-26T06:00:00.000Z");
  });

  test.each([
    ["every day, over midnight", "22:00 to 06:00: night", "2026-03-06T23:00:00Z", "2026-03-07T06:00:00.000Z"],
    ["every day, after midnight", "22:00 to 06:00: night", "2026-03-07T05:00:00Z", "2026-03-07T06:00:00.000Z"],
    ["on days of the week", "Mon-Fri 08:00 to 17:00: office", "2026-03-06T09:00:00Z", "2026-03-06T17:00:00.000Z"],
    ["on nights after some days", "Fri,Sat 22:00 to 06:00: party", "2026-03-08T01:00:00Z", "2026-03-08T06:00:00.000Z"],
    ["on whole days in a row", "Sat,Sun 00:00 to 24:00: off", "2026-03-07T12:00:00Z", "2026-03-09T00:00:00.000Z"],
    ["in the zone of the machine", "fri 20:00 TO sat 01:00: late", "2026-03-06T23:30:00Z", "2026-03-07T01:00:00.000Z"],
  ])("may be %s", (_what, text, now, until) => {
    expect(at(text, now).until).toBe(until);
  });

  test.each([
    ["Mon-Fri 08:00 to 17:00: office", "2026-03-07T09:00:00Z"],
    ["Mon-Fri 08:00 to 17:00: office", "2026-03-06T17:00:00Z"],
    ["Fri,Sat 22:00 to 06:00: party", "2026-03-06T05:00:00Z"],
    ["Sat,Sun 00:00 to 24:00: off", "2026-03-09T00:00:00Z"],
  ])("%s is not in force at %s", (text, now) => {
    expect(inForce(text, now)).toBe(false);
  });

  test("that lies in the hour which is left out in spring is no window on that day, and one on every other", () => {
    const gap = "02:10 to 02:50 Europe/Berlin: gap";
    const found = ["2026-03-28T01:20:00Z", "2026-03-29T01:00:00Z", "2026-03-29T01:20:00Z", "2026-03-30T00:20:00Z"];
    expect(found.map((now) => inForce(gap, now))).toEqual([true, false, false, true]);
  });

  test("lasts from the first time to the second one where an hour comes twice in autumn", () => {
    const found = ["00:09", "00:10", "00:20", "01:20", "01:49", "01:50"].map((time) =>
      inForce("02:10 to 02:50 Europe/Berlin: x", `2026-10-25T${time}:00Z`),
    );
    expect(found).toEqual([false, true, true, true, true, false]);
  });
});

describe("a window on a day on which the clocks change holds rather too long than too short (promises 4.1)", () => {
  const NIGHTS = "cron 30 2,14 * * * for 3h Europe/Berlin: x";
  const LORD_HOWE = "Australia/Lord_Howe";
  const QUARTERS = "cron 15,45 2 * * * for 30m Europe/Berlin: x";
  test.each([
    ["a begin that is left out is at the end of the gap", NIGHTS, "2026-03-29T01:00:00Z", "2026-03-29T04:00:00.000Z"],
    ["and not before it", NIGHTS, "2026-03-29T00:59:59Z", null],
    ["the later begin of the day stays", NIGHTS, "2026-03-29T12:30:00Z", "2026-03-29T15:30:00.000Z"],
    ["a begin that comes twice holds from the first", NIGHTS, "2026-10-25T00:30:00Z", "2026-10-25T04:30:00.000Z"],
    ["until after the second", NIGHTS, "2026-10-25T04:29:59Z", "2026-10-25T04:30:00.000Z"],
    ["two begins in the gap are one", QUARTERS, "2026-03-29T01:29:59Z", "2026-03-29T01:30:00.000Z"],
    ["several begins that come twice", QUARTERS, "2026-10-25T01:50:00Z", "2026-10-25T02:15:00.000Z"],
    ["an end that is left out", "22:00 to 02:30 Europe/Berlin: x", "2026-03-29T00:30:00Z", "2026-03-29T01:00:00.000Z"],
    ["an end that comes twice", "22:00 to 02:30 Europe/Berlin: x", "2026-10-25T00:45:00Z", "2026-10-25T01:30:00.000Z"],
    [
      "a left out begin, with an end",
      "02:30 to 06:00 Europe/Berlin: x",
      "2026-03-29T01:00:00Z",
      "2026-03-29T04:00:00.000Z",
    ],
    [
      "a begin twice, with an end",
      "02:30 to 06:00 Europe/Berlin: x",
      "2026-10-25T01:10:00Z",
      "2026-10-25T05:00:00.000Z",
    ],
    ["midnight that is left out", "00:00 to 05:00 Asia/Beirut: x", "2026-03-28T22:00:00Z", "2026-03-29T02:00:00.000Z"],
    ["a day that ends at it", "Sat 08:00 to 24:00 Asia/Beirut: x", "2026-03-28T21:59:59Z", "2026-03-28T22:00:00.000Z"],
    ["half an hour left out", `02:10 to 04:00 ${LORD_HOWE}: x`, "2026-10-03T15:30:00Z", "2026-10-03T17:00:00.000Z"],
    ["half an hour twice", `23:00 to 01:45 ${LORD_HOWE}: x`, "2026-04-04T15:10:00Z", "2026-04-04T15:15:00.000Z"],
    ["every hour", "cron 0 * * * * for 1h Europe/Berlin: x", "2026-10-25T01:30:00Z", "2026-10-25T02:00:00.000Z"],
  ])("%s: %s at %s", (_what, text, now, until) => {
    expect(at(text, now).until).toBe(until);
  });
});

describe("a window by cron and duration", () => {
  const CHRISTMAS = "cron 0 16 24 12 * for 9d Europe/Berlin: Christmas";

  test("lasts so long, over the end of the year", () => {
    expect(at(CHRISTMAS, "2026-12-24T14:59:59.000Z")).toEqual({ until: null, changes: "2026-12-24T15:00:00.000Z" });
    expect(at(CHRISTMAS, "2027-01-01T00:00:00.000Z").until).toBe("2027-01-02T15:00:00.000Z");
    expect(inForce(CHRISTMAS, "2027-01-02T15:00:00.000Z")).toBe(false);
  });

  test("that begins again before its end goes on", () => {
    expect(at("cron 0 * * * * for 90m: always", "2026-03-06T09:59:00Z").until).toBe("2026-03-06T10:30:00.000Z");
  });
});

test("where windows overlap, the one that ends last says until when", () => {
  const windows = [windowOf("Fri 16:00 to Sat 08:00: one"), windowOf("Fri 20:00 to Mon 07:00: two")];
  const { held_by, changes_at } = windowsAt(windows, new Date("2026-03-06T21:00:00Z"));
  expect(held_by).toEqual({ freeze_id: null, reason: "two", until: "2026-03-09T07:00:00.000Z" });
  expect(changes_at?.toISOString()).toBe("2026-03-07T08:00:00.000Z");
  expect(windowsAt([], new Date())).toEqual({ held_by: null, changes_at: null });
});

test.each([
  ["Fri 16:00 to Mon 07:00", "must end with a colon, a space and the reason"],
  ["Fri 16:00 to Mon 07:00: ", "must end with a colon, a space and the reason"],
  ["Fri 16:00: x", "must have a begin and an end"],
  ["Fri 25:00 to Mon 07:00: x", "must have a begin and an end"],
  ["Fre 16:00 to Mon 07:00: x", "must have a begin and an end"],
  ["Fri 16:00 to Mon 07:00 Mars/Olympus: x", "must name a time zone of IANA"],
  ["Fri 16:00 to Fri 16:00: x", "must not end when it begins"],
  ["00:00 to 24:00: x", "must not end when it begins"],
  ["Mon,Tue 10:00 to Wed 10:00: x", "one day of its begin"],
  ["10:00 to Wed 10:00: x", "one day of its begin"],
  ["cron 0 25 * * * for 2h: x", "a cron expression of five fields"],
  ["cron 0 0 30 2 * for 2h: x", "names a begin that never comes"],
  ["cron 0 0 * * * for 0h: x", "must last at least a minute"],
])("%s is refused: %s", (text, fault) => {
  expect(windowIn(text, "UTC")).toEqual({ fault: expect.stringContaining(fault) });
});
