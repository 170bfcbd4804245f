// Shares what the tests of first runs need: the versions of a target, a proved version, and the return of a version.
import { expect } from "vitest";
import { verifyBundle } from "../../src/engine/evidence/verify/bundle.ts";
import { check, cmd } from "./builders.ts";
import { missed, mutants, mutatedEntries } from "./bundle-mutants.ts";
import type { LookingEngine, Target } from "./looking-engine.ts";

export const REACH = cmd("echo 'version 2' > release.txt");
export const HONEST = check('grep -q "version 2" release.txt');
export const VACUOUS = check("! ls nothing-of-the-kind | grep -q x");

/** A target whose version 1 is active and was proved by a run. */
export async function withProved(engine: LookingEngine, name: string) {
  const target = await engine.aTarget();
  const first = await engine.promoted(target, [REACH, HONEST]);
  await engine.ran(`${name}-first`, target);
  return { target, first };
}

/** The versions of a target, newest first. */
export async function versionsOn(engine: LookingEngine, { service }: Target): Promise<string[]> {
  const { sops } = await engine.call("list_sops", { limit: 500 });
  return sops
    .filter(({ target }: { target: Target }) => target.service === service)
    .map(
      ({ version, status, level, trial_left }: Record<string, unknown>) =>
        `${version} ${status} ${level} ${trial_left}`,
    );
}

export const bundleOf = async (engine: LookingEngine, task_id: string) =>
  JSON.parse(JSON.stringify(await engine.call("get_evidence", { task_id })));

type GivenBack = {
  readonly task: { readonly outcome: { readonly message: string; readonly reason_code: string } };
  readonly sentence: string;
};

/** One message says it, and the evidence holds. */
export async function expectGivenBack(engine: LookingEngine, name: string, { task, sentence }: GivenBack) {
  expect(task.outcome.message).toContain(sentence);
  const messages = await engine.messagesOf(name);
  const codes = ["approval_required", "sop_trial_failed", task.outcome.reason_code];
  expect(messages.map(({ outcome }) => outcome.reason_code)).toEqual(codes);
  expect(messages[1]?.outcome.message).toContain(`task ${name}. ${sentence}`);
  const bundle = await bundleOf(engine, name);
  expect(verifyBundle(bundle)).toMatchObject({ faults: [] });
  expect(missed(mutants(bundle))).toEqual([]);
  expect(missed(mutatedEntries(bundle))).toEqual([]);
}
