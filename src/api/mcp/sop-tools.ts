// Offers the active procedures as tools beside the operations: the name, the text and the input of each, and the contract that a
// call submits (D-219). What a supervisor or an SOP file has written is data: it appears in JSON quotes, bounded, and in a name
// as single words.
import { z } from "zod";
import type { Config } from "../../config/config.ts";
import { READ_ONLY_INTENTS, type SentContract, sopKey, type Target, TaskContract } from "../../domain/contract.ts";
import { digestOf } from "../../domain/json.ts";
import type { Sop } from "../../domain/sop.ts";
import { newTaskId } from "../../domain/thread-id.ts";
import type { Clock, NewId, Skill, Store } from "../../ports.ts";
import { flatSchemaOf, jsonSchemaOf, type Schema } from "../../schema/json-schema.ts";
import { parseInput } from "../../schema/parse-input.ts";
import type { Fault } from "../../schema/problem-document.ts";
import { invalidInput, MAX_WAIT_SECONDS, WaitSeconds } from "../operations/operation.ts";
import { faultOf, type McpCaller } from "./calls.ts";
import { jsonText } from "./fit-answer.ts";
import { readArguments } from "./nested-json.ts";

const SOP_TOOL_PREFIX = "run_";
/** Hosts put the name of the server before it, and allow 64 characters in all. */
const MAX_NAME = 40;
const MAX_SHOWN_NAME = 64;
const DIGEST = 6;
/** A part of a target that may be in a name. Sentences, paths and other scripts are in the description only. */
const WORD = /^[A-Za-z0-9._-]{1,24}$/;
/** What a name spells without loss, so that no other target has the same. */
const EXACT = /^[a-z0-9]+$/;

/**
 * It depends on the intent and the target only: a name never changes its meaning. A target that the name does not
 * spell exactly gets a digest.
 */
export function sopToolName({ intent, target }: Pick<Sop, "intent" | "target">, signature: string): string {
  const entries = entriesOf(target);
  const words = entries.flatMap(([name, value]) =>
    name !== DIRECTORY && WORD.test(value) ? [`${name}_${value.toLowerCase().replaceAll(".", "-")}`] : [],
  );
  const spelled = `${SOP_TOOL_PREFIX}${[intent, ...words].join("_")}`;
  // A value that is left out is spelled by no name.
  const isWhole = entries.length > 0 && words.length === entries.length;
  const isExact = isWhole && entries.every((entry) => entry.every((text) => EXACT.test(text)));
  if (isExact && spelled.length <= MAX_NAME) return spelled;
  const digest = digestOf(sopKey(intent, signature)).slice(-DIGEST);
  return `${whole(`${SOP_TOOL_PREFIX}${intent}`, words)}_${digest}`;
}

/** With those of the words that fit whole, or with the beginning of the first. */
function whole(start: string, words: readonly string[]): string {
  const most = MAX_NAME - DIGEST - 1;
  const fitting = words.reduce((name, word) => (name.length + word.length < most ? `${name}_${word}` : name), start);
  const [first] = words;
  const text = fitting === start && first !== undefined ? `${start}_${first}` : fitting;
  return text.slice(0, most).replace(/[_-]+$/, "");
}

const SERVICE = "service";
const DIRECTORY = "compose_dir";

type Telling = ReadonlySet<string>;

/** The attributes in which these procedures differ. */
export function tellingAmong(sops: readonly Pick<Sop, "target">[]): Telling {
  const names = new Set(sops.flatMap(({ target }) => Object.keys(target)));
  return new Set([...names].filter((name) => new Set(sops.map(({ target }) => target[name])).size > 1));
}

/** What distinguishes targets first: the service, then what differs. A directory is often long. */
function entriesOf(target: Target, telling: Telling = new Set()): [string, string][] {
  const rankOf = (name: string): number =>
    name === SERVICE ? 0 : (telling.has(name) ? 1 : 3) + (name === DIRECTORY ? 1 : 0);
  return Object.entries(target).sort(([a], [b]) => rankOf(a) - rankOf(b) || (a < b ? -1 : Number(a > b)));
}

