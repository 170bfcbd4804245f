import { expect, test } from "vitest";
import { readReply } from "../../../../../src/features/agents/model/read-reply.ts";
import { otherFormats, tools } from "./written-calls.ts";

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
];

const isAlone = ([, written]: [string, string]) => /^\{.*"name"/m.test(written);

test.each([...nearMisses, ...otherFormats.filter((format) => !isAlone(format))])(
  "%s is no call, and stays text",
  (_title, written) => {
    expect(readReply(written, { messages: [], tools })).toEqual({ text: written, thinking: null, calls: [] });
  },
);
