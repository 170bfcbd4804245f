// What can go wrong between a client and the simulated flow engine: each of these takes the place of a plain answer.
import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { type Answer, sendAnswer } from "../../support/request-recorder.ts";
import { createSwitches } from "./switches.ts";

/** The kinds of request that faults are switched for; `poll` asks whether there is a result yet, `job` for the job, `who` for the owner of the token, `flow` for the flow itself. */
export type RequestKind = "run" | "poll" | "job" | "result" | "cancel" | "logs" | "who" | "version" | "flow";

type Exchange = {
  readonly response: ServerResponse;
  /** Does what the request asks for, and resolves to what the engine would say. Without it nothing is done. */
  readonly answer: () => Promise<Answer>;
};

export type Fault = (exchange: Exchange) => Promise<void> | void;

/** The engine does nothing and says this. */
export const refuses =
  (answer: Answer): Fault =>
  ({ response }) =>
    sendAnswer(response, answer);

/** The engine does what it was asked, and something in between says this. */
export const says =
  (other: Answer): Fault =>
  async ({ response, answer }) => {
    await answer();
    sendAnswer(response, other);
  };

export const answersAfter =
  (ms: number): Fault =>
  async ({ response, answer }) => {
    const late = await answer();
    await sleep(ms);
    sendAnswer(response, late);
  };

/** Nothing was done. */
export const cutsBefore: Fault = ({ response }) => {
  response.socket?.resetAndDestroy();
};

/** It was done, and the client never learns. */
export const cutsAfter: Fault = async ({ response, answer }) => {
  await answer();
  response.socket?.resetAndDestroy();
};

export const cutsMidAnswer: Fault = async ({ response, answer }) => {
  const { status, type = "text/plain", body } = await answer();
  response.writeHead(status, { "content-type": type, "content-length": Buffer.byteLength(body) });
  response.write(body.slice(0, body.length / 2));
  await sleep(20);
  response.socket?.resetAndDestroy();
};

/** It was done; the connection stays open and silent. */
export const neverAnswers: Fault = async ({ answer }) => void (await answer());

/** Nothing was done; the connection stays open and silent. */
export const ignores: Fault = () => undefined;

/** No fault at all. */
const plainly: Fault = async ({ response, answer }) => sendAnswer(response, await answer());

/** The faults that are switched on; those switched on first come first. */
export function createFaults() {
  const switches = createSwitches<{ readonly kind: RequestKind | "any"; readonly fault: Fault }>();
  return {
    on: (kind: RequestKind | "any", fault: Fault, times?: number): (() => void) => switches.on({ kind, fault }, times),
    next: (asked: RequestKind | "unknown"): Fault =>
      switches.next(({ kind }) => kind === asked || kind === "any")?.fault ?? plainly,
  };
}
