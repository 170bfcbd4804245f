// Sets the options of alexa-cookie2: a proxy on all interfaces whose own address is 127.0.0.1, for the Japanese site in Japanese,
// and the page that ends a login. There is no logger, because the library would log cookies, tokens and passwords.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type library from "alexa-cookie2";

export const SITE = "amazon.co.jp";

export const OWN_ADDRESS = "127.0.0.1";
export const ALL_INTERFACES = "0.0.0.0";

export const libraryOptions = (port: number, formerDataStorePath: string): library.Options => ({
  baseAmazonPage: SITE,
  amazonPage: SITE,
  acceptLanguage: "ja-JP",
  amazonPageProxyLanguage: "ja_JP",
  setupProxy: true,
  proxyOnly: true,
  proxyOwnIp: OWN_ADDRESS,
  proxyPort: port,
  proxyListenBind: ALL_INTERFACES,
  proxyLogLevel: "silent",
  proxyCloseWindowHTML: CLOSING_PAGE,
  deviceAppName: "orch voice",
  formerDataStorePath,
});

/**
 * The page that ends a login in the browser, and how long the tool waits for it (D-164). The library shows it before it has the
 * cookie, so it promises nothing.
 */
const CLOSING_PAGE = readFileSync(join(import.meta.dirname, "closing-page.html"), "utf8");

const LINGER_MS = 1_000;
const PATIENCE_MS = 10_000;

/** Resolves a moment after the browser has its page, or when the browser does not fetch it. */
export const browserGotPage = (pageServed: Promise<void>): Promise<void> =>
  Promise.race([pageServed.then(() => delay(LINGER_MS)), delay(PATIENCE_MS)]);
