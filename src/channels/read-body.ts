/**
 * too-large = it has more than `limit` bytes, whether it says so or not; broken = it ended too early, or its framing is
 * invalid.
 */
export type ReadBody =
  | { readonly kind: "read"; readonly body: Buffer }
  | { readonly kind: "too-large" }
  | { readonly kind: "broken" };

/**
 * Reads a body, whatever its framing: its declared length is believed only when that is too large. Nothing past the
 * limit is kept.
 */
export async function readBody(request: Request, limit: number): Promise<ReadBody> {
  if (Number(request.headers.get("content-length") ?? 0) > limit) return { kind: "too-large" };
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    // Leaving the loop ends the reading.
    for await (const piece of request.body ?? []) {
      size += piece.byteLength;
      if (size > limit) return { kind: "too-large" };
      pieces.push(piece);
    }
  } catch {
    // The other side went away, or sent no body: there is no one to send an error to.
    return { kind: "broken" };
  }
  return { kind: "read", body: Buffer.concat(pieces) };
}
