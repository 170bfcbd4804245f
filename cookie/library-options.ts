// The options of alexa-cookie2: a proxy on all interfaces whose own address is 127.0.0.1, for the Japanese site in Japanese.
// There is no logger, because the library would log cookies, tokens and passwords.
import type library from "alexa-cookie2";
import { CLOSING_PAGE } from "./closing-page.ts";

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
