// Tokens of services, built from the cases of gitleaks' and secretlint's rules: hidden in output, in escaped text of a log or of
// a question, and in live output however it is cut. None is written out here, so that no scanner takes this file for a leak.
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createRedactor, findBeginning, TOKEN } from "../../../redact/find-secrets.ts";
import { createGrowingText } from "../../live-output.ts";

const mixed = (length: number): string => "aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0z".repeat(8).slice(0, length);
const hex = (length: number): string => "0f1e2d3c4b5a69788796a5b4c3d2e1f0".repeat(8).slice(0, length);
const upper = (length: number): string => mixed(length).toUpperCase();
const lower = (length: number): string => mixed(length).toLowerCase();

/** Of each service: the fixed words, and what follows. */
const TOKENS: readonly (readonly [service: string, begins: string, rest: string])[] = [
  ["1Password", "A3-", `${upper(6)}-${upper(11)}-${upper(5)}-${upper(5)}-${upper(5)}`],
  ["1Password service account", "ops_", `eyJ${mixed(240)}`],
  ["Adobe", "p8e-", lower(32)],
  ["age", "AGE-SECRET-KEY-1", "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L".repeat(2).slice(0, 58)],
  ["Airtable", "pat", `${mixed(14)}.${hex(64)}`],
  ["Alibaba", "LTAI", lower(20)],
  ["Anthropic", "sk-", `ant-api03-${mixed(93)}AA`],
  ["Artifactory", "AKCp", mixed(69)],
  ["Artifactory reference", "cmVmd", mixed(59)],
  ["Atlassian", "ATATT3", mixed(180)],
  ["AWS", "AKIA", upper(16)],
  ["AWS Bedrock", "ABSK", mixed(110)],
  ["Bitbucket", "ATBB", mixed(32)],
  ["ClickHouse", "4b1d", mixed(38)],
  ["Clojars", "CLOJARS_", lower(60)],
  ["Cloudflare origin", "v1.0-", `${hex(24)}-${hex(146)}`],
  ["Databricks", "dapi", hex(32)],
  ["DigitalOcean", "dop_v1_", hex(64)],
  ["Discord bot", "M", `${mixed(23)}.${mixed(6)}.${mixed(27)}`],
  ["Discord webhook", "discord.com/api/webhooks/", `123456789012345678/${mixed(68)}`],
  ["Docker Hub", "dckr_pat_", mixed(27)],
  ["Doppler", "dp.pt.", mixed(43)],
  ["Dropbox", "sl.", mixed(140)],
  ["Duffel", "duffel_live_", mixed(43)],
  ["Dynatrace", "dt0c01.", `${upper(24)}.${upper(64)}`],
  ["EasyPost", "EZAK", mixed(54)],
  ["Facebook page", "EAAM", mixed(110)],
  ["Flutterwave", "FLWSECK_TEST-", `${hex(32)}-X`],
  ["Fly", "fo1_", mixed(43)],
  ["Frame.io", "fio-u-", mixed(64)],
  ["GitHub", "ghp_", mixed(36)],
  ["GitHub fine-grained", "github_pat_", mixed(82)],
  ["GitLab", "glpat-", mixed(20)],
  ["GitLab routable", "glpat-", `${mixed(27)}.01.${lower(7)}`],
  ["GitLab runner", "GR1348941", mixed(20)],
  ["Google", "AIza", mixed(35)],
  ["Google access", "ya29.", `a0Af${mixed(60)}`],
  ["Google refresh", "1//0", mixed(60)],
  ["Grafana", "eyJrIjoi", mixed(80)],
  ["Grafana service account", "glsa_", `${mixed(32)}_${hex(8)}`],
  ["Groq", "gsk_", mixed(52)],
  ["Harness", "pat.", `${mixed(22)}.${mixed(24)}.${mixed(20)}`],
  ["Heroku", "HRKU-AA", mixed(58)],
  ["Hugging Face", "hf_", "abcdefghijKLMNOPQRSTUVWXYZabcdefgh"],
  ["Infracost", "ico-", mixed(32)],
  ["Linear", "lin_api_", mixed(40)],
  ["Mailgun", "key-", hex(32)],
  ["Notion", "ntn_", `12345678901${mixed(35)}`],
  ["npm", "npm_", mixed(36)],
  ["ntfy", "tk_", lower(29)],
  ["NVIDIA", "nvapi-", mixed(64)],
  ["OpenAI", "sk-", `proj-${mixed(74)}`],
  ["OpenShift", "sha256~", mixed(43)],
  ["Perplexity", "pplx-", mixed(48)],
  ["PlanetScale", "pscale_tkn_", mixed(43)],
  ["Postman", "PMAK-", `${hex(24)}-${hex(34)}`],
  ["Prefect", "pnu_", mixed(36)],
  ["Proxmox VE", "PVEAPIToken=", "root@pam!backup=01234567-89ab-cdef-0123-456789abcdef"],
  ["Pulumi", "pul-", hex(40)],
  ["PyPI", "pypi-", `AgEIcHlwaS5vcmc${mixed(70)}`],
  ["ReadMe", "rdme_", lower(70)],
  ["Replicate", "r8_", mixed(37)],
  ["RubyGems", "rubygems_", hex(48)],
  ["Scalingo", "tk-us-", mixed(48)],
  ["SendGrid", "SG.", `${mixed(22)}.${mixed(43)}`],
  ["Sendinblue", "xkeysib-", `${hex(64)}-${mixed(16)}`],
  ["Sentry", "sntryu_", hex(64)],
  ["Settlemint", "sm_pat_", mixed(16)],
  ["Shippo", "shippo_live_", hex(40)],
  ["Shopify", "shpat_", hex(32)],
  ["Slack", "xoxb-", `1234567890-1234567890${mixed(24)}`],
  ["Slack app", "xapp-", `1-A012345678-1234567890123-${hex(64)}`],
  ["Slack webhook", "hooks.slack.com/services/", `T0123ABCD/B0123ABCD/${mixed(24)}`],
  ["Square", "sq0atp-", mixed(22)],
  ["Stripe", "sk_live_", mixed(24)],
  ["Stripe webhook", "whsec_", mixed(32)],
  ["Tailscale", "tskey-", `auth-${mixed(12)}CNTRL-${mixed(32)}`],
  ["Teams webhook", "example.webhook.office.com/webhookb2/", `${hex(8)}-${mixed(60)}`],
  ["Telegram", "123456789", `:AA${mixed(33)}`],
  ["Terraform", "Qw7Rt9Yu2Io5Lk.atlasv1.", mixed(67)],
  ["Twilio", "SK", hex(32)],
  ["Vault", "hvs.", mixed(95)],
];

