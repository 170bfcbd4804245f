// Versions that are promoted with a proof and run on trial: one that its first run proves, one that another has overtaken, one whose
// first run fails, and a replacement whose first run ends without a proof, which asks to be kept (D-413). The last two leave the version
// before them active.
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { targetSignature } from "../../../src/domain/contract.ts";
import type { Sop } from "../../../src/domain/sop.ts";
import type { Step } from "../../../src/domain/step.ts";
import { check, cmd, contractBody } from "../../support/builders.ts";
import type { Keeper } from "./keeper.ts";
import { type Scenario, scenario } from "./scenarios.ts";
import { good, seeThrough, settledSop, untilEnd, versionsOf } from "./supervisor.ts";

const INTENT = "restart";
const HONEST = check("grep -q done release.txt");
const FAILING = check("grep -q never release.txt");
const VACUOUS = check("! ls nothing-of-the-kind | grep -q x");

/** `root` has a directory for each target. */
export function versionScenarios(root: string) {
  const targetOf = (name: string) => ({ service: name, compose_dir: join(root, name) });
  const keyOf = (name: string) => ({ intent: INTENT, target_signature: targetSignature(targetOf(name)) });
  const SHOP = "shop";

  const runOn = (name: string) => (task_id: string) =>
    contractBody({
      task_id,
      intent: INTENT,
      target: targetOf(name),
      delegation_mode: "known_only",
      success_criteria: [],
    });
  const stepsOf = (label: string, end: Step) => [
    cmd(`echo x >> "$HOME/$ORCH_TASK_ID.step-0"; echo done > release.txt # ${label}`),
    end,
  ];
  const isOf =
    (label: string) =>
    ({ steps: [first] }: Sop): boolean =>
      first?.kind === "cmd" && first.value.endsWith(`# ${label}`);

  async function taught(keeper: Keeper, name: string, label: string, end: Step): Promise<void> {
    if ((await versionsOf(keeper, keyOf(name))).some(isOf(label))) return;
    await mkdir(join(root, name), { recursive: true });
    await rm(join(root, name, "release.txt"), { force: true });
    good(await keeper.post("/v1/teach", { intent: INTENT, target: targetOf(name), steps: stepsOf(label, end) }));
  }
  const approved = (keeper: Keeper, name: string, label: string) =>
    settledSop(keeper, keyOf(name), { isIts: isOf(label), decision: "approve" });

  async function promoted(keeper: Keeper, name: string, label: string, end: Step): Promise<void> {
    await taught(keeper, name, label, end);
    await approved(keeper, name, label);
  }

  const proving: Scenario = scenario({
    name: "proving",
    contract: (task_id) => runOn(task_id)(task_id),
    steps: stepsOf("", HONEST),
    runs: [1],
    prepare: (keeper, task_id) => promoted(keeper, task_id, task_id, HONEST),
    findings: async (keeper, task_id) => [
      ...expected("versions", (await versionsOf(keeper, keyOf(task_id))).map(shown), ["1 active proved 0"]),
      ...(await messageFindings(keeper, task_id, 0)),
    ],
  });

  /** Another version has come into use when its promotion is approved, so it is asked for again. */
  const overtaken: Scenario = scenario({
    ...proving,
    name: "overtaken",
    prepare: async (keeper, task_id) => {
      const labels = [`${task_id}-1`, `${task_id}-2`];
      for (const label of labels) await taught(keeper, task_id, label, HONEST);
      for (const label of labels) await approved(keeper, task_id, label);
    },
    findings: async (keeper, task_id) => [
      ...expected("versions", (await versionsOf(keeper, keyOf(task_id))).map(shown), [
        "2 active proved 0",
        "1 deprecated tried 1",
      ]),
      ...(await messageFindings(keeper, task_id, 0)),
    ],
  });

  /** The version of the trial is no more in use, and the first one is active again. */
  const givenBack = async (keeper: Keeper, task_id: string, left: string): Promise<string[]> => {
    const versions = await versionsOf(keeper, keyOf(SHOP));
    const own = versions.filter(isOf(task_id));
    const numbers = versions.map(({ version }) => version).toSorted((a, b) => a - b);
    return [
      ...expected("versions of its own", own.map(shown), [`${own[0]?.version} ${left}`]),
      ...expected("active versions", versions.filter(({ status }) => status === "active").map(shown), [
        "1 active proved 0",
      ]),
      ...expected(
        "numbers",
        numbers,
        numbers.map((_, position) => position + 1),
      ),
      ...(await messageFindings(keeper, task_id, 1)),
    ];
  };

  const failing: Scenario = scenario({
    name: "trial-failing",
    contract: runOn(SHOP),
    steps: stepsOf("", FAILING),
    runs: [1],
    ends: { status: "failed", reason_code: "check_failed" },
    prepare: (keeper, task_id) => promoted(keeper, SHOP, task_id, FAILING),
    findings: (keeper, task_id) => givenBack(keeper, task_id, "deprecated tried 1"),
  });

  const replacing = (task_id: string): Scenario =>
    scenario({
      name: "replacing",
      contract: (id) =>
        contractBody({
          task_id: id,
          intent: "update_sop",
          target: {},
          payload: { intent: INTENT, target: targetOf(SHOP), steps: stepsOf(task_id, VACUOUS) },
        }),
      steps: [],
      runs: [],
    });

  const unproved: Scenario = scenario({
    name: "trial-unproved",
    contract: runOn(SHOP),
    steps: stepsOf("", VACUOUS),
    runs: [1],
    prepare: async (keeper, task_id) => void (await untilEnd(keeper, replacing(task_id), `${task_id}-update`)),
    findings: async (keeper, task_id) => {
      const found = await givenBack(keeper, task_id, "candidate tried 0");
      const [own] = (await versionsOf(keeper, keyOf(SHOP))).filter(isOf(task_id));
      return own !== undefined && (await isAsked(keeper, `promotion/${own.sop_id}/2`))
        ? found
        : [...found, "it is not asked for"];
    },
  });

  return {
    scenarios: [proving, overtaken, failing, unproved],
    /** The version that is given back. */
    learnShop: async (keeper: Keeper) => {
      const first = { ...proving, contract: runOn(SHOP) };
      const prepare = () => promoted(keeper, SHOP, "first", HONEST);
      await seeThrough(keeper, { ...first, prepare }, "first");
    },
  };
}