/** In tokens: what is left of 150 for the texts of others, and what the optional parts cost. */
const ROOM = 95;
const ROOM_OF_PAYLOAD = 17;
const ROOM_OF_NAMES = 12;
const ROOM_OF_HINT = 8;

export function describeSopTool(name: string, sop: Sop, telling?: Telling) {
  const { intent, target } = sop;
  const { required, properties = {} } = flatSchemaOf(sopInput(sop));
  const servers = serversOf(sop);
  const only_looks = READ_ONLY_INTENTS.has(intent);
  const payload = "payload" in properties ? ROOM_OF_PAYLOAD + (required === undefined ? 0 : ROOM_OF_NAMES) : 0;
  const room = ROOM - tokensAtMost(name) - payload - (only_looks ? ROOM_OF_HINT : 0);
  const approves = servers.length === 0 ? "" : ` Approves calls to ${listed(servers, room / 4)}.`;
  return {
    name,
    description: `Runs the SOP for ${quoted(entriesOf(target, telling), room - tokensAtMost(approves))}.${approves}`,
    inputSchema: {
      type: "object" as const,
      properties: Object.fromEntries(Object.entries(properties).map(([field, schema]) => [field, outline(schema)])),
      ...(required !== undefined && { required }),
      additionalProperties: false,
    },
    ...(only_looks && { annotations: { readOnlyHint: true } }),
  };
}

const outline = ({ type, description = "" }: Schema): Schema => ({ type, description });

export const USUAL_WAIT = 30;

/** The payload is an input where the steps read one. */
export function sopInput(sop: Pick<Sop, "steps">) {
  const names = payloadNames(sop);
  const fields = names.length === 0 ? "JSON for $ORCH_PAYLOAD." : `Needs ${listed(names, ROOM_OF_NAMES)}.`;
  const payload = TaskContract.shape.payload.unwrap();
  return z.strictObject({
    task_id: TaskContract.shape.task_id.optional().describe("Your id, to repeat safely."),
    ...(names.length > 0 && { payload: payload.describe(fields) }),
    ...(names.length === 0 && readsPayload(sop) && { payload: payload.optional().describe(fields) }),
    wait_seconds: WaitSeconds.prefault(USUAL_WAIT).describe(`0 to ${MAX_WAIT_SECONDS}, default ${USUAL_WAIT}.`),
  });
}

/** `known_only`: a procedure that is retired before the look-up is missed, and no one is asked for another. */
export function sopContract(sop: Sop, input: z.output<ReturnType<typeof sopInput>>, new_id: string): SentContract {
  const { task_id = new_id } = input;
  return TaskContract.partial({ requested_by: true, requested_at: true }).parse({
    task_id,
    intent: sop.intent,
    target: sop.target,
    delegation_mode: "known_only",
    success_criteria: [...new Set(sop.criteria.map(({ criterion }) => criterion))],
    // The human who promoted the procedure was shown each of its calls.
    constraints: { implicit_scope: serversOf(sop), require_approval_for: [] },
    ...("payload" in input && input.payload !== undefined && { payload: input.payload }),
  });
}

const serversOf = ({ steps }: Pick<Sop, "steps">): string[] => [
  ...new Set(steps.flatMap((step) => (step.kind === "mcp_call" ? [step.server.toLowerCase()] : []))),
];

const PAYLOAD_FIELD = /"\$\{payload\.([A-Za-z0-9_]+)[A-Za-z0-9_.]*\}"/g;

/** The fields that arguments of tool calls take from the payload: the call is refused without them. */
const payloadNames = ({ steps }: Pick<Sop, "steps">): string[] => [
  ...new Set(
    steps.flatMap((step) =>
      step.kind === "mcp_call"
        ? [...JSON.stringify(step.arguments).matchAll(PAYLOAD_FIELD)].map(([, name = ""]) => name)
        : [],
    ),
  ),
];

