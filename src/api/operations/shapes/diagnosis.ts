// get_diagnosis.
import { z } from "zod";
import { ServerDiagnosis } from "../../../domain/server.ts";
import { READ, shape } from "../operation.ts";

export const getDiagnosis = shape({
  name: "get_diagnosis",
  summary: "What works on the server that answers, what falls back, and how to repair it: the checks of orch doctor.",
  method: "GET",
  path: "/v1/diagnosis",
  scope: "read",
  hints: READ,
  no_tool: true,
  input: z.strictObject({}),
  output: ServerDiagnosis,
  example: {},
});
