// The speeches that no caller waits for, by id: what has become of each. They are kept in memory, the last ones only (D-274).
import { randomUUID } from "node:crypto";
import { VoiceError } from "./voice-error.ts";

type SpeechState =
  | { readonly state: "waiting" | "sending" | "accepted" }
  | { readonly state: "failed"; readonly failure: VoiceError };

type Kept = { readonly id: string; readonly facts: object } & SpeechState;

export type Speeches = {
  /** `run` is called at once, and calls its argument when the speech begins. The id under which its state can be asked. */
  readonly begin: (
    facts: object,
    run: (onBegin: () => void) => Promise<void>,
    failed: (error: unknown) => VoiceError,
  ) => string;
  readonly find: (id: string) => Kept;
};

const KEPT = 1_000;

export function createSpeeches(): Speeches {
  const kept = new Map<string, Kept>();
  const put = (id: string, facts: object, state: SpeechState) => void kept.set(id, { id, facts, ...state });
  const forget = (): void => {
    for (const [id, { state }] of kept) {
      if (kept.size <= KEPT) return;
      if (state === "accepted" || state === "failed") kept.delete(id);
    }
  };
  return {
    begin: (facts, run, failed) => {
      const id = randomUUID();
      put(id, facts, { state: "waiting" });
      run(() => put(id, facts, { state: "sending" })).then(
        () => put(id, facts, { state: "accepted" }),
        (error: unknown) => put(id, facts, { state: "failed", failure: failed(error) }),
      );
      forget();
      return id;
    },
    find: (id) => {
      const found = kept.get(id);
      if (found !== undefined) return found;
      throw new VoiceError("unknown_speech", `There is no such speech; the last ${KEPT} are known until a restart.`);
    },
  };
}
