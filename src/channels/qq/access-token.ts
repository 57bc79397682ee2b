import { z } from "zod";
import type { Clock } from "../../core/clock.ts";
import type { EndpointAnswer } from "../../web/ask-endpoint.ts";

type TokenAnswer =
  | { readonly kind: "token"; readonly token: string }
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "unreachable"; readonly reason: string };

export interface AccessToken {
  /** A token that holds for a while; asks for a new one before the old one ends. */
  take(): Promise<TokenAnswer>;
  /** It was refused: the next one is a new one. */
  forget(token: string): void;
}

/** A new one is handed out only in the last minute of the old one. Source: bot.q.qq.com/wiki, access-token. */
const renewMs = 50_000;

/** Errors come with HTTP 200, too; `expires_in` is a number or its digits. */
const given = z.object({
  access_token: z.string().min(1).max(4_000),
  expires_in: z
    .union([z.number(), z.string().regex(/^\d{1,9}$/)])
    .transform(Number)
    .pipe(z.number().positive()),
});
const refused = z.object({ code: z.int(), message: z.string().catch("") });
const tooMany = 100001;

export function createAccessToken(parts: {
  readonly ask: () => Promise<EndpointAnswer>;
  readonly clock: Clock;
}): AccessToken {
  const { ask, clock } = parts;
  let held: { readonly token: string; readonly until: number } | undefined;
  let asking: Promise<TokenAnswer> | undefined;

  async function renew(): Promise<TokenAnswer> {
    const answer = await ask();
    const body = answer.kind === "answered" ? answer.body : undefined;
    const read = given.safeParse(body);
    if (read.success) {
      held = { token: read.data.access_token, until: clock.now() + read.data.expires_in * 1_000 };
      return { kind: "token", token: held.token };
    }
    if (held !== undefined && clock.now() < held.until) return { kind: "token", token: held.token };
    if (answer.kind === "failed") return { kind: "unreachable", reason: `no token came (${answer.reason})` };
    const fault = refused.safeParse(body);
    if (fault.success && fault.data.code !== tooMany) {
      const told = fault.data.message.slice(0, 100).replaceAll(/[\p{Cc}\s]+/gu, " ");
      return { kind: "refused", reason: `${told} (${fault.data.code})` };
    }
    return { kind: "unreachable", reason: `no token came (HTTP ${answer.status})` };
  }

  return {
    async take() {
      if (held !== undefined && clock.now() < held.until - renewMs) return { kind: "token", token: held.token };
      asking ??= renew().finally(() => (asking = undefined));
      return asking;
    },
    forget(token) {
      if (held?.token === token) held = undefined;
    },
  };
}
