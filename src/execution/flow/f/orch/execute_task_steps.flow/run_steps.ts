// orch: runs the steps of a task on a flow engine and reports each. Put together from src/execution/flow-script by
// "npm run flow"; change it there. It needs nothing beside it.
// Part of it is eventsource-parser, under the MIT licence, Copyright (c) 2026 Espen Hovlandsdal.
// @ts-nocheck

// src/execution/flow-script/main.ts
import { isAbsolute as isAbsolute2 } from "node:path";

// src/domain/json-values.ts
var isRecord = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
var isTexts = (value) => isRecord(value) && Object.values(value).every((text) => typeof text === "string");
function isDeeperThan(root, levels) {
  const pending = [{ value: root, depth: 0 }];
  for (let next = pending.pop(); next !== void 0; next = pending.pop()) {
    const { value, depth } = next;
    if (typeof value !== "object" || value === null) continue;
    if (depth >= levels) return true;
    for (const held of Object.values(value)) pending.push({ value: held, depth: depth + 1 });
  }
  return false;
}
function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return void 0;
  }
}
function canonicalJson(value) {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  let members = "";
  for (const key of Object.keys(value).sort()) {
    const held = value[key];
    if (held === void 0) continue;
    members += `${members === "" ? "" : ","}${JSON.stringify(key)}:${canonicalJson(held)}`;
  }
  return `{${members}}`;
}

// src/domain/resolve-arguments.ts
var PARAMETER = /^\$\{(target|payload)\.([A-Za-z0-9_.]+)\}$/;
function resolveArguments(args, source) {
  return Object.fromEntries(Object.entries(args).map(([key, value]) => [key, resolved(value, source)]));
}
function resolved(value, source) {
  if (typeof value === "string") {
    const found = lookUp(value, source);
    return found === void 0 ? value : JSON.parse(canonicalJson(found));
  }
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => resolved(item, source));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolved(item, source)]));
}
function lookUp(text, source) {
  const match = PARAMETER.exec(text);
  if (match === null) return void 0;
  const [, root, path = ""] = match;
  let value = root === "target" ? source.target : source.payload;
  for (const name of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return void 0;
    value = new Map(Object.entries(value)).get(name);
  }
  return value;
}

// src/domain/step-run.ts
var maxMs = ({ constraints }) => constraints.max_minutes * 6e4;
var stepEnvironment = ({ task_id, target, payload }) => ({
  ...Object.fromEntries(Object.entries(target).map(([key, value]) => [`ORCH_TARGET_${key.toUpperCase()}`, value])),
  ORCH_PAYLOAD: canonicalJson(payload),
  ORCH_TASK_ID: task_id
});
function sentStep(step, source) {
  if (step.kind !== "mcp_call") return step;
  const sent = { ...step, arguments: resolveArguments(step.arguments, source) };
  if (step.expect === void 0) return sent;
  const { equals, contains } = step.expect;
  const filled = resolveArguments(
    { ...equals !== void 0 && { equals }, ...contains !== void 0 && { contains } },
    source
  );
  return { ...sent, expect: { ...step.expect, ...filled, ...textOf(filled["contains"]) } };
}
var textOf = (value) => value === void 0 ? {} : { contains: typeof value === "string" ? value : canonicalJson(value) };
var readsBefore = (text) => text.includes("ORCH_BEFORE");
var printedBefore = (before, steps) => new Map(
  [...before ?? []].flatMap(([index, { printed }]) => {
    const step = steps[index];
    return printed !== null && step?.kind === "check" && readsBefore(step.value) ? [[index, printed]] : [];
  })
);
function commandText(step) {
  if (step.kind === "mcp_call") {
    const expected = step.expect === void 0 ? "" : ` expect ${canonicalJson(step.expect)}`;
    return `${step.server}.${step.tool} ${canonicalJson(step.arguments)}${expected}`;
  }
  return step.kind === "skill_tool" ? `${step.skill}.${step.tool} ${canonicalJson(step.arguments)}` : step.value;
}
var MAX_LINE = 200;
function lastWords({ status, stdout, stderr }) {
  const [first, second] = status === "passed" ? [stdout, stderr] : [stderr, stdout];
  return lastLine(first) || lastLine(second);
}
function lastLine(text) {
  const trimmed = text.trimEnd();
  const line = trimmed.slice(trimmed.lastIndexOf("\n") + 1);
  return line.slice(0, MAX_LINE).toWellFormed();
}
function flowOutput(ran, stopped_before) {
  const step_results = ran.map(({ result }) => result);
  const broken = step_results.find(({ status }) => status !== "passed");
  return {
    ok: broken === void 0 && stopped_before === null,
    summary: broken === void 0 ? ending(step_results.length, stopped_before) : failure(broken),
    step_results,
    evidence: {
      executed_commands: ran.flatMap(({ step, executed }) => executed ? commandOf(step) : []),
      key_outputs: step_results.map(lastWords).filter((line) => line !== "")
    }
  };
}
function ending(passed, stopped_before) {
  const done = `${passed} ${passed === 1 ? "step" : "steps"} passed`;
  return stopped_before === null ? done : `stopped before step ${stopped_before}; ${done}`;
}
function failure({ index, kind, status, timed_out, exit_code }) {
  if (status === "outcome_unknown") return `step ${index} (${kind}) got no response, and may have taken effect`;
  const how = timed_out ? "reached its time limit" : exit_code === null ? "was ended" : `failed with exit code ${exit_code}`;
  return `step ${index} (${kind}) ${how}`;
}
function commandOf(step) {
  if (step.kind === "wait") return [];
  return [commandText(step)];
}
var isIdempotent = (step) => (step?.kind === "cmd" || step?.kind === "mcp_call") && step.idempotent === true;

// src/mcp-client/tool-servers.ts
import { setTimeout as sleep2 } from "node:timers/promises";

// src/domain/percent-decode.ts
function percentDecode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

// src/mcp-client/endpoint.ts
function endpointOf(name, { url, token, verify }, client) {
  const address = new URL(url);
  const account2 = [address.username, address.password].map(percentDecode).join(":");
  address.username = "";
  address.password = "";
  const basic = account2 === ":" ? null : `Basic ${Buffer.from(account2).toString("base64")}`;
  const shown2 = token === null ? basic : `Bearer ${token}`;
  if (shown2 === null) return { url: address.href, authorization: {}, verify: void 0, name, client };
  return { url: address.href, authorization: { authorization: shown2 }, verify, name, client };
}
var variableOf = ({ name }, of) => `MCP_${name.toUpperCase()}_${of}`;

// src/domain/failure-signs.ts
var FAILURE_SIGNS = [
  {
    name: "time-outs",
    delivery: "answer_lost",
    says: ["timeout", "timed out", "deadline exceeded", "i/o timeout", "TLS handshake timeout", "ETIMEDOUT"],
    also: /time[ -]?out|no answer within|(?:HTTP\S*|status(?: code)?|error|code)\W{0,3}408\b/i
  },
  {
    name: "connections refused",
    delivery: "never_sent",
    says: ["connection refused", "no route to host", "network is unreachable", "ECONNREFUSED"],
    also: /EHOSTUNREACH|ENETUNREACH|(?:cannot|can't|could not|couldn't|failed to|unable to) connect|the connection to the server \S+ was refused/i
  },
  {
    name: "connections lost",
    delivery: "answer_lost",
    says: ["connection reset by peer", "connection closed", "broken pipe", "unexpected EOF", "ECONNRESET"],
    also: /connection (?:was )?(?:reset|aborted|lost|closed|terminated|dropped)|(?:lost|closed) (?:the )?connection|(?:reset|closed) by (?:remote |the )?(?:peer|host|server)|closed (?:the )?connection|empty reply|remote end (?:closed|hung up)|h[au]ng up|fetch failed|EPIPE|ECONNABORTED|premature|incomplete ?read|early EOF|: EOF\b|EOF occurred|server has gone away|lost connection to|send disconnect|disconnected|stream (?:was )?(?:reset|closed)|transfer closed|other side closed|partial file|terminating connection|INTERNAL_ERROR|GOAWAY/i,
    closed: true
  },
  {
    name: "outcomes that are not known",
    delivery: "answer_lost",
    says: ["outcome is not known", "may have taken effect"],
    also: /(?:outcome|result|effect|state|status)\W+(?:\w+\W+){0,5}(?:unknown|not known|uncertain|undetermined)|unknown (?:outcome|result)|received HTTP\/0\.9|malformed HTTP|BadStatusLine|parse error: expected HTTP|may (?:or may not )?have (?:been )?(?:taken|run|executed|completed|succeeded|applied)/i
  },
  {
    name: "name resolution for the moment",
    delivery: "never_sent",
    says: ["temporary failure in name resolution", "server misbehaving", "EAI_AGAIN"],
    also: /could not resolve|name or service not known|no such host|unable to resolve|ENOTFOUND|getaddrinfo/i
  },
  {
    name: "rate limits",
    delivery: "never_sent",
    says: ["429", "too many requests", "rate limit exceeded", "toomanyrequests"]
  },
  {
    name: "servers overloaded or restarting",
    delivery: "answer_lost",
    says: ["502 bad gateway", "503 service unavailable", "504 gateway timeout", "try again later"],
    also: /bad gateway|service unavailable|internal server error|server error|(?:HTTP\S*|status(?: code)?|error|code)\W{0,3}5\d\d\b|\b5\d\d (?:server|error)/i
  },
  {
    name: "locks held",
    delivery: "never_sent",
    says: ["could not get lock", "lock held by another process", "index.lock exists", "database is locked"]
  },
  {
    name: "resources busy",
    delivery: "answered",
    says: ["resource temporarily unavailable", "device or resource busy", "text file busy", "EAGAIN"]
  }
];
var leavesOutcomeOpen = (status) => status >= 500 || status === 408 || status === 429;
var TIMEOUT_OPTIONS = /[\w-]*time-?out=\S*|--[\w-]*time-?out\b/gi;
var escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
var MATCHERS = FAILURE_SIGNS.map((signs) => ({
  ...signs,
  phrases: new RegExp(signs.says.map(escaped).join("|"), "i")
}));
function findSign(message, delivery) {
  const text = message.replace(TIMEOUT_OPTIONS, "");
  const found = MATCHERS.find(
    ({ delivery: of, phrases, also }) => of === delivery && (phrases.test(text) || also?.test(text) === true)
  );
  return found ?? null;
}
var reportsLostAnswer = (text) => findSign(text, "answer_lost") !== null;
var REMOTE_SHELLS = /* @__PURE__ */ new Set(["ssh", "scp", "sftp", "rsync", "ansible"]);
var ONE_REQUEST = new Set(
  "git psql mysql mariadb redis-cli valkey-cli mongosh kubectl helm docker podman http https xh mosquitto_pub".split(
    " "
  )
);
var CONNECTION_FAILED = {
  ...Object.fromEntries(
    [...REMOTE_SHELLS].map((name) => [
      name,
      /^(?:Host key verification failed\.|\S+: Permission denied \(|ssh: (?:connect to host|Could not resolve))/m
    ])
  ),
  psql: /^psql: (?:error: )?(?:connection to server |could not connect )/,
  mysql: /^ERROR (?:1044|1045|1049|2002|2003|2005) /m,
  mariadb: /^ERROR (?:1044|1045|1049|2002|2003|2005) /m
};

// src/mcp-client/reply.ts
var HEAD = 2e3;
var httpErrorText = ({ status, body }) => `HTTP ${status} ${body.slice(0, HEAD)}`.trimEnd();
var STOPPED = "orch: stopped on request";
var stopped = () => ({ is: "stopped", message: STOPPED });
var stoppedBefore = () => ({
  is: "unreachable",
  message: `${STOPPED}, before anything was called`
});
var timedOut = (limit_ms) => ({
  is: "timed_out",
  message: `there was no answer within ${limit_ms / 1e3} s`
});

// src/domain/json-text.ts
var NUMBER = /\d+(\.\d+)?([eE][+-]?\d+)?/y;
var DIGIT_0 = 48;
var DIGIT_9 = 57;
function parseStrictJson(text) {
  const value = parseJson(text);
  return value === void 0 || doubledField(text) !== null ? void 0 : value;
}
var doubledField = (text) => firstIssue(text, { max_depth: Number.POSITIVE_INFINITY, exact_numbers: false })?.path ?? null;
function firstIssue(text, { max_depth, exact_numbers }) {
  const places = [];
  let last = "";
  for (let at2 = 0; at2 < text.length; at2++) {
    switch (text[at2]) {
      case '"': {
        const end = endOfString(text, at2 + 1);
        last = text.slice(at2 + 1, end);
        at2 = end;
        break;
      }
      case ":": {
        const place = places.at(-1);
        if (place !== void 0 && "keys" in place && !isNew(place, last))
          return { path: pathOf(places), message: "is there twice; two fields of the same name, leave one" };
        break;
      }
      case ",": {
        const place = places.at(-1);
        if (place !== void 0 && "index" in place) place.index += 1;
        break;
      }
      case "[":
      case "{":
        if (places.length >= max_depth)
          return { path: pathOf(places), message: `is nested deeper than ${max_depth} levels; flatten it` };
        places.push(text[at2] === "[" ? { index: 0 } : { key: "", keys: /* @__PURE__ */ new Set() });
        break;
      case "]":
      case "}":
        places.pop();
        break;
      default: {
        const number = exact_numbers ? numberAt(text, at2) : null;
        if (number === null) break;
        const message = numberIssue(number);
        if (message !== null) return { path: pathOf(places), message };
        at2 += number.startsWith("-") ? number.length - 2 : number.length - 1;
      }
    }
  }
  return null;
}
var pathOf = (places) => places.map((place) => "index" in place ? place.index : place.key).join(".");
function isNew(place, written) {
  place.key = written;
  const key = unescaped(written);
  if (place.keys.has(key)) return false;
  place.keys.add(key);
  return true;
}
function unescaped(written) {
  if (!written.includes("\\")) return written;
  try {
    return String(JSON.parse(`"${written}"`));
  } catch {
    return written;
  }
}
function numberAt(text, at2) {
  const first = text.charCodeAt(at2);
  if (first < DIGIT_0 || first > DIGIT_9) return null;
  NUMBER.lastIndex = at2;
  const number = NUMBER.exec(text)?.[0] ?? null;
  return number !== null && text[at2 - 1] === "-" ? `-${number}` : number;
}
var numberIssue = (number) => isExact(number) ? null : `is a number that JSON programs change (${number.slice(0, 40)}); send it as text`;
var WHOLE = /^([-+]?(?:0x[\da-f]+|0o[0-7]+|\d+))(?:\.0*)?$/i;
function isExact(number) {
  const value = Number(number);
  if (!Number.isFinite(value)) return false;
  if (value === 0) return !/^[^e]*[1-9]/i.test(number);
  const whole = WHOLE.exec(number)?.[1];
  return whole === void 0 || String(value) === whole || BigInt(whole) === BigInt(value);
}
function endOfString(text, start) {
  for (let end = text.indexOf('"', start); end !== -1; end = text.indexOf('"', end + 1)) {
    let first = end;
    while (first > start && text[first - 1] === "\\") first--;
    if ((end - first) % 2 === 0) return end;
  }
  return text.length;
}

// src/mcp-client/rpc-message.ts
var isRpcError = (error) => isRecord(error) && typeof error["code"] === "number" && typeof error["message"] === "string";
function isRpcMessage(message) {
  if (!isRecord(message) || message["jsonrpc"] !== "2.0" || message["id"] === null) return false;
  const { method, id, result, error, jsonrpc: _, params, ...more } = message;
  if (Object.keys(more).length > 0) return false;
  return typeof method === "string" || isRpcError(error) || isRecord(result) && id !== void 0;
}
function doubledAnswer(text) {
  const path = parseJson(text) === void 0 ? null : doubledField(text);
  return path === null ? null : { is: "lost", message: `its answer has the field ${JSON.stringify(path.slice(0, 200))} twice` };
}
var TWO_ANSWERS = { is: "lost", message: "it gave two answers to the call" };
var GARBLED = { is: "lost", message: "what it answered is not JSON-RPC", is_garbled: true };
var garbled = () => GARBLED;
function responseInSession(value, id) {
  const replies = [];
  for (const message of Array.isArray(value) ? value : [value]) {
    if (!isRecord(message) || !isRpcMessage(message)) return GARBLED;
    const { id: answered, error, result } = message;
    if (!isOwnId(answered, id)) continue;
    if (isRpcError(error)) replies.push({ is: "rpc_error", code: error.code, message: error.message });
    if (result !== void 0) replies.push({ is: "result", result });
  }
  return onlyOne(replies);
}
var isOwnId = (answered, id) => answered === id || answered === String(id);
var onlyOne = (replies) => replies.length > 1 ? TWO_ANSWERS : replies[0] ?? null;
function statelessResponse(value, id) {
  const replies = [];
  for (const message of Array.isArray(value) ? value : [value]) {
    if (!isRecord(message)) continue;
    const { id: answered, error, result } = message;
    const isOwn = isOwnId(answered, id);
    if (isRpcError(error) && (isOwn || answered === null || answered === void 0))
      replies.push({ is: "rpc_error", code: error.code, message: error.message });
    if (isOwn && result !== void 0) replies.push({ is: "result", result });
  }
  return onlyOne(replies);
}
var beginsAsResponse = (cut2) => /^\s*\{\s*(?:"(?:jsonrpc|id)"\s*:\s*(?:"[^"]{0,64}"|\d{1,16})\s*,\s*){0,2}"result"\s*:/.test(cut2);
function rpcErrorIn(body, id) {
  const value = parseStrictJson(body);
  if (!isRecord(value) || typeof value["jsonrpc"] !== "string" || !isRpcError(value["error"])) return null;
  const { code, message } = value["error"];
  return { code, message, is_own: typeof id === "number" && isOwnId(value["id"], id) };
}
var OF_NEWER_REVISION = [-32022, -32020];

// src/mcp-client/tool-answer.ts
var MAX_DEPTH = 64;
var REFUSALS = /* @__PURE__ */ new Set([-32700, -32600, -32601, -32602, ...OF_NEWER_REVISION]);
function toolAnswerOf(reply) {
  switch (reply.is) {
    case "result":
      return answerOfResult(reply.result);
    case "rpc_error":
      return failure2(reply.message, isRefusal(reply) ? false : "unknown");
    case "http_error":
      return failure2(httpErrorText(reply), leavesOutcomeOpen(reply.status) ? "unknown" : false);
    case "too_large":
      return failure2(`the tool was run, and its answer is not kept: ${reply.message}`, "unknown");
    case "foreign":
    case "newer_revision":
      return failure2(reply.message, false);
    case "unreachable": {
      const fix = reply.fix === void 0 ? "" : `. ${reply.fix}`;
      return { ...failure2(`${reply.message}${fix}`, false), never_sent: true };
    }
    case "lost":
    case "timed_out":
    case "stopped": {
      const stderr = `${reply.message}; whether the tool took effect is not known`;
      return { ...failure2(stderr, "unknown"), timed_out: reply.is === "timed_out" };
    }
  }
}
var BAD_PARAMETERS = -32602;
var OF_THE_ANSWER = /output|result|response|answer|return|structured/i;
var isRefusal = ({ code, message }) => REFUSALS.has(code) && !(code === BAD_PARAMETERS && OF_THE_ANSWER.test(message)) && !reportsLostAnswer(message);
var failure2 = (stderr, executed) => ({ ok: false, stderr, executed, timed_out: false });
function answerOfResult(result) {
  if (isDeeperThan(result, MAX_DEPTH)) return failure2(`the answer is nested deeper than ${MAX_DEPTH} levels`, true);
  const success = { ok: true, stdout: JSON.stringify(result) };
  if (!isRecord(result)) return success;
  const { content, isError, resultType } = result;
  if (typeof (isError ?? false) !== "boolean") return unreadable("isError", "true or false");
  if (typeof (resultType ?? "") !== "string") return unreadable("resultType", "text");
  const parts = Array.isArray(content) && content.every(isContent) ? content : [];
  const texts = parts.flatMap(({ type, text }) => type === "text" && text !== void 0 ? [text] : []);
  if (isError === true) return toolError(texts.join("\n") || success.stdout);
  if (resultType === "input_required") return failure2("the tool asks for input, which is not supported", true);
  if (isOnlyAccepted(result)) return failure2("the tool has only started; orch does not wait until it ends", "unknown");
  const error = softError(texts);
  return error === null ? success : toolError(error);
}
var isOnlyAccepted = ({ content, task, resultType }) => resultType === "task" || content === void 0 && isRecord(task) && typeof task["taskId"] === "string";
var unreadable = (field, type) => failure2(`in its answer ${field} is not ${type}; whether the tool took effect is not known`, "unknown");
var toolError = (text) => failure2(text, reportsLostAnswer(text) ? "unknown" : true);
function softError(texts) {
  const value = texts.length === 1 ? parseJson(texts[0] ?? "") : null;
  return isTexts(value) && Object.keys(value).length === 1 ? value["error"] ?? null : null;
}
var isContent = (part) => isRecord(part) && typeof part["type"] === "string" && ["string", "undefined"].includes(typeof part["text"]);

// src/mcp-client/tool-catalogue.ts
var MAX_PAGES = 100;
async function readCatalogue(server, { limit_ms, signal }) {
  const deadline = performance.now() + limit_ms;
  const tools = [];
  let cursor;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const limits = { limit_ms: Math.max(1, deadline - performance.now()), signal };
    const reply = await server.request("tools/list", cursor === void 0 ? {} : { cursor }, limits);
    if (reply.is !== "result") {
      const fix = reply.is === "unreachable" && reply.fix !== void 0 ? { fix: reply.fix } : {};
      return { fault: faultOf(reply, limit_ms), how: howOf(reply), ...fix };
    }
    const { tools: listed, nextCursor } = isRecord(reply.result) ? reply.result : {};
    if (!Array.isArray(listed)) return { fault: "what it answered to tools/list is no list of tools", how: "refused" };
    tools.push(...listed.flatMap(toolOf));
    if (typeof nextCursor !== "string" || nextCursor === "" || nextCursor === cursor) return { tools };
    cursor = nextCursor;
  }
  return { fault: `its list of tools has more than ${MAX_PAGES} pages`, how: "unread" };
}
function howOf(reply) {
  if (reply.is === "unreachable") return "unreachable";
  if (reply.is === "rpc_error") return isRefusal(reply) ? "refused" : "unread";
  return reply.is === "http_error" && NO_SUCH_METHOD.has(reply.status) ? "refused" : "unread";
}
var NO_SUCH_METHOD = /* @__PURE__ */ new Set([400, 404, 405, 501]);
function faultOf(reply, limit_ms) {
  if (reply.is === "timed_out") return `there was no answer within ${limit_ms / 1e3} s`;
  if ("message" in reply) return reply.message;
  const answer = toolAnswerOf(reply);
  return answer.ok ? "" : answer.stderr;
}
var MAX_DEPTH2 = 100;
function toolOf(value) {
  if (!isRecord(value) || typeof value["name"] !== "string" || value["name"] === "") return [];
  if (isDeeperThan(value, MAX_DEPTH2)) return [];
  const { name, description, inputSchema, annotations } = value;
  const hints = isRecord(annotations) ? annotations : {};
  return [
    {
      name,
      description: typeof description === "string" ? description : "",
      // It comes from JSON.
      input_schema: isRecord(inputSchema) ? inputSchema : {},
      effect: effectOf(hints),
      idempotent: hints["idempotentHint"] === true,
      destructive: isDestructive(hints),
      definition: definitionOf(value)
    }
  ];
}
var DEFINING = ["name", "title", "description", "inputSchema", "outputSchema", "annotations"];
var definitionOf = (value) => (
  // It comes from JSON.
  Object.fromEntries(DEFINING.flatMap((key) => value[key] === void 0 ? [] : [[key, value[key]]]))
);
var isDestructive = ({ destructiveHint: destroys }) => destroys !== void 0 && destroys !== null && destroys !== false;
function effectOf(hints) {
  const { readOnlyHint: reads, destructiveHint: destroys } = hints;
  if (destroys !== void 0 && destroys !== false || reads !== void 0 && reads !== true) return "changes";
  return reads === true ? "reads" : "unknown";
}

// src/mcp-client/within.ts
function within(work, { limit_ms, signal }) {
  const { promise, resolve, reject } = Promise.withResolvers();
  const timer = setTimeout(resolve, limit_ms, { is: "timed_out" });
  const stop = () => resolve({ is: "stopped" });
  signal.addEventListener("abort", stop);
  work.then((value) => resolve({ is: "done", value }), reject);
  if (signal.aborted) stop();
  return promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  });
}

