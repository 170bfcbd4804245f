// The delivery of messages to the webhook of the configuration; none without one.
import type { Config } from "../config/config.ts";
import type { Clock } from "../ports.ts";
import { createSendWebhook } from "../webhook/send-webhook.ts";
import { createWebhookDelivery, type WebhookDelivery } from "../webhook/webhook.ts";

type Parts = Omit<Parameters<typeof createWebhookDelivery>[0], "send"> & { readonly clock: Clock };

const NONE: WebhookDelivery = { start: async () => undefined, stop: async () => undefined };

export const composeWebhook = ({ webhook }: Pick<Config, "webhook">, { clock, ...parts }: Parts): WebhookDelivery =>
  webhook === null ? NONE : createWebhookDelivery({ ...parts, send: createSendWebhook({ ...webhook, clock }) });
