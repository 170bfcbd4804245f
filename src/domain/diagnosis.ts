// What a server has found out about itself: whether all that it needs is there (D-358).
import { z } from "zod";

const Found = {
  state: z.enum(["works", "falls_back", "broken", "off"]).describe("off: not in use, which is no fault"),
  found: z.string().describe("what was seen"),
  fix: z.string().nullable().describe("null when nothing needs to be done"),
};

const Check = z.strictObject({
  name: z.string(),
  area: z.enum(["server", "models", "commands"]),
  ...Found,
});

const ServedTool = z.strictObject({
  name: z.string(),
  effect: z.enum(["reads", "changes", "unknown"]).describe("as its server says"),
  description: z.string().describe("the beginning of it"),
});

const ToolServerState = z.strictObject({
  name: z.string().describe("as implicit_scope names it"),
  ...Found,
  tools: z.array(ServedTool),
});

export const ServerDiagnosis = z.strictObject({
  server: z.string().describe("the one that answers: another one may be set up otherwise"),
  checked_at: z.string().describe("within a few seconds the same answer is given again"),
  checks: z.array(Check),
  tool_servers: z.array(ToolServerState),
  database: z.strictObject({
    kind: z.enum(["sqlite", "postgresql"]),
    bytes: z.int().nullable().describe("null where it does not answer"),
  }),
});
export type ServerDiagnosis = z.infer<typeof ServerDiagnosis>;
