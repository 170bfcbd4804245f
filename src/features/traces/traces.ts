// Traces of the work on tasks, through the API of OpenTelemetry (D-391): one stretch of spans for each thread that is open.
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { setTimeout as sleep } from "node:timers/promises";
import {
  ProxyTracerProvider,
  type SpanContext,
  SpanStatusCode,
  type Tracer,
  type TracerProvider,
  trace,
} from "@opentelemetry/api";
import type { EventBody, EventKind, JournalEvent } from "../../domain/journal.ts";
import { promotionThread } from "../../domain/thread-id.ts";
import { handsOn, type Traces } from "../../tasks/thread.ts";
import { ATTRIBUTE, MOMENT, resultAttributes, SPAN, sopAttributes } from "./names.ts";
import { learn, openStretch, type Stretch } from "./stretch.ts";

/** For what an SDK has not sent when the server stops. */
const FLUSH_MS = 2_000;

/** Threads that wait, of which the trace is remembered for a link. */
const MAX_REMEMBERED = 10_000;

/** `report` is called with the first fault of the SDK, which is no fault of a task: it runs as without one. */
export function createTraces({ tracer, flush }: Sdk, report: (fault: unknown) => void): Traces {
  const open = new Map<string, Stretch>();
  const last = createMemory();
  const without = handsOn();
  const safely = createSafely(report);
  const onNode = (move: "beginNode" | "endNode") => (message: unknown) => {
    const { name, state } = message as NodeMoment;
    safely(() => open.get(threadOf(state))?.[move](name), undefined);
  };
  const [began, ended] = [onNode("beginNode"), onNode("endNode")];
  subscribe("orch:node", began);
  subscribe("orch:node_end", ended);

  const openThread: Traces["open"] = (thread_id, events) => {
    const stretch = openStretch(tracer, { thread_id, events, before: last.of(thread_id) });
    const decided = decidedSince(events);
    if (decided.length > 0) follow(stretch, decided);
    open.set(thread_id, stretch);
    const end = (): void => {
      if (open.get(thread_id) === stretch) open.delete(thread_id);
      last.is(thread_id, stretch.context);
      stretch.end();
    };
    return {
      traceparentOf: (place) => safely(() => stretch.steps.traceparentOf(place), undefined),
      committed: (added) => safely(() => follow(stretch, added), undefined),
      end: () => safely(end, undefined),
    };
  };
  return {
    open: (thread_id, events) => safely(() => openThread(thread_id, events), without.open(thread_id, events)),
    close: async () => {
      unsubscribe("orch:node", began);
      unsubscribe("orch:node_end", ended);
      const late = sleep(FLUSH_MS, undefined, { ref: false });
      await Promise.race([flush().catch(report), late]);
    },
  };
}

function createSafely(report: (fault: unknown) => void) {
  let is_reported = false;
  return <T>(run: () => T, instead: T): T => {
    try {
      return run();
    } catch (fault) {
      if (!is_reported) report(fault);
      is_reported = true;
      return instead;
    }
  };
}

type NodeMoment = { readonly name: string; readonly state: NodeState };
type NodeState = {
  readonly contract?: { readonly task_id: string };
  readonly thread_id?: string;
  readonly sop_id?: string;
};

const threadOf = ({ contract, thread_id, sop_id }: NodeState): string =>
  contract?.task_id ?? thread_id ?? (sop_id === undefined ? "" : promotionThread(sop_id));

function createMemory() {
  const contexts = new Map<string, SpanContext>();
  return {
    of: (thread_id: string) => contexts.get(thread_id) ?? null,
    is: (thread_id: string, context: SpanContext): void => {
      contexts.delete(thread_id);
      contexts.set(thread_id, context);
      const [oldest] = contexts.keys();
      if (contexts.size > MAX_REMEMBERED && oldest !== undefined) contexts.delete(oldest);
    },
  };
}

// Which span an event of the journal begins, ends or describes. Events that are not here are moments too small for a trace.

const PROVIDER = "ollama";

const chat = (model: string) => ({
  [ATTRIBUTE.operation]: SPAN.chat,
  [ATTRIBUTE.provider]: PROVIDER,
  [ATTRIBUTE.model]: model,
});

type Follow<K extends EventKind> = (stretch: Stretch, body: EventBody<K>, at_ms: number) => void;

