// The pipe between the server and the process of a skill: a line of JSON is a message. The channel of node's own is not used, because
// an error in it that the other end causes is caught by nothing (D-252): the code of a skill can write to any of its files.
import type { Duplex } from "node:stream";
import { createLines } from "../domain/lines.ts";

/** The number of the open file in the process of the skill. */
export const PIPE_FD = 3;
const MAX_BYTES = 32 * 1024 * 1024;
// The code of a skill may put something else in its place.
const { stringify } = JSON;

export type MessagePipe = {
  /** `sent` is called once it was handed to the system, or cannot be. */
  readonly send: (message: unknown, sent?: () => void) => void;
};

type Heard = {
  readonly line: (line: string) => void;
  /** No message is that large. */
  readonly tooLarge: () => void;
  readonly closed: () => void;
};

export function messagePipe(pipe: Duplex, heard: Heard): MessagePipe {
  const take = createLines(MAX_BYTES, (line) => (line === null ? heard.tooLarge() : heard.line(line)));
  pipe.on("data", take);
  // The end of the process says why.
  pipe.on("error", () => undefined);
  pipe.once("close", heard.closed);
  return {
    send: (message, sent = () => undefined) => {
      if (pipe.writable) pipe.write(`${stringify(message)}\n`, () => sent());
      else sent();
    },
  };
}
