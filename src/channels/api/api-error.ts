import type { Context } from "hono";

/** A request that is refused, in the form that clients of OpenAI's API expect. */
export interface ApiError {
  readonly status: 400 | 401 | 404 | 413 | 429 | 503;
  readonly code: string;
  readonly message: string;
  /** The field of the request that is at fault. */
  readonly param?: string;
}

/** The official clients try 429 and 5xx again after this time. */
const retrySeconds = 5;

const types: Readonly<Record<ApiError["status"], string>> = {
  400: "invalid_request_error",
  401: "invalid_request_error",
  404: "invalid_request_error",
  413: "invalid_request_error",
  429: "rate_limit_error",
  503: "server_error",
};

/** Source: the error object of OpenAI's API reference; `type`, `param` and `code` are always there. */
export function wordError({ status, code, message, param }: ApiError) {
  return { error: { message, type: types[status], param: param ?? null, code } };
}

export function answerError(context: Context, error: ApiError): Response {
  if (error.status === 429 || error.status === 503) context.header("Retry-After", String(retrySeconds));
  if (error.status === 401) context.header("WWW-Authenticate", "Bearer");
  return context.json(wordError(error), error.status);
}

export function refuseRequest(message: string, param?: string, code = "invalid_value"): ApiError {
  return { status: 400, code, message, ...(param !== undefined && { param }) };
}

export const notThere: ApiError = {
  status: 503,
  code: "unavailable",
  message: "She is starting, stopping, or cannot store anything now. Try again in a moment.",
};
