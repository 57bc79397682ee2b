import type { AnswerRequest } from "../../../kernel/socket/answer-request.ts";
import type { ImportedMessage, SourceChat } from "./import-format.ts";
import type { ImportPlace, LogImport, OpenedLog } from "./log-import.ts";
import type { HistoryRequest, ReadChatHistory } from "./read-chat-history.ts";

/** Requests of the command `chatlog import`. */
export type LogRequest =
  | { readonly kind: "log-open"; readonly place: ImportPlace }
  | {
      readonly kind: "log-append";
      readonly log: OpenedLog;
      readonly source: SourceChat;
      readonly messages: readonly ImportedMessage[];
    }
  | { readonly kind: "log-history"; readonly request: HistoryRequest };

type Answers = {
  readonly [Kind in LogRequest["kind"]]: (request: LogRequest & { readonly kind: Kind }) => Promise<string>;
};

/** Each answer is JSON. */
export function createImportRequests(
  logImport: LogImport,
  readChatHistory: ReadChatHistory,
): Readonly<Record<string, AnswerRequest>> {
  const answers: Answers = {
    "log-open": async ({ place }) => JSON.stringify(await logImport.open(place)),
    "log-append": async ({ log, messages, source }) => JSON.stringify(await logImport.append(log, source, messages)),
    "log-history": async ({ request }) => JSON.stringify(await readChatHistory(request)),
  };
  return answers;
}
