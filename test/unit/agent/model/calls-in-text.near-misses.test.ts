import { expect, test } from "vitest";
import { callsInText } from "../../../../src/agent/model/calls-in-text.ts";
import { tools } from "./written-calls.ts";

const nearMisses: [string, string][] = [
  ["JSON in a sentence", 'I ran {"name": "shell", "arguments": {"command": "ls"}} before.'],
  ["JSON that a sentence follows", '{"name": "shell", "arguments": {"command": "ls"}} is what I ran.'],
  ["JSON in a fence of another language", '```python\n{"name": "shell", "arguments": {"command": "ls"}}\n```'],
  ["JSON that is not alone in its fence", '```json\n{"name": "shell", "arguments": {"command": "ls"}}\nor so\n```'],
  ["a tag without JSON", "Calls stand between <tool_call> and </tool_call>."],
  ["a name alone", '<tool_call>{"name": "shell"}</tool_call>'],
  ["arguments alone", '<tool_call>{"command": "ls"}</tool_call>'],
  ["single quotes", "<tool_call>{'name': 'shell', 'arguments': {'command': 'ls'}}</tool_call>"],
  ["a control character in a string", '<tool_call>{"name": "shell", "arguments": {"command": "ls\u0000"}}</tool_call>'],
  ["a quote in a string", '<tool_call>{"name": "shell", "arguments": {"command": "echo "hi""}}</tool_call>'],
  ["a name in other letters", '{"name": "Shell", "arguments": {"command": "ls"}}'],
  ["a name that is a list", '{"name": ["shell"], "arguments": {"command": "ls"}}'],
  ["a tool of every object", '{"name": "constructor", "arguments": {"command": "ls"}}'],
  [
    "the tool as it was offered",
    '{"name": "shell", "description": "Runs.", "parameters": {"type": "object", "properties": {"command": {}}}}',
  ],
  [
    "the tool as it was offered, in its tags",
    '<tools>{"type":"function","function":{"name":"shell","parameters":{"type":"object","properties":{}}}}</tools>',
  ],
  ["a list with something else in it", '[{"name": "shell", "arguments": {"command": "ls"}}, {"result": 1}]'],
  ["a list of lists", '[[{"name": "shell", "arguments": {"command": "ls"}}]]'],
  ["an empty list", "[]"],
  ["Mistral's name without arguments", "[TOOL_CALLS]shell"],
  ["a function without an end", "<function=shell>\n<parameter=command>\nls\n</parameter>"],
  ["a parameter without an end", "<function=shell>\n<parameter=command>\nls\n</function>"],
  ["text between parameters", "<function=shell>\n<parameter=command>\nls\n</parameter>\nand\n</function>"],
  ["ReAct within a line", 'The Action: shell\nAction Input: {"command": "ls"}'],
  ["ReAct without JSON", "Action: shell\nAction Input: ls"],
  ["ReAct without an input", "Action: shell\nObservation: a"],
];

test.each(nearMisses)("%s is no call, and stays text", (_title, written) => {
  expect(callsInText(written, tools)).toEqual({ text: written, thinking: null, calls: [] });
});
