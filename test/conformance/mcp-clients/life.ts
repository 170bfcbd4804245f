// The life of a procedure as a supervisor lives it: explain, submit, teach, find what waits, approve, submit again, read the evidence.
import { expect } from "vitest";
import { z } from "zod";
import type { Answer, Turn } from "./script.ts";

type Act = { readonly call: Turn; readonly answer: object };

const STEPS = [
  { kind: "cmd", value: "echo 7 > release.txt" },
  { kind: "check", value: "grep -qx 7 release.txt" },
];

const EVERY_KIND = [
  { kind: "mcp_call", server: "notes", tool: "get", arguments: { id: 1 }, expect: { path: "/state", equals: 3 } },
  { kind: "wait", value: "1s" },
  ...STEPS,
];

/** Of a service that nothing is known of; `directory` is where its steps run. */
export function lifeOf(service: string, directory: string): readonly Act[] {
  const contract = (task_id: string, implicit_scope: readonly string[] = []) => ({
    task_id: `${service}-${task_id}`,
    intent: "deploy",
    target: { service, compose_dir: directory },
    delegation_mode: "teach_if_unknown",
    success_criteria: ["release 7 is live"],
    constraints: { implicit_scope, require_approval_for: [] },
  });
  const submit = (task_id: string) => ({ name: "submit_task", args: { ...contract(task_id), wait_seconds: 30 } });
  return [
    {
      call: () => ({ name: "explain", args: { contract: contract("explained", ["notes"]), steps: EVERY_KIND } }),
      answer: { steps: EVERY_KIND.map(({ kind }) => ({ kind })) },
    },
    {
      call: () => submit("first"),
      answer: { status: "need_input", outcome: { reason_code: "sop_unknown" } },
    },
    {
      call: () => ({ name: "teach", args: { task_id: `${service}-first`, steps: STEPS, wait_seconds: 30 } }),
      answer: { task: { status: "ok" }, approval_id: expect.any(String) },
    },
    {
      call: () => ({ name: "list_inbox", args: {} }),
      answer: { items: [{ kind: "promotion", approval_id: expect.any(String) }] },
    },
    {
      call: (inbox) => ({ name: "approve", args: { approval_id: firstApproval(inbox), decision: "approve" } }),
      answer: { status: "approved" },
    },
    {
      call: () => submit("second"),
      answer: { status: "ok", sop_version: 1 },
    },
    {
      call: () => ({ name: "get_evidence", args: { task_id: `${service}-second` } }),
      answer: { status: "ok", verdict: { passed: true } },
    },
  ];
}

const Inbox = z.object({ items: z.array(z.object({ approval_id: z.string() })) });

const firstApproval = (inbox: Answer) => Inbox.parse(inbox).items[0]?.approval_id;
