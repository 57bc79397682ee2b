import { createInterface } from "node:readline";
import { z } from "zod";
import { AppError } from "../../core/errors.ts";
import { parseJson } from "../../core/parse-json.ts";
import { createReplyCheck, type CheckedReply } from "../../core/persona/check-reply.ts";
import { learnTone } from "../../core/persona/tone/tone-finder.ts";
import { explainIssues } from "../../core/schema-issues.ts";
import type { CommandContext } from "../types.ts";

const lineSchema = z.object({
  reply: z.string(),
  /** The person's message that it answers. */
  last: z.string().optional(),
  lang: z.enum(["zh", "en", "ja"]).optional(),
  /** The tools of this turn, and whether they succeeded. */
  tools: z.array(z.object({ name: z.string(), ok: z.boolean() })).optional(),
});

/**
 * Prints one JSON line for the reply, or for each line of standard input: plain text, or an object with the turn around
 * it.
 */
export async function checkReplies(context: Pick<CommandContext, "configuration">, reply: string | undefined) {
  const { persona } = context.configuration();
  await learnTone(persona);
  const check = createReplyCheck(persona);
  const answer = (given: CheckedReply) => process.stdout.write(`${JSON.stringify(check(given))}\n`);
  if (reply !== undefined) answer({ reply });
  else {
    let number = 0;
    for await (const line of createInterface({ input: process.stdin })) answer(readLine(line, (number += 1)));
  }
  return 0;
}

/** A line that is no JSON object with a reply in it is the reply itself: a reply can be JSON, too. */
function readLine(line: string, number: number): CheckedReply {
  const value = parseJson(line);
  if (typeof value !== "object" || value === null || !("reply" in value)) return { reply: line };
  const read = lineSchema.safeParse(value);
  if (read.success) return read.data;
  const [issue] = explainIssues(read.error.issues, lineSchema, value);
  throw new AppError("USAGE", `Line ${number}: ${issue?.path.join(".") ?? ""} ${issue?.problem ?? ""}\n${lineForm}`);
}

const lineForm = `  What to do: {"reply": "…", "last": "…", "lang": "zh|en|ja", "tools": [{"name": "…", "ok": true}]}; all but reply may be left out.`;
