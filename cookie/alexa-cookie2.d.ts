// What the cookie tool uses of alexa-cookie2 5.0.6, which has no types of its own (specification, local cookie tool).
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
    /** Called many times: with the prompt as an error, with a result, and once more after every later login. */
    type Callback = (error: unknown, result?: unknown) => void;
  }
  const library: {
    /** Writes to the options it is given. */
    generateAlexaCookie(options: library.Options, callback: library.Callback): void;
    stopProxyServer(callback?: () => void): void;
  };
  export = library;
}
