import { relative, resolve, sep } from "node:path";
import { formatByteSize } from "../../core/byte-size.ts";
import { AppError } from "../../core/errors.ts";
import { kurisuCommand } from "../../core/kurisu-command.ts";
import { countOf } from "../../core/words/count-of.ts";
import type { CommandContext, LoadedCommand } from "../../kernel/command-line/command.ts";
import { readOptions } from "../../kernel/command-line/read-options.ts";
import { toTerminalLine } from "../../kernel/command-line/to-terminal-text.ts";
import { backupsFolder } from "../../store/backup/find-newest-backup.ts";
import type { BackupRequest } from "./backup.ts";
import type { BackupSummary } from "./manifest.ts";

const help = `${kurisuCommand} backup FILE [--json]

Writes all data into FILE, a packed tar (tar -tzf FILE lists it): the database, the files of chats, logins of MCP servers, skills
that were installed. Works while Kurisu runs and while she does not, on SQLite and on Postgres. FILE must not be there yet.

The configuration (config/, .env) is not in it: keep it by other means. Secrets are in it: only this user can read the file, and
a person who gets it can act as Kurisu does with MCP servers. ${kurisuCommand} restore FILE brings the data back.`;

export const backupCommand: LoadedCommand<CommandContext> = {
  help,
  async run(context) {
    const { values, positionals } = readOptions("backup", context.arguments, {
      json: { type: "boolean", default: false },
    });
    const [given, ...more] = positionals;
    if (given === undefined) throw new AppError("USAGE", `${help}\n\nFILE is missing: name the file to write.`);
    if (more.length > 0) throw new AppError("USAGE", `${help}\n\nGive one FILE only.`);
    const file = resolve(given);
    const { home } = context.configuration();
    if (isInside(home, file) && !isInside(resolve(home, backupsFolder), file)) {
      const remedy = `Name one elsewhere, or in ${resolve(home, backupsFolder)}.`;
      throw new AppError("USAGE", `${file} is in the data folder, so the next backup would hold this one. ${remedy}`);
    }
    const answer = await context.askKurisu<BackupRequest>({ kind: "backup", file });
    if (values.json) process.stdout.write(`${answer}\n`);
    else for (const line of describe(JSON.parse(answer) as BackupSummary)) process.stdout.write(`${line}\n`);
    return 0;
  },
};

function describe(summary: BackupSummary): readonly string[] {
  const { bytes, engine, file, fileBytes, files, left, rows, tables } = summary;
  const skipped =
    left.entries === 0
      ? []
      : [
          `  left out     ${countOf(left.entries, "link, pipe or unreadable file", "links, pipes and unreadable files")}`,
        ];
  return [
    `${toTerminalLine(file)}: ${formatByteSize(bytes)}`,
    `  database     ${engine}, ${countOf(tables, "table")}, ${countOf(rows, "row")}`,
    `  files        ${countOf(files, "file")}, ${formatByteSize(fileBytes)}`,
    ...skipped,
    "  not in it    the configuration (config/, .env)",
    "Secrets are in it, such as logins of MCP servers: only this user can read it. Keep it so.",
  ];
}

function isInside(folder: string, file: string): boolean {
  const way = relative(folder, file);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`);
}
