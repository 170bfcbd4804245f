// Tools that do not fit into the context of the model: shorter prose first, then fewer tools.
import { describe, expect, test } from "vitest";
import type { OfferedTool } from "../../../../src/features/agents/agent-message.ts";
import { fitTools, withoutNoise } from "../../../../src/features/agents/fit-tools.ts";
import { tokensOfTools } from "../../../../src/features/agents/transcript.ts";

const aTool = (name: string, description: string): OfferedTool => ({
  name,
  description: `${description} `.repeat(8),
  parameters: {
    type: "object",
    properties: {
      title: {
        type: "string",
        description: "the name of what is meant, as its owner writes it, with all blanks in it",
      },
      description: { type: "string", enum: ["title", "examples"], title: "a title" },
    },
    required: ["title"],
  },
});

const finish = aTool("finish", "Ends the task.");
const lamps = aTool("home__switch_lamps", "Switches lamps on or off.");
const wiki = aTool("wiki__edit_page", "Writes a page.");
const mail = aTool("mail__send", "Sends a mail.");
const all = [finish, wiki, mail, lamps];

const fitted = (room_tokens: number) =>
  fitTools(all, { room_tokens, task: "switch the lamp in the hall off", needed: new Set(["finish"]) });

describe("tools", () => {
  test("that fit are offered as they are", () => {
    expect(fitted(tokensOfTools(all))).toEqual({ offered: all, left_out: [] });
  });

  test("lose the prose of their parameters first, but no parameter, no name and no value", () => {
    const { offered, left_out } = fitted(tokensOfTools(all) - 1);
    expect(left_out).toEqual([]);
    expect(offered[0]).toEqual(finish);
    expect(offered[3]?.parameters).toEqual({
      type: "object",
      properties: {
        title: { type: "string", description: "the name of what is meant, as its owner " },
        description: { type: "string", enum: ["title", "examples"] },
      },
      required: ["title"],
    });
    expect(offered[3]?.description.length).toBeLessThanOrEqual(160);
  });

  test("that have the least to do with the task are left out then, and are named", () => {
    const { offered, left_out } = fitted(tokensOfTools([finish]) + 110);
    expect(offered.map(({ name }) => name)).toEqual(["finish", "home__switch_lamps"]);
    expect(left_out).toEqual(["wiki__edit_page", "mail__send"]);
  });

  test("without which no run can end stay, also where nothing fits", () => {
    expect(fitted(0).offered).toEqual([finish]);
  });
});

test("a schema is shown without its dialect and without the range of all numbers", () => {
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: {
      count: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 },
      port: { type: "integer", minimum: 1, maximum: 65535 },
      $schema: { type: "string" },
    },
  };
  expect(withoutNoise(schema)).toEqual({
    type: "object",
    properties: {
      count: { type: "integer" },
      port: { type: "integer", minimum: 1, maximum: 65535 },
      $schema: { type: "string" },
    },
  });
});
