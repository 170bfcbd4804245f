// The server is killed at the commits of a set back, and in the nodes and at the commits that follow until its version is approved
// again (D-294). At each moment the version is in use without an approval, or a candidate with exactly one.
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Approval } from "../../../src/domain/approval.ts";
import type { Sop } from "../../../src/domain/sop.ts";
import { check, cmd, contractBody } from "../../support/builders.ts";
import { type Keeper, ServerLost } from "./keeper.ts";
import { close, open } from "./lane.ts";
import { scenario } from "./scenarios.ts";
import { establish, good, untilEnd, versionsOf } from "./supervisor.ts";

const INTENT = "restart";
const STEPS = [cmd("true"), check("test -d /")];
const PATIENCE_MS = 60_000;

const targetOf = (name: string) => ({ service: name });
const keyOf = (name: string) => ({ intent: INTENT, target_signature: `service=${name}` });

/** Asks again after a lost server. */
async function insist<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof ServerLost)) throw error;
    }
  }
}

async function versionOf(keeper: Keeper, name: string): Promise<Sop> {
  const [sop] = await insist(() => versionsOf(keeper, keyOf(name)));
  if (sop === undefined) throw new Error(`there is no version of ${name}`);
  return sop;
}

async function approvalsOf(keeper: Keeper, name: string): Promise<Approval[]> {
  const listed = await insist(() => keeper.get("/v1/approvals?status=pending&limit=500"));
  const { items } = good(await insist(() => keeper.get("/v1/inbox?limit=500")));
  const { approvals }: { approvals: Approval[] } = good(listed);
  const own = approvals.filter(({ content }) => content.target_signature === `service=${name}`);
  const shown = items.filter((item: { target_signature: string }) => item.target_signature === `service=${name}`);
  if (shown.length > 1) throw new Error(`the inbox has ${shown.length} approvals of ${name}`);
  return own;
}

type Moment = { readonly sop: Sop; readonly pending: readonly Approval[] };

/** Approvals that are being prepared are not listed, so a candidate may show none for a moment. */
async function look(keeper: Keeper, name: string, findings: string[]): Promise<Moment> {
  const before = await versionOf(keeper, name);
  const pending = await approvalsOf(keeper, name);
  const sop = await versionOf(keeper, name);
  const isStill = before.status === sop.status && before.promotion_round === sop.promotion_round;
  if (isStill && pending.length > (sop.status === "candidate" ? 1 : 0))
    findings.push(`${name} is ${sop.status} with ${pending.length} approvals`);
  return { sop, pending };
}

async function until(keeper: Keeper, name: string, findings: string[], isIt: (moment: Moment) => boolean) {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(20)) {
    const moment = await look(keeper, name, findings);
    if (isIt(moment)) return moment;
  }
  throw new Error(`${name} does not come to an end`);
}

async function messagesOf(keeper: Keeper, sop_id: string): Promise<number> {
  let count = 0;
  for (let after = 0; ; ) {
    const page = good(await insist(() => keeper.get(`/v1/messages?after=${after}&limit=500`)));
    if (page.messages.length === 0) return count;
    count += page.messages.filter(
      ({ thread_id, outcome }: { thread_id: string; outcome: { reason_code: string } }) =>
        thread_id.includes(sop_id) && outcome.reason_code === "sop_set_back",
    ).length;
    after = page.next_cursor;
  }
}

const runOf = (name: string) =>
  scenario({
    name: "run",
    contract: (task_id) =>
      contractBody({
        task_id,
        intent: INTENT,
        target: targetOf(name),
        delegation_mode: "known_only",
        success_criteria: [],
      }),
    steps: STEPS,
    runs: [],
  });

/** From a run that was found wrong to the approval. Resolves with everything that is wrong. */
async function life(keeper: Keeper, name: string, point: string): Promise<string[]> {
  const findings: string[] = [];
  await establish(keeper, { intent: INTENT, target: targetOf(name), steps: STEPS });
  const task_id = `${name}-run`;
  await untilEnd(keeper, runOf(name), task_id);
  const { sop_id } = await versionOf(keeper, name);
  keeper.order(point);
  const body = { verified: false, source: "the page" };
  good(await insist(() => keeper.post(`/v1/tasks/${task_id}/verification`, body)));
  const isAsked = ({ sop, pending }: Moment) => sop.status === "candidate" && pending.length === 1;
  const { sop, pending } = await until(keeper, name, findings, isAsked);
  const [asked] = pending;
  if (sop.promotion_round !== 2) findings.push(`${name} is set back ${sop.promotion_round - 1} times`);
  const decision = { decision: "approve", approval_id: asked?.approval_id };
  good(await insist(() => keeper.post("/v1/approve", decision)));
  const { sop: again } = await until(keeper, name, findings, (moment) => moment.sop.status === "active");
  if (again.record_since === null) findings.push(`${name} has no new record`);
  const said = await messagesOf(keeper, sop_id);
  if (said !== 1) findings.push(`${name} was said to be set back ${said} times`);
  // The fold of its last event ends before the next one begins.
  await sleep(1_500);
  return [...findings, ...((await look(keeper, name, [])).sop.status === "active" ? [] : [`${name} is not in use`])];
}

/** Those of the set back and of its promotion; the others are of every promotion. */
const isOwn = (point: string): boolean =>
  /node:|sop_set_back|task_scored|duty_done|verification|decided|sop_changed/.test(point);

test("killed at any point of a set back, the server has the version in use without an approval, or as a candidate with one", async ({
  annotate,
}) => {
  await using lane = await open({ BEFORE_LOOK: "off", CHECK_LOOKS: "off", KILL_SCORES: "on" }, async () => undefined);
  const { keeper, findings } = lane;
  keeper.takePoints();
  findings.push(...(await life(keeper, "undisturbed", "none")));
  const passed = keeper.takePoints();
  const points = passed.slice(passed.findIndex((point) => point.includes("verification_recorded"))).filter(isOwn);
  for (const [nth, point] of points.entries()) {
    const found = await life(keeper, `killed-${nth}`, point).catch((error: unknown) => [String(error)]);
    findings.push(...found.map((finding) => `${point}: ${finding}`));
    keeper.withdraw();
  }
  await close(lane);
  await annotate(`${keeper.kills()} kills at ${points.join(", ")}`);
  expect(findings).toEqual([]);
  expect(points.filter((point) => point.includes("sop_set_back"))).toHaveLength(2);
  expect(keeper.kills()).toBeGreaterThanOrEqual(points.length * 0.8);
}, 900_000);
