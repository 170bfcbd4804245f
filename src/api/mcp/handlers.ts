// Answers each request of MCP, in any revision. It knows of no library: endpoint.ts and revision-2026.ts put the answers into the
// protocol.

import { INTENTS } from "../../domain/contract.ts";
import { INSTRUCTIONS } from "../operations/guidance.ts";
import type { AnyOperation } from "../operations/operation.ts";
import { type Called, createHuman, type HumanAnswer } from "./ask-human.ts";
import { createCalls, done, failed, type McpLog, type McpReply } from "./calls.ts";
import { getPrompt, PROMPTS } from "./prompts.ts";
import { listResources, RESOURCE_TEMPLATES, readResource } from "./resources.ts";
import type { SopTools } from "./sop-tools.ts";
import { createTools, type Requester } from "./tools.ts";

export type McpServerDeps = {
  readonly operations: readonly AnyOperation[];
  readonly version: string;
  readonly log: McpLog;
  /** The intents that a contract may name. */
  readonly intents?: ReadonlySet<string>;
  /** The interval of progress reports to a caller that waits and asked for them. */
  readonly progress_ms?: number;
  /** Null where procedures are no tools. */
  readonly sop_tools?: SopTools | null;
};

type Named<T> = { readonly name: string; readonly arguments?: T | undefined };

export type McpHandlers = ReturnType<typeof createHandlers>;

const PROGRESS_MS = 5_000;

export function createHandlers(deps: McpServerDeps) {
  const { version, log, intents = new Set(INTENTS), progress_ms = PROGRESS_MS, sop_tools = null } = deps;
  const operations = deps.operations.filter(({ no_tool }) => no_tool !== true);
  const calls = createCalls(operations, log);
  const tools = createTools({ calls, operations, words: { intents: [...intents] }, progress_ms, log, sop_tools });

  /** A bug is an answer too: the log has its details. */
  const answered = <T>({ caller: { request_id } }: Requester, work: Promise<McpReply<T>>): Promise<McpReply<T>> =>
    work.catch((err: unknown) => {
      log.error({ request_id, err }, "a request over MCP failed");
      return failed("internal", `The log of the service has details under the request_id ${request_id}.`);
    });

  const human = createHuman({ calls: createCalls(deps.operations, log), tools });

  return {
    about: { name: "orch", title: "orch", version },
    instructions: INSTRUCTIONS,
    capabilities: { tools: sop_tools === null ? {} : { listChanged: true }, resources: {}, prompts: {} },
    toolsChanged: sop_tools?.toolsChanged ?? null,
    /** Those that are always there. */
    operationTools: { tools: tools.operations },
    listTools: (requester: Requester) =>
      answered(
        requester,
        tools.list(requester.caller).then((all) => done({ tools: all })),
      ),
    isTool: tools.isTool,
    callTool: ({ name, arguments: input = {} }: Named<Record<string, unknown>>, requester: Requester) =>
      answered(requester, tools.call({ name, input, ...requester })),
    questionAfter: human.questionAfter,
    answerAfter: (called: Called, answer: HumanAnswer, requester: Requester) =>
      answered(requester, human.answerAfter(called, answer, requester)),
    listTemplates: () => done({ resourceTemplates: RESOURCE_TEMPLATES }),
    listResources: ({ cursor }: { readonly cursor?: string | undefined }, requester: Requester) =>
      answered(requester, listResources(calls, cursor, requester.caller)),
    readResource: ({ uri }: { readonly uri: string }, requester: Requester) =>
      answered(requester, readResource(tools.modelCalls, uri, requester.caller)),
    listPrompts: () => done({ prompts: PROMPTS }),
    getPrompt: ({ name, arguments: given = {} }: Named<Record<string, string>>, requester: Requester) =>
      answered(requester, getPrompt(calls, name, given, requester.caller)),
  };
}
