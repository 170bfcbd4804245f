// A routing model on loopback that answers by the command it is asked about, and keeps the questions. Without other
// instructions no command needs an approval and no error is transient.
import { z } from "zod";
import type { ModelOptions } from "../simulators/ollama/model.ts";
import { answers, refuses, startOllama } from "../simulators/ollama/ollama.ts";

const Request = z.object({ messages: z.tuple([z.unknown(), z.object({ content: z.string() })]) });
const Document = z.object({
  command: z.string(),
  environment: z.string().optional(),
  categories: z.array(z.string()).optional(),
  error_output: z.string().optional(),
});
type Question = z.infer<typeof Document>;

const questionIn = (body: string): Question =>
  Document.parse(JSON.parse(Request.parse(JSON.parse(body)).messages[1].content));

/** `usual` is the answer about an approval where nothing else was said. */
export async function startRoutingModel(
  usual_approval: object = { requires_approval: false },
  usual_error: object = { error_type: "unknown" },
  options: ModelOptions = {},
) {
  const said = new Map<string, object | "fails" | "is silent">();
  const questions: Question[] = [];
  const fake = await startOllama(
    (response, body) => {
      const question = questionIn(body);
      questions.push(question);
      const usual = question.categories === undefined ? usual_error : usual_approval;
      const answer = said.get(question.command) ?? usual;
      if (answer === "is silent") return;
      return (answer === "fails" ? refuses(500, "out of memory") : answers(answer))(response, body);
    },
    0,
    options,
  );
  return {
    /** For the environment of an engine. */
    env: { ROUTING_MODEL: "small:1b", ROUTING_URL: fake.base_url },
    questions,
    model: fake.model,
    says: (command: string, answer: object | "fails" | "is silent") => void said.set(command, answer),
    askedAbout: (command: string) => questions.filter((question) => question.command === command),
    [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
  };
}

export type RoutingModel = Awaited<ReturnType<typeof startRoutingModel>>;
