#!/usr/bin/env node
// Starts the provider of the cookie tool's login: npm run simulate:login-provider -- --port 8443
import { join } from "node:path";
import { optionsOf, portOf, serveUntilStopped } from "../serve-until-stopped.ts";
import { makeCertificates, PROVIDER_HOSTS } from "./certificates.ts";
import { startProvider } from "./login-provider.ts";

const options = optionsOf();
const certificates = makeCertificates();
const provider = await startProvider(certificates, {}, portOf(options));
const server = {
  [Symbol.asyncDispose]: async () => {
    await provider.close();
    certificates.remove();
  },
};
await serveUntilStopped(server, [
  `https://127.0.0.1:${provider.port}`,
  `NODE_EXTRA_CA_CERTS=${certificates.authority}`,
  `NODE_OPTIONS="--import ${join(import.meta.dirname, "redirected-child.ts")}"`,
  `SIMULATED_PROVIDER_PORT=${provider.port}`,
  `SIMULATED_PROVIDER_HOSTS=${PROVIDER_HOSTS.join(",")}`,
]);
