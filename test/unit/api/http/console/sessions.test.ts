// Sessions of the console: what opens them, and what ends them.
import { describe, expect, test } from "vitest";
import { createSessions, SESSION_MS } from "../../../../../src/api/http/caller.ts";
import { createLinks } from "../../../../../src/api/http/console/login.ts";

const SUPERVISOR = { token_id: "supervisor", scopes: new Set(["read", "submit", "teach"] as const), name: "ada" };

function opened() {
  let now = Date.parse("2026-01-01T00:00:00Z");
  const sessions = createSessions(() => new Date(now));
  const open = (token_id = SUPERVISOR.token_id) => {
    const { cookie, key } = sessions.open({ ...SUPERVISOR, token_id });
    return { cookie, key };
  };
  return { sessions, open, pass: (ms: number) => (now += ms) };
}

describe("a session", () => {
  test("is that of its token and its human", () => {
    const { sessions, open } = opened();
    expect(sessions.find(open())).toMatchObject(SUPERVISOR);
  });

  test("has 256 random bits in each part", () => {
    const { open } = opened();
    const { cookie, key } = open();
    for (const part of [cookie, key]) expect(Buffer.from(part, "base64url")).toHaveLength(32);
    expect(cookie).not.toBe(key);
  });

  test("ends twelve hours after its login, whether it is used or not", () => {
    const { sessions, open, pass } = opened();
    const one = open();
    pass(SESSION_MS - 1);
    expect(sessions.find(one)).not.toBeNull();
    pass(1);
    expect(sessions.find(one)).toBeNull();
    expect(sessions.show(one)).toBeNull();
  });

  test("ends what reads with it when it is closed", () => {
    const { sessions, open } = opened();
    const one = open();
    const ended = sessions.find(one)?.ended;
    expect(ended?.aborted).toBe(false);
    sessions.close(one);
    expect([sessions.find(one), ended?.aborted]).toEqual([null, true]);
  });

  test("is not closed by who has only its cookie", () => {
    const { sessions, open } = opened();
    const one = open();
    sessions.close({ cookie: one.cookie, key: "guessed" });
    expect(sessions.find(one)).not.toBeNull();
  });

  test("that was unused for longest gives way where there are too many", () => {
    const { sessions, open } = opened();
    const [first, second] = [open(), open()];
    sessions.find(first);
    for (let count = 2; count < 100; count += 1) open();
    expect(sessions.find(second)).not.toBeNull();
    sessions.find(first);
    open();
    open();
    expect([sessions.find(first), sessions.find(second)].map((found) => found !== null)).toEqual([true, true]);
    for (let count = 0; count < 100; count += 1) open();
    expect(sessions.find(first)).toBeNull();
  });

  test("does not give way to those of another token, however often that logs in", () => {
    const { sessions, open } = opened();
    const other = open("approver");
    const first = open();
    for (let count = 0; count < 100; count += 1) open();
    expect([sessions.find(other), sessions.find(first)].map((found) => found !== null)).toEqual([true, false]);
  });

  test("gives way where it has expired before one that lasts does", () => {
    const { sessions, open, pass } = opened();
    for (let count = 1; count < 100; count += 1) open();
    pass(SESSION_MS / 2);
    const later = open();
    pass(SESSION_MS / 2);
    open();
    expect(sessions.find(later)).not.toBeNull();
  });
});

describe("the right to approve", () => {
  test("lasts ten minutes, and is that of the approver's token", () => {
    const { sessions, open, pass } = opened();
    const one = open();
    expect(sessions.find(one)?.scopes.has("approve")).toBe(false);
    sessions.stepUp(one, "approver");
    pass(10 * 60_000 - 1);
    expect(sessions.find(one)).toMatchObject({ token_id: "supervisor", approves_as: "approver" });
    expect(sessions.find(one)?.scopes.has("approve")).toBe(true);
    expect(sessions.show(one)?.approve_until).toBe("2026-01-01T00:10:00.000Z");
    pass(1);
    expect(sessions.find(one)?.scopes.has("approve")).toBe(false);
    expect(sessions.find(one)?.approves_as).toBeUndefined();
    expect(sessions.show(one)?.approve_until).toBeNull();
  });

  test("is of one session only", () => {
    const { sessions, open } = opened();
    const [one, other] = [open(), open()];
    sessions.stepUp(one, "approver");
    expect(sessions.find(other)?.scopes.has("approve")).toBe(false);
  });
});

describe("a link", () => {
  const made = () => {
    let now = Date.parse("2026-01-01T00:00:00Z");
    const links = createLinks(() => new Date(now));
    return { links, pass: (ms: number) => (now += ms) };
  };

  test("has 128 random bits, and is of use once", () => {
    const { links } = made();
    const { link } = links.make(SUPERVISOR);
    expect(Buffer.from(link, "base64url")).toHaveLength(16);
    expect(links.use(link)).toMatchObject(SUPERVISOR);
    expect(links.use(link)).toBeNull();
  });

  test("is void after a minute", () => {
    const { links, pass } = made();
    const [early, late] = [links.make(SUPERVISOR), links.make(SUPERVISOR)];
    pass(60_000 - 1);
    expect(links.use(early.link)).not.toBeNull();
    pass(1);
    expect(links.use(late.link)).toBeNull();
  });

  test("is void after a hundred later ones of its token", () => {
    const { links } = made();
    const [own, other] = [links.make(SUPERVISOR), links.make({ ...SUPERVISOR, token_id: "approver" })];
    for (let count = 0; count < 100; count += 1) links.make(SUPERVISOR);
    expect([links.use(own.link), links.use(other.link)?.token_id]).toEqual([null, "approver"]);
  });
});
