// Makes a command of an operation whose arguments and options have the names of its fields: it calls the operation and prints the answer.
import { stringify } from "yaml";
import { z } from "zod";
import { printableLines } from "../domain/printable.ts";
import type { OperationShape } from "../operations/operation.ts";
import { type CommandRun, command } from "./context.ts";
import { EXIT } from "./failure.ts";

/** Called with the approver's token where the operation needs it. */
export const callOperation = (shape: OperationShape): CommandRun =>
  command(z.record(z.string(), z.unknown()), async ({ call, out }, given) => {
    const answer = await call(shape, given, shape.scope === "approve" ? "approver" : "supervisor");
    out.answer(answer, () => printableLines(stringify(answer).trimEnd()));
    return EXIT.done;
  });
