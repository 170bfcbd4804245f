// The settings of the webhook, which are set together.
import { z } from "zod";
import { type Env, setting, type ValuesOf, variablesIn } from "../../config/setting.ts";
import { HttpUrl, orNull } from "../../config/values.ts";
import type { FieldIssue } from "../../domain/errors.ts";

const WebhookSecret = z
  .string()
  .regex(
    /^whsec_(?=(?:[^=]{4})*(?:[^=]{4}|[^=]{3}=|[^=]{2}==)$)[A-Za-z0-9+/]{32,88}={0,2}$/,
    'must be whsec_ and 24 to 64 random bytes in base64; try: echo "whsec_$(openssl rand -base64 32)"',
  );

export const WEBHOOK_SETTINGS = {
  url: setting(
    "ORCH_WEBHOOK_URL",
    orNull(HttpUrl),
    "where messages to the supervisor are sent, each with a signature",
    {
      secret: "password",
    },
  ),
  secret: setting(
    "ORCH_WEBHOOK_SECRET",
    orNull(WebhookSecret),
    "the key of the signatures: `whsec_` and 24 to 64 random bytes in base64",
    { secret: "value" },
  ),
} as const;

/** Null when messages are not sent anywhere. */
export const webhookOf = ({ url, secret }: ValuesOf<typeof WEBHOOK_SETTINGS>) =>
  url === null || secret === null ? null : Object.freeze({ url, secret });

export function webhookIssues(env: Env): FieldIssue[] {
  const variables = variablesIn(WEBHOOK_SETTINGS);
  const [given, ...more] = variables.filter((variable) => env[variable] !== undefined);
  if (given === undefined || more.length > 0) return [];
  const missing = variables.filter((variable) => variable !== given);
  return missing.map((path) => ({ path, message: `must be set, because ${given} is` }));
}
