import { AppError } from "../core/errors.ts";
import { openStore } from "../store/open-store.ts";
import { readAudit } from "../store/queries/audit.ts";
import { readOptions } from "./read-options.ts";
import type { Command } from "./types.ts";

const help = `kurisu audit show [ID] [--limit N] [--json]

Shows the newest decisions and executions, or those of one turn, question or fault.`;

export const auditCommand: Command = {
  name: "audit",
  summary: "show what was decided and what ran",
  help,
  async run(context) {
    const { values, positionals } = readOptions("audit", context.arguments, {
      json: { type: "boolean", default: false },
      limit: { type: "string", default: "50" },
    });
    const [action = "show", about] = positionals;
    const limit = Number(values.limit);
    if (action !== "show" || !Number.isInteger(limit) || limit < 1) throw new AppError("USAGE", help);
    const { home, store: place } = context.configuration();
    const store = await openStore({ home, ...place });
    try {
      for (const row of await readAudit(store.main, limit, about)) {
        const at = new Date(row.at).toISOString();
        const { seq, actor, action: what, session, turn, call } = row;
        const detail: unknown = JSON.parse(row.detail);
        const line = values.json
          ? JSON.stringify({ seq, at, actor, action: what, session, turn, call, detail })
          : `${at}  ${what.padEnd(18)} ${actor}  ${turn ?? ""} ${call ?? ""} ${row.detail}`;
        process.stdout.write(`${line}\n`);
      }
      return 0;
    } finally {
      await store.close();
    }
  },
};