const redact = createRedactor([]);

/** So that a token is no secret because of the name of its variable. */
const PLACES: readonly (readonly [place: string, around: (token: string) => string])[] = [
  ["output", (token) => `the value is ${token} now`],
  ["a log line", (token) => JSON.stringify({ message: `first line\n${token}\nsecond` })],
  ["a question", (token) => `Output:\n> ${token}\n> exit code 1`],
  ["an address", (token) => `curl https://example.com/hook?v=${token}&x=1`],
];

test.each(TOKENS)("a token of %s is hidden wherever it is shown", (_, begins, rest) => {
  const seen = PLACES.filter(([, around]) => redact(around(begins + rest)).includes(rest.slice(-8)));
  expect(seen.map(([place]) => place)).toEqual([]);
  expect(redact(`a ${begins}${rest} b`)).toMatch(/^a (\S+\.webhook\.)?\[redacted\] b$|^a example\.\[redacted\] b$/);
});

test("live output shows no eight characters of what a token keeps secret, however it is cut", () => {
  const cuts = fc.array(fc.nat({ max: 400 }), { maxLength: 6 });
  const around = fc.constantFrom("", " ", "\n", "key ", "x=", '{"a":"');
  fc.assert(
    fc.property(fc.constantFrom(...TOKENS), cuts, around, ([, begins, rest], places, before) => {
      const text = `${before}${begins}${rest}\nend\n`;
      const { push } = createGrowingText(redact, findBeginning([]));
      let [at, shown] = [0, ""];
      for (const end of [...places, text.length].filter((place) => place <= text.length).toSorted((a, b) => a - b)) {
        shown += push({ at, bytes: Buffer.from(text.slice(at, end)), quiet: true }).text;
        at = end;
      }
      const parts = Array.from({ length: Math.max(0, rest.length - 7) }, (_, n) => rest.slice(n, n + 8));
      expect(parts.filter((part) => shown.includes(part))).toEqual([]);
    }),
    { numRuns: 3000 },
  );
});

const LABELLED = [
  "src/guard/test/guard/labelled-benign",
  "src/guard/test/guard/labelled-blocked",
  "src/guard/test/guard/evasions",
  "test/proof/checks",
  "test/proof/attacks",
];

test.each(LABELLED)("no token is found in %s", (name) => {
  const text = readFileSync(new URL(`../../../../${name}.jsonl`, import.meta.url), "utf8");
  expect([...text.matchAll(TOKEN)].map(([found]) => found)).toEqual([]);
});

test.each([
  "npm_config_registry_of_the_whole_project=1",
  "key-value-store-of-the-cluster-is-ready",
  "sk-learn and sk_buff and tk_main_window",
  "2026-11-23T10:00:00 12345678:90 took 123456789: more",
  "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
  "image@sha256:0123456789abcdef and MODULE.INFO.everything-that-is-in-it",
  "SKU0123456789 SG.1 EAAB pat.yaml dp.config hf_hub r8_core sl.yaml",
])("%j is ordinary text", (text) => {
  expect(redact(text)).toBe(text);
});
