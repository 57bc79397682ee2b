import { request, type IncomingHttpHeaders } from "node:http";

export interface JsonAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

/** Asks this machine by any name: `fetch` lets nobody choose the header Host. */
export function getJson(
  port: number,
  path: string,
  host = `127.0.0.1:${port}`,
  more: { readonly from?: string; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<JsonAnswer> {
  const { from: address = "127.0.0.1", headers } = more;
  return new Promise((resolve, reject) => {
    const asked = { port, path, host: address, headers: { ...headers, host }, agent: false };
    const sent = request(asked, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => (text += chunk));
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: JSON.parse(text) as unknown }),
      );
    });
    sent.on("error", reject);
    sent.end();
  });
}
