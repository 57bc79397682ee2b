import type { Kysely } from "kysely";
import type { JsonValue } from "../../../core/canonical-json.ts";
import type { JsonObject, Language, Taint } from "../../../core/conversation.ts";
import { nameWithTag } from "../../../core/name-with-tag.ts";
import { formatIso } from "../../../core/schedule/zoned-time.ts";
import { servedPlatform } from "../../../core/served-platform.ts";
import { joinSources, joinTaint } from "../../../core/taint.ts";
import { wordsFor } from "../../../core/words/words.ts";
import type { Meaning } from "../embedding/meaning.ts";
import { findSources } from "../people/find-sources.ts";
import { findMemoryScope, type MemoryScope } from "../scope.ts";
import type { Memory } from "../queries/memories.ts";
import type { Database } from "../../../store/schema/database.ts";
import type { ToolContext } from "../../../kernel/tools/types.ts";

/** The parts of the tools of memory. */
export interface MemoryParts {
  readonly database: () => Kysely<Database>;
  /** The person whose memories other agents see over MCP; "" = they see none. */
  readonly servedAs: () => string;
  readonly memory: {
    /** The id of the persona that speaks in a session, as of now: each has memories of her own. */
    readonly personaOf: (session: string) => string;
    /** Absent = words are compared, not meanings. */
    readonly meaning?: Meaning | undefined;
    /** Takes known secrets out of a text. */
    readonly scrub: (text: string) => string;
    /** Begins to erase everything about the person, and returns the text that they get. */
    readonly forgetAll: (
      asked: Pick<ToolContext, "call" | "language" | "now" | "person" | "session" | "turn">,
    ) => Promise<JsonObject>;
  };
}

/** Another agent calls, over MCP. */
export function isServed({ id }: Pick<ToolContext["person"], "id">): boolean {
  return id.startsWith(`${servedPlatform}:`);
}

/** The memories that the person of a call may read where they are. */
export function findScope(
  { database, memory, servedAs }: MemoryParts,
  context: Pick<ToolContext, "chatKind" | "person" | "session">,
): Promise<MemoryScope> {
  const { chatKind, session } = context;
  const served = isServed(context.person) ? servedAs() : "";
  const person = served === "" ? context.person : { ...context.person, id: served };
  const asker = { person, session, persona: memory.personaOf(session), ...(chatKind !== undefined && { chatKind }) };
  return findMemoryScope(database(), asker);
}

/**
 * Only people whom an owner has let in are remembered, and what a group has said is for its members. Returns undefined
 * if the person may ask.
 */
export function refuseAsker({ servedAs }: MemoryParts, { person }: Pick<ToolContext, "person">) {
  if (person.role === "guest")
    return { ok: false, error: "Guests have no memory here; an owner has to let them in first." } as const;
  if (isServed(person) && servedAs() === "")
    return {
      ok: false,
      error: "Nobody's memories are there over MCP; the operator names a person as served.person in memory.yaml.",
    } as const;
  return undefined;
}

/** The longest quotation of the message that a memory is from. */
const maxQuoteLength = 200;

/** Memories for the model, each with the message it is from. Those that others said are marked. */
export async function describeMemories(
  db: Kysely<Database>,
  memories: readonly Memory[],
  scope: MemoryScope,
  zone: string,
): Promise<readonly { readonly [key: string]: JsonValue }[]> {
  const sources = await findSources(db, scope, memories);
  return memories.map((memory) => {
    const { category, content, id, invalidAt, name, origin, person, pinned, taint, validFrom, value } = memory;
    const said = sources.get(id);
    return {
      id,
      category,
      content,
      ...(value !== null && value !== content && { value }),
      since: formatIso(validFrom, zone),
      ...(invalidAt !== null && { until: formatIso(invalidAt, zone) }),
      ...(pinned && { pinned }),
      ...(origin === "extracted" && { noticed: true }),
      ...(!scope.accounts.includes(person) && { of: nameWithTag({ id: person, name }) }),
      ...(taint === "untrusted" && { notOwnWords: memory.sources.length === 0 ? true : memory.sources.join(", ") }),
      ...(said && {
        said: { number: said.log, by: said.name, when: formatIso(said.saidAt, zone), quote: cutQuote(said.text) },
      }),
    };
  });
}

const cutQuote = (text: string): string =>
  text.length > maxQuoteLength ? `${text.slice(0, maxQuoteLength - 1).toWellFormed()}…` : text;

/**
 * The label of a result that contains these memories: what others said is no order of this person, as in a
 * conversation.
 */
export function labelMemories(
  memories: readonly Memory[],
  scope: MemoryScope,
  { language, sources, taint }: Pick<ToolContext, "language" | "sources" | "taint">,
): { readonly taint: Taint; readonly sources: readonly string[] } {
  const labels = memories.map((memory) => labelOne(memory, scope, language));
  return {
    taint: joinTaint(taint, ...labels.map((label) => label.taint)),
    sources: joinSources(sources, ...labels.map((label) => label.sources)),
  };
}

function labelOne({ name, person, sources, taint }: Memory, { accounts }: MemoryScope, language: Language) {
  const words = wordsFor(language).sources;
  if (accounts.includes(person))
    return { taint, sources: taint === "untrusted" && sources.length === 0 ? [words.earlier] : sources };
  if (taint === "owner") return { taint: "exposed" as const, sources: [] };
  return { taint: "untrusted" as const, sources: [words.messageOf({ name }), ...sources] };
}
