// Finds the one note with a path or a title: by exact titles, and never the first of several (D-125).
import type { SkillEnd } from "../../src/domain/skill.ts";
import { lineageOf, pathOf, ROOT, remembering } from "./ancestors.ts";
import { isSystemId } from "./guards.ts";
import { mapBounded, type NoteBrief, NotesFault, type NotesServer } from "./notes-server.ts";
import type { ResolveTargetNote } from "./parameters.ts";
import { counted, shortly } from "./readable.ts";
import { readStep, type Work } from "./work.ts";

type Candidate = { note_id: string; title: string; path: string };
/** `near` are similar notes; `truncated` when there may be more than were read. */
type Search = { hits: Candidate[]; near: Candidate[]; truncated: boolean };

const SEARCHED = 200;
const AT_ONCE = 8;
const MAX_CANDIDATES = 20;
const MAX_BRANCHES = 1_000;

export async function resolveTargetNote(work: Work, order: ResolveTargetNote): Promise<SkillEnd> {
  const { path, title = "", root_note_id } = order;
  const search = await readStep(work, "look for the note", async (notes) => {
    if (root_note_id !== undefined && (await notes.note(root_note_id)) === null) return null;
    if (path !== undefined) return walk(notes, root_note_id ?? ROOT, path);
    return searchFor(notes, title, root_note_id ?? null);
  });
  if (search === null) {
    const message = `The note ${root_note_id}, below which to look, is not there.`;
    return { status: "failed", code: "root_not_found", message };
  }
  return endOf(search, path?.join(" / ") ?? title);
}

/** Segment by segment, along every note with the segment's title. */
async function walk(notes: NotesServer, start: string, path: readonly string[]): Promise<Search> {
  let reached: Candidate[] = [{ note_id: start, title: "", path: "" }];
  let level: Candidate[] = [];
  for (const title of path) {
    if (reached.length > MAX_BRANCHES)
      throw new NotesFault("incomplete", `more than ${MAX_BRANCHES} notes have these titles`);
    level = (await mapBounded(reached, AT_ONCE, (one) => childrenOf(notes, one))).flat();
    reached = unique(level.filter((one) => isCalled(one, title)));
    if (reached.length === 0) return { hits: [], near: nearTo(title, level), truncated: false };
  }
  return { hits: reached, near: [], truncated: false };
}

async function childrenOf({ children }: NotesServer, { note_id, path }: Candidate): Promise<Candidate[]> {
  const all = (await children(note_id))?.notes ?? [];
  return all
    .filter((child) => !isSystemId(child.note_id))
    .map((child) => ({
      note_id: child.note_id,
      title: child.title,
      path: path === "" ? child.title : `${path} / ${child.title}`,
    }));
}

/** Only notes with exactly this title count, below the given root, regardless of the server's search. */
async function searchFor(notes: NotesServer, title: string, ancestor_note_id: string | null): Promise<Search> {
  const forms = new Set([title, title.normalize("NFC"), title.normalize("NFD")]);
  const searches = await mapBounded([...forms], AT_ONCE, (form) =>
    notes.search({ title: form, ancestor_note_id, limit: SEARCHED }),
  );
  const truncated = searches.some((one) => one.truncated);
  const all = unique(searches.flatMap(({ found }) => found).filter(({ note_id }) => !isSystemId(note_id)));
  const exact = all.filter((one) => isCalled(one, title));
  const place = placing(notes, ancestor_note_id);
  const hits = (await mapBounded(exact, AT_ONCE, place)).filter((one) => one !== null);
  const others = hits.length > 0 ? [] : nearTo(title, all).slice(0, MAX_CANDIDATES);
  const near = (await mapBounded(others, AT_ONCE, place)).filter((one) => one !== null);
  return { hits, near, truncated };
}

/** Adds the path of a note; null when the note is not below the given root. */
function placing({ note }: NotesServer, ancestor_note_id: string | null) {
  const read = remembering(note);
  return async ({ note_id }: NoteBrief): Promise<Candidate | null> => {
    const lineage = await lineageOf(note_id, read);
    if (lineage === null || (ancestor_note_id !== null && !lineage.above.has(ancestor_note_id))) return null;
    return { note_id, title: lineage.note.title, path: pathOf(lineage) };
  };
}

/** An accent has two forms in Unicode, and a title may have either. */
const isCalled = (one: { readonly title: string }, title: string): boolean =>
  one.title.normalize("NFC") === title.normalize("NFC");

const unique = <T extends { readonly note_id: string }>(all: readonly T[]): T[] => [
  ...new Map(all.map((one) => [one.note_id, one])).values(),
];

function nearTo<T extends { readonly title: string }>(title: string, all: readonly T[]): T[] {
  const wanted = title.toLowerCase();
  return all.filter((one) => one.title.toLowerCase().includes(wanted) || wanted.includes(one.title.toLowerCase()));
}

function endOf({ hits, near, truncated }: Search, wanted: string): SkillEnd {
  const [hit, ...others] = hits;
  if (hit !== undefined && others.length === 0 && !truncated) {
    return {
      status: "ok",
      code: "resolved",
      message: `${shortly(wanted)} is ${hit.note_id}, at ${shortly(hit.path)}.`,
      result: { ...hit },
    };
  }
  const [all, code, why] =
    hit === undefined ? unfound(near, truncated) : [hits, "ambiguous", severalOf(hits, truncated)];
  const candidates = all.slice(0, MAX_CANDIDATES);
  const cut = all.length > candidates.length ? ` The first ${candidates.length} are listed.` : "";
  return {
    status: "failed",
    code,
    message: `${shortly(wanted)}: ${why}.${cut}`,
    next: "give a path or a root_note_id that leaves one note, or take a note_id from candidates",
    result: { candidates, complete: !truncated && all.length === candidates.length },
  };
}

function severalOf(hits: readonly Candidate[], truncated: boolean): string {
  const has = `${counted(hits.length)} ${hits.length === 1 ? "has" : "have"} exactly this title`;
  return truncated ? `${has} among the first ${SEARCHED} of the search, and there may be more` : has;
}

const unfound = (near: readonly Candidate[], truncated: boolean): readonly [readonly Candidate[], string, string] =>
  truncated
    ? [
        near,
        "search_incomplete",
        `none of the first ${SEARCHED} notes of the search has exactly this title, and there are more`,
      ]
    : [near, "not_found", "no note has exactly this title there"];
