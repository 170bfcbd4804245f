// The parameters of each operation in the payload of its task.
import { z } from "zod";
import { NoteId } from "./notes-server.ts";

export const MAX_MOVES = 10_000;
const MAX_DEPTH = 5;
const MAX_CONTENT = 1_000_000;

const MAX_TITLE = 65_536;

const Title = z.string().min(1, "must not be empty").max(MAX_TITLE, `must have at most ${MAX_TITLE} characters`);

export const FetchNoteTree = z.strictObject({
  root_note_id: NoteId,
  depth: z
    .int("must be a whole number")
    .min(1, "must be at least 1")
    .max(MAX_DEPTH, `must be at most ${MAX_DEPTH}, the most that any notes server returns`)
    .default(MAX_DEPTH),
});
export type FetchNoteTree = z.infer<typeof FetchNoteTree>;

const MAX_PAGE = 1_000;

export const ListChildren = z.strictObject({
  note_id: NoteId,
  offset: z.int("must be a whole number").min(0, "must be at least 0").default(0),
  limit: z
    .int("must be a whole number")
    .min(1, "must be at least 1")
    .max(MAX_PAGE, `must be at most ${MAX_PAGE}`)
    .default(100),
});
export type ListChildren = z.infer<typeof ListChildren>;

const Path = z.union([
  z
    .string()
    .max(MAX_TITLE, `must have at most ${MAX_TITLE} characters`)
    .transform((path) =>
      path
        .split("/")
        .map((title) => title.trim())
        .filter((title) => title !== ""),
    ),
  z.array(Title),
]);

export const ResolveTargetNote = z
  .strictObject({
    path: Path.pipe(z.array(Title).min(1, "must name a note").max(64, "must have at most 64 titles")).optional(),
    title: Title.optional(),
    root_note_id: NoteId.optional(),
  })
  .refine(({ path, title }) => (path === undefined) !== (title === undefined), {
    error: "needs a path such as Projects/2026, or a title, and not both",
  });
export type ResolveTargetNote = z.infer<typeof ResolveTargetNote>;

export const ApplyNoteChange = z
  .strictObject({
    note_id: NoteId,
    mode: z.enum(["replace", "append"], "must be replace or append"),
    content: z.string().max(MAX_CONTENT, `must have at most ${MAX_CONTENT} characters`),
    expected_digest: z
      .string()
      .regex(/^[0-9a-f]{64}$/, "must be a digest_before or digest_after from an earlier result")
      .optional(),
  })
  .refine(({ mode, content }) => mode === "replace" || content.trim() !== "", {
    error: "must not be blank for append",
    path: ["content"],
  });
export type ApplyNoteChange = z.infer<typeof ApplyNoteChange>;

export const VerifyTreePlacement = z.strictObject({ note_id: NoteId, expected_parent_note_id: NoteId });
export type VerifyTreePlacement = z.infer<typeof VerifyTreePlacement>;

export const VerifyNoteTree = z.strictObject({
  expected_parent_note_id: NoteId,
  note_ids: z.array(NoteId).min(1, "must name a note").max(MAX_MOVES, `must have at most ${MAX_MOVES} ids`),
});
export type VerifyNoteTree = z.infer<typeof VerifyNoteTree>;

const SelectionRule = z.strictObject({
  title_contains: Title.refine((text) => text.trim() !== "", "must not be blank"),
  ignore_case: z.boolean("must be true or false").default(false),
});
export type SelectionRule = z.infer<typeof SelectionRule>;

export const PlanNoteMoves = z.strictObject({
  source_scope: z.strictObject({ parent_note_id: NoteId }),
  target_parent_note_id: NoteId,
  selection_rule: SelectionRule,
});
export type PlanNoteMoves = z.infer<typeof PlanNoteMoves>;

const MovePlan = z
  .array(
    z.strictObject({
      note_id: NoteId,
      target_parent_note_id: NoteId,
      /** The place from which a note that is shown in several is moved. */
      source_parent_note_id: NoteId.optional(),
    }),
  )
  .min(1, "must hold a move")
  .max(MAX_MOVES, `must hold at most ${MAX_MOVES} moves`)
  .superRefine((moves, context) => {
    const first = new Map<string, number>();
    for (const [at, { note_id }] of moves.entries()) {
      const before = first.get(note_id);
      if (before === undefined) first.set(note_id, at);
      else
        context.addIssue({ code: "custom", path: [at, "note_id"], message: `is moved by move_plan.${before} already` });
    }
  });

export const ApplyNoteMoves = z.strictObject({
  move_plan: MovePlan,
  dry_run: z.boolean("must be true or false").default(true),
});
export type ApplyNoteMoves = z.infer<typeof ApplyNoteMoves>;
