import { z } from "zod";

/** How a call of the API ended. Reasons are one line, without tokens. */
export type ApiAnswer =
  | { readonly kind: "ok"; readonly value: unknown }
  /** Our token or our secret. */
  | { readonly kind: "unauthorized"; readonly reason: string }
  /** Too much at once: nothing more until then. */
  | { readonly kind: "flood"; readonly afterMs: number; readonly reason: string }
  /** The same request is refused again; `code` says why. */
  | { readonly kind: "refused"; readonly code: number; readonly reason: string }
  /** Network, time limit, 5xx: whether the server acted is unknown, unless we never asked it. */
  | { readonly kind: "unreachable"; readonly reason: string; readonly isUnsent?: true };

/** Why a message was refused, as far as something else can be tried. Source: bot.q.qq.com/wiki, "错误码" of each call. */
export type Refusal =
  /** The event that it answers is too old, unknown or has all its replies. */
  | "window"
  /** A reply with this sequence number is out. */
  | "repeated"
  /** Only replies are allowed now. */
  | "unasked"
  /** Markdown, or buttons. */
  | "style"
  | "address"
  | "length"
  /** She may not speak there for now. */
  | "muted"
  | "other";

const codes: Readonly<Record<Exclude<Refusal, "other">, readonly number[]>> = {
  window: [304026, 304027, 304103, 40034005, 40034024, 40034025, 40034026, 40034027, 40034128],
  repeated: [40054005],
  unasked: [304045, 304046, 304047, 304048, 304049, 304050, 40034100, 40034102, 40034105],
  style: [
    50037, 50041, 50054, 50055, 50056, 50057, 304036, 304037, 304038, 304039, 304040, 305007, 40034008, 40034009,
    40034010, 40034011, 40034029, 40034106, 40034108, 40034109, 40034124, 40034127,
  ],
  address: [304003, 40054010],
  length: [40054007, 40054018],
  muted: [850018, 40054002],
};

export function readRefusal(code: number): Refusal {
  const found = Object.entries(codes).find(([, known]) => known.includes(code));
  return (found?.[0] as Refusal | undefined) ?? "other";
}

const unauthorizedCodes = [11241, 11242, 11243, 11244, 11245, 11251, 11261, 11275];
const floodCodes = [20028, 22009, 50002, 100001, 1100100, 1100308];
/** "Try again later", in the words of its documentation. */
const troubleCodes = [11252, 11263, 11281, 50001, 50055001, 50055002, 50055006, 40093001];
const floodMs = 5_000;

const fault = z.object({
  err_code: z.int().optional().catch(undefined),
  code: z.int().optional().catch(undefined),
  message: z.string().optional().catch(undefined),
});

/** Sorts an answer. An error may come with HTTP 200, so the code in the body counts first. */
export function readAnswer(status: number, body: unknown): ApiAnswer {
  const { err_code: errorCode, code, message = "" } = fault.safeParse(body).data ?? {};
  const number = errorCode || code || 0;
  const told = message.slice(0, 200).replaceAll(/[\p{Cc}\s]+/gu, " ");
  const reason = `${told === "" ? "refused" : told} (${number === 0 ? `HTTP ${status}` : number})`;
  // Taken, but a person there reads it first.
  if (status === 201 || status === 202) return { kind: "ok", value: {} };
  if (status === 401 || unauthorizedCodes.includes(number)) return { kind: "unauthorized", reason };
  if (status === 429 || floodCodes.includes(number)) return { kind: "flood", afterMs: floodMs, reason };
  if (troubleCodes.includes(number)) return { kind: "unreachable", reason };
  if (number !== 0) return { kind: "refused", code: number, reason };
  if (status >= 200 && status < 300) return { kind: "ok", value: body };
  if (status >= 400 && status < 500) return { kind: "refused", code: 0, reason };
  return { kind: "unreachable", reason };
}
