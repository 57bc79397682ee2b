import { mendText } from "./mend-message.ts";

const lineFeed = 10;

/**
 * Mends the messages of an answer on their way to the SDK: each line of data of a stream of events, or else the whole text
 * once it is there. How long either may be is limited before.
 */
export function createMender(streams: boolean): TransformStream<Uint8Array, Uint8Array> {
  const encoder = new TextEncoder();
  let pieces: Uint8Array[] = [];
  const take = (): string => {
    const text = Buffer.concat(pieces).toString("utf8");
    pieces = [];
    return text;
  };
  return new TransformStream({
    transform(piece, controller) {
      let rest = piece;
      for (let end = streams ? rest.indexOf(lineFeed) : -1; end !== -1; end = rest.indexOf(lineFeed)) {
        pieces.push(rest.subarray(0, end + 1));
        controller.enqueue(encoder.encode(mendLine(take())));
        rest = rest.subarray(end + 1);
      }
      if (rest.length > 0) pieces.push(rest);
    },
    flush(controller) {
      if (pieces.length > 0) controller.enqueue(encoder.encode(streams ? mendLine(take()) : mendText(take())));
    },
  });
}

function mendLine(line: string): string {
  if (!line.startsWith("data:")) return line;
  const end = line.endsWith("\r\n") ? "\r\n" : line.endsWith("\n") ? "\n" : "";
  const data = line.slice("data:".length, line.length - end.length);
  const mended = mendText(data);
  return mended === data ? line : `data: ${mended}${end}`;
}
