// What the flow's script makes of tool calls is what the local backend makes of them: what is sent, and each kind of answer.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: parameters of a step look like this
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { cmd, mcpCall } from "../../support/builders.ts";
import { afterHandshake, rpcResult, sendJson, startRawServer, startSdkServer } from "../../support/tool-server.ts";
import { type Case, expectSame } from "./differential.ts";
import { answering, call, DONE, expectSameCall, type Handler, TOKEN, text } from "./handlers.ts";

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

describe.concurrent("an answer", () => {
  test.each<[string, unknown]>([
    ["with content", DONE],
    ["with nothing", {}],
    ["with facts about it", { content: [], _meta: { b: 1, a: 2 }, structuredContent: { z: 1 } }],
    ["with an error", { ...text("a", "b"), isError: true }],
    ["with an error without a word", { content: [], isError: true }],
    [
      "with an error and other content",
      { content: [{ type: "image", data: "x" }, ...text("a").content], isError: true },
    ],
    ["with a soft error", text('{"error":"no note"}')],
    ["with a soft error behind blanks", text(' \n{"error":"größe 😀"}')],
    ["with a soft error and more", text('{"error":"x","id":1}')],
    ["with two texts", text('{"error":"x"}', "y")],
    ["with an error that is no text", text('{"error":{"code":1}}')],
    ["with an error in a list", text('[{"error":"x"}]')],
    ["with text that begins like JSON", text("{no")],
    ["that asks for input", { resultType: "input_required" }],
    ["with content that is no list", { content: "odd", isError: true }],
    ["with content without a type", { content: [{ text: "x" }], isError: true }],
    ["with text that is no text", { content: [{ type: "text", text: 1 }], isError: true }],
    ["with odd numbers and keys", { "2": 1e21, "1": -0, "": 0.1, "a b": "\u2028\ud800" }],
    ["that is text", "done"],
    ["that is a list", [1, 2]],
    ["that is null", null],
    ["with 64 levels", JSON.parse(`{"a":${"[".repeat(63)}${"]".repeat(63)}}`)],
    ["with 65 levels", JSON.parse(`{"a":${"[".repeat(64)}${"]".repeat(64)}}`)],
  ])("%s", async (_what, result) => {
    await expectSameCall(answering(result));
  });

  test("that is far too deep", async () => {
    await expectSameCall(
      afterHandshake(({ body }, response) =>
        response
          .writeHead(200, { "content-type": "application/json" })
          .end(`{"jsonrpc":"2.0","id":${body.id},"result":{"a":${"[".repeat(200_000)}${"]".repeat(200_000)}}}`),
      ),
    );
  });

  test.each([65_000, 65_600, 98_304, 98_305, 4_194_000, 4_195_000])("has about %i bytes", async (bytes) => {
    await expectSameCall(answering(text("é".repeat(bytes / 2))));
  });
});
