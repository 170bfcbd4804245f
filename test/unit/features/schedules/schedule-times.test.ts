// When schedules are due: intervals do not drift, cron expressions follow the clocks of their time zone, and outages are counted.
import { describe, expect, test } from "vitest";
import { dueAt, nextDue, whenIssues } from "../../../../src/features/schedules/due.ts";
import {
  contractAt,
  intervalMs,
  ScheduledContract,
  scheduledTaskId,
} from "../../../../src/features/schedules/schedule.ts";
import { AT, contractBody } from "../../../support/builders.ts";

const every = (text: string) => ({ every: text, cron: null, timezone: null });
const cron = (text: string, timezone = "Europe/Berlin") => ({ every: null, cron: text, timezone });
const at = (text: string) => new Date(text);

describe("an interval", () => {
  test.each([
    ["10s", 10_000],
    ["5m", 300_000],
    ["1d", 86_400_000],
    ["9s", null],
    ["0m", null],
    ["367d", null],
    ["5", null],
    ["1.5h", null],
  ])("%s is %s ms", (text, ms) => expect(intervalMs(text)).toBe(ms));

  test("counts from when its schedule was added, in whole seconds", () => {
    const since = "2026-03-06T09:00:00.700Z";
    expect(nextDue(every("1m"), since, at(since))).toBe("2026-03-06T09:01:00.000Z");
    expect(nextDue(every("1m"), since, at("2026-03-06T09:01:00.000Z"))).toBe("2026-03-06T09:02:00.000Z");
    expect(nextDue(every("1m"), since, at("2026-03-06T12:34:56.789Z"))).toBe("2026-03-06T12:35:00.000Z");
  });

  test("that was not looked at for a week has one due time, and the number of those before it", async () => {
    const first = "2026-03-06T09:05:00.000Z";
    expect(await dueAt(every("5m"), first, at("2026-03-13T09:07:00.000Z"))).toEqual({
      due: "2026-03-13T09:05:00.000Z",
      missed: 7 * 24 * 12,
      next_due: "2026-03-13T09:10:00.000Z",
    });
    expect(await dueAt(every("5m"), first, at(first))).toMatchObject({ due: first, missed: 0 });
  });
});

describe("a cron expression", () => {
  const runs = (text: string, from: string, count: number, timezone?: string) => {
    const found: (string | null)[] = [];
    for (let last: string | null = from; last !== null && found.length < count; found.push(last))
      last = nextDue(cron(text, timezone), AT, at(last));
    return found;
  };

  test("whose time is left out in spring is due at the end of the gap", () => {
    expect(runs("30 2 * * *", "2026-03-28T00:00:00.000Z", 3)).toEqual([
      "2026-03-28T01:30:00.000Z",
      "2026-03-29T01:00:00.000Z",
      "2026-03-30T00:30:00.000Z",
    ]);
  });

  test("whose time comes twice in autumn is due once", () => {
    expect(runs("30 2 * * *", "2026-10-24T12:00:00.000Z", 2)).toEqual([
      "2026-10-25T00:30:00.000Z",
      "2026-10-26T01:30:00.000Z",
    ]);
  });

  test("that names minutes goes on in each hour of a change", () => {
    const around = runs("*/30 * * * *", "2026-10-24T23:30:00.000Z", 6);
    expect(around.map((one) => one?.slice(11, 16))).toEqual(["00:00", "00:30", "01:00", "01:30", "02:00", "02:30"]);
  });

  test("that was not looked at for a week is due once, with the number of missed times", async () => {
    const first = "2026-03-06T02:00:00.000Z";
    expect(await dueAt(cron("0 3 * * *"), first, at("2026-03-13T12:00:00.000Z"))).toEqual({
      due: "2026-03-13T02:00:00.000Z",
      missed: 7,
      next_due: "2026-03-14T02:00:00.000Z",
    });
  });

  test("is counted up to 2,000 times, and its newest due time is right all the same", async () => {
    const found = await dueAt(cron("* * * * *", "UTC"), "2026-03-06T09:00:00.000Z", at("2026-03-09T09:00:30.000Z"));
    expect(found).toEqual({
      due: "2026-03-09T09:00:00.000Z",
      missed: 2_000,
      next_due: "2026-03-09T09:01:00.000Z",
    });
  });
});

describe("what is wrong with a time", () => {
  test.each([
    [{ every: null, cron: null, timezone: null }, "every", "is required"],
    [{ every: "5m", cron: "0 3 * * *", timezone: null }, "cron", "cannot be given with every"],
    [{ every: "5m", cron: null, timezone: "UTC" }, "timezone", "leave it out"],
    [cron("0 3 * * *", "Mars/X"), "timezone", "must be a time zone"],
    [cron("61 * * * *"), "cron", "Invalid value for minute"],
    [cron("2026-01-01T00:00:00"), "cron", "must be five fields"],
    [cron("* * * *"), "cron", "must be five fields"],
    [cron("0 0 30 2 *"), "cron", "never comes"],
    [cron("* * * * * *"), "cron", "more often than every 10 s"],
  ])("%j is named by its field", (when, path, message) => {
    expect(whenIssues(when, at(AT))).toEqual([{ path, message: expect.stringContaining(message) }]);
  });

  test.each([every("10s"), cron("0 3 * * 1-5"), cron("*/10 * * * * *"), cron("@daily", "UTC")])(
    "%j is none",
    (when) => {
      expect(whenIssues(when, at(AT))).toEqual([]);
    },
  );
});

describe("the task of a due time", () => {
  const { task_id: _task_id, requested_at: _requested_at, requested_by: _requested_by, ...contract } = contractBody();

  test("has an id and a time that follow from it", () => {
    const due = "2026-03-06T09:00:00.000Z";
    expect(scheduledTaskId("web-up", due)).toBe("web-up-20260306T090000Z");
    expect(contractAt({ name: "web-up", contract: ScheduledContract.parse(contract) }, due)).toMatchObject({
      task_id: "web-up-20260306T090000Z",
      requested_at: due,
      requested_by: "schedule web-up",
    });
  });

  test("is not named by the contract of the schedule", () => {
    const { error } = ScheduledContract.safeParse({ ...contract, task_id: "t-1", requested_at: AT });
    expect(error?.issues.map(({ path }) => path.join("."))).toEqual(["task_id", "requested_at"]);
  });
});
