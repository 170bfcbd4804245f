// What the public referee of MCP says of our server, scenario by scenario and revision by revision. `failing` and `partly` may
// only shrink: a scenario that passes has to be moved.

type Baseline = {
  readonly revision: string;
  /** The options that select the scenarios, in the words of the referee. */
  readonly selection: readonly string[];
  readonly run: readonly string[];
  readonly passing: readonly string[];
  /** The referee sees that it has nothing to check. */
  readonly not_applicable: ReadonlyMap<string, string>;
  /** The checks that fail in a scenario in which others pass. */
  readonly partly: ReadonlyMap<string, { readonly why: string; readonly checks: readonly string[] }>;
  readonly failing: ReadonlyMap<string, string>;
};

const all = (scenarios: readonly string[], why: string) => scenarios.map((name) => [name, why] as const);

const TOOL = "calls a tool that only a server made for the referee has";
const RESOURCE = "reads a resource that only a server made for the referee has";
const PROMPT = "gets a prompt that only a server made for the referee has";
const COMPLETION = "needs the capability completions, which is not offered";

const TOOLS_IN_BOTH = [
  "tools-call-simple-text",
  "tools-call-image",
  "tools-call-audio",
  "tools-call-embedded-resource",
  "tools-call-mixed-content",
  "tools-call-error",
  "tools-call-with-progress",
  "json-schema-2020-12",
];
const RESOURCES = ["resources-read-text", "resources-read-binary", "resources-templates-read"];
const PROMPTS = [
  "prompts-get-simple",
  "prompts-get-with-args",
  "prompts-get-embedded-resource",
  "prompts-get-with-image",
];
const FAILING_IN_BOTH = [...all(TOOLS_IN_BOTH, TOOL), ...all(RESOURCES, RESOURCE), ...all(PROMPTS, PROMPT)];

const SUBSCRIBE = "needs subscriptions, which a server without sessions cannot keep";

const REVISION_2025: Baseline = {
  revision: "2025-11-25",
  selection: ["--spec-version", "2025-11-25"],
  run: ["--suite", "all"],
  passing: ["server-initialize", "ping", "tools-list", "resources-list", "prompts-list", "dns-rebinding-protection"],
  not_applicable: new Map(
    all(
      ["server-session-lifecycle", "server-sse-polling", "server-sse-multiple-streams"],
      "is about sessions and resumable streams, and our server has no sessions",
    ),
  ),
  partly: new Map(),
  failing: new Map([
    ...FAILING_IN_BOTH,
    ...all(["tools-call-with-logging", "tools-call-sampling", "tools-call-elicitation"], TOOL),
    ...all(["elicitation-sep1034-defaults", "elicitation-sep1330-enums"], TOOL),
    ["logging-set-level", "needs the capability logging, which is not offered: the log is the operator's"],
    ["completion-complete", COMPLETION],
    ...all(["resources-subscribe", "resources-unsubscribe"], SUBSCRIBE),
  ]),
};

const REVISION_2026: Baseline = {
  revision: "2026-07-28",
  selection: ["--requirements", "2026-07-28"],
  run: [],
  passing: [
    "tools-list",
    "resources-list",
    "server-sse-multiple-streams",
    "sep-2164-resource-not-found",
    "prompts-list",
    "dns-rebinding-protection",
    "caching",
    "input-required-result-unsupported-methods",
    "input-required-result-validate-input",
    "http-header-validation",
  ],
  not_applicable: new Map([
    ["tasks-status-notifications", "waits for a revision of the referee"],
    ...all(["input-required-result-missing-input-response", "input-required-result-ignore-extra-params"], TOOL),
  ]),
  partly: new Map([
    [
      "server-stateless",
      {
        why: TOOL,
        checks: [
          "sep-2575-http-server-no-independent-requests-on-stream",
          "sep-2575-missing-capability-http-400",
          "sep-2575-server-no-log-without-loglevel",
          "sep-2575-server-rejects-undeclared-capability",
        ],
      },
    ],
  ]),
  failing: new Map([
    ...FAILING_IN_BOTH,
    ["completion-complete", COMPLETION],
    ...all(
      [
        "input-required-result-basic-elicitation",
        "input-required-result-basic-sampling",
        "input-required-result-basic-list-roots",
        "input-required-result-request-state",
        "input-required-result-multiple-input-requests",
        "input-required-result-multi-round",
        "input-required-result-result-type",
        "input-required-result-tampered-state",
        "input-required-result-capability-check",
      ],
      TOOL,
    ),
    ["input-required-result-non-tool-request", PROMPT],
    ["http-custom-header-server-validation", "needs a tool with parameters that headers repeat, and ours have none"],
    ...all(
      [
        "tasks-lifecycle",
        "tasks-capability-negotiation",
        "tasks-wire-fields",
        "tasks-request-state-removal",
        "tasks-mrtr-input",
        "tasks-request-headers",
        "tasks-dispatch-and-envelope",
        "tasks-required-task-error",
        "tasks-mrtr-composition",
      ],
      "needs the extension of tasks, which is not offered: a task of orch is one of its operations",
    ),
  ]),
};

export const BASELINES = [REVISION_2025, REVISION_2026];
