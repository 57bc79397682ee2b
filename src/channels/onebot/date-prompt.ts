import { z } from "zod";
import type { Account } from "./accounts.ts";
import { toWireId } from "./wire-id.ts";

const dated = z.object({ time: z.coerce.number().int().positive() });

/**
 * When a prompt went out by QQ's own clock, milliseconds: words written before it are no answer to it. QQ is asked, since
 * what we have measured of its clock may be missing (a restart) or late; else that measure counts, else our clock.
 */
export async function datePrompt(
  account: Account,
  prompt: { readonly messageId: string; readonly measured: number | undefined; readonly now: number },
  limits: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<number> {
  const { messageId, measured, now } = prompt;
  const params = { message_id: toWireId(messageId) };
  const answer =
    messageId === "" ? undefined : await account.link?.call("get_msg", params, limits.timeoutMs, limits.signal);
  const told = dated.safeParse(answer?.kind === "ok" ? answer.data : undefined).data;
  return told === undefined ? (measured ?? now) : told.time * 1_000;
}
