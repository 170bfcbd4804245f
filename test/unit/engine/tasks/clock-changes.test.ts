// Due times of cron expressions on days on which the clocks change. The right column was computed apart from the code: the first minute at
// which the clock of the zone shows a time of the expression, or has passed it.
import { describe, expect, test } from "vitest";
import { zoneClock } from "../../../../src/engine/tasks/wall-clock.ts";
import { dueAt, nextDue } from "../../../../src/features/schedules/due.ts";

const DUE: readonly [expression: string, timezone: string, day: string, due: string][] = [
  ["30 2 * * *", "Europe/Berlin", "2026-03-29", "29T01:00"],
  ["30 2 * * *", "Europe/Berlin", "2026-10-25", "25T00:30"],
  ["30 2,14 * * *", "Europe/Berlin", "2026-03-29", "29T01:00 29T12:30"],
  ["30 2,14 * * *", "Europe/Berlin", "2026-10-25", "25T00:30 25T13:30"],
  ["15,45 2 * * *", "Europe/Berlin", "2026-03-29", "29T01:00"],
  ["15,45 2 * * *", "Europe/Berlin", "2026-10-25", "25T00:15 25T00:45"],
  ["0,30 2,3 * * *", "Europe/Berlin", "2026-03-29", "29T01:00 29T01:30"],
  ["0,30 2,3 * * *", "Europe/Berlin", "2026-10-25", "25T00:00 25T00:30 25T02:00 25T02:30"],
  ["0 1-3 * * *", "Europe/Berlin", "2026-03-29", "29T00:00 29T01:00"],
  ["0 1-3 * * *", "Europe/Berlin", "2026-10-25", "24T23:00 25T00:00 25T02:00"],
  ["30 1-3 * * *", "Europe/Berlin", "2026-03-29", "29T00:30 29T01:00 29T01:30"],
  ["30 1-3 * * *", "Europe/Berlin", "2026-10-25", "24T23:30 25T00:30 25T02:30"],
  ["0 */6 * * *", "Europe/Berlin", "2026-03-29", "28T23:00 29T04:00 29T10:00 29T16:00"],
  ["0 */6 * * *", "Europe/Berlin", "2026-10-25", "24T22:00 25T05:00 25T11:00 25T17:00"],
  [
    "0 */2 * * *",
    "Europe/Berlin",
    "2026-03-29",
    "28T23:00 29T01:00 29T02:00 29T04:00 29T06:00 29T08:00 29T10:00 29T12:00 29T14:00 29T16:00 29T18:00 29T20:00",
  ],
  [
    "0 */2 * * *",
    "Europe/Berlin",
    "2026-10-25",
    "24T22:00 25T00:00 25T03:00 25T05:00 25T07:00 25T09:00 25T11:00 25T13:00 25T15:00 25T17:00 25T19:00 25T21:00",
  ],
  ["*/20 2 * * *", "Europe/Berlin", "2026-03-29", "29T01:00"],
  ["*/20 2 * * *", "Europe/Berlin", "2026-10-25", "25T00:00 25T00:20 25T00:40"],
  ["*/30 1-3 * * *", "Europe/Berlin", "2026-03-29", "29T00:00 29T00:30 29T01:00 29T01:30"],
  ["*/30 1-3 * * *", "Europe/Berlin", "2026-10-25", "24T23:00 24T23:30 25T00:00 25T00:30 25T02:00 25T02:30"],
  ["30 2 29 3 *", "Europe/Berlin", "2026-03-29", "29T01:00"],
  ["30 2,23 25 10 *", "Europe/Berlin", "2026-10-25", "25T00:30 25T22:30"],
  ["45 2,3 * * 0", "Europe/Berlin", "2026-03-29", "29T01:00 29T01:45"],
  ["45 2,3 * * 0", "Europe/Berlin", "2026-10-25", "25T00:45 25T02:45"],
  ["0 0,12 * * *", "Europe/Berlin", "2026-03-29", "28T23:00 29T10:00"],
  ["30 2,14 * * *", "Europe/Berlin", "2026-06-01", "01T00:30 01T12:30"],
  ["30 */4 * * *", "Europe/Berlin", "2026-03-29", "28T23:30 29T02:30 29T06:30 29T10:30 29T14:30 29T18:30"],
  ["30 2-23/12 * * *", "Europe/Berlin", "2026-10-25", "25T00:30 25T13:30"],
  [
    "30 * * * *",
    "Europe/Berlin",
    "2026-03-29",
    "28T23:30 29T00:30 29T01:30 29T02:30 29T03:30 29T04:30 29T05:30 29T06:30 29T07:30 29T08:30 29T09:30 29T10:30 29T11:30 29T12:30 29T13:30 29T14:30 29T15:30 29T16:30 29T17:30 29T18:30 29T19:30 29T20:30 29T21:30",
  ],
  [
    "30 * * * *",
    "Europe/Berlin",
    "2026-10-25",
    "24T22:30 24T23:30 25T00:30 25T01:30 25T02:30 25T03:30 25T04:30 25T05:30 25T06:30 25T07:30 25T08:30 25T09:30 25T10:30 25T11:30 25T12:30 25T13:30 25T14:30 25T15:30 25T16:30 25T17:30 25T18:30 25T19:30 25T20:30 25T21:30 25T22:30",
  ],
  ["30 2 * * *", "America/New_York", "2026-03-08", "08T07:00"],
  ["30 1 * * *", "America/New_York", "2026-11-01", "01T05:30"],
  ["30 1,2 * * *", "America/New_York", "2026-03-08", "08T06:30 08T07:00"],
  ["30 1,2 * * *", "America/New_York", "2026-11-01", "01T05:30 01T07:30"],
  ["10,50 1-3 * * *", "America/New_York", "2026-03-08", "08T06:10 08T06:50 08T07:00 08T07:10 08T07:50"],
  ["10,50 1-3 * * *", "America/New_York", "2026-11-01", "01T05:10 01T05:50 01T07:10 01T07:50 01T08:10 01T08:50"],
  ["0 2,3 * * *", "America/New_York", "2026-03-08", "08T07:00"],
  ["*/15 1 * * *", "America/New_York", "2026-11-01", "01T05:00 01T05:15 01T05:30 01T05:45"],
  ["15 2 * * *", "Australia/Lord_Howe", "2026-10-04", "03T15:30"],
  ["15 1,2 * * *", "Australia/Lord_Howe", "2026-10-04", "03T14:45 03T15:30"],
  ["0,15,45 2 * * *", "Australia/Lord_Howe", "2026-10-04", "03T15:30 03T15:45"],
  ["45 1 * * *", "Australia/Lord_Howe", "2026-04-05", "04T14:45"],
  ["0,45 1,2 * * *", "Australia/Lord_Howe", "2026-04-05", "04T14:00 04T14:45 04T15:30 04T16:15"],
  ["*/10 1 * * *", "Australia/Lord_Howe", "2026-04-05", "04T14:00 04T14:10 04T14:20 04T14:30 04T14:40 04T14:50"],
  ["30 2 * * *", "Africa/Casablanca", "2026-03-22", "22T02:00"],
  ["30 2,5 * * *", "Africa/Casablanca", "2026-03-22", "22T02:00 22T04:30"],
  ["30 2 * * *", "Africa/Casablanca", "2026-02-15", "15T01:30"],
  ["15,45 2,3 * * *", "Africa/Casablanca", "2026-02-15", "15T01:15 15T01:45 15T03:15 15T03:45"],
  ["0 0 * * *", "Asia/Beirut", "2026-03-29", "28T22:00"],
  ["30 0,12 * * *", "Asia/Beirut", "2026-03-29", "28T22:00 29T09:30"],
  ["15,45 0 * * *", "Asia/Beirut", "2026-03-29", "28T22:00"],
  ["30 23 * * *", "Asia/Beirut", "2026-10-24", "24T20:30"],
  ["15,45 23,0 * * *", "Asia/Beirut", "2026-10-24", "23T21:15 23T21:45 24T20:15 24T20:45"],
  ["0 0 * * *", "America/Sao_Paulo", "2018-11-04", "04T03:00"],
  ["30 0,1 * * *", "America/Sao_Paulo", "2018-11-04", "04T03:00 04T03:30"],
  ["30 23 * * *", "America/Sao_Paulo", "2018-02-17", "18T01:30"],
  ["0,30 22,23 * * *", "America/Sao_Paulo", "2018-02-17", "18T00:00 18T00:30 18T01:00 18T01:30"],
  ["30 2,14 * * *", "America/Sao_Paulo", "2026-10-25", "25T05:30 25T17:30"],
  ["30 2,14 * * *", "UTC", "2026-10-25", "25T02:30 25T14:30"],
  ["15,45 2 * * *", "UTC", "2026-03-29", "29T02:15 29T02:45"],
  ["30 2,14 * * *", "Asia/Kolkata", "2026-03-29", "28T21:00 29T09:00"],
  ["*/30 2,3 * * *", "Asia/Kolkata", "2026-10-25", "24T20:30 24T21:00 24T21:30 24T22:00"],
  ["30 2,3 * * *", "Antarctica/Troll", "2026-03-29", "29T01:00 29T01:30"],
  ["30 1,2 * * *", "Antarctica/Troll", "2026-10-25", "24T23:30 25T00:30"],
  ["30 0,1 * * *", "Atlantic/Azores", "2026-03-29", "29T01:00 29T01:30"],
  ["30 0 * * *", "Atlantic/Azores", "2026-10-25", "25T00:30"],
  ["0 2,3 * * *", "Pacific/Chatham", "2026-09-27", "26T13:15 26T14:00"],
];

