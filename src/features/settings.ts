// Lists the settings of the features.
import type { Env } from "../config/setting.ts";
import type { FieldIssue } from "../domain/errors.ts";
import { AGENT_SETTINGS } from "./agents/settings.ts";
import { FLOW_ENGINE_SETTINGS, flowEngineIssues, flowEngineOf } from "./flow-engine/settings.ts";
import { FREEZE_SETTINGS } from "./freeze/settings.ts";
import { KEEPING_SETTINGS } from "./keeping/settings.ts";
import { PROOF_SETTINGS } from "./proof/settings.ts";
import { SCHEDULE_SETTINGS } from "./schedules/settings.ts";
import { WEBHOOK_SETTINGS, webhookIssues, webhookOf } from "./webhook/settings.ts";

// In four parts, because the reference lists settings in an order that is published.
export { KEEPING_SETTINGS, PROOF_SETTINGS };
export const GROUPED_SETTINGS = {
  flow_engine: FLOW_ENGINE_SETTINGS,
  agent: AGENT_SETTINGS,
  webhook: WEBHOOK_SETTINGS,
};
export const FEATURE_SETTINGS = { ...SCHEDULE_SETTINGS, ...FREEZE_SETTINGS };

/** What is wrong with settings that are valid one by one. */
export const featureIssues = (env: Env): FieldIssue[] => [...flowEngineIssues(env), ...webhookIssues(env)];

export { flowEngineOf, webhookOf };
