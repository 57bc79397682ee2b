import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import type { BaseMessage } from "@langchain/core/messages";
import { z } from "zod";
import { isExample } from "../is-example.ts";
import { parseJson } from "../../core/parse-json.ts";

/** A tool's result of this turn with the call it belongs to. */
export interface ToolReport {
  readonly tool: string;
  readonly arguments: Record<string, unknown>;
  readonly result: ToolResultText;
}

const toolResultText = z.union([
  z.object({ ok: z.literal(true), output: z.unknown().optional() }),
  z.object({
    ok: z.literal(false),
    error: z.string().default(""),
    status: z.string().optional(),
    output: z.unknown().optional(),
  }),
]);

/** A result that was too long for the model: its JSON text with the middle left out. */
const shortenedResult = z.object({ start: z.string(), end: z.string() });

type ToolResultText = z.infer<typeof toolResultText>;

/**
 * Where the conversation stands.
 * asked = the person's last words wait for an answer; results = tools of this turn have answered;
 * parked = this turn's call waits for the person; nothing = there are no words of a person at all.
 */
export interface OfflineConversation {
  readonly standing: "asked" | "results" | "parked" | "nothing";
  /** The person's last words, without the context block in front of them. */
  readonly utterance: string;
  readonly reports: readonly ToolReport[];
  /** The words were answered once in this turn and the gateway wants them answered in other words. */
  readonly again: boolean;
  /** Tools that there are, but not for a guest as this person is one. */
  readonly withheld: readonly string[];
  readonly length: number;
  /** The person's words before those, the newest first. */
  readonly earlier: readonly string[];
  /** The last thing that was said, so as not to say it again. */
  readonly previous: string;
  /** The words change a call that was asked (「改成 …」); the gateway fits them into it. */
  readonly changes: boolean;
}

const maxEarlier = 3;

/** Looks at the last words of the person only: older ones were dealt with in their own turn. */
export function readConversation(messages: readonly BaseMessage[]): OfflineConversation {
  const lastWords = messages.findLastIndex((message) => HumanMessage.isInstance(message) && !isRecord(message));
  const before = messages.slice(0, Math.max(0, lastWords)).filter((message) => AIMessage.isInstance(message));
  const given = before.filter((message) => !isExample(message));
  const after = messages.slice(lastWords + 1);
  const answers = after.filter((message) => AIMessage.isInstance(message));
  const draft = answers.findLast((message) => (message.tool_calls ?? []).length === 0);
  const reports = readReports(after);
  const words = messages[lastWords];
  // The turn's own message has the context; the rest of a burst follows it at once.
  const opening = messages
    .slice(0, lastWords + 1)
    .findLastIndex((message) => HumanMessage.isInstance(message) && message.text.startsWith("<context>"));
  const isAnswered = messages.slice(Math.max(0, opening), lastWords).some((message) => AIMessage.isInstance(message));
  const said = messages
    .slice(opening < 0 || isAnswered ? lastWords : opening, lastWords + 1)
    .filter((message) => HumanMessage.isInstance(message) && !isRecord(message));
  return {
    standing: findStanding(words, reports, answers.length > (draft === undefined ? 0 : 1)),
    utterance: words === undefined ? "" : said.map(({ text }) => stripSender(stripContext(text))).join("\n"),
    reports,
    again: draft !== undefined,
    withheld: words === undefined ? [] : readWithheld((messages[opening] ?? words).text),
    length: messages.length,
    earlier: messages
      .slice(0, Math.max(0, lastWords - said.length + 1))
      .filter((message) => HumanMessage.isInstance(message) && !isRecord(message) && !isExample(message))
      .slice(-maxEarlier)
      .map(({ text }) => stripSender(stripContext(text)))
      .toReversed(),
    previous: (draft ?? given.at(-1))?.text ?? "",
    changes: isChange(messages.slice(0, Math.max(0, opening))),
  };
}

