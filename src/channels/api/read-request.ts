import { createHash } from "node:crypto";
import { z } from "zod";
import { parseJson } from "../../core/parse-json.ts";
import type { Attachment } from "../attachment.ts";
import { refuseRequest, type ApiError } from "./api-error.ts";
import { maxFilesLength, measureFiles, readParts } from "./read-parts.ts";

/** A message of the person that she has perhaps not heard yet. */
interface NewMessage {
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

export interface ChatRequest {
  readonly model: string;
  /** The person's messages after the last answer, oldest first. */
  readonly messages: readonly NewMessage[];
  /** A digest of all that the two have said, by the client's account. */
  readonly fingerprint: string;
  readonly user: string | undefined;
  readonly isStreamed: boolean;
  readonly wantsUsage: boolean;
}

const maxMessages = 20_000;
/** New messages of a request; the older ones are left out. */
const maxNew = 50;
/** Pictures of the web count, too: their addresses go into the row of the message. */
const maxFiles = 50;
/** Above what is refused as too long; no more is stored. */
export const maxTextLength = 32_000;

const text = { error: "must be text" };
const yesOrNo = { error: "must be true or false" };
const modelName = { error: "must be the name of a model" };
const messageList = { error: `must be a list of 1 to ${maxMessages} messages` };

const bodyShape = z.object(
  {
    model: z.string(modelName).min(1, modelName).max(200, modelName),
    messages: z
      .array(z.object({ role: z.string(text), content: z.unknown() }, { error: "must be an object" }), messageList)
      .min(1, messageList)
      .max(maxMessages, messageList),
    stream: z.boolean(yesOrNo).nullish(),
    stream_options: z.object({ include_usage: z.boolean(yesOrNo).nullish() }, { error: "must be an object" }).nullish(),
    n: z.literal(1, { error: "must be 1: she gives one answer" }).nullish(),
    user: z.string(text).nullish(),
    safety_identifier: z.string(text).nullish(),
  },
  { error: "must be a JSON object" },
);

/**
 * A request for an answer. The client sends its own record of the whole conversation; the gateway keeps another one. So
 * only the person's words after the last answer count: instructions, earlier messages and tools of the client are not
 * read.
 */
export function readRequest(body: string): { readonly request: ChatRequest } | { readonly error: ApiError } {
  const sent = parseJson(body);
  if (sent === undefined) return { error: refuseRequest("The body is not JSON.", undefined, "invalid_json") };
  const read = bodyShape.safeParse(sent);
  if (!read.success) {
    const [issue] = read.error.issues;
    const param = issue?.path.join(".") ?? "";
    return { error: refuseRequest(`${param === "" ? "The body" : param} ${issue?.message}.`, param || undefined) };
  }
  const { messages, model, stream, stream_options: options, user, safety_identifier: identifier } = read.data;
  const spoken = messages.filter(({ role }) => role === "user" || role === "assistant");
  const fresh = spoken.slice(spoken.findLastIndex(({ role }) => role === "assistant") + 1).slice(-maxNew);
  if (fresh.length === 0) {
    const reason = "The last message must be the user's: she goes on with no answer that somebody else has begun.";
    return { error: refuseRequest(reason, "messages") };
  }
  const said: NewMessage[] = [];
  for (const { content } of fresh) {
    const parts = readParts(content);
    if (parts.kind === "refused") return { error: refuseRequest(parts.reason, "messages") };
    if (isChore(parts.text)) return { error: chore };
    said.push({ ...parts, text: parts.text.slice(0, maxTextLength) });
  }
  if (said.reduce((sum, { attachments }) => sum + attachments.length, 0) > maxFiles)
    return { error: { status: 413, code: "too_many_files", message: `A message has at most ${maxFiles} files.` } };
  if (said.reduce((sum, { attachments }) => sum + measureFiles(attachments), 0) > maxFilesLength)
    return { error: { status: 413, code: "files_too_large", message: "The files of a message take at most 8 MiB." } };
  const fingerprint = createHash("sha256").update(JSON.stringify(spoken)).digest("hex").slice(0, 32);
  return {
    request: {
      model,
      messages: said,
      fingerprint,
      user: user ?? identifier ?? undefined,
      isStreamed: stream === true,
      wantsUsage: options?.include_usage === true,
    },
  };
}

/** Open WebUI has the model write titles, tags and follow-up questions by a text that starts like this. */
function isChore(text: string): boolean {
  return text.startsWith("### Task:") && text.includes("### Output:");
}

const chore = refuseRequest(
  "This is a chore of the client (a title, tags, suggestions). She would take it for the person's words; switch it off there, or give it another model.",
  "messages",
  "unsupported_task",
);
