import { AppError, describeError, type ErrorCode } from "../core/errors.ts";
import { modelProviders } from "./model-providers.ts";
import type { ModelReference } from "./model-reference.ts";
import { kurisuCommand } from "../core/kurisu-command.ts";
import { isOfAccount, isOfModel, isTooLong } from "./read-refusal.ts";
import { ServerRefusal } from "./wire/server-refusal.ts";

/**
 * Why a model did not answer.
 * busy = asked too often (429); server = it failed (5xx); network = not reached; slow = a time limit of ours;
 * broken = the answer is not what the protocol promises; key, quota, missing = will not change by itself;
 * long = the request is longer than it takes, and nothing of it could be left out;
 * refused = it does not take this very request, another conversation may go through.
 */
export type FailureKind =
  | "busy"
  | "server"
  | "network"
  | "slow"
  | "broken"
  | "key"
  | "quota"
  | "missing"
  | "long"
  | "refused";

export interface ModelFailure {
  readonly kind: FailureKind;
  /** For the operator: what is wrong and the remedy. Holds no key. */
  readonly detail: string;
  /** The server's `retry-after`, milliseconds. */
  readonly retryAfterMs?: number;
  /** The connection was kept from before, and the server had just closed it: the next attempt opens another. */
  readonly stale?: true;
}

/** Thrown by a time limit; `message` says which. */
export class ModelTooSlow extends Error {
  override readonly name = "ModelTooSlow";
}

export interface FailureContext {
  readonly model: ModelReference;
  readonly now: number;
  /** Takes the keys out of a server's words. */
  readonly scrub: (text: string) => string;
}

/** Classifies a thrown value for the next step. */
export function classifyFailure(error: unknown, context: FailureContext): ModelFailure {
  if (error instanceof ModelTooSlow) return { kind: "slow", detail: error.message };
  if (error instanceof AppError) {
    const remedy = /with no JSON but/.test(error.message) ? `; ${addressRemedy(context.model)}` : "";
    return { kind: "broken", detail: `${error.message}${remedy}` };
  }
  if (error instanceof ServerRefusal) return classifyRefusal(error, context);
  if (isConnectionFault(error)) {
    const detail = `not reached (${readServerWords(error, context)}); is it running? Else ${addressRemedy(context.model)}`;
    return { kind: "network", detail, ...(isStaleConnection(error) && { stale: true }) };
  }
  return { kind: "broken", detail: `the answer was not understood (${readServerWords(error, context)})` };
}

function classifyRefusal(error: ServerRefusal, context: FailureContext): ModelFailure {
  const { model, now } = context;
  const { code, status } = error;
  const words = readServerWords(error, context);
  if (status === 400 && isOfModel(error))
    return { kind: "broken", detail: `the model's answer was refused (${words})` };
  if (status === 400 && isOfAccount(error)) {
    const isCredit = /quota|billing|套餐|余额/i.test(error.message);
    return { kind: isCredit ? "quota" : "busy", detail: `the server takes no more for now (${status}: ${words})` };
  }
  if (status === 401 || status === 403) {
    return { kind: "key", detail: `the key was refused (${status}: ${words}); ${keyRemedy(model)}` };
  }
  if (status === 402 || /insufficient_quota|credit balance/i.test(`${words} ${code}`)) {
    return { kind: "quota", detail: `no credit left (${status}); check the provider's billing page` };
  }
  if (status === 404 || (status >= 300 && status < 400)) {
    // A page comes from a server that knows no models at all.
    const remedy = words.startsWith("a web page") ? addressRemedy(model) : nameRemedy(model);
    return { kind: "missing", detail: `model not found (${status}: ${words}); ${remedy}` };
  }
  if (status === 408 || status === 409 || status === 429 || status >= 500) {
    const retryAfterMs = readRetryAfter(error.headers, now);
    return {
      kind: status === 429 ? "busy" : "server",
      detail: status === 429 ? `asked too often (429: ${words})` : `the server failed (${status}: ${words})`,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    };
  }
  if (isTooLong(error)) return { kind: "long", detail: `the conversation is too long for it (${status}: ${words})` };
  return { kind: "refused", detail: `the request was refused (${status}: ${words})` };
}

function keyRemedy({ provider }: ModelReference): string {
  if (provider === "offline") return `run ${kurisuCommand} doctor`;
  return `check ${Object.keys(modelProviders[provider].environment).join(" and ")}`;
}

function addressRemedy({ provider }: ModelReference): string {
  if (provider === "offline") return `run ${kurisuCommand} doctor`;
  const variable = Object.keys(modelProviders[provider].environment).find((name) => !name.endsWith("_KEY"));
  return variable === undefined ? "check the network" : `check ${variable} and the network`;
}

function nameRemedy(model: ModelReference): string {
  const remedy = model.provider === "offline" ? undefined : modelProviders[model.provider].nameRemedy?.(model.name);
  return remedy ?? "check the name in KURISU_MODEL";
}

/** RFC 9110 section 10.2.3: seconds or an HTTP date. */
function readRetryAfter(headers: Headers, now: number): number | undefined {
  const value = headers.get("retry-after")?.trim();
  if (value === undefined || value === "") return undefined;
  const wait = /^\d+(?:\.\d+)?$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined;
}

const connectionFaults = /^(?:ECONN|ENOTFOUND|EAI_|EHOST|ENET|EPIPE|ETIMEDOUT|UND_ERR|CERT_|ERR_TLS|ERR_SSL)/;

function isConnectionFault(error: unknown): boolean {
  for (let current = error, depth = 0; current instanceof Error && depth < 6; current = current.cause, depth += 1) {
    if (connectionFaults.test(String(readField(current, "code")))) return true;
    if (/^(?:Connection error|fetch failed|terminated|Request timed out|other side closed)/i.test(current.message))
      return true;
  }
  return false;
}

/** Undici's words for it, and the system's where bytes were on the way. */
function isStaleConnection(error: unknown): boolean {
  for (let current = error; current instanceof Error; current = current.cause) {
    if (current.message === "other side closed" || readField(current, "code") === "ECONNRESET") return true;
  }
  return false;
}

/** The server's own words, one short line without keys. */
function readServerWords(error: unknown, { scrub }: FailureContext): string {
  let root = error;
  while (root instanceof Error && root.cause instanceof Error) root = root.cause;
  const cause = root === error ? "" : `: ${describeError(root)}`;
  const words = scrub(`${describeError(error)}${cause}`)
    .replaceAll(/\s+/g, " ")
    .trim();
  return words.length > 300 ? `${words.slice(0, 300)}…` : words;
}

function readField(value: unknown, field: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[field] : undefined;
}

/**
 * Among the causes of several models, picks the one that a person can do most about: waiting helps when one of them was
 * only busy or out of reach; else it is for the operator.
 */
export function nameOutage(kinds: readonly FailureKind[]): ErrorCode {
  const passing: readonly FailureKind[] = ["server", "network", "slow", "broken"];
  if (kinds.includes("busy")) return "MODEL_LIMITED";
  if (kinds.some((kind) => passing.includes(kind))) return "MODEL_UNAVAILABLE";
  if (kinds.includes("key")) return "MODEL_REFUSED_KEY";
  if (kinds.includes("quota")) return "MODEL_NO_CREDIT";
  if (kinds.includes("missing")) return "MODEL_NOT_FOUND";
  if (kinds.includes("long")) return "MODEL_TOO_LONG";
  return kinds.includes("refused") ? "MODEL_REFUSED_REQUEST" : "MODEL_UNAVAILABLE";
}