const readsPayload = ({ steps }: Pick<Sop, "steps">): boolean =>
  steps.some((step) => step.kind !== "mcp_call" && step.value.includes("ORCH_PAYLOAD"));

/**
 * The texts of others in the description of a tool: bounded by what they cost a model, and cut where a part ends. Names of
 * letters, digits and underscores.
 */
const listed = (names: readonly string[], most: number): string => {
  const [first = "", ...more] = names;
  const all = names.join(", ");
  return tokensAtMost(all) <= most ? all : `${bounded(first, most)}${more.length > 0 ? " and more" : ""}`;
};

/** With less than this an attribute says nothing: the last ones are left out first. */
const MIN_VALUE = 12;
const REST = { more: "[cut]" };

/**
 * Always whole JSON: a text that is cut ends within its quotes, and none of it begins a line or is invisible. The first entries are
 * shown whole as far as there is room.
 */
function quoted(entries: readonly Entry[], most: number): string {
  for (let shown = entries.length; shown > 1; shown -= 1) {
    const [kept, rest] = [entries.slice(0, shown), shown < entries.length ? REST : {}];
    const level = levelOf(kept.map(costOf), most - overheadOf(shown + Object.keys(rest).length));
    if (level >= MIN_VALUE) return jsonText({ ...cutTo(level, kept), ...rest });
  }
  return jsonText({ ...cutTo(most - overheadOf(2), entries.slice(0, 1)), ...(entries.length > 1 && REST) });
}

type Entry = readonly [name: string, value: string];

/** Braces, and what is between two texts. */
const overheadOf = (entries: number): number => 3 + 2 * entries;

const costOf = ([name, value]: Entry): number => written(name) + written(value);

/** What each may cost when the short ones leave their rest to the long ones. Infinity: all are whole. */
function levelOf(costs: readonly number[], most: number): number {
  const ascending = costs.toSorted((a, b) => a - b);
  let left = most;
  for (const [nth, cost] of ascending.entries()) {
    const share = left / (costs.length - nth);
    if (cost > share) return share;
    left -= cost;
  }
  return Number.POSITIVE_INFINITY;
}

const cutTo = (level: number, entries: readonly Entry[]): Record<string, string> =>
  Object.fromEntries(
    entries.map((entry) => {
      if (costOf(entry) <= level) return entry;
      const name = bounded(entry[0], level / 2);
      return [name, bounded(entry[1], level - written(name))];
    }),
  );

const CUT = "[cut]";
const COST_OF_CUT = 3;

/** Of a path the end is kept: it distinguishes more than the beginning. */
function bounded(text: string, most: number): string {
  if (written(text) <= most) return text;
  const isPath = text.startsWith("/");
  const parts = text.match(PARTS) ?? [];
  const kept: string[] = [];
  let left = most - COST_OF_CUT;
  for (const part of isPath ? parts.toReversed() : parts) {
    left -= written(part);
    if (left < 0) break;
    kept.push(part);
  }
  return isPath ? `${CUT}${kept.toReversed().join("")}` : `${kept.join("")}${CUT}`;
}

/** As a part of a JSON text. */
const written = (text: string): number => tokensAtMost(jsonText(text).slice(1, -1));

/** Of ordinary targets. Each is one part for tokenizers, with what separates it. */
const WORDS = "compose|dir|environment|home|host|name|production|region|server|service|srv|stack|zone";

/** Tokenizers join letters and digits to longer parts, but rare letters, and most others too. */
const PARTS = new RegExp(
  `(?<![A-Za-z])(?:${WORDS})(?![A-Za-z])|[a-ik-pr-wyA-IK-PR-WY]{1,2}|[a-zA-Z]|[0-9]{1,3}|[\\s\\S]`,
  "gu",
);
const tokensAtMost = (text: string): number =>
  (text.match(PARTS) ?? []).reduce((sum, part) => sum + tokensOfPart(part), 0);

/** The most of a part, which is one character where it is not ASCII. */
const tokensOfPart = (part: string): number => (part === " " ? 0 : part <= "\u007f" ? 1 : part.length > 1 ? 4 : 3);

