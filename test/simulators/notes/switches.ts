// What can be made to go wrong in a simulated notes server, while it runs: every switch is looked at on every call.

/** `true` for ever, a number for so many times from now on, which it counts down. */
type Times = boolean | number;

/** A tools/call that reached the tools. */
export type Call = {
  readonly tool: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read deep into arguments and check what they find
  readonly args: any;
};

/** What goes wrong so many times. */
type Faults = {
  /** A write is done, and the connection is cut before the answer. */
  lose_reply_after_write: Times;
  /** Between the two steps of a move: the note is in two places, and there is no answer. */
  crash_in_move: Times;
  /**
   * Between the two steps of a move: the database is locked. The application's memory keeps the first step until it is started
   * again, and its disk has neither (seen on the real one).
   */
  locked_in_move: Times;
  /** The server does not answer, as while it starts. */
  down: Times;
  /** A write is refused, the way the server says such things. */
  refuse_write: Times;
  /** A write is said to be done, and nothing is. */
  lying_success: Times;
  /** The text of an answer cannot be parsed; what was asked for is done. */
  garbage: Times;
  /** To another name of the same server, where it does not redirect again. */
  redirect: Times;
  /** 401, for any token. */
  unauthorized: Times;
  /** 403, as long as the tools are not enabled in the application. */
  disabled: Times;
  /** The server that is in front of the application does not reach it. */
  application_down: Times;
};

export type Switches = Faults & {
  /** Before a call is carried out. It is then carried out, even when its caller has gone. */
  delay_ms: number;
  /** Runs directly before a write is carried out, and is waited for: what somebody else does in between. */
  before_write?: ((call: Call) => unknown) | undefined;
  /** Runs at every moment at which a user can do something: before each call, and before each request that its tool makes. */
  meanwhile?: (() => void) | undefined;
  /** The token that is required; without one any token is ignored. */
  bearer?: string | undefined;
  /** Answers are streams of events in place of JSON. */
  sse: boolean;
  /** The list of tools says which of them only read. */
  annotate: boolean;
};

export const allOff = (): Switches => ({
  delay_ms: 0,
  lose_reply_after_write: false,
  crash_in_move: false,
  locked_in_move: false,
  down: false,
  refuse_write: false,
  lying_success: false,
  garbage: false,
  redirect: false,
  unauthorized: false,
  disabled: false,
  application_down: false,
  sse: false,
  annotate: false,
});

/** Whether it goes wrong this time. */
export function strikes(switches: Switches, fault: keyof Faults): boolean {
  const left = switches[fault];
  if (typeof left === "boolean") return left;
  switches[fault] = Math.max(0, left - 1);
  return left > 0;
}
