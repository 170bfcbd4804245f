// The handlers in the revision 2026-07-28 of MCP, on the second line of the library. It has no initialize: each request names
// its revision and what its client can do. This module is loaded with the first such request.
import { randomBytes } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import {
  type CallToolRequestParams,
  CLIENT_CAPABILITIES_META_KEY,
  createMcpHandler,
  createRequestStateCodec,
  inputRequired,
  isSpecType,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/server/validators/ajv";
import { z } from "zod";
import type { FormQuestion } from "./ask-human.ts";
import { type McpCaller, type McpLog, resultOf, tracedBy } from "./calls.ts";
import type { McpHandlers } from "./handlers.ts";
import type { OpenExchange, Opening } from "./message.ts";
import type { Requester } from "./tools.ts";

const Subscription = z.object({ method: z.literal("subscriptions/listen") });
const DAY_SECONDS = 24 * 60 * 60;

export function openRevision2026(handlers: McpHandlers, log: McpLog): OpenExchange {
  const { about, instructions, capabilities, toolsChanged } = handlers;
  listedAs(handlers.operationTools);
  const { codecFor, callTool } = createCalling(handlers);
  const options = {
    capabilities,
    instructions,
    jsonSchemaValidator: new AjvJsonSchemaValidator(),
  };

  function serverFor(opening: Opening): Server {
    const { verify } = codecFor(opening.caller);
    const requestState = {
      verify: async (state: string, context: ServerContext) =>
        isCanonical(state) ? verify(state, context) : Promise.reject(new Error("malformed")),
    };
    const server = new Server(about, { ...options, requestState });
    server.setRequestHandler("tools/list", async (_request, context) =>
      listedAs(resultOf(await handlers.listTools(requesterOf(opening, context)))),
    );
    server.setRequestHandler("tools/call", ({ params }, context) => callTool(opening, params, context));
    server.setRequestHandler("resources/templates/list", () => resultOf(handlers.listTemplates()));
    server.setRequestHandler("resources/list", async ({ params = {} }, context) =>
      resultOf(await handlers.listResources(params, requesterOf(opening, context))),
    );
    server.setRequestHandler("resources/read", async ({ params }, context) =>
      resultOf(await handlers.readResource(params, requesterOf(opening, context))),
    );
    server.setRequestHandler("prompts/list", () => resultOf(handlers.listPrompts()));
    server.setRequestHandler("prompts/get", async ({ params }, context) =>
      resultOf(await handlers.getPrompt(params, requesterOf(opening, context))),
    );
    return server;
  }

  return async (opening) => {
    const { request_id } = opening.caller;
    const onerror = (err: Error) => log.debug({ request_id, err }, "a request over MCP was refused");
    const handler = createMcpHandler(() => serverFor(opening), { legacy: "reject", onerror });
    const over = new AbortController();
    const announce = async () => {
      for await (const _ of toolsChanged?.(over.signal) ?? []) handler.notify.toolsChanged();
    };
    return {
      answer: (request, parsedBody) => {
        if (Subscription.safeParse(parsedBody).success) void announce().catch(onerror);
        return handler.fetch(request, { parsedBody });
      },
      close: async () => {
        over.abort();
        await handler.close();
      },
    };
  };
}

function createCalling(handlers: McpHandlers) {
  const key = randomBytes(32);
  // What a client sends back is of this server, this token and this day. After a restart, the approval still waits.
  const codecFor = ({ token_id }: McpCaller) =>
    createRequestStateCodec<FormQuestion["asked"]>({ key, ttlSeconds: DAY_SECONDS, bind: () => token_id });

  /** A call that has ended at an approval, or at an unknown step, becomes a question to the client's human; the client repeats it with the answer. */
  async function callTool(opening: Opening, params: CallToolRequestParams, context: ServerContext) {
    const { inputResponses, requestState } = context.mcpReq;
    const requester = requesterOf(opening, context);
    const asked = requestState<FormQuestion["asked"]>();
    const reply =
      asked === undefined
        ? await handlers.callTool(params, requester)
        : await handlers.answerAfter(params, { asked, response: inputResponses?.[asked.form] }, requester);
    const result = resultOf(reply);
    const question = canAskHuman(context) ? await handlers.questionAfter(params, result, requester) : null;
    // The human who has left the question open is not asked again by the same call.
    if (question === null || isDeepStrictEqual(question.asked.fixed, asked?.fixed)) return result;
    const form = inputRequired.elicit({ message: question.message, requestedSchema: question.schema });
    return inputRequired({
      inputRequests: { [question.asked.form]: form },
      requestState: await codecFor(opening.caller).mint(question.asked, context),
    });
  }

  return { codecFor, callTool };
}

/** The library also reads a tag with padding, or with another last character of the same bytes: a state has one text only. */
function isCanonical(state: string): boolean {
  const tag = state.slice(state.lastIndexOf(".") + 1);
  return Buffer.from(tag, "base64url").toString("base64url") === tag;
}

const Declared = z.object({
  [CLIENT_CAPABILITIES_META_KEY]: z.object({
    elicitation: z.union([z.object({ form: z.object({}) }), z.object({ url: z.undefined().optional() })]),
  }),
});

/** A client that declares no mode of elicitation shows forms. */
const canAskHuman = ({ mcpReq: { envelope } }: ServerContext): boolean => Declared.safeParse(envelope).success;

/** A wait ends with the connection: a client that no longer wants an answer closes it. */
const requesterOf = ({ caller, json }: Opening, { mcpReq }: ServerContext): Requester => {
  const progressToken = mcpReq._meta?.progressToken;
  return {
    caller: { ...tracedBy(caller, mcpReq._meta), signal: AbortSignal.any([caller.signal, mcpReq.signal]) },
    report:
      json || progressToken === undefined
        ? null
        : (progress) => mcpReq.notify({ method: "notifications/progress", params: { progressToken, ...progress } }),
  };
};

function listedAs(listed: unknown) {
  if (!isSpecType.ListToolsResult(listed))
    throw new Error("a tool has a schema that this revision of MCP does not allow");
  return listed;
}
