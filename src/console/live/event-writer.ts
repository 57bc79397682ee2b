/** The response of a stream of events (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export interface EventWriter {
  readonly body: ReadableStream<Uint8Array>;
  write(events: readonly StreamEvent[]): void;
  /** The reader still gets everything that was written. */
  end(): void;
}

export interface StreamEvent {
  readonly kind: "hello" | "stale" | "reset" | "health" | "beat" | "rest" | "live" | "live-end";
  /** The place from which a browser continues after its connection broke. */
  readonly id?: string;
  readonly data: object;
}

/**
 * `overflow` = more than `maxUnread` bytes are unread, and the stream is closed; `closed` = the reader is gone, or `end` was
 * called.
 */
export function createEventWriter(
  maxUnread: number,
  { closed, overflow }: { readonly overflow: () => void; readonly closed: () => void },
): EventWriter {
  const encoder = new TextEncoder();
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;

  function close(): void {
    if (!controller) return;
    controller = undefined;
    closed();
  }

  const body = new ReadableStream<Uint8Array>(
    {
      start: (opened) => void (controller = opened),
      cancel: close,
    },
    new ByteLengthQueuingStrategy({ highWaterMark: maxUnread }),
  );
  return {
    body,
    write(events) {
      if (!controller || events.length === 0) return;
      controller.enqueue(encoder.encode(events.map(writeEvent).join("")));
      if ((controller.desiredSize ?? 0) > 0) return;
      close();
      overflow();
    },
    end() {
      controller?.close();
      close();
    },
  };
}

/** JSON has no line breaks. */
function writeEvent({ data, id, kind }: StreamEvent): string {
  return `${id === undefined ? "" : `id: ${id}\n`}event: ${kind}\ndata: ${JSON.stringify(data)}\n\n`;
}
