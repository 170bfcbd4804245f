// The container's health check: exits 0 when the server responds, 1 otherwise. It does not call the provider.
const port = process.env["VOICE_PORT"] || "3500";

const healthy = await fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(3_000) }).then(
  ({ ok }) => ok,
  () => false,
);
process.exit(healthy ? 0 : 1);
