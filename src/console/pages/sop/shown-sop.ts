// A version as its page has it.
import type { Answer } from "../../operations.ts";

export type ShownSop = Answer<"get_sop">;
