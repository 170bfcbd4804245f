// An SOP of the contract in builders.ts, to vary in tests.
import { type Sop, stepsDigest } from "../../../../src/domain/sop.ts";
import { AT, UNTRIED } from "../../../support/builders.ts";
import { PROCEDURE } from "../../../support/pipeline-parts.ts";

export const aSop = (over: Partial<Sop> = {}): Sop => ({
  sop_id: PROCEDURE.sop_id ?? "",
  intent: "deploy",
  target: { service: "web", environment: "prod" },
  target_signature: "environment=prod;service=web",
  status: "active",
  version: 3,
  steps: PROCEDURE.steps,
  steps_digest: stepsDigest(PROCEDURE.steps),
  criteria: [],
  safety_level: "standard",
  preconditions: [],
  origin: "teach",
  last_success_at: null,
  success_count: 0,
  failure_count: 0,
  created_at: AT,
  updated_at: AT,
  ...UNTRIED,
  ...over,
});
