// Describes the models of the contract tests: a routing model and an agent model at an address.
import { describeModel } from "../../src/ollama/served-model.ts";

export const smallModel = (base_url: string) => describeModel({ name: "small:1b", base_url });

export const agentModel = (base_url: string, wanted_tokens = 8_192) =>
  describeModel({ name: "agent:8b", base_url, wanted_tokens });