export type SopTools = {
  /** Active ones that a contract selects, those with the most successful runs first. */
  readonly mostUsed: (limit: number) => Promise<readonly Sop[]>;
  readonly newTaskId: (intent: string) => string;
  /** Yields after each commit that changed which procedures are active. */
  readonly toolsChanged: (signal: AbortSignal) => AsyncIterable<void>;
};

const MAX_OFFERED = 30;
/** A call may name one that other procedures have pushed off the list. */
const MAX_CALLED = 500;

type Resolved =
  | { readonly ok: true; readonly contract: SentContract & { readonly wait_seconds: number } }
  | { readonly ok: false; readonly fault: Fault };

/**
 * Offers the active procedures as tools beside the operations, and turns a call of one into a contract for submit_task. Which
 * procedure runs is decided by the look-up of the task, as for any contract.
 */
export function createSopTools({ mostUsed, newTaskId }: SopTools) {
  const named = async (limit: number): Promise<ReadonlyMap<string, Sop>> => {
    const sops = await mostUsed(limit);
    // The most used first: it keeps a name that another would have too.
    return new Map(sops.toReversed().map((sop) => [sopToolName(sop, sop.target_signature), sop]));
  };

  async function find(name: string): Promise<Sop | null> {
    const offered = (await named(MAX_OFFERED)).get(name);
    return offered ?? (await named(MAX_CALLED)).get(name) ?? null;
  }

  return {
    list: async ({ refusalOf }: Pick<McpCaller, "refusalOf">) => {
      if ((await refusalOf({ name: "list_sops", scope: "read" })) !== null) return [];
      const offered = [...(await named(MAX_OFFERED))].reverse();
      const telling = tellingAmong(offered.map(([, sop]) => sop));
      return offered.map(([name, sop]) => describeSopTool(name, sop, telling));
    },
    isNameOf: (name: string): boolean => name.startsWith(SOP_TOOL_PREFIX),
    /** A name is not enough: the procedure has to be active now. */
    contractFor: async (name: string, given: Readonly<Record<string, unknown>>): Promise<Resolved> => {
      const sop = await find(name);
      if (sop === null) return { ok: false, fault: notActive(name) };
      const input = sopInput(sop);
      const read = readArguments(jsonSchemaOf(input, "input"), given);
      const parsed = read.ok ? parseInput(input, read.value) : { ok: false as const, issues: [read.issue] };
      if (!parsed.ok) return { ok: false, fault: faultOf(invalidInput({ name }, parsed.issues)) };
      const { wait_seconds } = parsed.value;
      return { ok: true, contract: { ...sopContract(sop, parsed.value, newTaskId(sop.intent)), wait_seconds } };
    },
  };
}

const notActive = (name: string): Fault => ({
  code: "sop_not_found",
  detail: `No active SOP has the tool ${JSON.stringify(name.slice(0, MAX_SHOWN_NAME))}: it was retired, or never promoted. Nothing was submitted.`,
  fix: "List the tools again, or the SOPs with list_sops. submit_task with the intent and the target asks for new steps.",
});

type SopToolParts = {
  readonly store: Pick<Store, "mostUsedSops">;
  readonly activeSopsChanged: SopTools["toolsChanged"];
  readonly skillOf: (intent: string) => Skill | null;
  readonly clock: Clock;
  readonly new_id: NewId;
};

/** Null where procedures are no tools. */
export function sopToolsOf(
  { sop_tools }: Pick<Config, "sop_tools">,
  { clock, new_id, store, activeSopsChanged, skillOf }: SopToolParts,
): SopTools | null {
  if (sop_tools === "off") return null;
  return {
    // A contract of any other intent is not run by a procedure.
    mostUsed: async (limit) =>
      (await store.mostUsedSops(limit)).filter(({ intent }) => intent !== "update_sop" && skillOf(intent) === null),
    newTaskId: (intent) => newTaskId(intent, clock(), new_id().slice(0, 4)),
    toolsChanged: activeSopsChanged,
  };
}
