// A process of its own that asks the gate whenever its parent says so, for quiet.test.ts.
import { createOllamaGate } from "../../../src/gate/ollama-gate.ts";

const gate = createOllamaGate({ model: "small:1b", base_url: process.argv[2] ?? "", timeout_ms: 300 });

process.on("message", async () => {
  process.send?.(await gate.classifyError({ command: "make", output: "boom" }));
});
