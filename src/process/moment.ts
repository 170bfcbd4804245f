// Names the moments of work on files, for tracing and for tests that kill the process there. Without a subscriber it costs nothing.
import { channel } from "node:diagnostics_channel";

const traced = channel("orch:moment");

export function moment(name: string): void {
  if (traced.hasSubscribers) traced.publish({ name });
}
