// Resources that a client may read and attach: orch://tasks/{id}, orch://sops/{id} and orch://evidence/{id} are the answers
// of get_task, get_sop and get_evidence, and with ?view=full all of them.
import { z } from "zod";
import { Sop } from "../domain/sop.ts";
import { TaskSummary } from "../operations/shapes/task-view.ts";
import type { Answer, Calls, McpCaller } from "./calls.ts";
import { fitAnswer } from "./fit-answer.ts";
import { jsonText, tooLong, visible } from "./json-text.ts";
import { done, failed, type McpReply, refused } from "./reply.ts";
import { beginning } from "./views/view.ts";

const MIME = "application/json";
const NEWEST = 50;

type Kind = {
  readonly operation: string;
  readonly field: string;
  readonly title: string;
  readonly description: string;
};

const KINDS: ReadonlyMap<string, Kind> = new Map([
  ["tasks", { operation: "get_task", field: "task_id", title: "Task", description: "A task: status, outcome, steps." }],
  ["sops", { operation: "get_sop", field: "sop_id", title: "SOP", description: "A stored procedure, all versions." }],
  [
    "evidence",
    { operation: "get_evidence", field: "task_id", title: "Evidence", description: "What is known of a task." },
  ],
]);

export const RESOURCE_TEMPLATES = [...KINDS].map(([kind, { title, description }]) => ({
  uriTemplate: `orch://${kind}/{id}{?view}`,
  name: kind,
  title,
  description: `${description} Short; all of it with ?view=full.`,
  mimeType: MIME,
}));

/** The codes for an id that has no record, or is not an id. */
const NO_RECORD: ReadonlySet<string> = new Set(["task_not_found", "sop_not_found", "input_invalid"]);

type Contents = { contents: { uri: string; mimeType: string; text: string }[] };

const URI = /^orch:\/\/(\w+)\/([\w.:-]+)(?:\?view=(full))?$/;

export async function readResource(calls: Calls, uri: string, caller: McpCaller): Promise<McpReply<Contents>> {
  const [, name = "", id = "", view = "short"] = URI.exec(uri) ?? [];
  const kind = KINDS.get(name);
  if (kind === undefined) return failed("not_found", `There is no resource ${uri}.`, { uri });
  const answer = await calls.call(kind.operation, { [kind.field]: id, view }, caller);
  if (answer.ok) {
    const output = view === "full" ? answer.output : fitAnswer(answer.output, `all of it: ${uri}?view=full`);
    const read = { contents: [{ uri, mimeType: MIME, text: jsonText(output) }] };
    const fault = tooLong(read);
    return fault === null ? done(read) : refused(fault);
  }
  if (NO_RECORD.has(answer.fault.code)) return failed("not_found", answer.fault.detail, { uri });
  return refused(answer.fault);
}

type Resource = { uri: string; name: string; title: string; description: string; mimeType: string };

const Tasks = z.object({ tasks: z.array(TaskSummary) });
const Sops = z.object({ sops: z.array(Sop) });

/** The newest tasks and active SOPs; any other is read by its URI. */
export async function listResources(calls: Calls, caller: McpCaller): Promise<McpReply<{ resources: Resource[] }>> {
  const tasks = await calls.call("list_tasks", { limit: NEWEST }, caller);
  const sops = await calls.call("list_sops", { limit: NEWEST, status: "active" }, caller);
  if (!tasks.ok) return refused(tasks.fault);
  if (!sops.ok) return refused(sops.fault);
  return done({ resources: [...taskResources(tasks), ...sopResources(sops)] });
}

type Given = Extract<Answer, { ok: true }>;

const taskResources = ({ output }: Given): Resource[] =>
  Tasks.parse(output).tasks.map(({ task_id, intent, target_signature, status }) => ({
    uri: `orch://tasks/${task_id}`,
    name: task_id,
    title: `Task ${task_id}`,
    description: visible(`${intent} on ${beginning(target_signature) || "no target"}: ${status}`),
    mimeType: MIME,
  }));

const sopResources = ({ output }: Given): Resource[] =>
  Sops.parse(output).sops.map(({ sop_id, intent, target_signature, version }) => ({
    uri: `orch://sops/${sop_id}`,
    name: visible(`${intent}|${beginning(target_signature)}`),
    title: visible(`SOP ${intent} for ${beginning(target_signature) || "no target"}, version ${version}`),
    description: `The active procedure for ${intent}.`,
    mimeType: MIME,
  }));
