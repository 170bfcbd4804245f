// The problem document (RFC 9457) of a refused call. HTTP sends it, OpenAPI publishes it, the command line reads it, and MCP
// uses its fields.
import { z } from "zod";

const ProblemFacts = z.object({
  type: z.templateLiteral(["urn:orch:error:", z.string()]).describe("urn:orch:error:<code>"),
  title: z.string(),
  status: z.int(),
  detail: z.string().describe("what is wrong"),
  code: z
    .string()
    .regex(/^[a-z_]{1,64}$/)
    .describe("stable"),
  fix: z.string().optional().describe("what the caller can do"),
  issues: z
    .array(z.object({ path: z.string(), message: z.string() }))
    .optional()
    .describe("every field that was wrong"),
  current: z.unknown().optional().describe("the record a conflicting call ran into"),
  needs_scope: z.string().optional().describe("the scope that the call needs, and its token does not have"),
});
/** A problem apart from the request that had it. */
export type ProblemFacts = z.infer<typeof ProblemFacts>;

export const ProblemDocument = ProblemFacts.extend({ request_id: z.string() });
export type ProblemDocument = z.infer<typeof ProblemDocument>;

export type Fault = Pick<ProblemDocument, "code" | "detail" | "fix" | "issues" | "current">;
