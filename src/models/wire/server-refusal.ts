import { parseJson } from "../../core/parse-json.ts";
import { isJsonObject } from "../../core/is-json-object.ts";

/** A server said no, by its status or in the body of a 200. `message` is its own words, one line. */
export class ServerRefusal extends Error {
  override readonly name = "ServerRefusal";
  readonly status: number;
  readonly headers: Headers;
  /** What the server calls the fault, and the field that it blames; "" = it does not say. */
  readonly code: string;
  readonly param: string;

  constructor(said: SaidError, status: number, headers = new Headers()) {
    super(said.words);
    this.status = status;
    this.headers = headers;
    this.code = said.code;
    this.param = said.param;
  }
}

export interface SaidError {
  readonly words: string;
  readonly code: string;
  readonly param: string;
  /** A status that the body itself states. */
  readonly status: number | undefined;
}

const maxWords = 2_000;

/** Reads the body of a refusal, JSON or not. */
export function readRefusal(status: number, headers: Headers, body: string): ServerRefusal {
  const parsed = parseJson(body);
  const said = findError(parsed, true) ?? { words: describePage(body), code: "", param: "", status: undefined };
  return new ServerRefusal(said.words === "" ? { ...said, words: "no reason given" } : said, status, headers);
}

/** The same for an error that came with status 200, alone or in the middle of a stream. The words tell what it is. */
export function refusalOf(said: SaidError): ServerRefusal {
  return new ServerRefusal(said, said.status ?? guessStatus(`${said.words} ${said.code}`));
}

/**
 * The error in a JSON value: OpenAI's and Anthropic's `error`, Google's list of one, vLLM's `object: "error"`, FastAPI's `detail`,
 * MiniMax's `base_resp`, Cloudflare's `errors`, and what resellers write beside a `code`. Where the status says that it is one
 * (`isRefusal`), a bare `message` will do.
 */
export function findError(value: unknown, isRefusal = false, depth = 0): SaidError | undefined {
  if (Array.isArray(value)) return value.length === 1 ? findError(value[0], isRefusal, depth) : undefined;
  if (!isJsonObject(value)) return undefined;
  const { base_resp: base, choices, code, content, detail, error, errors } = value;
  if (typeof error === "string" && error !== "") return toSaid({ ...value, message: error }, depth);
  if (isJsonObject(error) && saysSomething(error)) return toSaid(error, depth);
  if (isRefusal || value["object"] === "error" || value["type"] === "error") return toSaid(value, depth);
  if (Array.isArray(choices) && choices.length > 0) return undefined;
  if (isJsonObject(base) && base["status_code"] !== 0) return toSaid(base, depth);
  if (Array.isArray(errors) && isJsonObject(errors[0])) return toSaid(errors[0], depth);
  if (content !== undefined) return undefined;
  const isFault = value["success"] === false || detail !== undefined || value["error_msg"] !== undefined;
  return isFault || (code !== undefined && code !== 0 && code !== null && hasWords(value))
    ? toSaid(value, depth)
    : undefined;
}

const hasWords = ({ message, msg }: Readonly<Record<string, unknown>>): boolean =>
  [message, msg].some((one) => typeof one === "string" && one !== "");

function saysSomething(error: Readonly<Record<string, unknown>>): boolean {
  return Object.values(error).some((one) => one !== null && one !== "" && one !== 0);
}

function toSaid(error: Readonly<Record<string, unknown>>, depth: number): SaidError {
  const { code, detail, error_msg: said, message, metadata, msg, param, status, status_msg: stated, type } = error;
  // OpenRouter says "Provider returned error", and beside it what that provider said.
  const raw = isJsonObject(metadata) ? metadata["raw"] : undefined;
  const words = [message, msg, said, stated, detail].map(toWords).find((one) => one !== "") ?? describeFields(error);
  // Proxies hand the words of the server behind them on as JSON in JSON, once.
  const behind = [raw, words].find(
    (one) => isJsonObject(one) || (typeof one === "string" && /^\s*(?:\{|\[\{)/.test(one)),
  );
  const inner = depth > 0 ? undefined : findError(typeof behind === "string" ? parseJson(behind) : behind, true, 1);
  const outer = typeof raw === "string" && raw !== "" && inner === undefined ? `${words}: ${raw}` : words;
  return {
    words: toLine(inner === undefined || inner.words === "" ? outer : inner.words),
    code: [code, type, inner?.code].filter((one) => typeof one === "string" && one !== "").join(" "),
    param: typeof param === "string" ? param : (inner?.param ?? ""),
    status: [status, code, inner?.status].map(Number).find((one) => Number.isInteger(one) && one >= 400 && one < 600),
  };
}

/** FastAPI's list names the place and the rule; the input that it repeats is the whole request. */
function toWords(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.slice(0, 5).map(toWords).filter(Boolean).join("; ");
  if (!isJsonObject(value)) return "";
  const { loc, message, msg } = value;
  const place = Array.isArray(loc) ? loc.map(String).join(".") : "";
  return [place, toWords(msg ?? message)].filter((one) => one !== "").join(": ");
}

function describeFields(error: Readonly<Record<string, unknown>>): string {
  return Object.keys(error).length === 0 ? "" : JSON.stringify(error).slice(0, 300);
}

/** Of an error without a status. Anything else has failed in the middle of its work. */
function guessStatus(words: string): number {
  if (/overload|server.?busy|capacity|try again|稍后|繁忙/i.test(words)) return 503;
  if (/rate.?limit|too many requests|限流|频率/i.test(words)) return 429;
  if (/insufficient.?(?:quota|balance|credit)|billing|余额/i.test(words)) return 402;
  if (
    /(?:invalid|incorrect|wrong|missing).{0,20}(?:api.?key|token|credential)|unauthorized|authentication/i.test(words)
  )
    return 401;
  if (/invalid.?request|context.?length|not support|unsupported|bad request|unknown (?:parameter|field)/i.test(words))
    return 400;
  return 500;
}

/** A page or a text where JSON was due: what a person would read of it. */
export function describePage(body: string): string {
  const start = body.slice(0, 20_000);
  const title = /<title[^>]{0,200}>([^<]{0,300})/i.exec(start)?.[1]?.trim();
  if (title !== undefined && title !== "") return toLine(`a web page: ${title}`);
  const text = /^\s*</.test(start) ? start.replaceAll(/<[^>]{0,1000}>/g, " ") : start;
  return toLine(text).slice(0, 300);
}

function toLine(text: string): string {
  return text
    .replaceAll(/[\s\p{C}]+/gu, " ")
    .trim()
    .slice(0, maxWords);
}
