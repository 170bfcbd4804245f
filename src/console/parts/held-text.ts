// What holds a task, in the words of every page: why, and until when where that is known.
import type { HeldBy } from "../../domain/freeze.ts";
import { absoluteTime } from "./text.ts";

export const heldText = ({ reason, until }: Pick<HeldBy, "reason" | "until">): string =>
  `held by a freeze${until === null ? "" : ` until ${absoluteTime(until)}`}: ${reason}`;
