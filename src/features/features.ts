// Lists what a server and its doctor take from the features. Agents, skills and live output are composed by name (src/app), and traces are
// opened before a server is there (src/app/start.ts).

import type { OperationDeps } from "../api/operations/deps.ts";
import type { OperationRules } from "../api/operations/operation.ts";
import { APPROVAL_HANDLERS } from "./approvals/operations.ts";
import {
  type Feature,
  type FeatureServer,
  type FeatureWork,
  feature,
  type RunningServer,
  storeFor,
} from "./feature.ts";
import { examineFreezes } from "./freeze/doctor.ts";
import { FREEZE_EVENTS } from "./freeze/events.ts";
import { FREEZE_HANDLERS } from "./freeze/operations.ts";
import { createFreezeHolds } from "./freeze/windows.ts";
import { KEEPING_EVENTS } from "./keeping/events.ts";
import { KEEPING_HANDLERS, startKeeping } from "./keeping/keeping.ts";
import { PROCEDURE_HANDLERS, PROCEDURE_RULES } from "./procedures/operations.ts";
import { PROOF_HANDLERS } from "./proof/operations.ts";
import { SCHEDULE_EVENTS } from "./schedules/events.ts";
import { SCHEDULE_HANDLERS, SCHEDULE_RULES } from "./schedules/operations.ts";
import { startSchedules } from "./schedules/scheduler.ts";
import { SCORECARD_HANDLERS } from "./scorecard/operations.ts";
import { SERVER_HANDLERS } from "./servers/operations.ts";
import { VERIFICATION_EVENTS } from "./verification/events.ts";
import { startVerification, VERIFICATION_HANDLERS } from "./verification/verifications.ts";
import { startWebhook } from "./webhook/webhook.ts";

/** The kinds that a feature defines. */
const kindsOf = <Kind extends string>(events: { readonly [K in Kind]: unknown }) => Object.keys(events) as Kind[];

const procedures = feature({
  name: "procedures",
  handlers: PROCEDURE_HANDLERS,
  rules: PROCEDURE_RULES,
  commits: { events: ["taught", "sop_changed"], changes: ["task", "sop", "sop_created"] },
});
const proof = feature({
  name: "proof",
  handlers: PROOF_HANDLERS,
  commits: { changes: ["sop"] },
});
const approvals = feature({
  name: "approvals",
  handlers: APPROVAL_HANDLERS,
  commits: { events: ["approval_decided"], changes: ["approval", "task"] },
});
const webhook = feature({
  name: "webhook",
  start: startWebhook,
  commits: { changes: ["delivered"] },
});
const verification = feature({
  name: "verification",
  handlers: VERIFICATION_HANDLERS,
  start: startVerification,
  commits: { events: kindsOf(VERIFICATION_EVENTS), changes: ["task"] },
});
const schedules = feature({
  name: "schedules",
  handlers: SCHEDULE_HANDLERS,
  rules: SCHEDULE_RULES,
  start: startSchedules,
  commits: {
    events: kindsOf(SCHEDULE_EVENTS),
    changes: ["schedule_created", "schedule", "schedule_deleted"],
  },
});
const freeze = feature({
  name: "freeze",
  handlers: FREEZE_HANDLERS,
  commits: { events: kindsOf(FREEZE_EVENTS), changes: ["freeze_created", "freeze_thawed"] },
  doctor: { name: "freezes", examine: examineFreezes },
});
const keeping = feature({
  name: "keeping",
  handlers: KEEPING_HANDLERS,
  start: startKeeping,
  commits: { events: kindsOf(KEEPING_EVENTS), changes: ["anchor_leaves", "duty_done", "task_archived"] },
});
const servers = feature({
  name: "servers",
  handlers: SERVER_HANDLERS,
});
const scorecard = feature({
  name: "scorecard",
  handlers: SCORECARD_HANDLERS,
});

export const FEATURES: readonly Feature[] = [
  procedures,
  proof,
  approvals,
  webhook,
  verification,
  schedules,
  freeze,
  keeping,
  servers,
  scorecard,
];

/** Each bound to its shape, so that a shape without a handler does not compile; and with the store of its feature. */
export const FEATURE_HANDLERS = {
  ...handlersOf(procedures),
  ...handlersOf(proof),
  ...handlersOf(approvals),
  ...handlersOf(verification),
  ...handlersOf(schedules),
  ...handlersOf(freeze),
  ...handlersOf(keeping),
  ...handlersOf(servers),
  ...handlersOf(scorecard),
};

function handlersOf<F extends Required<Pick<Feature, "handlers">> & Feature>(one: F): F["handlers"] {
  const bounded = Object.entries(one.handlers).map(([name, handle]) => [
    name,
    (deps: OperationDeps) => handle(depsFor(one, deps)),
  ]);
  return Object.fromEntries(bounded) as F["handlers"];
}

/** What the schemas of their operations do not say. */
export const FEATURE_RULES: OperationRules = Object.fromEntries(
  FEATURES.flatMap((one) =>
    Object.entries(one.rules ?? {}).map(([name, rule]) => [name, (deps: OperationDeps) => rule(depsFor(one, deps))]),
  ),
);

const depsFor = (one: Feature, deps: OperationDeps): OperationDeps => ({ ...deps, store: storeFor(one, deps.store) });

/** What may keep a task from its first step. */
export const createTaskHolds = (server: FeatureServer): RunningServer["task_holds"] =>
  createFreezeHolds({ ...server, windows: server.config.freeze_windows });

export const startFeatures = (server: RunningServer): (FeatureWork & Pick<Feature, "name">)[] =>
  FEATURES.map((one) => ({ name: one.name, ...one.start?.({ ...server, store: storeFor(one, server.store) }) }));
