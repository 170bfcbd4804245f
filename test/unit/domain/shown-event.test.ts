// What people are shown of an event, in the terminal and in the browser.
import { expect, test } from "vitest";
import { createShownEvents } from "../../../src/domain/shown-event.ts";
import { journalOf } from "../../support/builders.ts";

const show = () => createShownEvents({ program: "orch", wasShown: () => false, linesOf: () => [] });

test("one line, of which a terminal would obey nothing", () => {
  const name = "first\nsecond \u001b[2J";
  const [event] = journalOf({ kind: "skill_step_started", body: { index: 0, attempt: 1, name } });
  if (event === undefined) throw new Error("there is one event");
  expect(show()(event)).toMatchObject({ seq: 1, about: "skill step", text: "first  second \\x1b[2J ..." });
});

test("an event of another version is its JSON, and begins and ends nothing", () => {
  const [event] = journalOf({ kind: "retry_granted", body: { index: 0 } });
  if (event === undefined) throw new Error("there is one event");
  expect(show()({ ...event, kind: "new_kind" })).toEqual({ seq: 1, about: "new_kind", text: '{"index":0}' });
  expect(show()({ ...event, kind: "step_started", body: "x".repeat(500) }).text).toHaveLength(200);
});
