// The schemas of the engine's published API: they say of each field what the official client says, every request of orch is one of
// theirs, and they find what is not.
import { describe, expect, test } from "vitest";
import type { z } from "zod";
import { createEngineApi } from "../../../src/execution/execution.ts";
import { OPERATIONS, violationsIn } from "../../simulators/flow-engine/published-api.ts";
import { CompletedJob, FlowStatus, QueuedJob, User } from "../../simulators/flow-engine/published-records.ts";
import { fieldsOf } from "../../support/flow-engine-client.ts";
import { type Answer, html, json, text } from "../../support/request-recorder.ts";

const ID = "0190a1b2-0000-0000-0000-00000000000a";
const QUEUED = {
  type: "QueuedJob",
  id: ID,
  running: false,
  canceled: false,
  job_kind: "flow",
  permissioned_as: "u/orch",
  is_flow_step: false,
  email: "orch@example.com",
  visible_to_owner: true,
  tag: "flow",
};

const USER = {
  email: "a@b",
  username: "orch",
  is_admin: false,
  is_super_admin: false,
  created_at: "2026-03-06T09:00:00Z",
  operator: false,
  disabled: false,
  folders: [],
  folders_read: [],
  folders_owners: [],
};
const FLOW = {
  summary: "Execute",
  path: "f/orch/execute_task_steps",
  edited_by: "orch",
  edited_at: "2026-03-06T09:00:00Z",
  archived: false,
  extra_perms: {},
  value: { modules: [{ id: "run_steps", value: { type: "rawscript", language: "bun", content: "" } }] },
};

describe("the schema of", () => {
  test.each<[string, z.ZodObject]>([
    ["CompletedJob", CompletedJob],
    ["QueuedJob", QueuedJob],
    ["FlowStatus", FlowStatus],
    ["User", User],
    ["GetJobUpdatesResponse", OPERATIONS.getJobUpdates.answer.json as z.ZodObject],
    ["GetCompletedJobResultMaybeResponse", OPERATIONS.getCompletedJobResultMaybe.answer.json as z.ZodObject],
  ])("%s has the fields of the official client's type, and needs those that it needs", async (type, schema) => {
    const { required, optional } = await fieldsOf(type);
    const fields = Object.entries(schema.shape).filter(([name]) => name !== "type");
    const isOptional = (field: unknown) => (field as z.ZodType).safeParse(undefined).success;
    const named = (wanted: boolean) => fields.flatMap(([name, field]) => (isOptional(field) === wanted ? [name] : []));
    // A result may be anything, so its schema cannot need one.
    const needed =
      type === "GetCompletedJobResultMaybeResponse" ? required.filter((name) => name !== "result") : required;
    expect(named(false).toSorted()).toEqual(needed.toSorted());
    expect(fields.map(([name]) => name).toSorted()).toEqual([...required, ...optional].toSorted());
  });
});

describe("a request of orch", () => {
  type Api = ReturnType<typeof createEngineApi>;
  const job = json(QUEUED);
  const REQUESTS: readonly [keyof typeof OPERATIONS, Answer, (api: Api) => Promise<unknown>][] = [
    ["runFlowByPath", text(ID, 201), (api) => api.run(FLOW.path, { job_id: ID, tag: "nas", input: { steps: [] } })],
    ["getCompletedJobResultMaybe", json({ completed: false, result: null }), (api) => api.completion(ID)],
    ["getCompletedJobResult", json({ ok: true }), (api) => api.result(ID)],
    ["getJob", job, (api) => api.view(ID)],
    ["getJobUpdates", json({ new_logs: "", log_offset: 1 }), (api) => api.log(ID, 17)],
    ["cancelQueuedJob", text(ID), (api) => api.cancel(ID, "its task was cancelled")],
    ["whoami", json(USER), (api) => api.whoami()],
    ["getFlowByPath", json(FLOW), (api) => api.flow(FLOW.path)],
    ["backendVersion", text("CE v1.818.0"), (api) => api.version()],
  ];

  test.each(REQUESTS)("%s is as published", async (_id, answer, ask) => {
    const found: string[] = [];
    const api = createEngineApi(
      async ({ method, path, body }) => {
        const sent = { method, url: `/api${path}`, body: body === undefined ? "" : JSON.stringify(body) };
        found.push("asked", ...violationsIn({ ...sent, answer }));
        return { is: "lost", message: "this is no engine" };
      },
      { workspace: "lab" },
    );
    await ask(api);
    expect(found).toEqual(["asked"]);
  });
});

describe("what is not as published is found", () => {
  const view = (id: string) => ({ method: "GET", url: `/api/w/lab/jobs_u/get/${id}?no_logs=true`, body: "" });
  const get = view(ID);
  const ok = json(QUEUED);
  test.each<[string, Parameters<typeof violationsIn>[0], RegExp]>([
    ["an id that is none", { ...view("x"), answer: text("no", 400) }, /^getJob path: .*Invalid GUID/s],
    ["an id that leads elsewhere", { ...view(`${ID}/x`), answer: text("no", 404) }, /^getJob path/],
    ["a parameter that is not published", { ...get, url: `${get.url}&logs=1`, answer: ok }, /^getJob query: .*logs/s],
    ["a flag that is none", { ...get, url: get.url.replace("true", "yes"), answer: ok }, /^getJob query/],
    ["a parameter twice", { ...get, url: `${get.url}&no_logs=true`, answer: ok }, /^getJob query/],
    ["a body where there is none", { ...get, body: "{}", answer: ok }, /^getJob body/],
    [
      "another path",
      { ...get, url: "/api/w/lab/jobs_u/gett/x", answer: text("no", 404) },
      /is no published operation$/,
    ],
    ["a field that is not published", { ...get, answer: json({ ...QUEUED, state: "x" }) }, /^getJob answer: .*state/s],
    ["a missing field", { ...get, answer: json({ ...QUEUED, running: undefined }) }, /^getJob answer: .*running/s],
    ["a page", { ...get, answer: html("<html>") }, /^getJob content type/],
    ["another status", { ...get, answer: json(QUEUED, 201) }, /^getJob status/],
    ["a refusal without a word", { ...get, answer: text("", 404) }, /^getJob refusal/],
  ])("%s", (_what, exchanged, words) => {
    expect(violationsIn(exchanged)[0]).toMatch(words);
  });

  test("an exchange that is as published has no finding", () => {
    expect(violationsIn({ ...get, answer: json(QUEUED) })).toEqual([]);
  });
});
