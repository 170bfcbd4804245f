// Lists and reads the resources that a client may attach: orch://tasks/{id}, orch://sops/{id} and orch://evidence/{id} are the
// answers of get_task, get_sop and get_evidence, orch://scorecard is that of get_scorecard, and with ?view=full all of them.
// orch://sops/{id}/record is the part of get_sop that says what the version has proved.
import { z } from "zod";
import { parseJson } from "../../domain/json-values.ts";
import { ListedSop } from "../../features/procedures/shapes.ts";
import { TaskSummary } from "../operations/shapes/task-view.ts";
import { type Calls, done, failed, type McpCaller, type McpReply, refused } from "./calls.ts";
import { fitAnswer, jsonText, tooLong, visible } from "./fit-answer.ts";
import { withCutMark } from "./views/view.ts";

const MIME = "application/json";

/** Of each list. */
const PAGE = 50;

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

const RECORD = {
  uriTemplate: "orch://sops/{id}/record",
  name: "record",
  title: "Record of an SOP",
  description: "What the runs of a version and their external verifications show.",
  mimeType: MIME,
};

export const RESOURCE_TEMPLATES = [
  ...[...KINDS].map(([kind, { title, description }]) => ({
    uriTemplate: `orch://${kind}/{id}{?view}`,
    name: kind,
    title,
    description: `${description} Short; all of it with ?view=full.`,
    mimeType: MIME,
  })),
  RECORD,
];

/** The codes for an id that has no record, or is not an id. */
const NO_RECORD: ReadonlySet<string> = new Set(["task_not_found", "sop_not_found", "input_invalid"]);

type Contents = { contents: { uri: string; mimeType: string; text: string }[] };

const URI = /^orch:\/\/(\w+)\/([\w.:-]+)(?:\?view=(full))?$/;

const SCORECARD_URI = /^orch:\/\/scorecard(?:\?view=(full))?$/;

const RECORD_URI = /^orch:\/\/sops\/([\w-]+)\/record$/;

type Asked = {
  readonly operation: string;
  readonly input: Readonly<Record<string, string>>;
  /** The field of the answer that is the resource. */
  readonly part?: string;
};

function askedIn(uri: string): Asked | null {
  const [is_scorecard, all = "short"] = SCORECARD_URI.exec(uri) ?? [];
  if (is_scorecard !== undefined) return { operation: "get_scorecard", input: { view: all } };
  const [, sop_id] = RECORD_URI.exec(uri) ?? [];
  if (sop_id !== undefined) return { operation: "get_sop", input: { sop_id, view: "full" }, part: "record" };
  const [, name = "", id = "", view = "short"] = URI.exec(uri) ?? [];
  const kind = KINDS.get(name);
  return kind === undefined ? null : { operation: kind.operation, input: { [kind.field]: id, view } };
}

export async function readResource(calls: Calls, uri: string, caller: McpCaller): Promise<McpReply<Contents>> {
  const asked = askedIn(uri);
  if (asked === null) return failed("not_found", `There is no resource ${uri}.`, { uri });
  const { operation, input, part } = asked;
  const answer = await calls.call(operation, input, caller);
  if (answer.ok) {
    const whole = part === undefined ? answer.output : Reflect.get(answer.output, part);
    const output = input["view"] === "full" ? whole : fitAnswer(answer.output, `all of it: ${uri}?view=full`);
    const read = { contents: [{ uri, mimeType: MIME, text: jsonText(output) }] };
    const fault = tooLong(read);
    return fault === null ? done(read) : refused(fault);
  }
  if (NO_RECORD.has(answer.fault.code)) return failed("not_found", answer.fault.detail, { uri });
  return refused(answer.fault);
}

type Resource = { uri: string; name: string; title: string; description: string; mimeType: string };

type Listed = { resources: Resource[]; nextCursor?: string };

/** After which item each list goes on; null where it has ended. */
const Position = z.strictObject({ tasks: z.string().nullable(), sops: z.string().nullable() });

type Position = z.infer<typeof Position>;

const BAD_CURSOR = failed(
  "invalid_params",
  "This cursor does not come from resources/list. Begin again without a cursor.",
);

/** A page of the tasks, the newest first, and one of the active SOPs. */
export async function listResources(calls: Calls, cursor: string | undefined, caller: McpCaller) {
  const position = cursor === undefined ? null : positionIn(cursor);
  if (cursor !== undefined && position === null) return BAD_CURSOR;
  const listOf = async ({ operation, name, query, read }: List): Promise<McpReply<Page>> => {
    const after = position?.[name];
    if (after === null) return done({ resources: [], next_after: null });
    const answer = await calls.call(
      operation,
      { limit: PAGE, ...query, ...(after !== undefined && { after }) },
      caller,
    );
    if (answer.ok) return done(read(answer.output));
    return position !== null && answer.fault.code === "input_invalid" ? BAD_CURSOR : refused(answer.fault);
  };
  const [tasks, sops] = [await listOf(TASKS), await listOf(SOPS)];
  if (!tasks.ok) return tasks;
  if (!sops.ok) return sops;
  const next = { tasks: tasks.result.next_after, sops: sops.result.next_after };
  const listed: Listed = {
    resources: [...(position === null ? [SCORECARD] : []), ...tasks.result.resources, ...sops.result.resources],
    ...((next.tasks !== null || next.sops !== null) && { nextCursor: cursorOf(next) }),
  };
  return done(listed);
}

const cursorOf = (position: Position): string => Buffer.from(JSON.stringify(position)).toString("base64url");

const positionIn = (cursor: string): Position | null =>
  Position.safeParse(parseJson(Buffer.from(cursor, "base64url").toString("utf8"))).data ?? null;

const SCORECARD: Resource = {
  uri: "orch://scorecard",
  name: "scorecard",
  title: "Scorecard",
  description: "Whether the targets of the service are met, missed or unproven, and what costs most.",
  mimeType: MIME,
};

type Page = { readonly resources: readonly Resource[]; readonly next_after: string | null };

type List = {
  readonly operation: string;
  readonly name: keyof Position;
  readonly query: object;
  readonly read: (output: unknown) => Page;
};

const NextAfter = { next_after: z.string().nullable() };

const Tasks = z.object({ tasks: z.array(TaskSummary), ...NextAfter });

const Sops = z.object({ sops: z.array(ListedSop), ...NextAfter });

const TASKS: List = {
  operation: "list_tasks",
  name: "tasks",
  query: {},
  read: (output) => {
    const { tasks, next_after } = Tasks.parse(output);
    return { resources: tasks.map(taskResource), next_after };
  },
};

const taskResource = ({ task_id, intent, target_signature, status }: TaskSummary): Resource => ({
  uri: `orch://tasks/${task_id}`,
  name: task_id,
  title: `Task ${task_id}`,
  description: visible(`${intent} on ${withCutMark(target_signature) || "no target"}: ${status}`),
  mimeType: MIME,
});

const SOPS: List = {
  operation: "list_sops",
  name: "sops",
  query: { status: "active" },
  read: (output) => {
    const { sops, next_after } = Sops.parse(output);
    return { resources: sops.map(sopResource), next_after };
  },
};

const sopResource = ({ sop_id, intent, target_signature, version }: z.infer<typeof ListedSop>): Resource => ({
  uri: `orch://sops/${sop_id}`,
  name: visible(`${intent}|${withCutMark(target_signature)}`),
  title: visible(`SOP ${intent} for ${withCutMark(target_signature) || "no target"}, version ${version}`),
  description: `The active procedure for ${intent}.`,
  mimeType: MIME,
});
