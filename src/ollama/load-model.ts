// Has the server load a model before the first question to it. A failure of the load shows with the question.
import { sendRequest } from "../http-client/request.ts";
import { contextOf, routeOf, type ServedModel } from "./served-model.ts";

const LOAD_MS = 120_000;
const MAX_BYTES = 65_536;

/** Sends one request at a time; a call while one is under way does nothing. */
export function createLoader(model: ServedModel): () => void {
  let isLoading = false;
  return () => {
    if (isLoading) return;
    isLoading = true;
    void loadModel(model).finally(() => {
      isLoading = false;
    });
  };
}

/** Resolves when the model is loaded, could not be, or the signal is aborted. A request without a prompt only loads. */
export async function loadModel(model: ServedModel, signal?: AbortSignal): Promise<void> {
  const context = await contextOf(model, signal).catch(() => null);
  if (context === null) return;
  await sendRequest({
    method: "POST",
    url: routeOf(model, "generate"),
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      model: model.name,
      stream: false,
      options: { num_ctx: context.tokens },
      ...(model.keep_alive !== null && { keep_alive: model.keep_alive }),
    }),
    limit_ms: LOAD_MS,
    max_bytes: MAX_BYTES,
    signal,
  });
}
