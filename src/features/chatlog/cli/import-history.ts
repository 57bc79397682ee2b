import { systemClock } from "../../../core/clock.ts";
import { AppError } from "../../../core/errors.ts";
import type { ChatHistoryPage, HistoryRequest } from "../import/read-chat-history.ts";
import type { ImportPiece } from "../import/import-format.ts";
import { importMessages } from "../import/import-messages.ts";
import type { ImportPlace, LogImport } from "../import/log-import.ts";
import type { AskKurisu } from "../../../kernel/command-line/command.ts";
import type { LogRequest } from "../import/import-requests.ts";
import { ownPlace, type ImportWishes } from "./import-file.ts";
import { createImportProgress, printImport } from "./import-progress.ts";

const chatOfQq = /^onebot:(group|private):([1-9]\d{0,19})$/;
const pageSize = 50;

/** Imports what the connected OneBot implementation keeps of a chat, and prints what became of it. */
export async function importHistory(
  log: LogImport,
  askKurisu: AskKurisu,
  { count, from, wishes }: { readonly from: string; readonly count: number; readonly wishes: ImportWishes },
): Promise<void> {
  const [, kind, number = ""] = chatOfQq.exec(from) ?? [];
  if (kind === undefined)
    throw new AppError(
      "USAGE",
      `--from ${from} is no chat; one is onebot:group:123456, another onebot:private:123456.`,
    );
  const chat = kind === "group" ? number : `private:${number}`;
  const ask = async (request: HistoryRequest): Promise<ChatHistoryPage> =>
    JSON.parse(await askKurisu<LogRequest>({ kind: "log-history", request })) as ChatHistoryPage;
  const first = await ask({ platform: "qq", chat, count: Math.min(pageSize, count) });
  const origin = `qq:${kind}:${number}`;
  const place = choosePlace(first.session, { name: `QQ ${number}`, origin }, wishes);

  async function* readPages(): AsyncGenerator<readonly ImportPiece[]> {
    yield [{ kind: "chat", chat: { name: "", source: `qq:${kind}:${number}`, sharesIds: true } }];
    let page = first;
    for (let left = count; ;) {
      left -= page.messages.length;
      yield page.messages.map((message): ImportPiece => ({ kind: "message", line: 0, message }));
      if (page.after === undefined || left <= 0) return;
      page = await ask({ platform: "qq", chat, count: pageSize, after: page.after });
    }
  }

  const progress = createImportProgress(from);
  const report = await importMessages(readPages(), {
    log,
    placeOf: () => place,
    self: wishes.self,
    holdMs: wishes.holdMs,
    now: () => performance.now(),
    clock: systemClock,
    onProgress: (current) => progress.show(current, Math.min(1, current.read / count)),
  });
  progress.clear();
  printImport({ file: from, format: "onebot" }, report, wishes.json);
}

/** The chat of hers that it is, unless it is to be read by others. */
function choosePlace(
  known: string | undefined,
  chat: { readonly name: string; readonly origin: string },
  wishes: ImportWishes,
): ImportPlace {
  const { name, readers, session } = wishes;
  if (session !== undefined && session !== known)
    throw new AppError("USAGE", `${session} is another chat than ${chat.name}; leave --chat out.`);
  if (known === undefined || name !== undefined || readers.length > 0) return ownPlace(chat, wishes);
  return { kind: "session", session: known };
}
