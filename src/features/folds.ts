// Lists what the features make of the journal of a task, for the projection (src/engine/tasks/projection.ts).
import { AGENT } from "./agents/fold.ts";
import { APPROVALS } from "./approvals/fold.ts";
import { JOBS } from "./flow-engine/fold.ts";
import { VERSIONS } from "./procedures/fold.ts";
import { SKILL } from "./skills/fold.ts";
import { VERIFICATION } from "./verification/fold.ts";

export const FOLDS = {
  approvals: APPROVALS,
  jobs: JOBS,
  skill: SKILL,
  agent: AGENT,
  versions: VERSIONS,
  verification: VERIFICATION,
} as const;
