// The operations that are tools.
import type { OperationShape } from "../../src/api/operations/operation.ts";
import { SHAPES } from "../../src/api/operations/shapes.ts";

export const TOOL_SHAPES = (SHAPES as readonly OperationShape[]).filter(({ no_tool }) => no_tool !== true);
