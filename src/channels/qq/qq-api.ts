import type { Clock } from "../../core/clock.ts";
import { askEndpoint } from "../../web/ask-endpoint.ts";
import { createAccessToken } from "./access-token.ts";
import { readAnswer, type ApiAnswer } from "./api-answer.ts";

type Method = "GET" | "POST" | "PUT" | "DELETE";

/** The one way to Tencent's API. Failures are data; nothing but a refused token is tried again in here. */
export interface QqApi {
  call(method: Method, path: string, body?: object): Promise<ApiAnswer>;
  /** `QQBot …`, as the gateway wants it. */
  authorize(): Promise<ApiAnswer & { readonly header?: string }>;
  /** The gateway refused it. */
  forget(header: string): void;
  /** Ends what is on its way. */
  stop(): void;
}

export interface QqCredentials {
  readonly appId: string;
  readonly appSecret: string;
  /** `https://api.bot.qq.com` */
  readonly apiRoot: string;
  readonly tokenUrl: string;
}

const scheme = "QQBot ";

export function createQqApi(parts: QqCredentials & { readonly clock: Clock }): QqApi {
  const { appId, appSecret, apiRoot, tokenUrl, clock } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  const tokens = createAccessToken({
    ask: () =>
      askEndpoint({
        url: new URL(tokenUrl),
        method: "POST",
        headers: {},
        body: { appId, clientSecret: appSecret },
        signal,
      }),
    clock,
  });

  /** A server may repeat in its error what it was sent. */
  function scrub(answer: ApiAnswer, token: string): ApiAnswer {
    if (answer.kind === "ok") return answer;
    const reason = answer.reason.replaceAll(token, "[token]").replaceAll(appSecret, "[secret]");
    return { ...answer, reason };
  }

  async function authorize(): ReturnType<QqApi["authorize"]> {
    const taken = await tokens.take();
    if (taken.kind === "token") return { kind: "ok", value: undefined, header: `${scheme}${taken.token}` };
    const { reason } = taken;
    const isRefused = taken.kind === "refused";
    return scrub(
      isRefused ? { kind: "unauthorized", reason } : { kind: "unreachable", reason, isUnsent: true },
      appSecret,
    );
  }

  async function attempt(method: Method, path: string, body?: object): Promise<{ answer: ApiAnswer; header?: string }> {
    const { header, ...authorized } = await authorize();
    if (header === undefined) return { answer: authorized };
    const sent = await askEndpoint({
      url: new URL(`${apiRoot}${path}`),
      method,
      headers: { authorization: header },
      ...(body && { body }),
      signal,
    });
    if (sent.kind === "failed") {
      const { isUnsent } = sent;
      const reason = `no answer came from the API (${sent.reason})`;
      return { answer: { kind: "unreachable", reason, ...(isUnsent && { isUnsent }) }, header };
    }
    return { answer: scrub(readAnswer(sent.status, sent.body), header.slice(scheme.length)), header };
  }

  const forget = (header: string) => tokens.forget(header.slice(scheme.length));

  return {
    authorize,
    forget,
    stop: () => stopping.abort(),
    async call(method, path, body) {
      const first = await attempt(method, path, body);
      if (first.answer.kind !== "unauthorized" || first.header === undefined) return first.answer;
      // It may have ended early: another program with the same secret has asked for a new one.
      forget(first.header);
      return (await attempt(method, path, body)).answer;
    },
  };
}
