// What a tool of a simulated notes server is made of, and what it can answer. How a server says that a call is wrong, or that
// something failed, is the profile's own.
import { z } from "zod";
import type { NotesModel } from "./notes-model.ts";

export type Reply =
  | { readonly is: "result"; readonly texts: readonly string[]; readonly is_error: boolean }
  | { readonly is: "rpc_error"; readonly code: number; readonly message: string };

export const says = (...texts: readonly string[]): Reply => ({ is: "result", texts, is_error: false });
export const saysJson = (value: unknown): Reply => says(JSON.stringify(value));
export const saysError = (text: string): Reply => ({ is: "result", texts: [text], is_error: true });

/** With the prefix that the SDK's error class gives every message before it is sent. */
export const rpcError = (code: number, message: string): Reply => ({
  is: "rpc_error",
  code,
  message: `MCP error ${code}: ${message}`,
});

export type Around = {
  readonly model: NotesModel;
  /** Called between the two steps of a move. */
  readonly between: () => void;
  /** Called before each request to the application beneath: what a user does at that moment. */
  readonly atRequest: () => void;
};

export type Tool = {
  readonly description: string;
  readonly writes: boolean;
  readonly schema: object;
  /** What is wrong with the arguments is a z.ZodError. */
  readonly run: (args: unknown, around: Around) => Reply;
};

/** `answer` gets the arguments once they have the shape. */
const defineTool =
  (writes: boolean) =>
  <Shape extends z.ZodRawShape>(
    description: string,
    shape: Shape,
    answer: (args: z.infer<z.ZodObject<Shape>>, around: Around) => Reply,
  ): Tool => {
    const input = z.object(shape);
    return {
      description,
      writes,
      schema: z.toJSONSchema(input, { target: "draft-7", io: "input" }),
      run: (args, around) => answer(input.parse(args), around),
    };
  };

export const reads = defineTool(false);
export const writes = defineTool(true);

export type Profile = {
  /** Whether it wants a session, which begins with the handshake. */
  readonly is_stateful: boolean;
  readonly tools: ReadonlyMap<string, Tool>;
  /** Says what a tool has thrown: wrong arguments, or a fault of what is beneath the tools. */
  readonly sayThrown: (tool: string, thrown: unknown) => Reply;
  readonly sayUnknownTool: (tool: string) => Reply;
  readonly sayRefused: () => Reply;
};
