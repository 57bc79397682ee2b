import type { OpenedTransport } from "./open-connection.ts";
import { StreamTransport, type ServerStreams } from "./stream-transport.ts";

/** A transport over the standard streams of a server that was started. */
export function openStdio(streams: ServerStreams): OpenedTransport {
  const transport = new StreamTransport(streams);
  return {
    transport: transport,
    classify: () => undefined,
    ended: streams.ended.then((how) => transport.reason ?? how),
    close: () => transport.close(),
  };
}
