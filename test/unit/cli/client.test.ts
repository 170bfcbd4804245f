import { expect, test } from "vitest";
import { refusal } from "../../../src/cli/client.ts";
import { EXIT } from "../../../src/cli/failure.ts";

const CONNECTION = {
  url: "http://127.0.0.1:1",
  url_from: null,
  is_loopback: true,
  token: { value: null, from: "" },
  approver: { value: null, from: "" },
};

test.each([
  ["quarantined", 500, EXIT.quarantined],
  ["internal_error", 500, EXIT.fault],
  ["busy", 503, EXIT.refused],
  ["contract_invalid", 400, EXIT.usage],
  ["task_not_found", 404, EXIT.refused],
])("the refusal %s with status %d has the exit code %d", (code, status, exit) => {
  const text = JSON.stringify({ type: `urn:orch:error:${code}`, code, detail: "It is so.", issues: [] });
  const response = { ok: true, status, headers: {}, text } as const;
  expect(refusal(CONNECTION, CONNECTION.token, response)).toMatchObject({ exit, code });
});
