// The part of alexa-cookie2 5.0.6 that the cookie tool uses; the library has no types.
declare module "alexa-cookie2" {
  namespace library {
    type Options = {
      baseAmazonPage: string;
      amazonPage: string;
      acceptLanguage: string;
      amazonPageProxyLanguage: string;
      setupProxy: boolean;
      proxyOnly: boolean;
      proxyOwnIp: string;
      proxyPort: number;
      proxyListenBind: string;
      proxyLogLevel: "silent" | "error" | "warn" | "info" | "debug";
      proxyCloseWindowHTML: string;
      deviceAppName: string;
      formerDataStorePath: string;
    };
    /** Called many times: with the prompt as an error, with a result, and again after every later login. */
    type Callback = (error: unknown, result?: unknown) => void;
  }
  const library: {
    /** Writes to its options. */
    generateAlexaCookie(options: library.Options, callback: library.Callback): void;
    stopProxyServer(callback?: () => void): void;
  };
  export = library;
}
