// The trace context of the caller, as W3C Trace Context has it in the header `traceparent`: <version>-<trace>-<parent>-<flags>.

/** The text in the version that orch writes; null where it is none. A wrong one is ignored, as that standard asks. */
export function readTraceparent(given: unknown): string | null {
  const parts = typeof given === "string" ? TRACEPARENT.exec(given) : null;
  if (parts === null) return null;
  const [, version = "", trace_id, parent_id, flags = "", rest] = parts;
  if (version === "ff" || (version === "00" && rest !== undefined)) return null;
  return `00-${trace_id}-${parent_id}-${Number.parseInt(flags, 16) % 2 === 1 ? "01" : "00"}`;
}

const TRACEPARENT =
  /^([0-9a-f]{2})-((?!0{32})[0-9a-f]{32})-((?!0{16})[0-9a-f]{16})-([0-9a-f]{2})(-[\x20-\x7e]{0,512})?$/;

/** What a step hands to the programs and tool servers that it starts. Undefined where there is no trace. */
export type TraceparentOf = (step: { readonly index: number; readonly attempt: number }) => string | undefined;
