import { sentStepsSuite } from "./sent-steps.ts";

sentStepsSuite("this machine", {});
