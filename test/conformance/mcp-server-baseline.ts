// What the public referee of MCP says of our server, scenario by scenario, at the revision that our library speaks.
// FAILING may only shrink: a scenario that passes has to be moved.

export const REVISION = "2025-11-25";

export const PASSING = [
  "server-initialize",
  "ping",
  "tools-list",
  "resources-list",
  "prompts-list",
  "dns-rebinding-protection",
];

const SESSIONS = "is about sessions and resumable streams, and our server has no sessions";

/** The referee sees that it has nothing to check. */
export const NOT_APPLICABLE: ReadonlyMap<string, string> = new Map([
  ["server-session-lifecycle", SESSIONS],
  ["server-sse-polling", SESSIONS],
  ["server-sse-multiple-streams", SESSIONS],
]);

const TOOL = "calls a tool that only a server made for the referee has";
const RESOURCE = "reads a resource that only a server made for the referee has";
const PROMPT = "gets a prompt that only a server made for the referee has";

export const FAILING: ReadonlyMap<string, string> = new Map([
  ["tools-call-simple-text", TOOL],
  ["tools-call-image", TOOL],
  ["tools-call-audio", TOOL],
  ["tools-call-embedded-resource", TOOL],
  ["tools-call-mixed-content", TOOL],
  ["tools-call-with-logging", TOOL],
  ["tools-call-error", TOOL],
  ["tools-call-with-progress", TOOL],
  ["tools-call-sampling", TOOL],
  ["tools-call-elicitation", TOOL],
  ["json-schema-2020-12", TOOL],
  ["elicitation-sep1034-defaults", TOOL],
  ["elicitation-sep1330-enums", TOOL],
  ["resources-read-text", RESOURCE],
  ["resources-read-binary", RESOURCE],
  ["resources-templates-read", RESOURCE],
  ["prompts-get-simple", PROMPT],
  ["prompts-get-with-args", PROMPT],
  ["prompts-get-embedded-resource", PROMPT],
  ["prompts-get-with-image", PROMPT],
  ["logging-set-level", "needs the capability logging, which is not offered: the log is the operator's"],
  ["completion-complete", "needs the capability completions, which is not offered"],
  ["resources-subscribe", "needs subscriptions, which a server without sessions cannot keep"],
  ["resources-unsubscribe", "needs subscriptions, which a server without sessions cannot keep"],
]);
