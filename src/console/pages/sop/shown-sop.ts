// A version as its page has it.
import type { OperationAnswer } from "../../typed-operations.ts";

export type ShownSop = OperationAnswer<"get_sop">;
