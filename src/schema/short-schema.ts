// The outline of an output: its fields that always have one type. A client may check an answer with it, and a model has little to
// read (D-209). What crosses the boundary is parsed by the whole schema.
import type { z } from "zod";
import { jsonSchemaOf, type Schema } from "./json-schema.ts";

export function shortSchemaOf(schema: z.core.$ZodType): Schema {
  const published = jsonSchemaOf(schema, "output");
  const forms = (published["anyOf"] as readonly Schema[] | undefined) ?? [published];
  const [{ properties = {} } = {}] = forms;
  const shared = Object.entries(properties).filter(([name, { type }]) =>
    forms.every((form) => typeof type === "string" && form.properties?.[name]?.["type"] === type),
  );
  const required = shared.map(([name]) => name).filter((name) => forms.every((form) => form.required?.includes(name)));
  return {
    type: "object",
    properties: Object.fromEntries(shared.map(([name, field]) => [name, outline(field)])),
    ...(required.length > 0 && { required }),
  };
}

const outline = ({ type, enum: values }: Schema): Schema => ({ type, ...(values !== undefined && { enum: values }) });
