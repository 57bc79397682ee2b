/** `lost` = there was no answer. */
export type ServerAnswer<View> =
  | { readonly kind: "ok"; readonly view: View }
  | { readonly kind: "refused"; readonly status: number; readonly view: unknown }
  | { readonly kind: "lost" };

const limitMs = 15_000;
/** The line at the door takes up to half a minute. */
export const loginLimitMs = 40_000;

/** For 50 MB over a slow line. */
const uploadLimitMs = 10 * 60_000;

/** Sends a JSON request to the server that the page came from. */
export function callServer<View>(
  method: "GET" | "POST" | "PUT" | "DELETE",
  path: `/${string}`,
  body?: object,
  waitMs = limitMs,
): Promise<ServerAnswer<View>> {
  return ask(method, path, "application/json", body && JSON.stringify(body), waitMs);
}

/** The server's own words for a request that it refused as wrong. */
export function findReason(answer: ServerAnswer<unknown>): string | undefined {
  if (answer.kind !== "refused" || answer.status !== 400) return undefined;
  const { message } = (answer.view ?? {}) as { readonly message?: unknown };
  return typeof message === "string" ? message : undefined;
}

/** The bytes of a file. */
export function uploadFile<View>(path: `/${string}`, file: Blob): Promise<ServerAnswer<View>> {
  return ask("POST", path, "application/octet-stream", file, uploadLimitMs);
}

/** Asks for a file, and hands it to the browser's downloads. */
export async function downloadFile(path: `/${string}`, name: string): Promise<"ok" | "failed"> {
  try {
    const response = await fetch(`/api${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-kurisu": "1" },
      credentials: "same-origin",
      redirect: "error",
      signal: AbortSignal.timeout(uploadLimitMs),
      body: "{}",
    });
    if (!response.ok) return "failed";
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await response.blob());
    link.download = name;
    link.click();
    URL.revokeObjectURL(link.href);
    return "ok";
  } catch {
    return "failed";
  }
}

async function ask<View>(
  method: string,
  path: string,
  type: string,
  body: string | Blob | undefined,
  waitMs: number,
): Promise<ServerAnswer<View>> {
  try {
    const response = await fetch(`/api${path}`, {
      method,
      headers: { "content-type": type, "x-kurisu": "1" },
      credentials: "same-origin",
      redirect: "error",
      signal: AbortSignal.timeout(waitMs),
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    const view: unknown = text === "" ? undefined : JSON.parse(text);
    return response.ok ? { kind: "ok", view: view as View } : { kind: "refused", status: response.status, view };
  } catch {
    // No connection, no answer in time, or an answer of another server: all the same to the user.
    return { kind: "lost" };
  }
}
