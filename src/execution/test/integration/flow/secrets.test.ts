// The flow's script receives the tokens and passwords of tool servers. None of them is in its results or its log.
import { expect, test } from "vitest";
import { cmd, mcpCall } from "../../../../../test/support/builders.ts";
import { afterHandshake, rpcResult, sendJson, startRawServer } from "../../../../../test/support/tool-server.ts";
import { FlowOutput } from "../../../../domain/run-request.ts";
import { aJob } from "./a-job.ts";

const TOKEN = "token/of-the+notes server";
const PASSWORD = "pass word%of/it";

const base64 = (text: string) => Buffer.from(text).toString("base64");
const urlForms = (secret: string) => [encodeURIComponent(secret), encodeURIComponent(secret).toLowerCase()];
const base64Forms = (secret: string) => ["", "u:", "us:"].map((before) => base64(before + secret));
const formsOf = (secret: string) => [secret, ...urlForms(secret), ...base64Forms(secret)];

test("the output of a server that returns its secrets in every form is redacted", async () => {
  await using server = await startRawServer(
    afterHandshake(({ body, headers }, response) => {
      const said = [...formsOf(TOKEN), ...formsOf(PASSWORD), headers.authorization].join("\n");
      return sendJson(response, rpcResult(body.id, { isError: true, content: [{ type: "text", text: said }] }));
    }),
  );
  const url = server.url.replace("//", `//me:${encodeURIComponent(PASSWORD)}@`);
  const mcp_servers = { notes: { url: server.url, token: TOKEN }, second: { url, token: "" } };
  // The steps hold each secret with quotes in between, so that orch does not redact the steps themselves.
  const told = [TOKEN, PASSWORD, base64(TOKEN)].map((secret) => secret.split("").join("''"));
  const steps = [cmd(`echo '${told[0]}' >&2; echo '${told[1]}'; echo '${told[2]}'`), mcpCall()];
  const job = await aJob(steps, { mcp_servers });
  const given = JSON.stringify((await job.ended)?.result) + job.log();
  const output = FlowOutput.parse((await job.ended)?.result);
  expect(output.step_results).toMatchObject([{ status: "passed" }, { status: "failed" }]);
  for (const secret of [TOKEN, PASSWORD]) {
    for (const form of [secret, ...urlForms(secret)]) expect(given).not.toContain(form);
    // The first and last characters of base64 depend on the text around the secret.
    for (const form of base64Forms(secret)) expect(given).not.toContain(form.slice(4, 16));
  }
  expect(output.step_results[0]).toMatchObject({
    stdout: expect.stringMatching(/^\[redacted\]\n\[redacted\].{0,4}\n$/),
    stderr: "[redacted]\n",
  });
});

test("no part of a secret shows where long output is cut", async () => {
  const mcp_servers = { notes: { url: "http://127.0.0.1:59999/", token: TOKEN } };
  const dots = (count: number) => `printf '%${count}s' '' | tr ' ' .`;
  const cut = (shift: number) => {
    const script = `${dots(32_768 - shift)}; printf '%s' '${TOKEN}'; ${dots(99_999)}; printf '%s' '${TOKEN}'; ${dots(32_768 - shift)}`;
    return cmd(script);
  };
  const job = await aJob([0, 1, 8, 12, TOKEN.length - 1, TOKEN.length].map(cut), { mcp_servers });
  const { step_results } = FlowOutput.parse((await job.ended)?.result);
  expect(step_results).toHaveLength(6);
  for (const { stdout, truncated } of step_results) {
    expect(truncated).toBe(true);
    expect(stdout.replace("bytes left out", "")).not.toMatch(/token|notes|server|[a-z]{3}(?<!red|act|ted|eda|dac|cte)/);
    expect(stdout.length).toBeLessThan(66_000);
  }
});
