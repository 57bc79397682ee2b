import { AppError } from "../core/errors.ts";
import { showPayload } from "../core/persona/show-payload.ts";
import { describeDecision } from "../kernel/questions/decide-as-operator.ts";
import { tables } from "../assembly/features.ts";
import { openStore } from "../store/open-store.ts";
import { listOpenQuestions } from "../store/queries/questions.ts";
import { withRunning } from "./chat-connection.ts";
import { readOptions } from "../kernel/command-line/read-options.ts";
import { toTerminalLine } from "../kernel/command-line/to-terminal-text.ts";
import type { Command, CommandContext } from "./types.ts";
import { kurisuCommand } from "../core/kurisu-command.ts";

const help = `${kurisuCommand} approvals list [--json] | approve ID|CODE | deny ID|CODE

Shows the questions that wait for an answer, or answers one as the operator of this machine.`;

export const approvalsCommand: Command = {
  name: "approvals",
  help,
  async run(context) {
    const { values, positionals } = readOptions("approvals", context.arguments, {
      json: { type: "boolean", default: false },
    });
    const [action = "list", which] = positionals;
    if (action === "list") return list(context, values.json);
    if ((action !== "approve" && action !== "deny") || which === undefined) throw new AppError("USAGE", help);
    process.stdout.write(`${await decide(context, which, action === "approve" ? "approved" : "rejected")}\n`);
    return 0;
  },
};

async function list(context: CommandContext, json: boolean): Promise<number> {
  const { home, store: place } = context.configuration();
  const store = await openStore({ home, ...place }, tables);
  try {
    for (const question of await listOpenQuestions(store.main)) {
      const { agent, id, code, session, asker, deadline } = question;
      const calls = question.calls.map(({ tool, summary, detail, network }) => ({
        tool,
        summary,
        detail,
        ...(network.length > 0 && { network }),
      }));
      const expiresAt = new Date(deadline).toISOString();
      const words = calls.map(({ tool, summary }) => `${tool}: ${toTerminalLine(summary)}`).join("; ");
      // Everything that an approval runs, as the chat shows it: no line of it can pass for one of ours.
      const details = calls
        .map(({ tool, detail, network }) => {
          const reach = network === undefined ? "" : ` (may reach ${network.join(", ")})`;
          return `${tool}${reach}\n${showPayload(detail, "en")}`;
        })
        .join("\n");
      const needed = question.terms?.votes ?? 1;
      const votes = needed > 1 ? `  ${question.votes.length}/${needed}` : "";
      const line = json
        ? JSON.stringify({
            id,
            code,
            session,
            asker,
            ...(agent !== null && { agent }),
            calls,
            expiresAt,
            ...(question.terms && { terms: question.terms, votes: question.votes }),
          })
        : `${code}  ${id}  ${session}  ${asker}${agent === null ? "" : ` (${agent})`}  ${words}  until ${expiresAt}${votes}\n${details}`;
      process.stdout.write(`${line}\n`);
    }
    return 0;
  } finally {
    await store.close();
  }
}

async function decide(context: CommandContext, which: string, decision: "approved" | "rejected"): Promise<string> {
  const configuration = context.configuration();
  const answer = await withRunning(configuration.home, (client) =>
    client.ask((id) => ({ kind: "decide", id, question: which, decision })),
  );
  if (answer !== undefined) return answer;
  const kurisu = await context.assemble(configuration, { purpose: "approvals", quiet: true });
  try {
    const question = await kurisu.gateway.decide(which, decision, "cli:owner");
    const heard = describeDecision(question);
    return question.state === "decided" ? `${heard}. It is carried out at the next start.` : heard;
  } finally {
    await kurisu.stop();
  }
}
