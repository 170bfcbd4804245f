// What orch sends to a flow engine is what the engine's official client sends, request by request.
import { afterAll, beforeAll, expect, test } from "vitest";
import { JobService, SettingsService, UserService } from "windmill-client";
import { createEngineApi, createExchange } from "../../../src/execution/execution.ts";
import { pointOfficialClientAt } from "../../support/flow-engine-client.ts";
import {
  json,
  type Received,
  type RequestRecorder,
  startRequestRecorder,
  text,
} from "../../support/request-recorder.ts";

const ID = "0190a1b2-0000-7000-8000-000000000001";
const PATH = "f/orch/execute_task_steps";
const TOKEN = "engine-token";
const WORKSPACE = "lab";
const INPUT = { task_contract: { task_id: "größe" }, steps: [{ kind: "wait", value: "1s" }], context: { payload: {} } };

let recorder: RequestRecorder;
beforeAll(async () => {
  recorder = await startRequestRecorder(({ method, url }) =>
    method === "POST" || url.endsWith("/version") ? text(ID, 201) : json({ completed: false }),
  );
});
afterAll(() => recorder[Symbol.asyncDispose]());

type Api = ReturnType<typeof createEngineApi>;
const at = { workspace: WORKSPACE, id: ID };

const started = { workspace: WORKSPACE, path: PATH, jobId: ID, requestBody: INPUT };
const tag = "docker+host:nas";
const reason = "its task was cancelled";
const log = { ...at, running: true, logOffset: 17 };

const REQUESTS: readonly [string, (api: Api) => Promise<unknown>, () => Promise<unknown>][] = [
  ["run", (api) => api.run(PATH, { job_id: ID, tag: null, input: INPUT }), () => JobService.runFlowByPath(started)],
  [
    "run by the workers with a tag",
    (api) => api.run(PATH, { job_id: ID, tag, input: INPUT }),
    () => JobService.runFlowByPath({ ...started, tag }),
  ],
  [
    "result, if there is one",
    (api) => api.completion(ID),
    () => JobService.getCompletedJobResultMaybe({ ...at, getStarted: true }),
  ],
  ["result", (api) => api.result(ID), () => JobService.getCompletedJobResult(at)],
  ["job", (api) => api.view(ID), () => JobService.getJob({ ...at, noLogs: true, noCode: true })],
  ["log", (api) => api.log(ID, 17), () => JobService.getJobUpdates(log)],
  ["cancel", (api) => api.cancel(ID, reason), () => JobService.cancelQueuedJob({ ...at, requestBody: { reason } })],
  ["owner of the token", (api) => api.whoami(), () => UserService.whoami({ workspace: WORKSPACE })],
  ["version", (api) => api.version(), () => SettingsService.backendVersion()],
];

async function sentBy(ask: () => Promise<unknown>): Promise<Received> {
  const before = recorder.received.length;
  await ask();
  const [sent, ...more] = recorder.received.slice(before);
  if (sent === undefined || more.length > 0) throw new Error("one request was expected");
  return sent;
}

const shown = ({ method, url, headers, body }: Received) => ({
  method,
  url,
  body,
  headers: [headers.accept, headers.authorization, headers["content-type"]],
});

test.each(REQUESTS)(
  "%s is sent as the official client sends it [4.flow.invoke] [2.flow.path]",
  async (_what, ours, theirs) => {
    using _client = pointOfficialClientAt(recorder, { token: TOKEN, workspace: WORKSPACE });
    const { exchange, close } = createExchange({ url: recorder.url, token: TOKEN, workspace: WORKSPACE }, LIMITS);
    const api = createEngineApi(exchange, { workspace: WORKSPACE });
    const [sent, official] = [await sentBy(() => ours(api)), await sentBy(theirs)];
    await close();
    expect(shown(sent)).toEqual(shown(official));
  },
);

test.each(["", "/", "/api", "/api/"])("the address of the engine may end in %j", async (end) => {
  const { exchange, close } = createExchange({ url: recorder.url + end, token: TOKEN, workspace: WORKSPACE }, LIMITS);
  const sent = await sentBy(() => createEngineApi(exchange, { workspace: WORKSPACE }).version());
  await close();
  expect(sent.url).toBe("/api/version");
});

const LIMITS = { limit_ms: 5_000, max_bytes: 1_000_000 };
