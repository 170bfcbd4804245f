// `orch mcp` for a server that runs already: its address and token come from the environment.
import { bridgeStdio } from "../../src/api/mcp/stdio.ts";

await bridgeStdio({ url: process.env["ORCH_URL"] ?? "", token: process.env["ORCH_TOKEN"] ?? "" });