/** Its checks are looked at first. */
async function isAsked(keeper: Keeper, thread_id: string): Promise<boolean> {
  for (let tries = 0; tries < 1_000; tries += 1) {
    const query = `status=pending&thread_id=${encodeURIComponent(thread_id)}`;
    if (good(await keeper.get(`/v1/approvals?${query}`)).approvals.length > 0) return true;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return false;
}

const shown = ({ version, status, level, trial_left }: Sop): string => `${version} ${status} ${level} ${trial_left}`;

const expected = (what: string, is: readonly unknown[], should: readonly unknown[]): string[] =>
  JSON.stringify(is) === JSON.stringify(should)
    ? []
    : [`the ${what} are ${JSON.stringify(is)} and not ${JSON.stringify(should)}`];

type Messages = {
  readonly messages: readonly { readonly thread_id: string; readonly outcome: { readonly reason_code: string } }[];
  readonly next_cursor: number;
};

async function messageFindings(keeper: Keeper, task_id: string, wanted: number): Promise<string[]> {
  const codes: string[] = [];
  for (let after = 0; ; ) {
    const { messages, next_cursor }: Messages = good(await keeper.get(`/v1/messages?after=${after}&limit=500`));
    if (messages.length === 0) break;
    const own = messages.filter(({ thread_id }) => thread_id === task_id);
    codes.push(...own.map(({ outcome }) => outcome.reason_code));
    after = next_cursor;
  }
  const sent = codes.filter((code) => code === "sop_trial_failed").length;
  return sent === wanted ? [] : [`sop_trial_failed was sent ${sent} times and not ${wanted} times`];
}
