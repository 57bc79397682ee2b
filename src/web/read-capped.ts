/** Reads a body up to a number of bytes and gives up the rest, which is then never asked for. */
export async function readCapped(
  stream: AsyncIterable<Uint8Array> | null,
  maxBytes: number,
): Promise<{ readonly body: Buffer; readonly truncated: boolean }> {
  const parts: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop cancels the stream.
  for await (const part of stream ?? []) {
    parts.push(part);
    size += part.byteLength;
    if (size > maxBytes) break;
  }
  return { body: Buffer.concat(parts).subarray(0, maxBytes), truncated: size > maxBytes };
}
