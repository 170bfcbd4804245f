// Starts the delivery of messages to the webhook of the configuration, by one server at a time; none without one.
import type { FeatureWork, RunningServer } from "../feature.ts";
import { createSendWebhook, createWebhookDelivery } from "./webhook.ts";

/** How soon another server goes on when one has ended. */
const EVERY_MS = 15_000;

export function startWebhook({ config, store, clock, log, commits, wakeups }: RunningServer): FeatureWork {
  const { webhook } = config;
  if (webhook === null) return {};
  const send = createSendWebhook({ ...webhook, clock });
  const delivery = createWebhookDelivery({ store, nextReport: commits.nextReport, log, send });
  return {
    before_recovery: {
      what: "the start of the webhook",
      // Only once it is known which message is the first.
      run: async () => {
        await delivery.start();
        wakeups.every("webhook", EVERY_MS, delivery.deliver);
      },
    },
  };
}
