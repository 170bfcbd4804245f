// Lists what a server and its doctor take from the features.
import type { TaskHolds } from "../domain/hold.ts";
import type { OperationRules } from "../operations/operation.ts";
import { type Feature, type FeatureServer, feature } from "./feature.ts";
import { examineFreezes } from "./freeze/doctor.ts";
import { createFreezes } from "./freeze/in-force.ts";
import { FREEZE_HANDLERS } from "./freeze/operations.ts";
import { startKeeping } from "./keeping/keeping.ts";
import { KEEPING_HANDLERS } from "./keeping/operations.ts";
import { SCHEDULE_HANDLERS, SCHEDULE_RULES } from "./schedules/operations.ts";
import { startSchedules } from "./schedules/start.ts";
import { SCORECARD_HANDLERS } from "./scorecard/operations.ts";
import { SERVER_HANDLERS } from "./servers/operations.ts";
import { VERIFICATION_HANDLERS } from "./verification/operations.ts";
import { startWebhook } from "./webhook/start-webhook.ts";

const schedules = feature({
  name: "schedules",
  handlers: SCHEDULE_HANDLERS,
  rules: SCHEDULE_RULES,
  start: startSchedules,
});
const freeze = feature({
  name: "freezes",
  handlers: FREEZE_HANDLERS,
  examine: examineFreezes,
});
const webhook = feature({
  name: "webhook",
  start: startWebhook,
});
const keeping = feature({
  name: "keeping",
  handlers: KEEPING_HANDLERS,
  start: startKeeping,
});
const servers = feature({
  name: "servers",
  handlers: SERVER_HANDLERS,
});
const scorecard = feature({
  name: "scorecard",
  handlers: SCORECARD_HANDLERS,
});
const verification = feature({
  name: "verification",
  handlers: VERIFICATION_HANDLERS,
});

export const FEATURES: readonly Feature[] = [webhook, schedules, freeze, keeping, servers, scorecard, verification];

/** Each bound to its shape, so that a shape without a handler does not compile. */
export const FEATURE_HANDLERS = {
  ...schedules.handlers,
  ...freeze.handlers,
  ...keeping.handlers,
  ...servers.handlers,
  ...scorecard.handlers,
  ...verification.handlers,
};

/** What the schemas of their operations do not say. */
export const FEATURE_RULES: OperationRules = { ...schedules.rules };

/** What may keep a task from its first step. */
export const createTaskHolds = (server: FeatureServer): TaskHolds =>
  createFreezes({ ...server, windows: server.config.freeze_windows });
