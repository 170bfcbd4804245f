// Reads what a client writes to stdin: one message on each line. A line that is too long is refused alone.
import { type MessageReading, readMessage, unreadable } from "./message.ts";

/** Null for an empty line. */
export function readLine(line: string | null): MessageReading | null {
  if (line === null) return unreadable("invalid_request", "This message is too large.");
  if (line.trim() === "") return null;
  try {
    return readMessage(JSON.parse(line));
  } catch {
    return unreadable("not_json", "This line is not JSON.");
  }
}
