import { agentBackendSuite } from "./agent-backend.ts";
import { agentStopsSuite } from "./agent-backend-stops.ts";

agentBackendSuite("react", { agent_backend: "react" });
agentStopsSuite("react", { agent_backend: "react" }, [1]);
