// What a page on one server hears of what another one commits (D-339): messages and what follows from them at once, and that a task
// has begun with the next look.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { FeedEvent } from "../../../../src/domain/change.ts";
import { type Engine, openEngine } from "../../../support/engine.ts";
import { postgres } from "../../../support/postgres.ts";

const server = postgres();

describe.skipIf(server === null)("a page of one of two servers", () => {
  let here: Engine;
  let there: Engine;
  beforeAll(async () => {
    const env = { DATABASE_URL: (await server?.createDatabase()) ?? "" };
    here = await openEngine({ env });
    there = await openEngine({ env });
  });
  afterAll(async () => {
    await here?.[Symbol.asyncDispose]();
    await there?.[Symbol.asyncDispose]();
    await server?.stop();
  });

  test("hears of what the other has committed, and each message once", async () => {
    const heard: FeedEvent[] = [];
    const listener = (event: FeedEvent) => void heard.push(event);
    const from = await here.feed.listen(listener);
    await there.run("elsewhere");
    const reports = () => heard.flatMap((event) => (event.event === "report" ? [event.message.cursor] : []));
    await expect.poll(reports, { timeout: 10_000 }).toHaveLength(1);
    const { messages } = await here.call("list_messages", { after: from });
    expect(reports()).toEqual(messages.map(({ cursor }: { cursor: number }) => cursor));
    expect(heard).toContainEqual({ event: "task", data: { task_id: "elsewhere", status: null } });
    await here.run("own");
    await expect.poll(reports, { timeout: 10_000 }).toHaveLength(2);
    expect(heard).toContainEqual({ event: "task", data: { task_id: "own", status: "running" } });
    const looked = { event: "task", data: { task_id: "elsewhere", status: "need_input" } };
    await expect.poll(() => heard, { timeout: 10_000 }).toContainEqual(looked);
    here.feed.leave(listener);
  });
});
