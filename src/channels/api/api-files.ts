import { join } from "node:path";
import type { Logger } from "pino";
import type { Clock } from "../../core/clock.ts";
import type { Store } from "../../store/open-store.ts";
import { listOpenPayloads } from "../../store/queries/api-requests.ts";
import { createHandedFiles, type HandedFiles } from "../handed-files.ts";
import type { Attachment, FileKind } from "../attachment.ts";
import type { InboundMessage } from "../types.ts";

export interface ApiFiles extends Pick<HandedFiles, "find" | "sweep" | "start" | "stop"> {
  /**
   * Puts the files of a message outside the store, so that its row stays small. Undefined when there were too many in
   * this hour.
   */
  keep(message: InboundMessage): Promise<InboundMessage | undefined>;
}

const hourMs = 3_600_000;
/** For all users together: a holder of the token must not fill the disk. */
const maxBytesInAnHour = 512 * 1024 * 1024;

export function createApiFiles(parts: {
  readonly home: string;
  readonly store: Pick<Store, "main">;
  readonly clock: Clock;
  readonly log: Logger;
}): ApiFiles {
  const { clock, home, log, store } = parts;
  let hour = -1;
  let bytes = 0;

  async function listWanted(): Promise<ReadonlySet<string>> {
    const payloads = await listOpenPayloads(store.main);
    return new Set(payloads.flatMap((payload) => [...payload.matchAll(/[0-9a-f-]{36}/g)].map(([id]) => id)));
  }

  const handed = createHandedFiles({ folder: join(home, "api-files"), keptMs: hourMs, listWanted, clock, log });

  /** True when it exceeds the limit of an hour. */
  function count(attachments: readonly Attachment[]): boolean {
    const now = Math.floor(clock.now() / hourMs);
    if (now !== hour) bytes = 0;
    hour = now;
    const more = attachments.filter(isHeld).reduce((sum, one) => sum + one.bytes, 0);
    if (bytes + more > maxBytesInAnHour) return true;
    bytes += more;
    return false;
  }

  async function put(attachment: Attachment): Promise<Attachment> {
    if (!isHeld(attachment)) return attachment;
    const { data, ...source } = attachment.source;
    const content = Buffer.from(data, "base64");
    return { ...attachment, bytes: content.length, source: { ...source, id: await handed.keep(content) } };
  }

  return {
    ...handed,
    async keep(message) {
      if (count(message.attachments)) return undefined;
      const attachments: Attachment[] = [];
      for (const attachment of message.attachments) attachments.push(await put(attachment));
      return { ...message, attachments };
    },
  };
}

/** Its content came with the message, in base64. */
type HeldFile = Extract<Attachment, { readonly kind: FileKind }> & {
  readonly bytes: number;
  readonly source: { readonly data: string };
};

function isHeld(attachment: Attachment): attachment is HeldFile {
  return "source" in attachment && attachment.source?.["data"] !== undefined && attachment.bytes !== undefined;
}
