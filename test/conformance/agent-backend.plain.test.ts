import { agentBackendSuite } from "./agent-backend.ts";
import { agentStopsSuite } from "./agent-backend-stops.ts";

agentBackendSuite("plain", { agent_backend: "plain" });
agentStopsSuite("plain", { agent_backend: "plain" }, [0]);
