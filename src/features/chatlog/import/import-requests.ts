import type { AnswerRequest } from "../../../kernel/socket/answer-request.ts";
import type { ImportedMessage, SourceChat } from "./import-format.ts";
import type { ImportPlace, LogImport, OpenedLog } from "./log-import.ts";
import type { HistoryRequest, ReadChatHistory } from "./read-chat-history.ts";

/** Requests of the command `chatlog import` to a running Kurisu. */
export type LogSocketRequest =
  | { readonly kind: "log-open"; readonly id: number; readonly place: ImportPlace }
  | {
      readonly kind: "log-append";
      readonly id: number;
      readonly log: OpenedLog;
      readonly source: SourceChat;
      readonly messages: readonly ImportedMessage[];
    }
  | { readonly kind: "log-history"; readonly id: number; readonly request: HistoryRequest };

type Answers = {
  readonly [Kind in LogSocketRequest["kind"]]: (request: LogSocketRequest & { readonly kind: Kind }) => Promise<string>;
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
