import { describe, expect, test } from "vitest";
import { faultOf } from "../../../../../capabilities/notes/servers/read-reply.ts";

describe("the code of a fault", () => {
  test.each([
    ['HTTP 401 {"error":"Use \'Authorization: Bearer <token>\'"}', "unreachable", "token_refused"],
    ["MCP error -32602: Request failed with status code 401", "refused", "token_refused"],
    ["**Error**: no\n**Status**: 401 (NOT_AUTHENTICATED)", "refused", "token_refused"],
    ['HTTP 403 {"error":"MCP server is disabled. Enable it in the options."}', "unreachable", "disabled"],
    ['HTTP 403 {"error":{"message":"Invalid Host header: notes:8080"}}', "unreachable", "host_refused"],
    ["HTTP 403 no", "unreachable", "unreachable"],
    ["HTTP 429 slow down", "unreachable", "too_many_requests"],
    ["HTTP 502 Bad Gateway", "unreachable", "application_down"],
    ["MCP error -32603: connect ECONNREFUSED 127.0.0.1:8080", "refused", "application_down"],
    ["connect ECONNREFUSED 127.0.0.1:8080", "unreachable", "unreachable"],
    ["the tool was run, and its answer is not kept: the answer has more than 4194304 bytes", "refused", "too_long"],
    ["it broke", "refused", "refused"],
    ["Note 401 is not there", "refused", "refused"],
  ] as const)("names the cause: %s", (words, otherwise, code) => {
    expect(faultOf("get_note", words, otherwise)).toMatchObject({ name: "NotesFault", code });
  });

  test("comes with the words of the server, but for those about the form of a token", () => {
    expect(faultOf("get_note", "HTTP 502 Bad Gateway", "unreachable").message).toBe("get_note: HTTP 502 Bad Gateway");
    const { message } = faultOf("get_note", "HTTP 401 use Authorization: Bearer <token>", "unreachable");
    expect(message).toBe("get_note: HTTP 401: MCP_NOTES_TOKEN is missing, or is another than the server takes");
  });
});
