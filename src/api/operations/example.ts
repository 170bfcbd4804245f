// Holds the values that the examples of operations share. Each shape has one call of itself, as the OpenAPI document shows it; a test
// makes every one of them (test/contract/http/fuzz.test.ts).

const target = { service: "web" };

export const EXAMPLE = {
  task_id: "web-7",
  sop_id: "6f1f3c9e-5d0b-4b5e-9a3c-2f7d8e9a0b1c",
  approval_id: "1c9d2e3f-7a8b-4c5d-8e6f-0a1b2c3d4e5f",
  server: "nas",
  digest: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  target,
  contract: {
    intent: "deploy",
    target,
    delegation_mode: "teach_if_unknown" as const,
    constraints: { implicit_scope: [], require_approval_for: ["writes"] },
    success_criteria: ["release 7 is live"],
  },
  steps: [
    { kind: "cmd" as const, value: "touch /tmp/orch-example" },
    { kind: "check" as const, value: "test -f /tmp/orch-example", within: "30s" },
  ],
  file: `intent: deploy
target:
  service: web
steps:
  - kind: cmd
    value: touch /tmp/orch-example
  - kind: check
    value: test -s /etc/passwd -a -f /tmp/orch-example
criteria:
  release 7 is live: 1
`,
};