/** The line of the context that names them, as src/kernel/agent/offered-tools.ts writes it. */
function readWithheld(text: string): readonly string[] {
  const mark = "not for this person: ";
  const line =
    text
      .slice(0, 20_000)
      .split("\n")
      .find((one) => one.startsWith(mark)) ?? "";
  const end = line.indexOf(" (a guest");
  return end < 0 ? [] : line.slice(mark.length, end).split(", ");
}

function findStanding(
  words: BaseMessage | undefined,
  reports: readonly ToolReport[],
  called: boolean,
): OfflineConversation["standing"] {
  if (words === undefined) return "nothing";
  if (reports.length > 0) return "results";
  return called ? "parked" : "asked";
}

/** As src/kernel/tasks/tasks.ts notes it right before the words. */
function isChange(before: readonly BaseMessage[]): boolean {
  const last = before.findLastIndex((message) => !HumanMessage.isInstance(message) || !isRecord(message));
  return before.slice(last + 1).some(({ text }) => stripContext(text).startsWith("[record] The person took question "));
}

function isRecord(message: BaseMessage): boolean {
  return stripContext(message.text).startsWith("[record]");
}

/** Up to the last closing mark: the block quotes skills and memories, the person's own words cannot hold one. */
function stripContext(text: string): string {
  return text.replace(/^\s*<context>[\s\S]*<\/context>\s*/, "").trim();
}

/** In a group the words begin with who says them: `小明#3f2a1b: `. */
function stripSender(text: string): string {
  return text.replace(/^[^\n#]{0,640}#[0-9a-f]{6}: /, "");
}

function readReports(messages: readonly BaseMessage[]): readonly ToolReport[] {
  const calls = new Map<string, { name: string; args: Record<string, unknown> }>();
  const reports: ToolReport[] = [];
  for (const message of messages) {
    const letter = HumanMessage.isInstance(message) ? readDMail(message.text) : undefined;
    if (letter !== undefined) reports.push({ tool: "dmail", arguments: {}, result: { ok: true, output: letter } });
    if (AIMessage.isInstance(message)) {
      for (const call of message.tool_calls ?? []) calls.set(call.id ?? "", call);
    } else if (ToolMessage.isInstance(message)) {
      const call = calls.get(message.tool_call_id);
      reports.push({
        tool: call?.name ?? message.name ?? "",
        arguments: call?.args ?? {},
        result: readResult(message.text),
      });
    }
  }
  return reports;
}

/** The text of a D-Mail of this turn. Its call has left the conversation, and must not be made again. */
function readDMail(text: string): string | undefined {
  if (!text.startsWith("[record] El Psy Kongroo. A D-Mail of your own")) return undefined;
  const lines = text.split("\n").filter((line) => line.startsWith("> "));
  return lines.map((line) => line.slice(2)).join("\n");
}

/** An argument of the call that is a text; "" when there is none. */
export function readArgument(report: ToolReport, name: string): string {
  const value = report.arguments[name];
  return typeof value === "string" ? value : "";
}

function readResult(text: string): ToolResultText {
  const json = parseJson(text);
  const shortened = shortenedResult.safeParse(json);
  if (shortened.success) return { ok: true, output: { start: readStart(shortened.data.start) } };
  const parsed = toolResultText.safeParse(json);
  return parsed.success ? parsed.data : { ok: true, output: text };
}

/** The longest text in the beginning of a cut JSON, which is what the tool printed or read. */
function readStart(json: string): string {
  const texts = [...json.matchAll(/:"((?:[^"\\]|\\.)*)/g)].map((match) => match[1] ?? "");
  const longest = texts.toSorted((one, other) => other.length - one.length)[0] ?? "";
  const read = parseJson(`"${longest.replace(/\\(?:u[0-9a-fA-F]{0,3})?$/, "")}"`);
  return typeof read === "string" ? read : json;
}
