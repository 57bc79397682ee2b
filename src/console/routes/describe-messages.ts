import { basename } from "node:path/posix";
import type { Kysely } from "kysely";
import type { InboundMessage } from "../../channels/types.ts";
import type { Language, ToolCall } from "../../core/conversation.ts";
import { consolePlatform } from "../../core/own-platforms.ts";
import { makeVisible } from "../../core/persona/show-payload.ts";
import type { Database } from "../../store/schema/database.ts";
import { listCallRecords, readStretch, type CallRecord, type PlacedMessage } from "../../store/queries/transcript.ts";
import { listBeside, listTurnEvents } from "../../store/queries/beside-messages.ts";
import type { WholeSession } from "../../store/queries/sessions.ts";
import type { CallView, FileView, MessageView, StepView } from "../views/chats-views.ts";
import { maxName, toLine } from "../names/name-sessions.ts";
import { listAttached, placeBeside } from "./describe-beside.ts";
import { nameTool } from "./describe-session.ts";
import { readBlocks, readPlain } from "./read-blocks.ts";

/** Characters of one message on a page. */
const maxText = 20_000;
const maxArgument = 160;
const maxSources = 5;
/** Results follow their calls: this many rows after a page are read for the steps at its end. */
const maxResults = 40;
const maxOfCall = 64 * 1024;
/** The arguments that say most, the most telling first. */
const keyArguments = ["command", "url", "query", "pattern", "path", "description", "text", "content"];

type Stretch = { readonly from: number; readonly upTo: number };
type Result = Extract<PlacedMessage["message"], { role: "tool" }>;

/** The messages after `from` up to and including `upTo`, with their steps. */
export async function describeMessages(
  db: Kysely<Database>,
  session: Pick<WholeSession, "id" | "platform">,
  { from, upTo }: Stretch,
  language: Language,
): Promise<readonly MessageView[]> {
  const isOwn = session.platform === consolePlatform;
  const rows = await readStretch(db, session.id, { from, upTo: upTo + maxResults });
  const shown = rows.filter(({ position }) => position <= upTo);
  const turns = [...new Set(shown.flatMap(({ message, turn }) => (hasCalls(message) && turn !== null ? [turn] : [])))];
  const records = new Map(
    (await listCallRecords(db, turns)).map((record) => [`${record.turn} ${record.call}`, record] as const),
  );
  const given = isOwn ? await listGiven(db, shown) : new Map<string, Given>();
  const views = shown.flatMap((row) => describeRow(row, { rows, records, given, language }));
  const since = from === 0 ? 0 : (shown[0]?.at ?? 0);
  const until = rows.find(({ position }) => position > upTo)?.at ?? Number.MAX_SAFE_INTEGER;
  return placeBeside(views, await listBeside(db, session.id, { since, until }), { from, isOwn });
}

const hasCalls = (message: PlacedMessage["message"]): boolean =>
  message.role === "assistant" && message.calls.length > 0;

/** A message as the owner wrote it: the text without the words about its files, and the files as the console has them. */
type Given = { readonly text: string; readonly files: readonly FileView[] };

/** For the messages with files that turns began with, as long as the events that brought them are kept. */
async function listGiven(db: Kysely<Database>, rows: readonly PlacedMessage[]): Promise<ReadonlyMap<string, Given>> {
  const turns = rows.flatMap(({ message, turn }) =>
    message.role === "user" && message.files !== undefined && message.afterRound === undefined && turn !== null
      ? [turn]
      : [],
  );
  const events = [...(await listTurnEvents(db, turns))].map(
    ([turn, payload]) => [turn, JSON.parse(payload) as InboundMessage] as const,
  );
  return new Map(events.map(([turn, message]) => [turn, { text: message.text, files: listAttached(message, true) }]));
}

