// The delivery of messages to the webhook of the configuration, by one server at a time; none without one.
import type { Config } from "../config/config.ts";
import type { Clock } from "../ports.ts";
import type { Wakeups } from "../wakeups/port.ts";
import { createSendWebhook, createWebhookDelivery, type DeliveryParts } from "../webhook/webhook.ts";

type Parts = DeliveryParts & {
  readonly clock: Clock;
  readonly wakeups: Pick<Wakeups, "every">;
};

/** How soon another server goes on when one has ended. */
const EVERY_MS = 15_000;

/** Resolves once it is known which message is the first. */
export async function startWebhook({ webhook }: Pick<Config, "webhook">, parts: Parts): Promise<void> {
  if (webhook === null) return;
  const { clock, wakeups, ...rest } = parts;
  const delivery = createWebhookDelivery({ ...rest, send: createSendWebhook({ ...webhook, clock }) });
  await delivery.start();
  wakeups.every("webhook", EVERY_MS, delivery.deliver);
}