// src/mcp-client/known-tools.ts
var KEPT_MS = 3e5;
var REFUSAL_KEPT_MS = 3e4;
function keptFor(catalogue) {
  if (!("fault" in catalogue)) return KEPT_MS;
  return catalogue.how === "refused" ? REFUSAL_KEPT_MS : 0;
}
function createKnownTools(server, limit_ms) {
  const closing = new AbortController();
  let kept2 = null;
  const read = (max_age_ms) => {
    const now = performance.now();
    if (kept2 !== null && now < kept2.until && now - kept2.begun < max_age_ms) return kept2.found;
    const found = readCatalogue(server, { limit_ms, signal: closing.signal });
    const reading = { found, begun: now, until: Infinity };
    kept2 = reading;
    return found.then((catalogue) => {
      reading.until = performance.now() + keptFor(catalogue);
      return catalogue;
    });
  };
  return {
    listing: async (limits, max_age_ms = Infinity) => {
      const end = await within(read(max_age_ms), limits);
      if (end.is === "stopped") return { is: "unread", why: "it was stopped", is_unreachable: false };
      if (end.is === "timed_out") {
        const why = `there was no answer within ${limits.limit_ms / 1e3} s`;
        return { is: "unread", why, is_unreachable: false };
      }
      if (!("fault" in end.value)) return { is: "listed", tools: end.value.tools };
      const { fault, how } = end.value;
      return how === "refused" ? { is: "unlisted" } : { is: "unread", why: fault, is_unreachable: how === "unreachable" };
    },
    close: () => closing.abort()
  };
}

// src/http-client/request.ts
import {
  request as requestHttp
} from "node:http";
import { request as requestHttps } from "node:https";
import { connect } from "node:net";

// src/http-client/fault.ts
var HttpFaultError = class extends Error {
  fault;
  constructor(fault) {
    super(fault.message);
    this.name = "HttpFaultError";
    this.fault = fault;
  }
};
var REDIRECTED = "the server answers with a redirect, which is not followed: it would carry the token away";
var REDIRECTS = /* @__PURE__ */ new Set([301, 302, 303, 307, 308]);
var isRedirect = (status) => REDIRECTS.has(status);
var BEFORE_SENDING = /^(ERR_TLS_\w+|ERR_SSL_\w+|CERT_\w+|\w*SELF_SIGNED\w*|UNABLE_TO_\w+|ERR_INVALID_\w+)$/;
var CONNECTING = ["connect", "getaddrinfo"];
function networkFault(error, is_connected) {
  const { code: system_code = "", syscall, message } = rootOf(error);
  const sent = is_connected && !BEFORE_SENDING.test(system_code) && !CONNECTING.includes(syscall);
  const is_hung_up = system_code === "ECONNRESET" && syscall === void 0;
  const cause = is_hung_up ? "other side closed the connection" : message;
  return {
    code: sent ? "lost" : "unreachable",
    message: cause.includes(system_code) ? cause : `${system_code} ${cause}`,
    system_code,
    sent
  };
}
function rootOf(error) {
  if (error instanceof AggregateError) return rootOf(error.errors[0]);
  return error instanceof Error ? error : new Error(String(error));
}

// src/http-client/request.ts
var LONGEST_MS = 2 ** 31 - 1;
async function textOf2(body) {
  const chunks = [];
  for await (const chunk of body) chunks.push(chunk);
  return new TextDecoder().decode(Buffer.concat(chunks));
}
function openRequest(asked) {
  const { method, url, headers = {}, body = "", max_bytes } = asked;
  const limits = limitsOf(asked);
  let isSent = false;
  const faultOf3 = (error) => limits.end() === null ? networkFault(error, isSent) : limits.fault(isSent);
  const { promise, resolve } = Promise.withResolvers();
  const fail = (error) => {
    const fault = faultOf3(error);
    limits.release();
    resolve({ ok: false, fault });
  };
  const length = method === "POST" ? { "content-length": String(Buffer.byteLength(body)) } : {};
  const all = { "accept-encoding": "identity", connection: "close", ...length, ...headers };
  try {
    const start = url.startsWith("https:") ? requestHttps : requestHttp;
    const verified = asked.verify && !url.startsWith("https:") && verifiedBy(asked.verify, limits.signal);
    const options = { method, headers: all, signal: limits.signal };
    const request = start(url, { ...options, ...verified ? { createConnection: verified } : { agent: false } });
    request.on("socket", (socket) => {
      if (!socket.connecting) isSent = true;
      else socket.once(url.startsWith("https:") ? "secureConnect" : "connect", () => isSent = true);
    });
    request.on("error", fail);
    request.on("response", (response) => {
      const close = () => {
        limits.release();
        response.destroy();
      };
      const read = () => boundedBody(response, max_bytes, faultOf3, close);
      const { statusCode: status = 0, headers: headers2 } = response;
      resolve({ ok: true, status, headers: headers2, body: { [Symbol.asyncIterator]: read }, close });
    });
    request.end(body);
  } catch (error) {
    fail(error);
  }
  return promise;
}
var verifiedBy = (verify, signal) => ({ host, port }, give) => {
  const socket = connect({ host: host ?? "", port: Number(port), signal });
  const fail = (error) => give(error, socket);
  socket.once("error", fail);
  socket.once("connect", async () => {
    const fault = await verify(socket);
    socket.off("error", fail);
    if (fault === null && !socket.destroyed) return give(null, socket);
    socket.on("error", () => void 0);
    socket.destroy();
    fail(new Error(fault ?? "the connection was closed"));
  });
};
async function* boundedBody(response, max_bytes, faultOf3, close) {
  let size = 0;
  try {
    for await (const chunk of response) {
      size += chunk.length;
      if (size > max_bytes) {
        const message = `the answer has more than ${max_bytes} bytes`;
        throw new HttpFaultError({ code: "too_large", message, system_code: "", sent: true });
      }
      yield chunk;
    }
  } catch (error) {
    throw error instanceof HttpFaultError ? error : new HttpFaultError(faultOf3(error));
  } finally {
    close();
  }
}
function limitsOf({ limit_ms = LONGEST_MS, signal }) {
  const ending2 = new AbortController();
  let end = null;
  const finish = (how) => {
    end ??= how;
    ending2.abort();
  };
  const stop = () => finish("aborted");
  const timer = setTimeout(() => finish("timed_out"), Math.min(limit_ms, LONGEST_MS));
  signal?.addEventListener("abort", stop);
  if (signal?.aborted === true) stop();
  return {
    signal: ending2.signal,
    end: () => end,
    fault: (sent) => {
      const message = end === "aborted" ? "it was stopped" : `there was no answer within ${limit_ms / 1e3} s`;
      return { code: end ?? "aborted", message, system_code: "", sent };
    },
    release: () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
    }
  };
}