function describeRow(
  row: PlacedMessage,
  {
    rows,
    records,
    given,
    language,
  }: {
    readonly rows: readonly PlacedMessage[];
    readonly records: ReadonlyMap<string, CallRecord>;
    readonly given: ReadonlyMap<string, Given>;
    readonly language: Language;
  },
): readonly MessageView[] {
  const { at, id, message, position, turn } = row;
  if (message.role === "tool") return [];
  const text = message.text.slice(0, maxText).toWellFormed();
  const common = {
    position,
    id,
    at,
    turn,
    ...(message.text.length > maxText && { cutFrom: message.text.length }),
    files: [],
    steps: [],
    sources: [],
  };
  switch (message.role) {
    case "user": {
      const recorded = (message.files ?? []).map(describeFile);
      const own = recorded.length > 0 && message.afterRound === undefined ? given.get(turn ?? "") : undefined;
      return [
        {
          ...common,
          who: { kind: "person", name: toLine(message.senderName, maxName) || toLine(message.senderId, maxName) },
          blocks: readPlain(own?.text ?? text),
          files: own?.files ?? recorded,
        },
      ];
    }
    case "note":
      return [{ ...common, who: { kind: "notice" }, blocks: readPlain(text) }];
    case "assistant": {
      const results = findResults(row, rows);
      const files = [...results.values()].flatMap(({ parts = [] }) => parts.map(describeFile));
      return [
        {
          ...common,
          who: { kind: "her" },
          blocks: readBlocks(text),
          files,
          steps: message.calls.map((call) =>
            describeStep(call, results.get(call.id), records.get(`${turn ?? ""} ${call.id}`), language),
          ),
          sources: (message.sources ?? []).slice(0, maxSources).map((source) => toLine(source, maxName)),
        },
      ];
    }
  }
}

/** The results right behind the calls. */
function findResults({ position }: PlacedMessage, rows: readonly PlacedMessage[]): ReadonlyMap<string, Result> {
  const results = new Map<string, Result>();
  const first = rows.findIndex((row) => row.position > position);
  if (first < 0) return results;
  for (const { message } of rows.slice(first)) {
    if (message.role === "assistant") break;
    if (message.role === "tool") results.set(message.callId, message);
  }
  return results;
}

function describeFile({ bytes, mimeType, path }: { path: string; bytes: number; mimeType: string }): FileView {
  return { name: toLine(basename(path), maxName), bytes, type: toLine(mimeType, maxName) };
}

function describeStep(
  call: ToolCall,
  result: Result | undefined,
  record: CallRecord | undefined,
  language: Language,
): StepView {
  const { finishedAt, startedAt } = record ?? {};
  return {
    call: call.id,
    tool: nameTool(call.name, language),
    argument: toLine(findKeyArgument(call), maxArgument),
    ...(record?.verdict && { verdict: record.verdict }),
    ...(record?.answer && { answer: record.answer }),
    state: result === undefined ? "open" : result.ok ? "done" : "failed",
    ...(startedAt !== undefined && finishedAt !== undefined && { ms: finishedAt - startedAt }),
  };
}

function findKeyArgument({ arguments: given }: ToolCall): string {
  const known = keyArguments.map((name) => given[name]).find((value) => typeof value === "string");
  return typeof known === "string" ? known : (Object.values(given).find((value) => typeof value === "string") ?? "");
}

/** The arguments and the result of one call. Undefined when the message has no such call. */
export async function describeCall(
  db: Kysely<Database>,
  session: string,
  position: number,
  id: string,
): Promise<CallView | undefined> {
  const rows = await readStretch(db, session, { from: position - 1, upTo: position + maxResults });
  const [row] = rows;
  if (row?.position !== position || row.message.role !== "assistant") return undefined;
  const call = row.message.calls.find((one) => one.id === id);
  if (call === undefined) return undefined;
  const result = findResults(row, rows).get(id);
  const given = JSON.stringify(call.arguments, null, 2);
  const cut = (text: string) => makeVisible(text.slice(0, maxOfCall).toWellFormed());
  return {
    tool: toLine(call.name, maxName),
    arguments: cut(given),
    ...(result && { result: cut(result.text) }),
    isCut: given.length > maxOfCall || (result?.text.length ?? 0) > maxOfCall,
  };
}
