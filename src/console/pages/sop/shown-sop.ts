// A version as its page has it.
import type { OperationAnswer } from "../../operation-types.ts";

export type ShownSop = OperationAnswer<"get_sop">;
