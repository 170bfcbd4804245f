// One attempt to deliver a message: a POST with the headers of Standard Webhooks. Redirects are not followed, and the body of
// the answer is not read.
import { Webhook } from "standardwebhooks";
import { isRedirect, openRequest } from "../http-client/request.ts";
import type { Clock } from "../ports.ts";

/** `fault` is a sentence without the address, which may hold a secret. */
export type Receipt =
  | { readonly taken: true }
  | { readonly taken: false; readonly fault: string; readonly retry_after_ms: number };

export type SendWebhook = (webhook_id: string, body: string, signal: AbortSignal) => Promise<Receipt>;

type Receiver = { readonly url: string; readonly secret: string; readonly clock: Clock; readonly limit_ms?: number };

export function createSendWebhook({ url, secret, clock, limit_ms = 15_000 }: Receiver): SendWebhook {
  const signer = new Webhook(secret);
  return async (webhook_id, body, signal) => {
    const at = clock();
    const headers = {
      "content-type": "application/json",
      "webhook-id": webhook_id,
      "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
      "webhook-signature": signer.sign(webhook_id, at, body),
    };
    const response = await openRequest({ method: "POST", url, headers, body, limit_ms, signal, max_bytes: 0 });
    if (!response.ok) return refused(response.fault.message);
    response.close();
    const { status, headers: answered } = response;
    if (status >= 200 && status < 300) return { taken: true };
    if (isRedirect(status)) return refused("it answers with a redirect, which is not followed");
    return refused(`it answers with HTTP ${status}`, Number(answered["retry-after"] ?? 0) * 1000 || 0);
  };
}

const refused = (fault: string, retry_after_ms = 0): Receipt => ({ taken: false, fault, retry_after_ms });
