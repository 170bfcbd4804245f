// The options of the login library.
import { expect, test } from "vitest";
import { libraryOptions } from "../../../cookie/library-options.ts";

test("[4.cookie.listen] [4.cookie.own_address] [4.cookie.site] [4.cookie.language] the library serves all interfaces as 127.0.0.1, for the Japanese site, and logs nothing", () => {
  const options = libraryOptions(3456, "/tmp/x/library.json");
  expect(options).toMatchObject({
    proxyPort: 3456,
    proxyListenBind: "0.0.0.0",
    proxyOwnIp: "127.0.0.1",
    baseAmazonPage: "amazon.co.jp",
    amazonPage: "amazon.co.jp",
    acceptLanguage: "ja-JP",
    amazonPageProxyLanguage: "ja_JP",
    setupProxy: true,
    proxyOnly: true,
    proxyLogLevel: "silent",
    formerDataStorePath: "/tmp/x/library.json",
  });
  expect(options).not.toHaveProperty("logger");
});
