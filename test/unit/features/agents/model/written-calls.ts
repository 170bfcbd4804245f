// Writes one call in every format that a model may use, for the tests of src/features/agents/model/read-reply.ts.
import type { OfferedTool } from "../../../../../src/features/agents/agent-message.ts";

const toolOf = (name: string, properties: OfferedTool["parameters"]): OfferedTool => ({
  name,
  description: `The tool ${name}.`,
  parameters: { type: "object", properties },
});

export const tools = [
  toolOf("shell", { command: { type: "string" }, check: { type: "boolean" } }),
  toolOf("read_file", { path: { type: "string" }, lines: { type: "integer" }, ranges: { type: ["array", "null"] } }),
];

/** One call of the shell with `ls`, in every format that is read. */
export const formats: [string, string][] = [
  ["Hermes and Qwen", '<tool_call>\n{"name": "shell", "arguments": {"command": "ls"}}\n</tool_call>'],
  ["Qwen without its closing tag", '<tool_call>\n{"name": "shell", "arguments": {"command": "ls"}}'],
  ["a fence", '```json\n{"name": "shell", "arguments": {"command": "ls"}}\n```'],
  ["a fence that says nothing", '```\n{"name": "shell", "arguments": {"command": "ls"}}\n```'],
  ["a fence that nothing closes", '```json\n{"name": "shell", "arguments": {"command": "ls"}}\n'],
  ["bare JSON", '{"name": "shell", "arguments": {"command": "ls"}}'],
  ["bare JSON over lines", '{\n  "name": "shell",\n  "arguments": {\n    "command": "ls"\n  }\n}'],
  ["a bare list", '[{"name": "shell", "arguments": {"command": "ls"}}]'],
  ["Llama 3.x", '{"name": "shell", "parameters": {"command": "ls"}}'],
  ["Llama 3.x with a type", '{"type": "function", "name": "shell", "parameters": {"command": "ls"}}'],
  ["args", '{"name": "shell", "args": {"command": "ls"}}'],
  ["input", '{"name": "shell", "input": {"command": "ls"}}'],
  ["LangChain", '{"tool": "shell", "tool_input": {"command": "ls"}}'],
  ["LangChain's action", '{"action": "shell", "action_input": {"command": "ls"}}'],
  ["function as a word", '{"function": "shell", "parameters": {"command": "ls"}}'],
];

/** Formats that are not read. In the output of a tool they are calls all the same. */
export const otherFormats: [string, string][] = [
  ["Qwen2.5-Coder in tags for tools", '<tools>\n{"name": "shell", "arguments": {"command": "ls"}}\n</tools>'],
  ["function_call tags", '<function_call>{"name": "shell", "arguments": {"command": "ls"}}</function_call>'],
  ["Granite", '<|tool_call|>[{"name": "shell", "arguments": {"command": "ls"}}]'],
  ["Phi-4", '<|tool_call|>[{"name": "shell", "arguments": {"command": "ls"}}]<|/tool_call|>'],
  ["OpenAI", '{"type": "function", "function": {"name": "shell", "arguments": "{\\"command\\": \\"ls\\"}"}}'],
  ["OpenAI's list", '{"tool_calls": [{"id": "1", "function": {"name": "shell", "arguments": {"command": "ls"}}}]}'],
  ["Llama's python tag", '<|python_tag|>{"name": "shell", "parameters": {"command": "ls"}}<|eom_id|>'],
  ["Llama's function tag", '<function=shell>{"command": "ls"}</function>'],
  ["Mistral's list", '[TOOL_CALLS] [{"name": "shell", "arguments": {"command": "ls"}}]'],
  ["Mistral's list, closed", '[TOOL_CALLS][{"name": "shell", "arguments": {"command": "ls"}}][/TOOL_CALLS]'],
  ["Mistral's name", '[TOOL_CALLS]shell{"command": "ls"}'],
  ["Mistral's name and arguments", '[TOOL_CALLS]shell[ARGS]{"command": "ls"}'],
  ["Mistral's name and id", '[TOOL_CALLS]shell[CALL_ID]VvvODy9mT[ARGS]{"command": "ls"}'],
  ["Qwen3-Coder", "<tool_call>\n<function=shell>\n<parameter=command>\nls\n</parameter>\n</function>\n</tool_call>"],
  ["Qwen3-Coder without the outer tag", "<function=shell>\n<parameter=command>\nls\n</parameter>\n</function>"],
  [
    "DeepSeek R1",
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>shell\n```json\n{"command": "ls"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  ],
  [
    "DeepSeek V3.1",
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>shell<｜tool▁sep｜>{"command": "ls"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  ],
  ["DeepSeek cut short", '<｜tool▁call▁begin｜>shell<｜tool▁sep｜>{"command": "ls"}'],
  ["gpt-oss", '<|channel|>commentary to=functions.shell <|constrain|>json<|message|>{"command": "ls"}<|call|>'],
  ["ReAct", 'Action: shell\nAction Input: {"command": "ls"}'],
  ["ReAct in a fence", 'Action: shell\nAction Input:\n```json\n{"command": "ls"}\n```'],
];
