// GET /metrics: what Prometheus reads. A token that may read may, and one of its own that may do nothing else.
import type { HttpEndpoint } from "./app.ts";
import { METRICS_TOKEN_ID } from "./caller.ts";
import { sendProblem } from "./problem.ts";

const SHAPE = { name: "metrics", scope: "read" } as const;

type Source = { readonly text: () => Promise<string>; readonly content_type: string };

export const createMetricsEndpoint = ({ text, content_type }: Source): HttpEndpoint => ({
  path: "/metrics",
  methods: ["GET"],
  handle: async (_request, response, caller) => {
    const refusal = caller.token_id === METRICS_TOKEN_ID ? null : await caller.refusalOf(SHAPE);
    if (refusal !== null) return sendProblem(response, refusal.problem, refusal.headers);
    response.set("Content-Type", content_type).send(await text());
  },
});
