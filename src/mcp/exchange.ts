// One HTTP request of MCP and its answer, in any revision, and which revision it speaks.
import { z } from "zod";
import type { McpCaller } from "./calls.ts";

/** Serves one HTTP request. `close` ends its waits. */
type Exchange = {
  readonly answer: (request: Request, body: unknown) => Promise<Response>;
  readonly close: () => Promise<void>;
};

export type Opening = {
  readonly caller: McpCaller;
  /** The client reads JSON only, so it gets no reports of progress. */
  readonly json: boolean;
};

export type OpenExchange = (opening: Opening) => Promise<Exchange>;

/** The revisions up to 2025-11-25, and those from 2026-07-28. */
export type Revision = "2025" | "2026";

/** The first revision without initialize: each request names its revision. */
const FIRST_OF_2026 = "2026-07-28";

const REVISION_KEY = "io.modelcontextprotocol/protocolVersion";
const Enveloped = z.object({ params: z.object({ _meta: z.record(z.string(), z.unknown()) }) });

/** A request of 2026-07-28 says so in its body and in the header. One that only half says so is refused in that revision. */
export function revisionOf(header: string | null, body: unknown): Revision {
  if (header !== null && header.trim() >= FIRST_OF_2026) return "2026";
  const { data } = Enveloped.safeParse(body);
  return data !== undefined && Object.hasOwn(data.params._meta, REVISION_KEY) ? "2026" : "2025";
}