describe("a cron expression on a day of its time zone (promises 4.1)", () => {
  test.each(DUE)("%s in %s on %s", async (cron, timezone, day, due) => {
    const when = { every: null, cron, timezone };
    const wanted = due.split(" ").map((time) => `${day.slice(0, 8)}${time}:00.000Z`);
    const clock = zoneClock(timezone);
    const [from, to] = [0, 1].map((days) => clock.first(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000));
    if (from === undefined || to === undefined) throw new Error("there is no such day");
    const found: string[] = [];
    for (let at = new Date(from.getTime() - 1); ; ) {
      const next = nextDue(when, "", at);
      if (next === null || new Date(next) >= to) break;
      found.push(next);
      at = new Date(next);
    }
    expect(found).toEqual(wanted);
    const last = new Date(to.getTime() - 1);
    expect(await dueAt(when, found[0] ?? "", last)).toMatchObject({ due: found.at(-1), missed: found.length - 1 });
  });

  test("whose day is left out is due when the next one begins", () => {
    const when = { every: null, cron: "0 12 30 * *", timezone: "Pacific/Apia" };
    expect(nextDue(when, "", new Date("2011-12-29T00:00:00Z"))).toBe("2011-12-30T10:00:00.000Z");
  });

  test.each([
    ["30 2,14 25 * *", "2026-10-25T00:59:30Z"],
    ["30 2,14 * * *", "2026-10-25T00:30:00Z"],
    ["30 2,14 * * *", "2026-10-25T01:29:59Z"],
    ["30 2,14 * * *", "2026-10-25T01:31:00Z"],
  ])("%s is not due a second time after %s", (cron, at) => {
    const when = { every: null, cron, timezone: "Europe/Berlin" };
    expect(nextDue(when, "", new Date(at))).toBe("2026-10-25T13:30:00.000Z");
  });

  test("after an outage of more than 2,000 due times the newest is right, also in the hour that comes twice", async () => {
    const when = { every: null, cron: "*/1 2,3,4,5,6,7,8,9,10,11,12 * * *", timezone: "Europe/Berlin" };
    const found = await dueAt(when, "2026-10-20T00:00:00.000Z", new Date("2026-10-25T01:10:30Z"));
    expect(found).toMatchObject({ due: "2026-10-25T00:59:00.000Z", next_due: "2026-10-25T02:00:00.000Z" });
  });
});