const FOLLOWED: { readonly [K in EventKind]?: Follow<K> } = {
  taken_up: ({ root }, { recovery }) => void (recovery && root.setAttribute(ATTRIBUTE.recovery, true)),
  sop_pinned: ({ root }, body) => void root.setAttributes(sopAttributes(body)),
  taught: ({ root }, body) => void root.setAttributes(sopAttributes(body)),
  gate_answered: (stretch, { question, fallback, model, latency_ms }, at_ms) => {
    if (model === null) return;
    const asked = { [ATTRIBUTE.question]: question, [ATTRIBUTE.is_fallback]: fallback !== null };
    const attributes = { ...chat(model), ...asked };
    const past = { attributes, from_ms: at_ms - latency_ms, to_ms: at_ms, failed: false };
    stretch.past({ name: `${SPAN.chat} ${model}`, ...past });
  },
  step_started: (stretch, { job, ...place }) => {
    const span = stretch.steps.begin(place, { goes_on: job !== undefined || stretch.known.waits.has(place.index) });
    if (job !== undefined) span.setAttribute(ATTRIBUTE.job_id, job.job_id);
  },
  step_finished: (stretch, result) => {
    const from_ms = Date.parse(result.started_at);
    const past = { from_ms, to_ms: from_ms + result.duration_ms, failed: result.status !== "passed" };
    stretch.steps.end(result, { attributes: resultAttributes(result), ...past });
  },
  skill_step_started: (stretch, place) => void stretch.steps.begin(place).updateName(SPAN.skill_step),
  skill_step_finished: (stretch, { ok, duration_ms, ...place }, at_ms) => {
    // A step that only reads is written later than it has run.
    const from_ms = stretch.steps.begunAt(place) ?? at_ms - duration_ms;
    const past = { attributes: {}, from_ms, to_ms: from_ms + duration_ms, failed: !ok };
    stretch.steps.end(place, { name: SPAN.skill_step, ...past });
  },
  agent_equipped: ({ nodes, root }, { model }) => {
    const agent = nodes.find(({ name }) => name === "run_agent")?.span ?? root;
    agent.setAttributes({ [ATTRIBUTE.model]: model, [ATTRIBUTE.provider]: PROVIDER });
  },
  agent_replied: (stretch, { turn, calls, prompt, fault, latency_ms }, at_ms) => {
    const { model } = stretch.known;
    if (model === null) return;
    const said = {
      [ATTRIBUTE.turn]: turn,
      [ATTRIBUTE.calls]: calls.length,
      ...(prompt !== undefined && { [ATTRIBUTE.input_tokens]: prompt.tokens }),
      ...(fault !== null && { [ATTRIBUTE.error_type]: "no_reply" }),
    };
    const past = { from_ms: at_ms - latency_ms, to_ms: at_ms, failed: fault !== null };
    stretch.past({ name: `${SPAN.chat} ${model}`, attributes: { ...chat(model), ...said }, ...past });
  },
  approval_requested: ({ root }, { kind }, at_ms) =>
    void root.addEvent(MOMENT.approval_requested, { [ATTRIBUTE.approval_kind]: kind }, at_ms),
  approval_decided: ({ root, known }, { approval_id, status }, at_ms) => {
    const waited_ms = at_ms - (known.requests.get(approval_id) ?? at_ms);
    const decided = { [ATTRIBUTE.approval_status]: status, [ATTRIBUTE.waited_ms]: waited_ms };
    root.addEvent(MOMENT.approval_decided, decided, at_ms);
  },
  cancel_requested: ({ root }, _body, at_ms) => void root.addEvent(MOMENT.cancel_requested, at_ms),
  verdict_reached: ({ root }, { passed, reason_code }, at_ms) => {
    const reached = { [ATTRIBUTE.passed]: passed, [ATTRIBUTE.reason_code]: reason_code };
    root.addEvent(MOMENT.verdict_reached, reached, at_ms);
  },
  reported: ({ root }, { status, reason_code }) => {
    root.setAttributes({ [ATTRIBUTE.status]: status, [ATTRIBUTE.reason_code]: reason_code });
    if (status === "failed") root.setStatus({ code: SpanStatusCode.ERROR });
  },
};

/** Events that have become durable. */
function follow(stretch: Stretch, events: readonly JournalEvent[]): void {
  const whole = wholeSteps(events);
  for (const event of events) {
    stretch.use();
    learn(stretch.known, event);
    if (whole.has(event)) continue;
    const followed = FOLLOWED[event.kind] as Follow<EventKind> | undefined;
    followed?.(stretch, event.body, Date.parse(event.at));
  }
}

/** The starts whose ends are written with them: the end says when such a step began. */
function wholeSteps(events: readonly JournalEvent[]): ReadonlySet<JournalEvent> {
  const placeOf = ({ body }: JournalEvent) => {
    const { index, attempt } = body as { readonly index?: number; readonly attempt?: number };
    return `${index}/${attempt}`;
  };
  const ended = new Set(events.filter(({ kind }) => /^(skill_)?step_finished$/.test(kind)).map(placeOf));
  return new Set(events.filter((event) => /^(skill_)?step_started$/.test(event.kind) && ended.has(placeOf(event))));
}

/** What was decided while no server worked on the thread. */
const decidedSince = (events: readonly JournalEvent[]): readonly JournalEvent[] =>
  events
    .slice(events.findLastIndex(({ kind }) => LEFT_WITH.has(kind)) + 1)
    .filter(({ kind }) => kind === "approval_decided" || kind === "cancel_requested");

const LEFT_WITH: ReadonlySet<EventKind> = new Set(["taken_up", "reported", "approval_requested"]);

// The SDK that was loaded before orch, as far as it is used; null where it has registered no tracer.

type Sdk = {
  readonly tracer: Tracer;
  /** Sends the spans that have ended. */
  readonly flush: () => Promise<void>;
};

export function findSdk(version: string): Sdk | null {
  const provider: Partial<Delegating & Flushing> & TracerProvider = trace.getTracerProvider();
  if (provider instanceof ProxyTracerProvider && provider.getDelegateTracer("orch", version) === undefined) return null;
  const sdk: Partial<Flushing> = provider.getDelegate?.() ?? provider;
  return { tracer: provider.getTracer("orch", version), flush: async () => sdk.forceFlush?.() };
}

/** The global provider passes calls on to that of the SDK, which may come with a copy of the API of its own. */
type Delegating = { readonly getDelegate: () => Partial<Flushing> };
type Flushing = { readonly forceFlush: () => Promise<void> };
