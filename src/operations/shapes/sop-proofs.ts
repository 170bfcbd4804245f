// prove_sop, copy_sop and rollback_sop: what is known of a version on its target, a candidate for another target, and one with the
// steps of an earlier version.
import { z } from "zod";
import { Finding } from "../../domain/finding.ts";
import { Rollback } from "../../domain/set-back.ts";
import { Sop } from "../../domain/sop.ts";
import { SopProof } from "../../domain/sop-proof.ts";
import { GivenTarget } from "../../domain/target.ts";
import { EXAMPLE } from "../example.ts";
import { shape } from "../operation.ts";
import { CheckWarning } from "./explain.ts";

const SopId = z.uuid("must be the UUID of an SOP").describe("The UUID of the SOP; list_sops names them.");

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

const Literal = z.strictObject({
  step_index: z.int(),
  key: z.string().describe("the attribute of the target"),
  value: z.string().describe("its old value, which the step of the copy still names"),
});

export const copySop = shape({
  name: "copy_sop",
  summary: "Store a copy of an active SOP as a candidate for another target and ask for its promotion.",
  guidance:
    "For the next target of the same kind. literals are values of the old target that the steps still have: ask whether they " +
    "should follow. The copy is on trial: its first run asks for an approval.",
  method: "POST",
  path: "/v1/sops/{sop_id}/copy",
  scope: "teach",
  hints: { read_only: false, destructive: false, idempotent: false },
  input: z.strictObject({
    sop_id: SopId,
    target: GivenTarget.describe("What the copy acts on."),
    with_parameters: z
      .boolean()
      .default(false)
      .describe("Put parameters in the place of the old target's values where that does not change what runs."),
  }),
  output: z.strictObject({
    sop: Sop,
    approval_id: z.string().nullable(),
    literals: z.array(Literal).describe("values of the old target that the steps of the copy still name"),
    warnings: z.array(CheckWarning),
  }),
  example: { sop_id: EXAMPLE.sop_id, target: { service: "shop" }, with_parameters: true },
});

export const rollbackSop = shape({
  name: "rollback_sop",
  summary: "Store a new version with the steps of an earlier version of the same key and ask for its promotion.",
  guidance:
    "When the version in use, or the one that was set back, is worse than an earlier one. Nothing changes until a human approves " +
    "the new version: show the difference first. The earlier version is never active again by itself.",
  method: "POST",
  path: "/v1/sops/{sop_id}/rollback",
  scope: "teach",
  hints: { read_only: false, destructive: false, idempotent: false },
  input: z.strictObject({
    sop_id: z
      .uuid("must be the UUID of an SOP")
      .describe("The UUID of the earlier version, which was in use; get_sop names the versions of a key."),
  }),
  output: z.strictObject({
    sop: Sop,
    approval_id: z.string().nullable(),
    rollback: Rollback,
    warnings: z.array(CheckWarning),
  }),
  example: { sop_id: EXAMPLE.sop_id },
});
