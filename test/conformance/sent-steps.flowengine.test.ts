import { sentStepsSuite } from "./sent-steps.ts";

sentStepsSuite("a flow engine", { EXECUTION_BACKEND: "flowengine" });