// src/mcp-client/post.ts
var MAX_ANSWER_BYTES = 4 * 1024 * 1024;
async function post(posted, limits, read) {
  const { endpoint, headers, message } = posted;
  const response = await openRequest({
    method: "POST",
    url: endpoint.url,
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...endpoint.authorization,
      ...headers
    },
    body: JSON.stringify({ jsonrpc: "2.0", ...message }),
    max_bytes: MAX_ANSWER_BYTES,
    verify: endpoint.verify,
    ...limits
  });
  if (!response.ok) return replyOfFault(response.fault, limits);
  try {
    if (isRedirect(response.status)) return { is: "foreign", message: REDIRECTED };
    return await read(response);
  } catch (error) {
    if (!(error instanceof HttpFaultError)) throw error;
    const isAnswer2 = isSuccess(response) && mediaType(response) === "application/json";
    return error.fault.code === "too_large" && isAnswer2 ? { is: "too_large", message: error.fault.message } : replyOfFault(error.fault, limits);
  } finally {
    response.close();
  }
}
function replyOfFault({ code, message, sent }, { limit_ms }) {
  if (code === "aborted") return sent ? stopped() : stoppedBefore();
  if (!sent) return { is: "unreachable", message };
  if (code === "timed_out") return timedOut(limit_ms);
  return code === "too_large" ? { is: "lost", message, is_garbled: true } : { is: "lost", message };
}
var mediaType = ({ headers }) => (headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
var isSuccess = ({ status }) => status >= 200 && status <= 299;

// node_modules/eventsource-parser/dist/index.js
var ParseError = class extends Error {
  constructor(message, options) {
    super(message), this.name = "ParseError", this.type = options.type, this.field = options.field, this.value = options.value, this.line = options.line;
  }
};
var LF = 10;
var CR = 13;
var SPACE = 32;
function noop(_arg) {
}
function createParser(config) {
  if (typeof config == "function")
    throw new TypeError(
      "`config` must be an object, got a function instead. Did you mean `createParser({onEvent: fn})`?"
    );
  const { onEvent = noop, onError = noop, onRetry = noop, onComment, maxBufferSize } = config, pendingFragments = [];
  let pendingFragmentsLength = 0, isFirstChunk = true, id, data = "", dataLines = 0, eventType, terminated = false;
  function feed(chunk) {
    if (terminated)
      throw new Error(
        "Cannot feed parser: it was terminated after exceeding the configured max buffer size. Call `reset()` to resume parsing."
      );
    if (isFirstChunk && (isFirstChunk = false, chunk.charCodeAt(0) === 239 && chunk.charCodeAt(1) === 187 && chunk.charCodeAt(2) === 191 && (chunk = chunk.slice(3))), pendingFragments.length === 0) {
      const trailing2 = processLines(chunk);
      trailing2 !== "" && (pendingFragments.push(trailing2), pendingFragmentsLength = trailing2.length), checkBufferSize();
      return;
    }
    if (chunk.indexOf(`
`) === -1 && chunk.indexOf("\r") === -1) {
      pendingFragments.push(chunk), pendingFragmentsLength += chunk.length, checkBufferSize();
      return;
    }
    pendingFragments.push(chunk);
    const input = pendingFragments.join("");
    pendingFragments.length = 0, pendingFragmentsLength = 0;
    const trailing = processLines(input);
    trailing !== "" && (pendingFragments.push(trailing), pendingFragmentsLength = trailing.length), checkBufferSize();
  }
  function checkBufferSize() {
    maxBufferSize !== void 0 && (pendingFragmentsLength + data.length <= maxBufferSize || (terminated = true, pendingFragments.length = 0, pendingFragmentsLength = 0, id = void 0, data = "", dataLines = 0, eventType = void 0, onError(
      new ParseError(`Buffered data exceeded max buffer size of ${maxBufferSize} characters`, {
        type: "max-buffer-size-exceeded"
      })
    )));
  }
  function processLines(chunk) {
    let searchIndex = 0;
    if (chunk.indexOf("\r") === -1) {
      let lfIndex = chunk.indexOf(`
`, searchIndex);
      for (; lfIndex !== -1; ) {
        if (searchIndex === lfIndex) {
          dataLines > 0 && onEvent({ id, event: eventType, data }), id = void 0, data = "", dataLines = 0, eventType = void 0, searchIndex = lfIndex + 1, lfIndex = chunk.indexOf(`
`, searchIndex);
          continue;
        }
        const firstCharCode = chunk.charCodeAt(searchIndex);
        if (isDataPrefix(chunk, searchIndex, firstCharCode)) {
          const valueStart = chunk.charCodeAt(searchIndex + 5) === SPACE ? searchIndex + 6 : searchIndex + 5, value = chunk.slice(valueStart, lfIndex);
          if (dataLines === 0 && chunk.charCodeAt(lfIndex + 1) === LF) {
            onEvent({ id, event: eventType, data: value }), id = void 0, data = "", eventType = void 0, searchIndex = lfIndex + 2, lfIndex = chunk.indexOf(`
`, searchIndex);
            continue;
          }
          data = dataLines === 0 ? value : `${data}
${value}`, dataLines++;
        } else isEventPrefix(chunk, searchIndex, firstCharCode) ? eventType = chunk.slice(
          chunk.charCodeAt(searchIndex + 6) === SPACE ? searchIndex + 7 : searchIndex + 6,
          lfIndex
        ) || void 0 : parseLine(chunk, searchIndex, lfIndex);
        searchIndex = lfIndex + 1, lfIndex = chunk.indexOf(`
`, searchIndex);
      }
      return chunk.slice(searchIndex);
    }
    for (; searchIndex < chunk.length; ) {
      const crIndex = chunk.indexOf("\r", searchIndex), lfIndex = chunk.indexOf(`
`, searchIndex);
      let lineEnd = -1;
      if (crIndex !== -1 && lfIndex !== -1 ? lineEnd = crIndex < lfIndex ? crIndex : lfIndex : crIndex !== -1 ? crIndex === chunk.length - 1 ? lineEnd = -1 : lineEnd = crIndex : lfIndex !== -1 && (lineEnd = lfIndex), lineEnd === -1)
        break;
      parseLine(chunk, searchIndex, lineEnd), searchIndex = lineEnd + 1, chunk.charCodeAt(searchIndex - 1) === CR && chunk.charCodeAt(searchIndex) === LF && searchIndex++;
    }
    return chunk.slice(searchIndex);
  }
  function parseLine(chunk, start, end) {
    if (start === end) {
      dispatchEvent();
      return;
    }
    const firstCharCode = chunk.charCodeAt(start);
    if (isDataPrefix(chunk, start, firstCharCode)) {
      const valueStart = chunk.charCodeAt(start + 5) === SPACE ? start + 6 : start + 5, value2 = chunk.slice(valueStart, end);
      data = dataLines === 0 ? value2 : `${data}
${value2}`, dataLines++;
      return;
    }
    if (isEventPrefix(chunk, start, firstCharCode)) {
      eventType = chunk.slice(chunk.charCodeAt(start + 6) === SPACE ? start + 7 : start + 6, end) || void 0;
      return;
    }
    if (firstCharCode === 105 && chunk.charCodeAt(start + 1) === 100 && chunk.charCodeAt(start + 2) === 58) {
      const value2 = chunk.slice(chunk.charCodeAt(start + 3) === SPACE ? start + 4 : start + 3, end);
      value2.includes("\0") || (id = value2);
      return;
    }
    if (firstCharCode === 58) {
      if (onComment) {
        const line2 = chunk.slice(start, end);
        onComment(line2.slice(chunk.charCodeAt(start + 1) === SPACE ? 2 : 1));
      }
      return;
    }
    const line = chunk.slice(start, end), fieldSeparatorIndex = line.indexOf(":");
    if (fieldSeparatorIndex === -1) {
      processField(line, "", line);
      return;
    }
    const field = line.slice(0, fieldSeparatorIndex), offset = line.charCodeAt(fieldSeparatorIndex + 1) === SPACE ? 2 : 1, value = line.slice(fieldSeparatorIndex + offset);
    processField(field, value, line);
  }
  function processField(field, value, line) {
    switch (field) {
      case "event":
        eventType = value || void 0;
        break;
      case "data":
        data = dataLines === 0 ? value : `${data}
${value}`, dataLines++;
        break;
      case "id":
        value.includes("\0") || (id = value);
        break;
      case "retry":
        /^\d+$/.test(value) ? onRetry(parseInt(value, 10)) : onError(
          new ParseError(`Invalid \`retry\` value: "${value}"`, {
            type: "invalid-retry",
            value,
            line
          })
        );
        break;
      default:
        onError(
          new ParseError(
            `Unknown field "${field.length > 20 ? `${field.slice(0, 20)}…` : field}"`,
            { type: "unknown-field", field, value, line }
          )
        );
        break;
    }
  }
  function dispatchEvent() {
    dataLines > 0 && onEvent({
      id,
      event: eventType,
      data
    }), id = void 0, data = "", dataLines = 0, eventType = void 0;
  }
  function reset(options = {}) {
    if (options.consume && pendingFragments.length > 0) {
      const incompleteLine = pendingFragments.join("");
      parseLine(incompleteLine, 0, incompleteLine.length);
    }
    isFirstChunk = true, id = void 0, data = "", dataLines = 0, eventType = void 0, pendingFragments.length = 0, pendingFragmentsLength = 0, terminated = false;
  }
  return { feed, reset };
}
function isDataPrefix(chunk, i, firstCharCode) {
  return firstCharCode === 100 && chunk.charCodeAt(i + 1) === 97 && chunk.charCodeAt(i + 2) === 116 && chunk.charCodeAt(i + 3) === 97 && chunk.charCodeAt(i + 4) === 58;
}
function isEventPrefix(chunk, i, firstCharCode) {
  return firstCharCode === 101 && chunk.charCodeAt(i + 1) === 118 && chunk.charCodeAt(i + 2) === 101 && chunk.charCodeAt(i + 3) === 110 && chunk.charCodeAt(i + 4) === 116 && chunk.charCodeAt(i + 5) === 58;
}

// src/http-client/event-stream.ts
async function* readEvents(body, { onRetry = () => void 0, onCut } = {}) {
  const decoder = new TextDecoder();
  const read = [];
  const parser = createParser({ onEvent: (event) => read.push(event), onRetry });
  try {
    for await (const chunk of body) {
      parser.feed(decoder.decode(chunk, { stream: true }));
      yield* read.splice(0);
    }
  } catch (error) {
    parser.feed("\n\n");
    onCut?.(read.at(-1)?.data ?? "");
    throw error;
  }
}

// src/mcp-client/server-stream.ts
var OPENING_MS = 1e3;
function createServerStream({ url, headers, verify, answer }) {
  const closing = new AbortController();
  let isOffered = true;
  let isLate = false;
  let opening = null;
  const listen = async () => {
    const asked = { ...headers(), accept: "text/event-stream" };
    const limits = { max_bytes: MAX_ANSWER_BYTES, signal: closing.signal };
    const response = await openRequest({ method: "GET", url, headers: asked, verify, ...limits });
    if (response.ok && isSuccess(response) && mediaType(response) === "text/event-stream") {
      void readRequests(response, answer).finally(() => opening = null);
      return;
    }
    opening = null;
    if (!response.ok) return;
    response.close();
    isOffered = mayBeOfferedLater(response.status);
  };
  return {
    open: async ({ limit_ms, signal }) => {
      if (!isOffered || closing.signal.aborted) return;
      opening ??= listen();
      if (isLate) return;
      const end = await within(opening, { limit_ms: Math.min(limit_ms, OPENING_MS), signal });
      isLate = end.is === "timed_out";
    },
    close: () => closing.abort()
  };
}
var mayBeOfferedLater = (status) => status >= 500 || status === 409 || status === 429;
async function readRequests({ body }, answer) {
  try {
    for await (const { event = "message", data } of readEvents(body)) {
      const value = event === "message" ? parseJson(data) : null;
      if (isServerRequest(value)) answer(value);
    }
  } catch {
  }
}
var isServerRequest = (value) => isRecord(value) && typeof value["method"] === "string" && value["id"] !== void 0;

// src/mcp-client/session-stream.ts
import { setTimeout as sleep } from "node:timers/promises";
var FIRST_PAUSE_MS = 1e3;
var PAUSE_MS = 250;
var LONGEST_PAUSE_MS = 3e4;
var RESUME_TRIES = 2;
async function responseInStream(awaited, response) {
  const until = performance.now() + awaited.limits.limit_ms;
  const state = { last_event_id: "", retry_ms: FIRST_PAUSE_MS, resumed: 0 };
  for (let stream = response; ; ) {
    const end = await readStream(awaited, stream, state);
    if ("is" in end) return end;
    const isFinal = end.fault !== null && end.fault.code !== "lost";
    if (isFinal || state.last_event_id === "") return endedEarly(end.fault, awaited.limits);
    const resumed = await resume(awaited, state, until);
    if ("is" in resumed) return resumed;
    stream = resumed;
  }
}
function endedEarly(fault, limits) {
  if (fault === null) return { is: "lost", message: "the connection ended before the answer came" };
  if (fault.code === "timed_out" || fault.code === "aborted") return replyOfFault(fault, limits);
  return { is: "lost", message: `the connection was lost before the answer came: ${fault.message}` };
}
async function readStream({ id, answer }, { body }, state) {
  let cut2 = "";
  const listeners = {
    onRetry: (wait_ms) => {
      state.retry_ms = wait_ms;
    },
    onCut: (data) => {
      cut2 = data;
    }
  };
  try {
    for await (const { id: event_id, event = "message", data } of readEvents(body, listeners)) {
      state.last_event_id = event_id ?? state.last_event_id;
      if (event !== "message") continue;
      const value = parseJson(data);
      if (isServerRequest(value)) answer(value);
      const reply = responseInSession(value, id);
      if (reply !== null && !(reply.is === "lost" && reply.is_garbled)) return doubledAnswer(data) ?? reply;
    }
    return { fault: null };
  } catch (error) {
    if (!(error instanceof HttpFaultError)) throw error;
    const { code, message } = error.fault;
    return code === "too_large" && beginsAsResponse(cut2) ? { is: "too_large", message } : { fault: error.fault };
  }
}
async function resume({ url, headers, verify, limits: { limit_ms, signal } }, state, until) {
  for (let failures = 0; ; ) {
    const growing = state.resumed === 0 ? 0 : Math.min(LONGEST_PAUSE_MS, PAUSE_MS * 2 ** state.resumed);
    const pause_ms = Math.min(Math.max(state.retry_ms, growing), Math.max(0, until - performance.now()));
    await sleep(pause_ms, void 0, { signal }).catch(() => void 0);
    if (signal.aborted) return stopped();
    if (performance.now() >= until) return timedOut(limit_ms);
    const response = await openRequest({
      method: "GET",
      url,
      headers: { ...headers, accept: "text/event-stream", "last-event-id": state.last_event_id },
      max_bytes: MAX_ANSWER_BYTES,
      verify,
      limit_ms: Math.max(1, until - performance.now()),
      signal
    });
    state.resumed += 1;
    if (response.ok && isSuccess(response) && mediaType(response) === "text/event-stream") return response;
    const reason = response.ok ? `HTTP ${response.status}` : response.fault.message;
    if (response.ok) response.close();
    failures += 1;
    const isRefused = response.ok && response.status === 405;
    if (isRefused || failures >= RESUME_TRIES)
      return { is: "lost", message: `its stream could not be resumed: ${reason}` };
  }
}

// src/mcp-client/unsupported.ts
var wantsOAuth = (headers) => /\bresource_metadata\s*=/i.test(headers["www-authenticate"] ?? "");
var oauthWanted = (endpoint) => ({
  is: "unreachable",
  message: "HTTP 401: it wants OAuth, which orch does not do",
  fix: `Give a token of its authorization server in ${variableOf(endpoint, "TOKEN")}, or a new one where it has expired.`
});
var LOOK_MS = 2e3;
var LOOK_BYTES = 64 * 1024;
async function speaksOlderTransport({ url, authorization, verify }, fault, signal) {
  if (fault.is !== "http_error" || ![404, 405].includes(fault.status)) return false;
  const headers = { ...authorization, accept: "text/event-stream" };
  const limits = { limit_ms: LOOK_MS, max_bytes: LOOK_BYTES, signal };
  const response = await openRequest({ method: "GET", url, headers, verify, ...limits });
  if (!response.ok) return false;
  try {
    if (!isSuccess(response) || mediaType(response) !== "text/event-stream") return false;
    for await (const { event } of readEvents(response.body, {})) return event === "endpoint";
    return false;
  } catch (error) {
    if (!(error instanceof HttpFaultError)) throw error;
    return false;
  } finally {
    response.close();
  }
}
var olderTransport = (endpoint) => ({
  is: "unreachable",
  message: "it speaks the older SSE transport, which orch does not",
  fix: `Set ${variableOf(endpoint, "URL")} to its address for streamable HTTP, or put a proxy before it.`
});

// src/mcp-client/session.ts
var OFFERED = "2025-11-25";
var REVISIONS = [OFFERED, "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"];
var GOODBYE_MS = 1e3;
var ANSWER_MS = 1e4;
var MOST_ANSWERS = 16;
var NEVER = new AbortController().signal;
async function openSession(endpoint, { limit_ms, signal }) {
  const until = performance.now() + limit_ms;
  const conversation = { endpoint, headers: {}, next_id: 1, answering: /* @__PURE__ */ new Set() };
  const params = { protocolVersion: OFFERED, capabilities: {}, clientInfo: endpoint.client };
  const offer = { id: conversation.next_id++, method: "initialize", params };
  const welcome = await send(conversation, offer, { limit_ms, signal });
  if (welcome.is !== "result") return { fault: welcome };
  const fault = faultInWelcome(welcome.result, conversation);
  if (fault !== null) return { fault };
  const left2 = { signal, limit_ms: Math.max(1, until - performance.now()) };
  const confirmed = await send(conversation, { method: "notifications/initialized" }, left2);
  return confirmed.is === "result" ? { session: sessionOf(conversation) } : { fault: confirmed };
}
function faultInWelcome(result, { headers }) {
  const { protocolVersion: revision, capabilities, serverInfo } = isRecord(result) ? result : {};
  if (typeof revision !== "string" || !isRecord(capabilities) || !isRecord(serverInfo)) return garbled();
  headers["mcp-protocol-version"] = revision;
  if (REVISIONS.includes(revision)) return null;
  return { is: "foreign", message: `Server's protocol version is not supported: ${revision}` };
}
var WITHOUT_RESPONSE = ["lost", "timed_out", "stopped"];
function sessionOf(conversation) {
  const underWay = /* @__PURE__ */ new Set();
  const track = (work) => {
    underWay.add(work);
    return work.finally(() => underWay.delete(work));
  };
  const cancel = (requestId) => {
    const message = { method: "notifications/cancelled", params: { requestId, reason: "no answer" } };
    return send(conversation, message, { limit_ms: GOODBYE_MS, signal: NEVER });
  };
  const { endpoint, headers } = conversation;
  const { url, authorization, verify } = endpoint;
  const stream = createServerStream({
    url,
    verify,
    headers: () => ({ ...authorization, ...headers }),
    answer: (own) => answerServer(conversation, own)
  });
  return {
    kind: "session",
    request: async (method, params, { limit_ms, signal }) => {
      const until = performance.now() + limit_ms;
      if (headers["mcp-session-id"] !== void 0) await stream.open({ limit_ms, signal });
      const limits = { signal, limit_ms: Math.max(1, Math.round(until - performance.now())) };
      const id = conversation.next_id++;
      const reply = toolErrorIn(await track(send(conversation, { id, method, params }, limits)), id);
      if (WITHOUT_RESPONSE.includes(reply.is)) void track(cancel(id));
      return reply;
    },
    close: async () => {
      while (underWay.size > 0) await Promise.allSettled(underWay);
      stream.close();
      await Promise.all(conversation.answering);
      await endSession(conversation);
    }
  };
}
function send(conversation, message, limits) {
  const { endpoint, headers } = conversation;
  const has_session = headers["mcp-session-id"] !== void 0;
  return post({ endpoint, headers, message }, limits, async (response) => {
    const session_id = response.headers["mcp-session-id"];
    if (typeof session_id === "string") headers["mcp-session-id"] = session_id;
    const { method, id } = message;
    if (!isSuccess(response)) return refusal(response, { id, has_session, endpoint });
    if (typeof method !== "string" || typeof id !== "number") return { is: "result", result: null };
    if (response.status === 202)
      return { is: "lost", message: "the server has accepted the call and does not answer it" };
    const media = mediaType(response);
    if (media === "text/event-stream") {
      const answer = (own) => answerServer(conversation, own);
      const all = { ...endpoint.authorization, ...headers };
      const { url, verify } = endpoint;
      return responseInStream({ id, url, headers: all, verify, limits, answer }, response);
    }
    if (media !== "application/json")
      return { is: "foreign", message: `Unexpected content type: ${response.headers["content-type"] ?? null}` };
    const text = await textOf2(response.body);
    return doubledAnswer(text) ?? responseInSession(parseJson(text), id) ?? { is: "lost", message: "the connection ended before the answer came" };
  });
}
async function refusal({ status, headers, body }, refused) {
  if (status === 401 && wantsOAuth(headers)) return oauthWanted(refused.endpoint);
  const text = await textOf2(body).catch(() => "");
  if (status < 400) return { is: "foreign", message: text };
  if (hasOwnResult(text, refused.id)) return { is: "lost", message: `it gave the result under HTTP ${status}` };
  if (isForgottenSession(status, text, refused)) return { is: "http_error", status, body: text, is_session_gone: true };
  return { is: "http_error", status, body: text };
}
function toolErrorIn(reply, id) {
  if (reply.is !== "http_error" || reply.is_session_gone === true) return reply;
  const error = rpcErrorIn(reply.body, id);
  return error?.is_own === true ? { is: "rpc_error", code: error.code, message: error.message } : reply;
}
var isOfSessions = (text) => typeof text === "string" && /(?<![a-z])session|not initialized/i.test(text);
var hasOwnResult = (body, id) => typeof id === "number" && responseInSession(parseJson(body), id)?.is === "result";
function isForgottenSession(status, body, { id, has_session }) {
  if (!has_session || hasOwnResult(body, id)) return false;
  if (status === 404) return true;
  if (status !== 400) return false;
  const error = rpcErrorIn(body, id);
  if (error !== null) return !error.is_own && isOfSessions(error.message);
  const value = parseJson(body);
  if (value !== void 0) return isRecord(value) && isOfSessions(value["error"]);
  return body.length < 200 && isOfSessions(body);
}
function answerServer(conversation, own) {
  const { answering } = conversation;
  if (answering.size >= MOST_ANSWERS) return;
  const work = send(conversation, answerTo(own), { limit_ms: ANSWER_MS, signal: NEVER });
  answering.add(work);
  void work.finally(() => answering.delete(work));
}
var answerTo = ({ id, method }) => method === "ping" ? { id, result: {} } : { id, error: { code: -32601, message: "Method not found" } };
async function endSession({ endpoint, headers }) {
  if (headers["mcp-session-id"] === void 0) return;
  const all = { ...endpoint.authorization, ...headers };
  const { url, verify } = endpoint;
  const limits = { limit_ms: GOODBYE_MS, max_bytes: 0 };
  const goodbye = await openRequest({ method: "DELETE", url, headers: all, verify, ...limits });
  if (goodbye.ok) goodbye.close();
}

// src/mcp-client/stateless-requests.ts
var MODERN = "2026-07-28";
var ID = 1;
var createStatelessRequests = (endpoint, kind) => ({
  kind,
  request: async (method, params, limits) => {
    const request = kind === "bare" ? { headers: {}, params } : modernRequest(endpoint, method, params);
    if (request === null) return NO_HEADER;
    const message = { id: ID, method, params: request.params };
    return post({ endpoint, headers: request.headers, message }, limits, readResponse);
  },
  close: async () => {
  }
});
var NO_HEADER = {
  is: "unreachable",
  message: "its revision of the protocol wants the name of a tool in a header, where this one cannot stand"
};
function modernRequest({ client }, method, params) {
  const _meta = {
    ...isRecord(params["_meta"]) && params["_meta"],
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": client
  };
  const { name } = params;
  if (typeof name === "string" && !/^[\x21-\x7e]+$/.test(name)) return null;
  const named = typeof name === "string" ? { "mcp-name": name } : {};
  return {
    headers: { "mcp-protocol-version": MODERN, "mcp-method": method, ...named },
    params: { ...params, _meta }
  };
}
async function readResponse(response) {
  if (!isSuccess(response)) return refusal2(response);
  const media = mediaType(response);
  if (media === "text/event-stream") return readStream2(response);
  const text = await textOf2(response.body);
  const value = parseJson(text);
  if (value !== void 0) return doubledAnswer(text) ?? statelessResponse(value, ID) ?? NO_RESPONSE;
  const what = media === "" ? "without a content type" : media;
  if (media === "text/html") return { is: "foreign", message: `it answers with ${what}, which is not the protocol` };
  return { is: "lost", message: `it answers with ${what}, and that is not JSON` };
}
var NO_RESPONSE = { is: "lost", message: "what it answered is no answer to the call" };
async function refusal2(response) {
  const refused = { is: "http_error", status: response.status, body: await textOf2(response.body) };
  const error = rpcErrorIn(refused.body, ID);
  if (error === null) return refused;
  const { code, message, is_own } = error;
  if (OF_NEWER_REVISION.includes(code)) return { is: "newer_revision", message };
  return is_own ? { is: "rpc_error", code, message } : refused;
}
function answerIn(data) {
  const reply = statelessResponse(parseJson(data), ID);
  return reply === null ? null : doubledAnswer(data) ?? reply;
}
async function readStream2({ body }) {
  let cut2 = "";
  const onCut = (data) => {
    cut2 = data;
  };
  try {
    for await (const { event = "message", data } of readEvents(body, { onCut })) {
      const reply = event === "message" ? answerIn(data) : null;
      if (reply !== null) return reply;
    }
    return NO_RESPONSE;
  } catch (error) {
    const fault = error instanceof HttpFaultError ? error.fault : null;
    if (fault?.code === "too_large" && beginsAsResponse(cut2)) return { is: "too_large", message: fault.message };
    throw error;
  }
}

// src/mcp-client/tool-server.ts
var left = ({ until, signal }) => ({
  signal,
  limit_ms: Math.max(1, Math.round(until - performance.now()))
});
var HANDSHAKE_MS = 1e4;
function createToolServer(endpoint) {
  const closing = new AbortController();
  const dropped = /* @__PURE__ */ new Set();
  let known = null;
  let isShut = false;
  let opening = null;
  const drop = (dialect) => {
    if (known !== dialect) return;
    known = null;
    const end = dialect.close().finally(() => dropped.delete(end));
    dropped.add(end);
  };
  const open = async () => {
    const opened2 = await openSession(endpoint, { limit_ms: HANDSHAKE_MS, signal: closing.signal });
    const isOlder = "fault" in opened2 && await speaksOlderTransport(endpoint, opened2.fault, closing.signal);
    opening = null;
    if (isOlder) return { fault: olderTransport(endpoint) };
    if ("fault" in opened2 && !mayKnowOnlyTheCall(opened2.fault)) return { fault: uncalled(opened2.fault) };
    isShut = "fault" in opened2 && isForeign(opened2.fault);
    const dialect = "session" in opened2 ? opened2.session : createStatelessRequests(endpoint, "bare");
    known = dialect;
    return { dialect };
  };
  const opened = async (limits) => {
    if (known !== null) return { dialect: known };
    opening ??= open();
    const end = await within(opening, limits);
    if (end.is === "done") return end.value;
    return { fault: end.is === "stopped" ? stoppedBefore() : uncalled(timedOut(limits.limit_ms)) };
  };
  const request = async (tool_request, mayRenew) => {
    const end = await opened(left(tool_request));
    if ("fault" in end) return end.fault;
    const { dialect } = end;
    const reply = await dialect.request(tool_request.method, tool_request.params, left(tool_request));
    if (reply.is === "newer_revision" && dialect.kind === "bare") {
      if (known === dialect) known = createStatelessRequests(endpoint, "modern");
      return request(tool_request, false);
    }
    if (isAnswer(reply)) return reply;
    drop(dialect);
    if (reply.is === "foreign") return isShut ? reply : { is: "lost", message: reply.message };
    const isGone2 = reply.is === "http_error" && reply.is_session_gone === true;
    return isGone2 && mayRenew ? request(tool_request, false) : reply;
  };
  return {
    request: async (method, params, { limit_ms, signal }) => {
      if (signal.aborted) return stoppedBefore();
      const until = performance.now() + limit_ms;
      const reply = await request({ method, params, until, signal }, known !== null);
      return reply.is === "timed_out" ? timedOut(limit_ms) : reply;
    },
    close: async () => {
      closing.abort();
      if (known !== null) drop(known);
      await Promise.all(dropped);
    }
  };
}
var isAnswer = ({ is }) => is === "result" || is === "rpc_error" || is === "too_large";
var isForeign = (fault) => fault.is === "foreign" || fault.is === "too_large" || fault.is === "lost" && fault.is_garbled === true;
function mayKnowOnlyTheCall(fault) {
  if (fault.is === "http_error") return ![401, 403, 429].includes(fault.status) && fault.status < 500;
  return fault.is === "rpc_error" || isForeign(fault);
}
function uncalled(fault) {
  switch (fault.is) {
    case "http_error":
      return { is: "unreachable", message: httpErrorText(fault) };
    case "stopped":
      return stoppedBefore();
    case "lost":
    case "timed_out":
      return { is: "unreachable", message: `no handshake: ${fault.message}` };
    default:
      return fault;
  }
}

// src/mcp-client/tool-servers.ts
var CLOSING_MS = 2e3;
var LISTING_MS = 1e4;
var FRESH_MS = 1e3;
function createToolServers({ servers, version }) {
  const closing = new AbortController();
  const client = { name: "orch", version };
  const known = new Map(
    [...servers].map(([name, config]) => {
      const server = isReference(config.token) ? closed(REFERENCE) : createToolServer(endpointOf(name, config, client));
      return [name, { server, tools: createKnownTools(server, LISTING_MS) }];
    })
  );
  const find = (name) => known.get(name.toLowerCase());
  const listingOf = async (server, signal, max_age_ms) => await find(server)?.tools.listing({ limit_ms: LISTING_MS, signal }, max_age_ms) ?? {
    is: "unread",
    why: unknownServer(server),
    is_unreachable: true
  };
  return {
    names: new Set(servers.keys()),
    call: async ({ server, tool, arguments: args }, { traceparent, ...limits }) => {
      const found = find(server);
      if (found === void 0) return { ok: false, stderr: unknownServer(server), executed: false, timed_out: false };
      const signal = AbortSignal.any([limits.signal, closing.signal]);
      const _meta = traceparent === void 0 ? void 0 : { traceparent };
      const params = { name: tool, arguments: args, ..._meta !== void 0 && { _meta } };
      return toolAnswerOf(await found.server.request("tools/call", params, { ...limits, signal }));
    },
    listTools: async (server, limits) => {
      const found = find(server);
      if (found === void 0) return { fault: unknownServer(server) };
      const catalogue = await readCatalogue(found.server, limits);
      if ("fault" in catalogue) {
        const { fault, fix } = catalogue;
        return fix === void 0 ? { fault } : { fault, fix };
      }
      return { tools: catalogue.tools.map(({ destructive: _destructive, definition: _definition, ...tool }) => tool) };
    },
    mayRepeat: async (call, signal) => {
      const tools = toolsNamed(call.tool, await listingOf(call.server, signal));
      return tools.length > 0 && tools.every(({ effect, idempotent }) => effect === "reads" || idempotent);
    },
    effectOf: async (call, signal) => {
      const listing = await listingOf(call.server, signal, FRESH_MS);
      if (listing.is === "unread") return listing;
      const effects = toolsNamed(call.tool, listing).map(({ effect }) => effect);
      if (effects.includes("changes")) return "changes";
      return effects.length > 0 && effects.every((effect) => effect === "reads") ? "reads" : "unknown";
    },
    listNow: (server, signal) => listingOf(server, signal, 0),
    close: async () => {
      for (const { tools } of known.values()) tools.close();
      const goodbyes = Promise.all([...known.values()].map(({ server }) => server.close()));
      await Promise.race([goodbyes, sleep2(CLOSING_MS, void 0, { ref: false })]);
      closing.abort();
    }
  };
}
var toolsNamed = (tool, listing) => listing.is === "listed" ? listing.tools.filter(({ name }) => name === tool) : [];
var isReference = (token) => token !== null && /^\$(var|res|encrypted):/.test(token);
var REFERENCE = "its token is a reference that only the flow engine can resolve: run the task with execution_backend flowengine, or set the token itself";
var closed = (message) => ({
  request: async () => ({ is: "unreachable", message }),
  close: async () => {
  }
});
var unknownServer = (server) => `there is no tool server ${server}; set MCP_${server.toUpperCase()}_URL and start orch again`;

// src/domain/redacted.ts
var REDACTED = "[redacted]";

// src/redact/token-shapes.ts
var SHAPES = [
  {
    rest: String.raw`[\w-]{20,}`,
    begins: String.raw`gh[pousr]_ github_pat_ gl(?:pat|dt|ft|ffct|imt|agent|oas|ptt|rt|cbt|soat)- GR1348941 xox[abeoprs]- xoxe\.xox[bp]-
      xapp-\d- AIza ya29\. 1//0 hv[sb]\. api_org_ do[opr]_v1_ dckr_[po]at_ pypi-AgE tskey-[a-z]{2,12}- lin_api_ sk- PMAK- HRKU-AA
      pscale_(?:tkn|oauth|pw)_ sntry[us]_ xkeysib- xsmtpsib- gl(?:sa|c)_ fo1_ fm1[ar]_ fm2_ ops_eyJ dt0[cs]\d\d\. ATATT3 ATCTT3
      (?:[sr]k|whsec)_(?:live|test|prod)_ whsec_ sq0[a-z]{3}- bedrock-api-key- duffel_(?:live|test)_ shippo_(?:live|test)_
      FLWSECK_TEST- FLWSECK- nvapi- figd_ sha256~ tk-us- fio-u- EAAA A3-[A-Z0-9]{6}-`
  },
  {
    rest: "[A-Za-z0-9]{30,}",
    begins: String.raw`npm_ hf_ r8_ ntn_ rdme_ pnu_ gsk_ pplx- EZ[AT]K AKCp rubygems_ CLOJARS_ ico- p8e- ATBB shp(?:at|ca|pa|ss)_ 4b1d
      AGE-SECRET-KEY-1 cmVmd ABSK dp\.[a-z]{2,6}\. dapi pul- key- EAA[MC]`
  },
  { rest: "[A-Za-z0-9]{16,}", begins: "LTAI A(?:KIA|SIA|BIA|CCA|3T[A-Z0-9]) sm_[aps]at_" },
  { rest: "[a-f0-9]{32}", begins: "SK" },
  { rest: "[a-z0-9]{29}", begins: "tk_" },
  { rest: "[a-f0-9]{64}", begins: String.raw`pat[A-Za-z0-9]{14}\.`, starts: String.raw`pat[A-Za-z0-9]{4,14}\.?$` },
  { rest: "[a-f0-9]{146}", begins: String.raw`v1\.0-[a-f0-9]{24}-`, starts: String.raw`v1\.0-` },
  { rest: String.raw`[\w-]{130,}`, begins: String.raw`sl\.` },
  { rest: String.raw`[\w-]{16,}\.[\w-]{16,}`, begins: String.raw`SG\.` },
  {
    rest: String.raw`[\w.-]{40,}`,
    begins: String.raw`[ps]at\.[\w-]{22}\.`,
    starts: String.raw`[ps]at\.[\w-]{4,22}\.?$`
  },
  { rest: String.raw`[\w=-]{60,}`, begins: String.raw`[A-Za-z0-9]{14}\.atlasv1\.` },
  { rest: "[A-Za-z0-9+/]{40,}", begins: "eyJrIjoi" },
  // Telegram and Discord.
  { rest: String.raw`AA[\w-]{32,}`, begins: String.raw`\d{8,10}:`, starts: String.raw`\d{8,10}(?::A?)?$` },
  {
    rest: String.raw`[\w-]{6}\.[\w-]{27,}`,
    begins: String.raw`[MNO][\w-]{23,25}\.`,
    starts: String.raw`[MNO][\w-]{7,25}$`
  },
  { rest: String.raw`[\w-]{20,}`, begins: String.raw`PVEAPIToken=[^\s=]{1,128}=`, starts: "PVEAPIToken" },
  // Their addresses are their secrets.
  {
    rest: String.raw`[\w@/+-]{30,}`,
    begins: String.raw`hooks\.slack\.com/[a-z]{1,12}/ discord(?:app)?\.com/api/webhooks/ webhook\.office\.com/webhookb2/`
  }
];
var beginningsOf = ({ begins }) => `(?:${begins.split(/\s+/).join("|")})`;
var TOKEN = new RegExp(
  String.raw`(?:(?<![\w-])|(?<=\\[nrt]))(?:${SHAPES.map((shape) => `${beginningsOf(shape)}${shape.rest}`).join("|")})(?:\.?[\w~+/=-])*`,
  "dg"
);
var BEGINS_A_TOKEN = new RegExp(
  SHAPES.flatMap((shape) => [
    beginningsOf(shape),
    ...shape.starts === void 0 ? [] : [`(?<![\\w-])(?:${shape.starts})`]
  ]).join("|")
);

// src/redact/find-secrets.ts
function occurrences(text, part) {
  const found = [];
  for (let start = text.indexOf(part); start !== -1; start = text.indexOf(part, start + part.length)) {
    found.push({ start, end: start + part.length });
  }
  return found;
}
var MIN_LENGTH = 8;
var withoutBlanks = (text) => text.replace(/[\s\\]+/g, "");
function knownForms(values) {
  const secrets = [...new Set(values)].filter(isWorthHiding);
  return { secrets, forms: [...new Set(secrets.flatMap(formsOf).map(withoutBlanks))].filter(isWorthHiding) };
}
function findKnownValues(values) {
  const { secrets, forms } = knownForms(values);
  return (text) => {
    const dense = withoutBlanks(text);
    const found = forms.flatMap((form) => occurrences(dense, form));
    return [...secrets.flatMap((secret) => occurrences(text, secret)), ...spread(found, text)];
  };
}
var isWorthHiding = (text) => text.length >= MIN_LENGTH && !REDACTED.includes(text);
function spread(spans, text) {
  if (spans.length === 0) return [];
  const places = new Uint32Array(text.length);
  let length = 0;
  for (const { index, 0: part } of text.matchAll(/[^\s\\]+/g)) {
    for (let offset = 0; offset < part.length; offset += 1) places[length++] = index + offset;
  }
  return spans.map(({ start, end }) => ({ start: places[start] ?? 0, end: (places[end - 1] ?? 0) + 1 }));
}
function formsOf(secret) {
  const bytes = Buffer.from(secret, "utf8");
  const hex = ["", "%", "x", ":"].map((between) => bytes.toString("hex").replace(/..(?!$)/g, `$&${between}`));
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    ...urlForms(secret),
    ...[0, 1, 2].flatMap((shift) => [base64Core(bytes, shift, "base64"), base64Core(bytes, shift, "base64url")]),
    ...hex,
    ...hex.map((form) => form.replace(/[a-f]/g, (digit) => digit.toUpperCase()))
  ];
}
function urlForms(secret) {
  const encoded = encodeURIComponent(secret.toWellFormed());
  const strict = encoded.replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  const upper = [encoded, strict, strict.replaceAll("%2F", "/"), strict.replaceAll("%20", "+")];
  return [...upper, ...upper.map((form) => form.replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase()))];
}
function base64Core(secret, shift, encoding) {
  const bytes = Buffer.concat([Buffer.alloc(shift), secret]);
  return bytes.toString(encoding).slice(Math.ceil(shift * 8 / 6), Math.floor(bytes.length * 8 / 6));
}
var LONGEST_KEY = 16384;
var VALUE = [
  String.raw`(?<quote>["'])(?<quoted>(?:\\.|(?!\k<quote>)[^\\\n]){1,16384})\k<quote>`,
  String.raw`\\(?<mark>["'])(?<escaped>(?:(?!\\["'])[^\n]){1,16384})\\\k<mark>`,
  String.raw`(?<bare>\\?["']?[^\s"'&,;]+)`
].join("|");
var assigned = (name, sign, flags) => new RegExp(String.raw`(?:${name})\\?["']?[ \t]{0,8}${sign}[ \t]{0,8}(?!["']?(?:\$[({]|\`))(?:${VALUE})`, flags);
var HEADER_VALUE = String.raw`\\?["']?[ \t]{0,8}[:=][ \t]{0,8}\[?\\?["']?`;
var SCHEMES = String.raw`bearer|basic|token|digest|negotiate|ntlm|oauth|hawk|aws4-[\w-]{1,32}`;
var SHAPES2 = [
  new RegExp(`authorization${HEADER_VALUE}(?:(?:${SCHEMES})[ \\t]{1,8})?(?<bare>[^\\s"',;\\\\]+)`, "dgi"),
  new RegExp(
    `authorization${HEADER_VALUE}(?:digest|oauth|hawk|aws4-[\\w-]{1,32})[ \\t]{1,8}(?<bare>[^\\r\\n]+)`,
    "dgi"
  ),
  /\bbearer[ \t]{1,8}(?<bare>[\w.~+/=-]{16,})/dgi,
  /\bcookie2?\\?["']?[ \t]{0,8}:[ \t]{0,8}\[?\\?["'](?<quoted>[^\s"'=;:\\]{1,256}=(?:\\.|[^\\\r\n"'])*)/dgi,
  /\bcookie2?[ \t]{0,8}:[ \t]{0,8}(?<bare>[^\s"'=;:\\]{1,256}=(?:"[^"\r\n]*"|[^\r\n"'])*)/dgi,
  assigned("password|(?<!/)passwd|passphrase|(?:api|access|secret|private|account|preshared)[-_]?key", "[=:]", "dgi"),
  assigned("(?:access|auth|refresh|private|session|client)[-_]?(?:token|secret)", "[=:]", "dgi"),
  assigned("[?&](?:token|key|sig|signature)", "=", "dgi"),
  assigned("TOKEN|SECRET|PASS|_KEY|CREDENTIALS?|COOKIE", "=", "dg"),
  /:\/\/[^\s:@/"'<>]{0,256}:(?<bare>[^\s/"'<>]+)@/dg,
  TOKEN,
  /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]+)?/dg
];
var findShapes = (text) => [
  ...SHAPES2.flatMap((shape) => [...text.matchAll(shape)].map(hiddenPart)),
  ...findPrivateKeys(text)
];
function hiddenPart({ indices }) {
  const { quoted, escaped: escaped2, bare } = indices?.groups ?? {};
  const [start, end] = quoted ?? escaped2 ?? bare ?? indices?.[0] ?? [0, 0];
  return { start, end };
}
var KIND = "[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----";
var PRIVATE_KEY = new RegExp(
  `-----BEGIN ${KIND}(?:[\\s\\S]{0,${LONGEST_KEY}}?-----END ${KIND}|[\\s\\S]{0,${LONGEST_KEY}})|(?<end>-----END ${KIND})`,
  "g"
);
function findPrivateKeys(text) {
  const found = [];
  for (const { index, 0: match, groups } of text.matchAll(PRIVATE_KEY)) {
    const cut2 = groups?.["end"] === void 0 ? 0 : LONGEST_KEY;
    found.push({ start: Math.max(found.at(-1)?.end ?? 0, index - cut2), end: index + match.length });
  }
  return found;
}

// src/redact/redact.ts
var MAX_ROUNDS = 8;
function createRedactor(secrets) {
  const findKnown = findKnownValues(secrets);
  return (text, shown2 = { start: 0, end: text.length }) => {
    let excerpt = { text, shown: shown2 };
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const before = excerpt.text;
      const found = [...findKnown(before), ...findShapes(before)];
      if (found.length === 0) break;
      excerpt = withMarks(excerpt, joined([...found, ...occurrences(before, REDACTED)]));
      if (excerpt.text === before) break;
    }
    return excerpt.text.slice(excerpt.shown.start, excerpt.shown.end).toWellFormed();
  };
}
function withoutMargin({ beyond, ...output }, redact) {
  if (beyond === void 0) return output;
  const { start, end, after_head, before_tail } = beyond;
  const head = redact(output.text.slice(0, start) + after_head, { start: 0, end: start });
  const tail = before_tail + output.text.slice(end);
  const rest = redact(tail, { start: before_tail.length, end: tail.length });
  return { ...output, text: head + output.text.slice(start, end) + rest };
}
function joined(spans) {
  const all = [];
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    const last = all.at(-1);
    if (last === void 0 || start >= last.end) all.push({ start, end });
    else if (end > last.end) all[all.length - 1] = { start: last.start, end };
  }
  return all;
}
function withMarks({ text, shown: shown2 }, spans) {
  const around = (place) => spans.find(({ start: start2, end: end2 }) => start2 < place && place < end2);
  const start = around(shown2.start)?.start ?? shown2.start;
  const end = around(shown2.end)?.end ?? shown2.end;
  const before = marked(text, spans, { start: 0, end: start });
  const inside = marked(text, spans, { start, end });
  const after = marked(text, spans, { start: end, end: text.length });
  return { text: before + inside + after, shown: { start: before.length, end: before.length + inside.length } };
}
function marked(text, spans, part) {
  const pieces = [];
  let { start } = part;
  for (const span of spans) {
    if (span.start < part.start || span.end > part.end) continue;
    pieces.push(text.slice(start, span.start), REDACTED);
    start = span.end;
  }
  return pieces.join("") + text.slice(start, part.end);
}

// src/execution/local/containment/group-containment.ts
import { setTimeout as sleep5 } from "node:timers/promises";

// src/execution/local/containment/process-group.ts
import { constants } from "node:os";
import { setTimeout as sleep4 } from "node:timers/promises";

// src/execution/local/containment/left-processes.ts
import { readdirSync, readFileSync as readFileSync2 } from "node:fs";
import { setImmediate, setTimeout as sleep3 } from "node:timers/promises";

// src/process/process-stat.ts
import { readFileSync } from "node:fs";
function parseStat(text) {
  const end = text.lastIndexOf(")");
  const name = text.slice(text.indexOf("(") + 1, end);
  const fields = text.slice(end + 2).split(" ");
  return {
    name,
    state: fields[0] ?? "",
    parent: Number(fields[1]),
    group: Number(fields[2]),
    started: fields[19] ?? ""
  };
}
function statOf(pid) {
  try {
    const stat2 = parseStat(readFileSync(`/proc/${pid}/stat`, "latin1"));
    return stat2.state === "Z" || stat2.state === "X" ? null : stat2;
  } catch {
    return null;
  }
}
var isAlive = ({ pid, started }) => statOf(pid)?.started === started;

// src/execution/local/containment/left-processes.ts
var SETTLE_MS = 150;
var AFTER_KILL_MS = 2e3;
var POLL_MS = 10;
var MAX_NAMES = 10;
function readOr(read, otherwise) {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
async function livingProcesses(isWanted = () => true) {
  await setImmediate();
  const entries = readOr(() => readdirSync("/proc"), null);
  if (entries === null) return null;
  const pids = entries.filter((entry) => /^\d+$/.test(entry)).map(Number);
  const stats = pids.filter(isWanted).map((pid) => ({
    pid,
    ...parseStat(readOr(() => readFileSync2(`/proc/${pid}/stat`, "latin1"), ""))
  }));
  return stats.filter(({ state }) => state !== "" && state !== "Z" && state !== "X");
}
async function processesMoved(pid, task_id) {
  const last = Number(
    readOr(() => readFileSync2("/proc/loadavg", "latin1"), "").split(" ").at(-1)
  );
  const newer = await livingProcesses((one) => one > pid || last < pid) ?? [];
  const mark = Buffer.from(`ORCH_TASK_ID=${task_id}\0`);
  const isMarked = newer.map(
    ({ pid: one }) => readOr(() => readFileSync2(`/proc/${one}/environ`), null)?.includes(mark)
  );
  const marked2 = new Map(newer.filter((_, at2) => isMarked[at2]).map((one) => [one.pid, one]));
  const adopters = adoptersHere();
  const isOrphan = (one) => {
    const parent = marked2.get(one.parent);
    return parent === void 0 ? adopters.has(one.parent) : isOrphan(parent);
  };
  return [...marked2.values()].filter((one) => one.group !== pid && isOrphan(one)).map((one) => ({ ...one, has_moved: true }));
}
function adoptersHere() {
  const parentOf = (pid) => statOf(pid)?.parent ?? 1;
  const found = /* @__PURE__ */ new Set([1]);
  for (let pid = parentOf(process.ppid); pid > 1 && !found.has(pid); pid = parentOf(pid)) found.add(pid);
  return found;
}
async function settledProcesses(find) {
  const until = performance.now() + SETTLE_MS;
  for (; ; ) {
    const found = await find();
    if (found.length === 0 || performance.now() > until) return found;
    await sleep3(POLL_MS);
  }
}
async function describeLeft(found) {
  const parents = new Set(found.map(({ parent }) => parent));
  const left2 = found.filter(({ pid }) => !parents.has(pid));
  if (left2.length === 0) return null;
  const until = performance.now() + AFTER_KILL_MS;
  const isEnding = (one) => one.has_moved !== true && isAlive(one);
  while (left2.some(isEnding) && performance.now() < until) await sleep3(POLL_MS);
  const running = left2.filter(isAlive).length;
  const names = [...new Set(left2.map(({ name }) => name.replace(/[^\x20-\x7e]/g, "?") || "?"))];
  return { ended: left2.length - running, running, names: names.toSorted().slice(0, MAX_NAMES) };
}

// src/execution/local/containment/process-group.ts
var POLL_MS2 = 20;
var AFTER_KILL_MS2 = 2e3;
function signalOf(number) {
  const known = Object.entries(constants.signals);
  return known.find(([, value]) => value === number)?.[0] ?? null;
}
var signalGroup = (pid, signal) => send2(-pid, signal);
var signalProcess = (pid, signal) => send2(pid, signal);
function send2(target, signal) {
  try {
    return process.kill(target, signal);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : void 0;
    if (code === "ESRCH") return false;
    if (code === "EPERM") return true;
    throw error;
  }
}
async function stopGroup(pid, grace_ms) {
  signalGroup(pid, "SIGTERM");
  if (await isGone(pid, grace_ms)) return;
  signalGroup(pid, "SIGKILL");
  await isGone(pid, AFTER_KILL_MS2);
}
async function isGone(pid, within_ms, isExcepted = () => false) {
  const end = performance.now() + within_ms;
  while (signalGroup(pid, 0) && await hasLiving(pid, isExcepted)) {
    const left2 = end - performance.now();
    if (left2 <= 0) return false;
    await sleep4(Math.min(POLL_MS2, left2));
  }
  return true;
}
async function hasLiving(group, isExcepted) {
  const all = await livingProcesses();
  return all === null || all.some((stat2) => stat2.group === group && !isExcepted(stat2));
}

// src/execution/local/containment/spawn-detached.ts
import { spawn } from "node:child_process";
import { once } from "node:events";
import { Readable } from "node:stream";
async function spawnDetached([program, ...args], { cwd, env }, stdio) {
  try {
    const child = spawn(program, args, { cwd, env, detached: true, stdio });
    if (child.pid === void 0) throw (await once(child, "error"))[0];
    return { child, pid: child.pid };
  } catch (error) {
    const { code, message } = error;
    return { fault: code === void 0 ? message : `spawn ${program} ${code}` };
  }
}
function pipeOf(child, index) {
  const stream = child.stdio[index];
  if (stream instanceof Readable) return stream;
  throw new TypeError(`stdio ${index} of the process is no pipe`);
}

// src/execution/local/containment/launcher.ts
var BASH = ["/bin/bash", "--noprofile", "--norc", "-p", "-c"];
var [REPORT, OUT, ERR] = [2, 3, 4];
var SCRIPT = "ORCH_LAUNCHED_SCRIPT";
var NAMED = `{ printf orch-launcher > /proc/self/comm; } 2>/dev/null
export -n ${SCRIPT}`;
var WAIT = `read -r ORCH_LAUNCHED && echo began >&${REPORT} || exit 1`;
var COMMAND = `"$@" "$${SCRIPT}" </dev/null >&${OUT} 2>&${ERR} ${OUT}>&- ${ERR}>&-`;
var LET_GO = `exec ${OUT}>&- ${ERR}>&-`;
var LAUNCH_INSIDE = `${NAMED}
${WAIT}
SHLVL=$((SHLVL - 1)) ${COMMAND}
code=$?
${LET_GO}
kill -0 -1 2>/dev/null && rest=others || rest=alone
echo "ended $code $rest" >&${REPORT}`;
var LAUNCH_GROUP = `${NAMED}
(
  echo "ready $BASHPID" >&${REPORT}
  ${WAIT}
  SHLVL=$((SHLVL - 1))
  exec /usr/bin/setsid ${COMMAND}
)
code=$?
${LET_GO}
echo "ended $code others" >&${REPORT}`;
async function launch(around, argv, { cwd, env }, files = []) {
  const words = [...around, ...argv.slice(0, -1)];
  const place = { cwd, env: { ...env, [SCRIPT]: argv.at(-1) ?? "" } };
  const started = await spawnDetached(words, place, ["pipe", "ignore", "pipe", "pipe", "pipe", ...files]);
  if ("fault" in started) return started;
  const { child, pid } = started;
  const { stdin } = child;
  if (stdin === null) throw new TypeError("stdin of the process is no pipe");
  const report = pipeOf(child, REPORT);
  const group = Promise.withResolvers();
  const ended = Promise.withResolvers();
  const closed2 = Promise.withResolvers();
  let text = "";
  stdin.on("error", () => void 0);
  report.on("data", (chunk) => {
    text += chunk;
    const leader = /^ready (\d+)$/m.exec(text)?.[1];
    if (leader !== void 0) group.resolve(Number(leader));
    const ending2 = endingIn(text);
    if (ending2 !== null) ended.resolve(ending2);
  });
  report.once("close", () => {
    group.resolve(null);
    ended.resolve(hasBegun(text) ? KILLED : { fault: text.trim() });
    closed2.resolve();
  });
  return {
    child,
    pid,
    stdout: pipeOf(child, OUT),
    stderr: pipeOf(child, ERR),
    group: group.promise,
    begin: () => void stdin.write("\n"),
    ended: ended.promise,
    ending: () => endingIn(text),
    isAlone: () => text.endsWith(" alone\n"),
    closed: closed2.promise,
    letGo: async () => {
      for (const one of [stdin, report]) one.destroy();
      child.unref();
      await closed2.promise;
    }
  };
}
var KILLED = { exit_code: null, signal: "SIGKILL" };
var hasBegun = (report) => /^began$/m.test(report);
function endingIn(report) {
  const [, words, digits] = /^began\n(.*)^ended (\d+) \w+\n$/ms.exec(report) ?? [];
  if (digits === void 0) return null;
  const code = Number(digits);
  if (words === "" || code <= 128) return { exit_code: code, signal: null };
  return { exit_code: null, signal: signalOf(code - 128) ?? `signal ${code - 128}` };
}

// src/execution/local/containment/group-containment.ts
var NOTICE_MS = 1e3;
var UNKNOWN = { exit_code: null, signal: null };
var launchGroup = (argv, place) => launch([...BASH, LAUNCH_GROUP, "orch"], argv, place);
function createGroupContainment(noteGroup = () => () => {
}, start = launchGroup) {
  return {
    name: "process_group",
    start: async (argv, place) => {
      const launched2 = await start(argv, place);
      return "fault" in launched2 ? launched2 : contained(launched2, place, noteGroup);
    }
  };
}
function contained(launched2, { env }, noteGroup) {
  const { child, stdout, stderr, group, begin, ended, ending: ending2, letGo } = launched2;
  const { ORCH_TASK_ID: task_id } = env;
  let strikeOut = () => {
  };
  const known = () => Promise.race([group, sleep5(AFTER_KILL_MS2, null, { ref: false })]);
  return {
    stdout,
    stderr,
    begin: () => void group.then(async (pid) => {
      if (pid === null) return;
      strikeOut = await noteGroup(pid);
      if (child.killed) strikeOut();
      else begin();
    }),
    ended,
    left: async () => {
      const pid = await known();
      if (pid === null) return [];
      const members = signalGroup(pid, 0) ? await livingProcesses() ?? [] : [];
      const moved = task_id === void 0 ? [] : await processesMoved(pid, task_id);
      return [...members.filter((one) => one.group === pid), ...moved];
    },
    stop: async (grace_ms) => {
      const pid = await known();
      if (pid !== null) {
        if (ending2() === null && !signalGroup(pid, 0)) signalProcess(pid, "SIGKILL");
        await stopGroup(pid, grace_ms);
      }
      const end = await Promise.race([ended, sleep5(NOTICE_MS, UNKNOWN, { ref: false })]);
      strikeOut();
      child.kill("SIGKILL");
      await letGo();
      return "fault" in end ? UNKNOWN : end;
    },
    clear: async () => {
      const pid = await known();
      if (pid !== null) signalGroup(pid, "SIGKILL");
      strikeOut();
      await letGo();
    }
  };
}

// src/domain/duration.ts
var DEFAULT_MAX_MINUTES = 10;
var TRIES_SHOWN = 10;
var MAX_WAIT_MS = 36e5;
var UNITS = { ms: 1, s: 1e3, m: 6e4, h: 36e5 };
function durationMs(text) {
  const match = /^(\d{1,7}(?:\.\d{1,3})?)(ms|s|m|h)$/.exec(text);
  if (match === null) return null;
  const ms = Number(match[1]) * UNITS[match[2]];
  return ms <= MAX_WAIT_MS ? Math.round(ms) : null;
}

// src/domain/polling.ts
var isPolled = (step) => step?.kind === "check" && step.within !== void 0;
var FIRST_PAUSE_MS2 = 1e3;
var LONGEST_PAUSE_MS2 = 5e3;
var LAST_TRY_MS = 1e3;
function pauseAfter(nth, left_ms) {
  const longest = left_ms - LAST_TRY_MS;
  return longest <= 0 ? null : Math.min(FIRST_PAUSE_MS2 * 2 ** Math.min(nth - 1, 10), LONGEST_PAUSE_MS2, longest);
}
function withTry({ first, last }, made) {
  const count = made.nth;
  if (first.length < TRIES_SHOWN) return { count, first: [...first, made], last: [] };
  return { count, first: [...first], last: [...last, made].slice(-TRIES_SHOWN) };
}

// src/domain/expectation.ts
var SHOWN = 500;
function unmet({ path, equals, contains }, stdout) {
  const found = at(resultIn(parseJson(stdout)), path);
  const place = path === "" ? "the result" : path;
  if (found === void 0) return `${place} is not in the answer`;
  const text = typeof found === "string" ? found : canonicalJson(found);
  if (contains !== void 0) {
    return text.includes(contains) ? null : `${place} does not contain ${shown(contains)}; it is ${shown(found)}`;
  }
  if (!isExact2(found)) return `${place} holds a number with more digits than can be compared`;
  return canonicalJson(found) === canonicalJson(equals) ? null : `${place} is ${shown(found)}, and ${shown(equals)} was expected`;
}
function isExact2(value) {
  if (typeof value === "number") return Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  if (typeof value !== "object" || value === null) return true;
  return Object.values(value).every(isExact2);
}
var shown = (value) => {
  const text = canonicalJson(value);
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN).toWellFormed()} (cut)`;
};
function resultIn(result) {
  if (!isRecord(result)) return result;
  const { structuredContent, content } = result;
  if (structuredContent !== void 0) return structuredContent;
  if (!Array.isArray(content)) return result;
  const text = content.flatMap((part) => isText(part) ? [part["text"]] : []).join("\n");
  return parseStrictJson(text) ?? text;
}
var isText = (part) => isRecord(part) && part["type"] === "text";
function at(value, path) {
  const names = path.split("/").slice(1);
  return names.reduce((held, escaped2) => {
    const name = escaped2.replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(held)) return /^(0|[1-9]\d*)$/.test(name) ? held[Number(name)] : void 0;
    return isRecord(held) && Object.hasOwn(held, name) ? held[name] : void 0;
  }, value);
}

// src/execution/local/output-ring.ts
var SHOWN2 = 32 * 1024;
var MARGIN = 16 * 1024;
var KEPT = SHOWN2 + MARGIN;
function createOutputRing() {
  let store;
  let bytes = 0;
  const push = (chunk) => {
    store ??= Buffer.allocUnsafe(2 * KEPT);
    const toHead = Math.min(chunk.length, Math.max(0, KEPT - bytes));
    chunk.copy(store, bytes, 0, toHead);
    const from = Math.max(toHead, chunk.length - KEPT);
    const place = (bytes + from) % KEPT;
    const turn = Math.min(chunk.length, from + KEPT - place);
    chunk.copy(store, KEPT + place, from, turn);
    chunk.copy(store, KEPT, turn);
    bytes += chunk.length;
  };
  const read = () => {
    if (store === void 0) return { text: "", bytes, truncated: false };
    if (bytes <= 2 * SHOWN2) return { text: decode(store.subarray(0, bytes)), bytes, truncated: false };
    const oldest = KEPT + bytes % KEPT;
    const tail = bytes <= store.length ? store.subarray(bytes - KEPT, bytes) : Buffer.concat([store.subarray(oldest), store.subarray(KEPT, oldest)]);
    return { ...cut(store.subarray(0, KEPT), tail, bytes), bytes, truncated: true };
  };
  const since = (position) => {
    const at2 = Math.max(position, bytes - KEPT);
    if (store === void 0) return { at: at2, bytes: Buffer.alloc(0) };
    const inRing = Math.max(at2, KEPT);
    const place = KEPT + inRing % KEPT;
    const end = place + Math.max(0, bytes - inRing);
    return {
      at: at2,
      bytes: Buffer.concat([
        store.subarray(at2, Math.min(bytes, KEPT)),
        store.subarray(place, Math.min(end, store.length)),
        store.subarray(KEPT, Math.max(KEPT, end - KEPT))
      ])
    };
  };
  return { push, read, bytes: () => bytes, since };
}
function cut(head, tail, bytes) {
  const headEnd = [0, 1, 2, 3].map((back) => SHOWN2 - back).find((at2) => beginsCharacter(head, at2)) ?? SHOWN2;
  const tailStart = [0, 1, 2, 3].map((on) => MARGIN + on).find((at2) => beginsCharacter(tail, at2)) ?? MARGIN;
  const gap = `
[... ${bytes - headEnd - (KEPT - tailStart)} bytes left out ...]
`;
  const shown2 = decode(head.subarray(0, headEnd)) + gap;
  const beyond = {
    start: shown2.length - gap.length,
    end: shown2.length,
    after_head: decode(head.subarray(headEnd)),
    before_tail: decode(tail.subarray(0, tailStart))
  };
  return { text: shown2 + decode(tail.subarray(tailStart)), beyond };
}
var beginsCharacter = (text, at2) => ((text[at2] ?? 0) & 192) !== 128;
var decode = (bytes) => bytes.toString("utf8").replaceAll("\0", "");

// src/execution/local/step-end.ts
var SILENT = {
  stdout: "",
  stderr: "",
  stdout_bytes: 0,
  stderr_bytes: 0,
  truncated: false,
  timed_out: false
};

// src/execution/local/call-tool.ts
async function callTool(step, { contract, limit_ms, repeatable, redact, traceparent, callTool: send3 }, signal) {
  const { server, tool, arguments: args, expect } = sentStep(step, contract);
  const mayRepeat2 = repeatable || isIdempotent(step);
  const answer = await send3({ server, tool, arguments: args }, { limit_ms, signal, traceparent });
  const { text, bytes, truncated } = kept(answer.ok ? answer.stdout : answer.stderr, redact);
  if (answer.ok) {
    const written = { stdout: text, stdout_bytes: bytes, truncated };
    const fault = expect === void 0 ? null : unmet(expect, answer.stdout);
    if (fault === null) return { ...SILENT, ...written, executed: true, status: "passed", exit_code: 0 };
    const { text: stderr, bytes: stderr_bytes } = kept(fault, redact);
    return { ...SILENT, ...written, stderr, stderr_bytes, executed: true, status: "failed", exit_code: 1 };
  }
  return {
    ...SILENT,
    stderr: text,
    stderr_bytes: bytes,
    truncated,
    timed_out: answer.timed_out,
    executed: answer.executed !== false,
    status: isOpen(answer) && !mayRepeat2 ? "outcome_unknown" : "failed",
    exit_code: signal.aborted ? null : 1,
    ...answer.never_sent === true && { never_sent: true }
  };
}
var isOpen = (answer) => !answer.ok && answer.executed === "unknown";
function kept(text, redact) {
  const ring = createOutputRing();
  ring.push(Buffer.from(text));
  return withoutMargin(ring.read(), redact);
}
var NO_TOOL_SERVERS = {
  call: async ({ server }) => ({
    ok: false,
    stderr: `there is no tool server ${server} here`,
    executed: false,
    timed_out: false
  }),
  mayRepeat: async () => false
};

// src/execution/local/environment.ts
var PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
var baseEnvironment = ({ home, path, user, tz }) => ({
  PATH: path ?? PATH,
  HOME: home,
  ...user === void 0 ? {} : { USER: user },
  ...tz === void 0 ? {} : { TZ: tz },
  LANG: "C.UTF-8",
  // Without it, bash may assume a remote login shell and read ~/.bashrc.
  SHLVL: "1",
  // A step has no terminal to answer a prompt or to leave a pager.
  GIT_TERMINAL_PROMPT: "0",
  GIT_PAGER: "cat",
  DEBIAN_FRONTEND: "noninteractive"
});

// src/execution/local/run-command.ts
import { existsSync } from "node:fs";
import { setTimeout as sleep6 } from "node:timers/promises";

// src/execution/local/step-limits.ts
var NO_LIMITS = { memory_mb: null, file_mb: null, processes: null };
var DEFAULT_LIMITS = { memory_mb: 8192, file_mb: 32768, processes: 4096 };
function limited(argv, limits, isOfAgent = false) {
  const all = settingsOf(limits, (name) => limits[name] !== DEFAULT_LIMITS[name]);
  const settings = isOfAgent ? [...all, ...halfOf(limits)] : all;
  if (settings.length === 0) return argv;
  return ["/bin/bash", "--noprofile", "--norc", "-p", "-c", [...settings, 'exec "$0" "$@"'].join(" && "), ...argv];
}
var halfOf = ({ processes }) => processes === null ? [] : [`{ ulimit -u ${Math.ceil(processes / 2)} 2>/dev/null || :; }`];
var KILOBYTES = 1024;
function settingsOf(limits, isMeant) {
  const { memory_mb, file_mb, processes } = limits;
  return [
    ...memory_mb === null || !isMeant("memory_mb") ? [] : [`ulimit -d ${memory_mb * KILOBYTES}`],
    ...file_mb === null || !isMeant("file_mb") ? [] : [`ulimit -f ${file_mb * KILOBYTES}`],
    ...processes === null || !isMeant("processes") ? [] : [`ulimit -u ${processes}`]
  ];
}

// src/execution/local/syntax-check.ts
import { execFile } from "node:child_process";
import { promisify } from "node:util";
var LIMIT_MS = 1e4;
function createSyntaxCheck(kept2 = 256) {
  const valid = /* @__PURE__ */ new Set();
  return async (script) => {
    if (!script.trimEnd().includes("\n")) return null;
    const fault = valid.delete(script) ? null : await readByBash(script);
    if (fault === null) valid.add(script);
    for (const oldest of valid) if (valid.size > kept2) valid.delete(oldest);
    return fault;
  };
}
async function readByBash(script) {
  const extglob = script.includes("extglob") ? ["-O", "extglob"] : [];
  const args = ["--noprofile", "--norc", "-p", ...extglob, "-n", "-c", script];
  const options = { cwd: "/", env: { LANG: "C.UTF-8", SHLVL: "1" }, timeout: LIMIT_MS };
  const read = promisify(execFile);
  try {
    const reading = read("/bin/bash", args, options);
    reading.child.stdin?.end();
    await reading;
    return null;
  } catch (error) {
    const { code, stderr } = error;
    return typeof code === "number" ? (stderr ?? "").trim() : null;
  }
}

// src/execution/local/run-command.ts
var BASH2 = "/bin/bash";
var STRICT = ["--noprofile", "--norc", "-p", "-euo", "pipefail", "-c"];
var PLAIN = ["--noprofile", "--norc", "-p", "-o", "pipefail", "-c"];
var STRICT_LAST_PART = ["--noprofile", "--norc", "-p", "-eu", "-c"];
var PLAIN_LAST_PART = ["--noprofile", "--norc", "-p", "-c"];
var DRAIN_MS = 250;
var cannotConfine = () => ({
  name: "pid_namespace",
  start: async () => ({ fault: "commands are not confined here" })
});
function createRunCommand({
  containment = createGroupContainment(),
  limits = NO_LIMITS,
  confine = cannotConfine
} = {}) {
  const syntaxFault = createSyntaxCheck();
  return async (command, abort, onOutput) => {
    const fault = await syntaxFault(command.script);
    if (fault !== null)
      return { ran: false, reason: `bash does not accept the script, nothing of it was run:
${fault}` };
    const { confinement, allowed } = command;
    const within2 = confinement === void 0 ? containment : confine(confinement);
    const argv = limited([BASH2, ...optionsOf(command), command.script], limits, confinement !== void 0);
    if (confinement !== void 0 && await allowed === false) return NOT_ALLOWED;
    const contained2 = await within2.start(argv, command);
    if (allowed !== void 0 && (!await allowed || abort.aborted)) {
      if (!("fault" in contained2)) await contained2.clear();
      return NOT_ALLOWED;
    }
    const end = "fault" in contained2 ? contained2 : await watch(contained2, { ...command, onOutput }, abort);
    if ("fault" in end) return { ran: false, reason: notStarted(command, end) };
    return { ran: true, contained_in: within2.name, ...end };
  };
}
function optionsOf({ strict, last_part_decides }) {
  if (last_part_decides === true) return strict ? STRICT_LAST_PART : PLAIN_LAST_PART;
  return strict ? STRICT : PLAIN;
}
var NOT_ALLOWED = { ran: false, reason: "it was not allowed to run" };
async function watch(contained2, { limit_ms, grace_ms, onOutput }, abort) {
  const stdout = capture(contained2.stdout);
  const stderr = capture(contained2.stderr);
  onOutput?.({ stdout: stdout.ring, stderr: stderr.ring });
  contained2.begin();
  const drained = () => Promise.race([Promise.all([stdout.closed, stderr.closed]), sleep6(DRAIN_MS, void 0, { ref: false })]);
  try {
    const ending2 = await endOrStop(contained2.ended, limit_ms, abort);
    if (typeof ending2 === "string") {
      const stopped2 = await contained2.stop(grace_ms);
      await drained();
      return { ...stopped2, stopped: ending2, stdout: stdout.read(), stderr: stderr.read() };
    }
    await drained();
    if ("fault" in ending2) {
      await contained2.clear();
      return ending2;
    }
    const found = await settledProcesses(contained2.left);
    await contained2.clear();
    const left_processes = await describeLeft(found);
    return {
      ...ending2,
      stopped: null,
      stdout: stdout.read(),
      stderr: stderr.read(),
      ...left_processes !== null && { left_processes }
    };
  } finally {
    contained2.stdout.destroy();
    contained2.stderr.destroy();
  }
}
function capture(stream) {
  const ring = createOutputRing();
  stream.on("data", ring.push);
  return { closed: new Promise((resolve) => stream.once("close", resolve)), read: ring.read, ring };
}
function endOrStop(ended, limit_ms, abort) {
  const { promise, resolve, reject } = Promise.withResolvers();
  const timer = setTimeout(resolve, limit_ms, "time_limit");
  const onAbort = () => resolve("abort");
  abort.addEventListener("abort", onAbort);
  ended.then(resolve, reject);
  if (abort.aborted) onAbort();
  return promise.finally(() => {
    clearTimeout(timer);
    abort.removeEventListener("abort", onAbort);
  });
}
function notStarted({ cwd, env }, { fault }) {
  const said = `the command could not be started: ${fault}`;
  if (!existsSync(cwd)) return `${said}; there is no directory ${cwd}`;
  if (!said.includes("E2BIG")) return said;
  const [name, bytes] = Object.entries(env).map(([key, value]) => [key, Buffer.byteLength(value)]).reduce((a, b) => b[1] > a[1] ? b : a, ["none", 0]);
  return `${said}; the environment is too large, its largest variable is ${name} with ${bytes} bytes`;
}

// src/execution/local/working-directory.ts
import { realpath, stat } from "node:fs/promises";
import { isAbsolute, relative } from "node:path";
async function workingDirectory(compose_dir, home, roots = null) {
  if (compose_dir === void 0) return { cwd: home };
  const refused = (why) => ({ issue: `compose_dir ${JSON.stringify(compose_dir)} ${why}` });
  if (!isAbsolute(compose_dir)) return refused("is not an absolute path");
  try {
    const cwd = await realpath(compose_dir);
    if (cwd === "/") return refused("is the root directory");
    if (!(await stat(cwd)).isDirectory()) return refused("is not a directory");
    if (roots === null || await liesBelow(cwd, roots)) return { cwd };
    const real = cwd === compose_dir ? "" : `is ${JSON.stringify(cwd)} after its links are followed and `;
    return refused(`${real}is not in a directory of ORCH_COMPOSE_ROOTS (${roots.join(", ")})`);
  } catch (error) {
    return refused(`cannot be used: ${error instanceof Error ? error.message : String(error)}`);
  }
}
async function liesBelow(directory, roots) {
  const real = await Promise.all(roots.map((root) => realpath(root).catch(() => null)));
  return real.some((root) => root !== null && isWithin(relative(root, directory)));
}
var isWithin = (path) => path !== ".." && !path.startsWith("../");

// src/execution/local/run-context.ts
var GRACE_MS = 5e3;
function createRunContexts(options) {
  const { redact = createRedactor([]), limitMs = maxMs, grace_ms = GRACE_MS, compose_roots = null } = options;
  const { toolServers = NO_TOOL_SERVERS, runCommand = createRunCommand(), prepare = asGiven, inNetwork } = options;
  const { inTurn = atOnce } = options;
  const base = baseEnvironment(options);
  return (contract) => {
    let directory;
    const runIn = inNetwork === void 0 ? runCommand : inNetwork(runCommand, contract);
    return {
      env: { ...base, ...stepEnvironment(contract) },
      // What `prepare` looks at is as it is until the command runs.
      runCommand: inTurn(
        withoutSecrets(runIn, redact, (command) => prepare(command, contract)),
        contract
      ),
      contract,
      callTool: toolServers.call,
      redact,
      limit_ms: limitMs(contract),
      grace_ms,
      directory: () => {
        directory ??= workingDirectory(contract.target["compose_dir"], options.home, compose_roots);
        return directory;
      }
    };
  };
}
var atOnce = (runCommand) => runCommand;
var asGiven = async (command) => command;
var withoutSecrets = (runCommand, redact, prepare) => async (command, abort) => {
  const prepared = await prepare(command);
  if ("refused" in prepared) return { ran: false, reason: `nothing was run: ${prepared.refused}` };
  const end = await runCommand(prepared, abort);
  if (!end.ran) return end;
  return { ...end, stdout: withoutMargin(end.stdout, redact), stderr: withoutMargin(end.stderr, redact) };
};

// src/execution/local/run-step.ts
import { setTimeout as sleep7 } from "node:timers/promises";
var STOPPED2 = "orch: stopped on request";
var OF_THE_SANDBOX = /no new privileges|Bad owner or permissions/;
var SANDBOX_HINT = "orch: sudo does not work in the sandbox of a step, and files of root appear to belong to another user; ORCH_SANDBOX=off runs steps without it";
var WITHOUT_RIGHTS = /must be owned by uid 0|effective uid is not 0|must be setuid root/;
var RIGHTS_HINT = "orch: sudo and its like have no effect where orch hides its files from a step. It does not hide them where the step names sudo and no approver token is set, or with ORCH_ACCEPT_READABLE_TOKENS=on";
var BROKEN_PIPE = 141;
var BROKEN_PIPE_HINT = "orch: exit code 141 (SIGPIPE): a command wrote to a reader that had stopped, such as head or grep -q; use a reader that reads to its end";
var failed = (stderr, exit_code = 1) => ({
  ...SILENT,
  executed: false,
  status: "failed",
  exit_code,
  stderr
});
async function runStep(step, context, abort) {
  switch (step.kind) {
    case "cmd":
      return shell(step.value, true, context, abort);
    case "check":
      return isPolled(step) ? poll(step, context, abort) : shell(step.value, false, context, abort);
    case "wait":
      return wait(step.value, context.waited_ms, abort);
    case "mcp_call":
      return callTool(step, context, abort);
  }
}
async function shell(script, strict, context, abort) {
  const directory = await context.directory();
  if ("issue" in directory) return failed(`${directory.issue}; nothing was run`);
  if (abort.aborted) return failed(STOPPED2, null);
  const { env, limit_ms, grace_ms, step, allowed } = context;
  const command = {
    ...{ script, strict, cwd: directory.cwd, env, limit_ms, grace_ms },
    ...step !== void 0 && { step },
    ...allowed !== void 0 && { allowed }
  };
  const end = await context.runCommand(command, abort);
  if (!end.ran) return abort.aborted ? failed(STOPPED2, null) : failed(end.reason);
  const { stdout, stderr, stopped: stopped2, left_processes } = end;
  const passed = end.exit_code === 0 && stopped2 === null;
  return {
    executed: true,
    status: passed ? "passed" : "failed",
    exit_code: stopped2 === "abort" ? null : end.exit_code,
    stdout: stdout.text,
    stderr: withLine(stderr.text, passed ? "" : remark(end, context.limit ?? `the time limit of ${limit_ms / 1e3} s`)),
    stdout_bytes: stdout.bytes,
    stderr_bytes: stderr.bytes,
    truncated: stdout.truncated || stderr.truncated,
    timed_out: stopped2 === "time_limit",
    ...left_processes !== void 0 && { left_processes }
  };
}
async function poll({ value, within: within2 }, context, abort) {
  const window_ms = durationMs(within2);
  if (window_ms === null) return failed(`${JSON.stringify(within2)} is not a duration`);
  const begun = performance.now();
  const whole_ms = Math.min(window_ms, context.limit_ms);
  const until = begun + whole_ms;
  const limit = `the end of its ${whole_ms / 1e3} s`;
  let tries = null;
  for (let nth = 1; ; nth++) {
    const tried_at = performance.now();
    const limit_ms = Math.max(1, Math.round(until - tried_at));
    const end = await shell(value, false, { ...context, limit_ms, limit }, abort);
    tries = withTry(tries ?? NO_TRIES, {
      nth,
      after_ms: Math.round(tried_at - begun),
      duration_ms: Math.round(performance.now() - tried_at),
      exit_code: end.exit_code,
      timed_out: end.timed_out
    });
    const pause_ms = pauseAfter(nth, until - performance.now());
    if (end.status === "passed" || !end.executed || abort.aborted || pause_ms === null) return { ...end, tries };
    await sleep7(pause_ms, void 0, { signal: abort }).catch(() => void 0);
    if (abort.aborted) return { ...failed(STOPPED2, null), executed: true, tries };
  }
}
var NO_TRIES = { count: 0, first: [], last: [] };
async function wait(value, waited_ms, abort) {
  const ms = durationMs(value);
  if (ms === null) return failed(`${JSON.stringify(value)} is not a duration`);
  const elapsed = sleep7(Math.max(0, ms - waited_ms), true, { signal: abort }).catch(() => false);
  if (!await elapsed) return failed(STOPPED2, null);
  return { ...SILENT, executed: true, status: "passed", exit_code: 0 };
}
function remark(end, limit) {
  const { signal, stopped: stopped2 } = end;
  if (stopped2 === "time_limit") return `orch: stopped at ${limit}`;
  if (stopped2 === "abort") return STOPPED2;
  if (signal !== null) return `orch: ended by ${signal}`;
  if (end.exit_code === BROKEN_PIPE) return BROKEN_PIPE_HINT;
  if (end.contained_in === "pid_namespace") return OF_THE_SANDBOX.test(end.stderr.text) ? SANDBOX_HINT : "";
  return WITHOUT_RIGHTS.test(end.stderr.text) ? RIGHTS_HINT : "";
}
var withLine = (text, line) => line === "" || text === "" || text.endsWith("\n") ? text + line : `${text}
${line}`;

// src/execution/local/local-backend.ts
function createLocalBackend(options) {
  const { redact = createRedactor([]), toolServers = NO_TOOL_SERVERS } = options;
  const contextOf = createRunContexts(options);
  return {
    name: "local",
    remote: false,
    run: async (request, observer, signal) => {
      const { task_contract, steps } = request;
      const startOf = startsOf(options, { request, context: contextOf(task_contract), observer, signal });
      const repeatable = steps.map((step) => mayRepeat(step, toolServers, signal));
      const ran = [];
      for (const [offset, step] of steps.entries()) {
        const harmless = await repeatable[offset] === true;
        const { index, attempt } = placeOf(request, offset);
        const started = async () => !signal.aborted && await observer.started(index, attempt, { repeatable: harmless });
        const stepEnd = await (isShell(step) ? launched(startOf(offset), started) : runAfter(started, () => startOf(offset)({ repeatable: harmless })));
        if (stepEnd === null) return flowOutput(ran, index);
        const { executed, ...end } = stepEnd;
        if (endsEarly(step) && end.status !== "passed" && observer.leaving?.aborted) return flowOutput(ran, index);
        const stdout = redact(end.stdout);
        const stderr = redact(end.stderr);
        const result = { index, kind: step.kind, attempt, ...end, stdout, stderr };
        observer.finished(result);
        ran.push({ step: sentStep(step, task_contract), result, executed });
        if (result.status !== "passed") break;
      }
      return flowOutput(ran, null);
    }
  };
}
var runAfter = async (started, run) => await started() ? run() : null;
var placeOf = ({ first_index, attempt }, offset) => ({
  index: first_index + offset,
  attempt: offset === 0 ? attempt : 1
});
var startsOf = ({ clock }, { request, context, observer, signal }) => (offset) => ({ repeatable = false, allowed }) => {
  const step = request.steps[offset];
  const place = placeOf(request, offset);
  const since = offset === 0 && step.kind === "wait" ? request.started_at : void 0;
  const traced = withTrace(withBefore(context, request.before?.get(place.index)), request.traceparentOf?.(place));
  const running = {
    ...traced,
    ...allowed !== void 0 && { allowed },
    repeatable,
    step: { task_id: request.task_contract.task_id, ...place }
  };
  const until = endsEarly(step) ? anyOf(signal, observer.leaving) : signal;
  return timed(clock, since, allowed, (waited_ms) => runStep(step, { ...running, waited_ms }, until));
};
var isShell = (step) => step.kind === "cmd" || step.kind === "check" && !isPolled(step);
async function launched(start, started) {
  const { promise: allowed, resolve: allow } = Promise.withResolvers();
  const end = start({ allowed });
  let isOver = false;
  const note = () => {
    isOver = true;
  };
  end.then(note, note);
  let isStarted = false;
  try {
    isStarted = await started();
  } finally {
    allow(isStarted && !isOver);
  }
  if (!isStarted) return null;
  return isOver ? start({}) : end;
}
var endsEarly = (step) => step.kind === "wait" || isPolled(step);
var anyOf = (signal, other) => other === void 0 ? signal : AbortSignal.any([signal, other]);
var withBefore = (context, before) => before === void 0 ? context : { ...context, env: { ...context.env, ORCH_BEFORE: before } };
var withTrace = (context, traceparent) => traceparent === void 0 ? context : { ...context, traceparent, env: { ...context.env, TRACEPARENT: traceparent } };
var mayRepeat = async (step, { mayRepeat: ask }, signal) => isIdempotent(step) || step.kind === "mcp_call" && ask(step, signal);
async function timed(clock, since, allowed, run) {
  const waited_ms = since === void 0 ? 0 : Math.max(0, clock().getTime() - Date.parse(since));
  let begun = instantOf(clock);
  const ending2 = run(waited_ms);
  ending2.catch(() => void 0);
  if (allowed !== void 0) {
    await Promise.race([allowed, ending2]);
    begun = instantOf(clock);
  }
  const end = await ending2;
  const duration_ms = Math.round(waited_ms + performance.now() - begun.monotonic_ms);
  return { ...end, started_at: since ?? begun.at.toISOString(), duration_ms };
}
var instantOf = (clock) => ({ at: clock(), monotonic_ms: performance.now() });

// src/domain/exit-code.ts
var isRed = (exit_code) => exit_code >= 1 && exit_code !== 126 && exit_code !== 127 && !(exit_code > 128 && exit_code <= 192);

// src/execution/local/at-once.ts
async function someAtOnce(limit, items, act) {
  const results = [];
  const rest = items.entries();
  const work = async () => {
    for (const [position, item] of rest) results[position] = await act(item);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work));
  return results;
}

// src/execution/local/look.ts
var AT_ONCE = 4;
var ALL_MS = 3e4;
var ONE_MS = 1e4;
var MAX_PRINTED = 4096;
function createLook(options) {
  const contextOf = createRunContexts(options);
  const { redact = createRedactor([]) } = options;
  return async ({ task_contract, checks }, signal) => {
    const shared = contextOf(task_contract);
    const limit_ms = Math.min(ONE_MS, shared.limit_ms);
    const context = { ...shared, limit_ms, grace_ms: 0, waited_ms: 0, repeatable: true };
    const until = AbortSignal.any([signal, AbortSignal.timeout(ALL_MS)]);
    return someAtOnce(AT_ONCE, checks, async ({ step_index, step }) => {
      const begun = performance.now();
      const once3 = isPolled(step) ? { kind: "check", value: step.value } : step;
      const end = await runStep(once3, context, until);
      const duration_ms = Math.round(performance.now() - begun);
      return { step_index, ...answerOf(end), duration_ms, ...printedBy(end, redact) };
    });
  };
}
function answerOf({
  status,
  exit_code,
  executed,
  timed_out
}) {
  if (status === "passed") return { answer: "green", exit_code, reason: null };
  if (executed === true && !timed_out && exit_code !== null && isRed(exit_code))
    return { answer: "red", exit_code, reason: null };
  const reason = timed_out ? "it reached its time limit" : "it could not be run";
  return { answer: "cannot_tell", exit_code, reason };
}
function printedBy({ stdout, truncated }, redact) {
  const printed = stdout.trim();
  const isKept = !truncated && printed.length <= MAX_PRINTED && redact(printed) === printed;
  return { printed: isKept ? printed : null };
}

// src/execution/flow-script/guard.ts
import { spawn as spawn2 } from "node:child_process";
import { once as once2 } from "node:events";
var GUARD = `groups=' '
while read -r sign id; do
  case $sign in
    +) groups+="$id " && echo ;;
    -) groups=\${groups/ $id / } ;;
  esac
done
for id in $groups; do kill -KILL -- "-$id"; done`;
var LAUNCH = `ulimit -c 0; umask 022
${LAUNCH_GROUP}`;
function createGuard() {
  const [program, ...options] = BASH;
  const guard = spawn2(program, [...options, GUARD], {
    cwd: "/",
    env: {},
    detached: true,
    stdio: ["pipe", "pipe", "ignore"]
  });
  const ended = once2(guard, "close").catch(() => []);
  for (const one of [guard, guard.stdin]) one.on("error", () => {
  });
  const kept2 = [];
  const unconfirmed = [];
  guard.stdout.setEncoding("latin1").on("data", (lines) => {
    for (const _ of lines) unconfirmed.shift()?.();
  });
  const noteGroup = async (pid) => {
    const confirmed = new Promise((resolve) => unconfirmed.push(resolve));
    guard.stdin.write(`+ ${pid}
`);
    await Promise.race([confirmed, ended]);
    return () => void guard.stdin.write(`- ${pid}
`);
  };
  return {
    noteGroup,
    launch: (async (argv, place) => {
      const launched2 = await launch([...BASH, LAUNCH, "orch"], argv, place);
      if (!("fault" in launched2)) kept2.push(launched2.child);
      return launched2;
    }),
    close: async () => {
      guard.stdin.end();
      await ended;
    }
  };
}

// src/domain/traceparent.ts
function readTraceparent(given) {
  const parts = typeof given === "string" ? TRACEPARENT.exec(given) : null;
  if (parts === null) return null;
  const [, version = "", trace_id, parent_id, flags = "", rest] = parts;
  if (version === "ff" || version === "00" && rest !== void 0) return null;
  return `00-${trace_id}-${parent_id}-${Number.parseInt(flags, 16) % 2 === 1 ? "01" : "00"}`;
}
var TRACEPARENT = /^([0-9a-f]{2})-((?!0{32})[0-9a-f]{32})-((?!0{16})[0-9a-f]{16})-([0-9a-f]{2})(-[\x20-\x7e]{0,512})?$/;

// src/execution/flow-script/plan.ts
function planOf(task_contract, steps, context) {
  if (isDeeperThan([task_contract, steps, context], MAX_DEPTH3)) return "the arguments are nested too deep";
  if (!isRecord(task_contract)) return "task_contract is not an object";
  const given = isRecord(context) ? context : {};
  const { target = task_contract["target"], payload = task_contract["payload"] } = given;
  const contract = withDefaults({ ...task_contract, target, payload });
  const fault = faultOf2(contract);
  if (fault !== null)
    return `${Object.hasOwn(given, fault.field) ? "context" : "task_contract"}.${fault.field} ${fault.why}`;
  if (!Array.isArray(steps) || steps.length === 0) return "steps is not a list of at least one step";
  const odd = steps.findIndex((step) => !isStep(step));
  if (odd !== -1) return `steps[${odd}] is not a step`;
  const {
    mcp_servers = {},
    look_at = [],
    before = "{}",
    last_part_decides = []
  } = isRecord(context) ? context : { mcp_servers: null };
  const servers = serversIn(mcp_servers);
  if (typeof servers === "string") return servers;
  if (!isChecks(look_at, steps)) return "context.look_at is not a list of indexes of checks";
  const decided = shellTextsAt(last_part_decides, steps);
  if (decided === null) return "context.last_part_decides is not a list of indexes of commands and checks";
  const printed = printedIn(before);
  if (printed === null) return "context.before is not the JSON of an object of texts";
  return {
    task_contract: contract,
    ...{ steps: steps.map(withArguments), servers, look_at: [...new Set(look_at)], before: printed },
    last_part_decides: decided,
    traceparent: readTraceparent(given["traceparent"])
  };
}
var isChecks = (given, steps) => Array.isArray(given) && given.every((index) => typeof index === "number" && isCheck(steps[index]));
var decidedKey = (kind, text) => `${kind} ${text}`;
function shellTextsAt(given, steps) {
  if (!Array.isArray(given)) return null;
  const texts = given.map((index) => {
    const step = typeof index === "number" ? steps[index] : void 0;
    return step?.kind === "cmd" || step?.kind === "check" ? decidedKey(step.kind, step.value) : null;
  });
  return texts.includes(null) ? null : new Set(texts.filter((text) => text !== null));
}
var isCheck = (step) => step?.kind === "check" || step?.kind === "mcp_call" && step.expect !== void 0;
function printedIn(given) {
  try {
    const texts = typeof given === "string" ? JSON.parse(given) : null;
    return isTexts(texts) ? new Map(Object.entries(texts).map(([index, text]) => [Number(index), text])) : null;
  } catch {
    return null;
  }
}
var MAX_DEPTH3 = 64;
var withDefaults = ({ payload = {}, constraints = {}, ...contract }) => ({
  ...contract,
  payload,
  constraints: isRecord(constraints) ? { max_minutes: DEFAULT_MAX_MINUTES, ...constraints } : {}
});
function faultOf2({ task_id, target, payload, constraints }) {
  if (typeof task_id !== "string") return { field: "task_id", why: "is not text" };
  if (!isTexts(target)) return { field: "target", why: "is not an object of texts" };
  if (!isRecord(payload)) return { field: "payload", why: "is not an object" };
  const { max_minutes } = isRecord(constraints) ? constraints : {};
  const isLimit = typeof max_minutes === "number" && max_minutes > 0 && max_minutes <= 1440;
  return isLimit ? null : { field: "constraints.max_minutes", why: "is not a number of minutes, at most 1440" };
}
function isStep(step) {
  if (!isRecord(step)) return false;
  const { kind, value, server, tool, arguments: args, params, expect, within: within2 } = step;
  if (within2 !== void 0 && (kind !== "check" || typeof within2 !== "string")) return false;
  if (kind === "mcp_call") return isTexts({ server, tool }) && isRecord(args ?? params ?? {}) && isExpectation(expect);
  return (kind === "cmd" || kind === "check" || kind === "wait") && typeof value === "string";
}
function isExpectation(expect) {
  if (expect === void 0) return true;
  if (!isRecord(expect)) return false;
  const { path = "", equals, contains = "" } = expect;
  return isTexts({ path, contains }) && equals === void 0 === (contains !== "");
}
function withArguments(step) {
  if (step.kind !== "mcp_call") return step;
  const { params, expect, ...call } = step;
  const expected = expect === void 0 ? {} : { expect: { ...expect, path: expect.path ?? "" } };
  return { ...call, ...expected, arguments: call.arguments ?? params ?? {} };
}
function serversIn(given) {
  if (!isRecord(given)) return "context.mcp_servers is not an object";
  const servers = /* @__PURE__ */ new Map();
  for (const [id, server] of Object.entries(given)) {
    const { url = "", token } = isTexts(server) ? server : {};
    const isAddress = /^https?:/i.test(url) && URL.canParse(url);
    if (!isAddress || token === void 0)
      return `context.mcp_servers.${id.slice(0, 64)} has no URL or no token of a server`;
    servers.set(id.toLowerCase(), { url, token: token === "" ? null : token });
  }
  return servers;
}
var secretsIn = (servers) => [...servers.values()].flatMap(({ url, token }) => {
  const { username, password } = new URL(url);
  const secret = password || username;
  return [token ?? "", secret, percentDecode(secret)].filter((text) => text !== "");
});

// src/execution/flow-script/main.ts
export async function main(task_contract, steps, context) {
  const plan = planOf(task_contract, steps, context);
  if (typeof plan === "string") return { ...flowOutput([], 0), summary: `nothing was run: ${plan}` };
  const ended = new AbortController();
  const stop = () => ended.abort();
  for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, stop);
  try {
    return await runPlan(plan, ended.signal);
  } finally {
    for (const signal of ["SIGTERM", "SIGINT"]) process.off(signal, stop);
  }
}
async function runPlan(plan, abort) {
  const { task_contract, steps, servers, traceparent } = plan;
  const guard = createGuard();
  const toolServers = createToolServers({ servers, version: "flow" });
  const options = {
    ...account(),
    clock: () => /* @__PURE__ */ new Date(),
    // A command of the same account can read the secrets that the engine passes to the script.
    redact: createRedactor([...secretsIn(servers), process.env["WM_TOKEN"] ?? ""]),
    runCommand: createRunCommand({ containment: createGroupContainment(guard.noteGroup, guard.launch) }),
    toolServers,
    prepare: async (command) => plan.last_part_decides.has(decidedKey(command.strict ? "cmd" : "check", command.script)) ? { ...command, last_part_decides: true } : command
  };
  try {
    const looks = await lookBefore(plan, createLook(options), abort);
    const printed = printedBefore(new Map(looks.map((look) => [look.step_index, look])), steps);
    const before = new Map([...plan.before, ...printed]);
    const request = {
      task_contract,
      steps,
      first_index: 0,
      attempt: 1,
      before,
      ...traceparent !== null && { traceparentOf: () => traceparent }
    };
    const output = await createLocalBackend(options).run(request, progress(steps), abort);
    return looks.length === 0 ? output : { ...output, before_looks: looks };
  } finally {
    await Promise.all([guard.close(), toolServers.close()]);
  }
}
async function lookBefore({ task_contract, steps, look_at }, look, abort) {
  const checks = look_at.flatMap((step_index) => {
    const step = steps[step_index];
    return step === void 0 ? [] : [{ step_index, step }];
  });
  const looks = await look({ task_contract, checks }, abort);
  if (abort.aborted) return [];
  for (const { step_index, answer, duration_ms } of looks)
    process.stdout.write(`orch: check ${step_index} ${answer} before the first step duration_ms=${duration_ms}
`);
  return looks;
}
function account() {
  const { HOME = "", USER: user, TZ: tz } = process.env;
  return { home: isAbsolute2(HOME) && HOME !== "/" ? HOME : "/tmp", user, tz };
}
var progress = (steps) => ({
  started: async (index) => {
    process.stdout.write(`orch: step ${index} ${steps[index]?.kind} started
`);
    return true;
  },
  finished: ({ index, kind, status, exit_code, duration_ms }) => {
    process.stdout.write(
      `orch: step ${index} ${kind} ${status} exit_code=${exit_code ?? "none"} duration_ms=${duration_ms}
`
    );
  },
  accepted: async () => {
  },
  progressed: async () => {
  },
  ended: () => {
  }
});
