// What the trials of a skill ask of orch. src/app/skill-commands.ts makes one.
import type { TaskContract } from "../domain/contract.ts";
import type { Json } from "../domain/json.ts";

export type TrialEngine = {
  /** Parses input and output, and refuses, as an endpoint does. */
  readonly call: (name: string, input: object) => Promise<unknown>;
  /** Steps are not waited for. */
  readonly stop: () => Promise<void>;
};

/** `directory` holds the database. Where another engine has left one, its tasks go on. */
export type OpenTrialEngine = (at: {
  readonly directory: string;
  readonly env: Readonly<Record<string, string>>;
}) => Promise<TrialEngine>;

/** Uses a tool of the skill as an agent does; `value` of a failure is what it says. */
export type UseTool = (use: {
  readonly name: string;
  readonly given: Json;
  readonly contract: TaskContract;
  readonly env: Readonly<Record<string, string>>;
}) => Promise<{ readonly ok: boolean; readonly value: Json }>;
