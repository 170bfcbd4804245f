// Tool calls have the same results on both backends. They share the client of tool servers, but not the runtime that it runs on.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: parameters of a step look like this
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { cmd, mcpCall } from "../../support/builders.ts";
import { afterHandshake, rpcResult, sendJson, startRawServer, startSdkServer } from "../../support/tool-server.ts";
import { type Case, expectSame } from "./differential.ts";
import { after, answering, call, DONE, data, events, expectSameCall, type Handler, TOKEN, text } from "./handlers.ts";

const EVENTS = { "content-type": "text/event-stream" };

describe.concurrent.each([false, true])("a server built with the SDK, sessions: %s", (sessions) => {
  const notes = () => startSdkServer({ sessions });

  test("answers several calls", async () => {
    const steps = [
      call("add", { a: 1, b: 2 }),
      call("set", { value: { deep: [null] } }),
      call("create", { name: "n" }),
    ];
    const output = await expectSame({ steps, notes, token: TOKEN });
    expect(output).toMatchObject({ ok: true, step_results: [{}, {}, {}] });
  });

  test.each([
    ["fail", {}],
    ["soft", {}],
    ["none", {}],
    ["add", { a: "x", b: 1 }],
    ["large", { bytes: 300_000 }],
    ["large", { bytes: 5_000_000 }],
  ])("is called: %s %j", async (tool, args) => {
    await expectSame({ steps: [cmd("true"), call(tool, args), cmd("true")], notes });
  });

  test("does not answer in time, and may be asked again or not", async () => {
    const output = await expectSame({ steps: [call("hold")], notes, limit_ms: 400 });
    expect(output.step_results).toMatchObject([{ status: "outcome_unknown", timed_out: true }]);
  });
});

test("parameters stand for values of the contract", async () => {
  const payload = { list: [1, { two: "2" }], count: 3, none: null, "with-hyphen": 1, empty: "" };
  const value = {
    ...{ deep: ["${payload.list}"], whole: "${payload.count}", none: "${payload.none}", item: "${payload.list.1.two}" },
    ...{
      part: "a ${target.service} b",
      unknown: "${payload.nothing}",
      proto: "${payload.__proto__}",
      host: "${target.service}",
    },
    ...{ hyphen: "${payload.with-hyphen}", empty: "${payload.empty}", length: "${payload.list.length}" },
  };
  const answer: Handler = afterHandshake(({ body }, response) =>
    sendJson(response, rpcResult(body.id, { got: body.params })),
  );
  const steps = [mcpCall({ tool: "set", arguments: { value } })];
  const output = await expectSameCall(answer, { steps, payload, target: { service: "web" } });
  expect(JSON.parse(output.step_results[0]?.stdout ?? "").got.arguments.value).toMatchObject({
    item: "2",
    whole: 3,
    none: null,
  });
});

test.each([
  ["an unknown one", mcpCall({ server: "GitServer" })],
  ["one in another case", mcpCall({ server: "NOTES" })],
])("a server that is not there: %s", async (_what, step) => {
  await expectSame({ steps: [step] });
});

test.each(["http://localhost:59999/x", "http://no-such-name.invalid/mcp", "http://127.0.0.1:59999/?token=abcdefgh123"])(
  "a server that cannot be reached: %s",
  async (url) => {
    await expectSame({ steps: [call("create")], url: () => url });
  },
);

describe.concurrent("credentials", () => {
  const seen: Handler = afterHandshake(({ body, headers }, response) =>
    sendJson(
      response,
      rpcResult(body.id, { seen: createHash("sha256").update(`${headers.authorization}`).digest("hex") }),
    ),
  );
  test.each<[string, Partial<Case>]>([
    ["a token", { token: TOKEN }],
    ["none", { token: "" }],
    ["a name and a password in the URL", { token: "", url: (url) => url.replace("//", "//me:p%20w%25@") }],
    ["a name alone", { token: "", url: (url) => url.replace("//", "//me@") }],
    ["a token and a name in the URL", { token: TOKEN, url: (url) => url.replace("//", "//me:pw@") }],
  ])("that a server sees: %s", async (_what, { token = "", ...more }) => {
    // The local side is told that there is no token by null.
    await expectSame({
      steps: [call("create")],
      notes: () => startRawServer(seen),
      ...more,
      ...(token === "" ? {} : { token }),
    });
  });

  test("that a server sends back are taken out", async () => {
    const echo: Handler = afterHandshake(({ body, headers }, response) =>
      sendJson(response, rpcResult(body.id, { authorization: headers.authorization })),
    );
    const output = await expectSameCall(echo, { secrets: [TOKEN] });
    expect(output.step_results[0]?.stdout).toContain("Bearer [redacted]");
  });
});

describe.concurrent("the runtime of the flow", () => {
  const resumable = (): Handler => {
    let id: unknown;
    return (received, response, request) => {
      if (received.method === "GET") return response.writeHead(200, EVENTS).end(data(rpcResult(id, DONE)));
      return afterHandshake(({ body }, r) => {
        id = body.id;
        r.writeHead(200, EVENTS).end("id: e1\nretry: 10\ndata: \n\n");
      })(received, response, request);
    };
  };
  const silent = afterHandshake(({ body }, response) =>
    body.method === "tools/call" ? undefined : sendJson(response, rpcResult(body.id, { tools: [] })),
  );

  test.each<[string, Handler, Partial<Case>]>([
    ["a server that hangs up", afterHandshake((_received, r) => r.destroy()), {}],
    [
      "a server that hangs up in the middle of its answer",
      afterHandshake((_received, r) => {
        r.writeHead(200, { "content-type": "application/json", "content-length": 99 }).write("{");
        setTimeout(() => r.destroy(), 30);
      }),
      {},
    ],
    ["a handshake that is cut", (_received, r) => r.destroy(), {}],
    ["a call that is not answered in time", silent, { limit_ms: 300 }],
    ["a redirect", after(303, "", { location: "/" }), {}],
    ["a stream of events", events((id) => data(rpcResult(id, DONE))), {}],
    [
      "a stream that is cut",
      events(
        () => ": nothing\n\n",
        (r) => setTimeout(() => r.destroy(), 30),
      ),
      {},
    ],
    [
      "a stream that stays open",
      events(
        (id) => data(rpcResult(id, DONE)),
        () => undefined,
      ),
      {},
    ],
    ["an answer of odd characters", answering(text("größe 😀 \u2028\ud800")), {}],
    ["an answer of about 65,600 bytes", answering(text("é".repeat(32_800))), {}],
    ["an answer that is too large", answering(text("x".repeat(4_200_000))), {}],
  ])("makes the same of %s", async (_what, handler, more) => {
    await expectSameCall(handler, more);
  });

  test("makes the same of a stream that is resumed", async () => {
    const output = await expectSameCall(resumable(), { notes: () => startRawServer(resumable()) });
    expect(output).toMatchObject({ ok: true });
  });
});
