import { AppError } from "../../../core/errors.ts";
import { kurisuCommand } from "../../../core/kurisu-command.ts";
import { resolveZone } from "../../../core/schedule/zoned-time.ts";
import { formatNames } from "../import/import-format.ts";
import type { LogImport } from "../import/log-import.ts";
import { readOptions } from "../../../kernel/command-line/read-options.ts";
import { toTerminalLine } from "../../../kernel/command-line/to-terminal-text.ts";
import type { AskKurisu, CommandContext } from "../../../kernel/command-line/command.ts";
import type { LogRequest } from "../import/import-requests.ts";
import { importFile, type ImportWishes } from "./import-file.ts";
import { listExports } from "./find-chunks.ts";
import { importHistory } from "./import-history.ts";

export const importHelp = `chatlog import FILE_OR_FOLDER… [--format ${formatNames.join("|")}] [--chat SESSION_OR_NAME]
    [--for PERSON…] [--me NAME] [--zone Z] [--json]
  chatlog import --from onebot:group:NUMBER|onebot:private:NUMBER [--count N] [--json]

Import puts exported chats into the log that she searches, or what a connected QQ account keeps of a chat. What is there
already is left out, so an import that was interrupted is simply run again. Owners may read it in private; --for
telegram:1,qq:2 names others instead of them. --chat with the session of a chat she is in puts it there, for the people of that
chat. --me is your own name in the export: those words are those of --for, or the owner's. --zone is the time zone of times
in the export, --count how many messages of a chat are asked for (1000).`;

const person = /^[a-z][a-z0-9-]{1,30}:\S{1,100}$/;
const session = /^[a-z][a-z0-9-]{1,30}:[^:\s]+:\S/;
const maxCount = 100_000;
/** How long a batch holds the database: briefly while Kurisu runs and people talk to her, longer when she does not. */
const [besideMs, aloneMs] = [80, 500];

export async function importChats(context: CommandContext): Promise<number> {
  const { values, positionals: files } = readOptions("chatlog", context.arguments, {
    format: { type: "string" },
    chat: { type: "string" },
    for: { type: "string", multiple: true, default: [] },
    me: { type: "string" },
    zone: { type: "string" },
    from: { type: "string" },
    count: { type: "string", default: "1000" },
    json: { type: "boolean", default: false },
  });
  const configuration = context.configuration();
  const { from } = values;
  const count = Number(values.count);
  if ((files.length === 0) === (from === undefined))
    throw new AppError("USAGE", `Name files, or a chat with --from:\n\n${kurisuCommand} ${importHelp}`);
  if (!Number.isInteger(count) || count < 1 || count > maxCount)
    throw new AppError("USAGE", `--count ${values.count} is no number from 1 to ${maxCount}.`);
  const asked = readWishes(values, configuration.zone);
  if (from !== undefined) {
    const isDone = await context.askRunning(async (ask) => {
      await importHistory(connectLog(ask), ask, { from, count, wishes: { ...asked, holdMs: besideMs } });
      return true;
    });
    if (isDone) return 0;
    throw new AppError("CHANNEL_UNREACHABLE", `She is not running, so nothing is connected: ${kurisuCommand} start`);
  }
  const kurisu = await context.reachKurisu("chatlog import");
  try {
    return await importFiles(connectLog(kurisu.ask), files, {
      ...asked,
      holdMs: kurisu.isRunning ? besideMs : aloneMs,
    });
  } finally {
    await kurisu.close();
  }
}

/** A file that cannot be read does not keep the others out. Returns the exit code. */
async function importFiles(log: LogImport, named: readonly string[], wishes: ImportWishes): Promise<number> {
  const files = named.flatMap(listExports);
  let exitCode = 0;
  for (const file of files) {
    try {
      if (!(await importFile(log, file, wishes))) exitCode ||= 1;
    } catch (error) {
      if (files.length === 1 || !(error instanceof AppError) || error.code !== "USAGE") throw error;
      process.stderr.write(`${toTerminalLine(error.message)}\n`);
      exitCode = error.exitCode;
    }
  }
  return exitCode;
}

/** Throws AppError USAGE with the remedy. */
function readWishes(
  values: {
    readonly format?: string | undefined;
    readonly chat?: string | undefined;
    readonly for: readonly string[];
    readonly me?: string | undefined;
    readonly zone?: string | undefined;
    readonly json: boolean;
  },
  usualZone: string,
): Omit<ImportWishes, "holdMs"> {
  const { chat, json, me } = values;
  const format = formatNames.find((name) => name === values.format);
  if (values.format !== undefined && format === undefined)
    throw new AppError("USAGE", `There is no format ${values.format}. There are: ${formatNames.join(", ")}.`);
  const zone = resolveZone(values.zone ?? usualZone);
  if (zone === undefined)
    throw new AppError("USAGE", `${String(values.zone)} is no time zone; one is Asia/Shanghai, another +08:00.`);
  const readers = values.for.flatMap((list) => list.split(",")).filter((one) => one !== "");
  const odd = readers.find((one) => !person.test(one));
  if (odd !== undefined) throw new AppError("USAGE", `--for ${odd} is no account; one is telegram:1, another qq:2.`);
  if (me !== undefined && readers.length > 1)
    throw new AppError("USAGE", "--me is the name of one person; give one --for.");
  const isSession = chat !== undefined && session.test(chat);
  if (isSession && readers.length > 0)
    throw new AppError("USAGE", "--for does not go with a session: it is read by the people of that chat.");
  const [first] = readers;
  return {
    zone,
    json,
    readers,
    self: {
      person: first !== undefined && readers.length === 1 ? first : "cli:owner",
      ...(me !== undefined && { name: me }),
    },
    ...(format !== undefined && { format }),
    ...(chat !== undefined && (isSession ? { session: chat } : { name: chat })),
  };
}

/** Kurisu writes the log herself, so that no other process holds her database. */
function connectLog(ask: AskKurisu): LogImport {
  const request = async <T>(asked: LogRequest): Promise<T> => JSON.parse(await ask(asked)) as T;
  return {
    open: (place) => request({ kind: "log-open", place }),
    append: (log, source, messages) => request({ kind: "log-append", log, source, messages }),
  };
}
