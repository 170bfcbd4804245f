// The shape of the operation that proves a stored procedure, as far as that is possible without changing anything.
import { z } from "zod";
import { EXAMPLE } from "../../api/operations/example.ts";
import { type NamedSchemas, SopId, shape } from "../../api/operations/operation.ts";
import { Finding } from "../../domain/finding.ts";
import { Sop, SopProof } from "../../domain/sop.ts";

export const proveSop = shape({
  name: "prove_sop",
  summary:
    "Show what is known of an SOP on its target: run its checks and previews now, and no step that changes something.",
  guidance:
    "Before a human decides on a promotion, or when you doubt a version: its checks and previews run now, its steps do not. " +
    "Show the warnings first.",
  method: "POST",
  path: "/v1/sops/{sop_id}/prove",
  scope: "submit",
  hints: { read_only: false, destructive: false, idempotent: true },
  input: z.strictObject({ sop_id: SopId }),
  output: z.strictObject({
    sop: Sop,
    proof: SopProof,
    findings: z.array(Finding).describe("what policy says of the steps on this target"),
  }),
  example: { sop_id: EXAMPLE.sop_id },
});

export const PROOF_SHAPES = [proveSop] as const;

/** Records that the OpenAPI document names. */
export const PROOF_SCHEMAS = {
  SopProof: [SopProof, "What is known of a version: policy, effects, checks now, previews and runs on its target."],
} satisfies NamedSchemas;
