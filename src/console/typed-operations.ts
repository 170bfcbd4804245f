// What each operation takes and answers, by its name, as the table of shapes has it (D-342). Types only.
import type { z } from "zod";
import type { SHAPES } from "../operations/shapes.ts";

type Shape = (typeof SHAPES)[number];
export type OperationName = Shape["name"];
type Of<N extends OperationName> = Extract<Shape, { readonly name: N }>;
export type Input<N extends OperationName> = z.input<Of<N>["input"]>;
export type OperationAnswer<N extends OperationName> = z.output<Of<N>["output"]>;
