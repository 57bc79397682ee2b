import { wordsFor } from "../../core/words/words.ts";
import type { LedgerRow } from "../../store/queries/ledger.ts";
import type { ToolDisplay, ToolOutcome } from "../tools/types.ts";
import type { ReadFile } from "../../workspace/types.ts";
import type { Channel, OutboundMessage } from "../../channels/types.ts";
import type { OutgoingFiles } from "../outbox/outgoing-files.ts";
import { findDisplay, maxDisplays, renderDisplay } from "./render-display.ts";
import { outbound, type TurnAtWork } from "./turn-at-work.ts";
import { hashContent } from "../../workspace/hash-content.ts";

/**
 * Prepares the messages below a reply: one with the displays of its calls, then the pictures. Stores their content
 * before the rows are written, under ids that stay the same after a crash.
 */
export function createPrepareDisplays(parts: {
  readonly findChannel: (platform: string) => Channel | undefined;
  readonly outgoing: Pick<OutgoingFiles, "keep">;
  readonly readFile: ReadFile;
}): (work: TurnAtWork, ledger: readonly LedgerRow[]) => Promise<readonly OutboundMessage[]> {
  /** Returns undefined when the picture may not be shown in this chat or has changed; a line of text replaces it. */
  async function keepPicture(
    work: TurnAtWork,
    id: string,
    display: ToolDisplay & { readonly kind: "image" },
    limit: number,
  ): Promise<OutboundMessage | undefined> {
    const { file, title, confirmed } = display;
    const { chatKind, session } = work.input;
    // In a group, sending a file needs an approval of its own (send_file).
    if (!file || confirmed !== true || chatKind !== "private" || file.bytes > limit) return undefined;
    const read = await parts.readFile(session, file.path);
    if (!read.ok || hashContent(read.bytes) !== file.sha256) return undefined;
    await parts.outgoing.keep(id, read.bytes);
    const { bytes, path, sha256 } = file;
    const name = path.slice(path.lastIndexOf("/") + 1);
    const message = outbound(work, { id, kind: "file", text: title, plain: true });
    return { ...message, file: { name, bytes, sha256, picture: true } };
  }

  return async (work, ledger) => {
    const channel = parts.findChannel(work.session.platform);
    if (!channel || channel.capabilities.displays) return [];
    const { language } = work.input;
    const displays = ledger.flatMap(({ outcome }) => {
      const display = outcome === null ? undefined : findDisplay(JSON.parse(outcome) as ToolOutcome);
      return display ? [display] : [];
    });
    const lines: string[] = [];
    const pictures: OutboundMessage[] = [];
    for (const [index, display] of displays.slice(0, maxDisplays).entries()) {
      const id = `${work.outboxId}.picture.${index + 1}`;
      const picture =
        display.kind === "image" ? await keepPicture(work, id, display, channel.capabilities.fileLimit) : undefined;
      if (picture) pictures.push(picture);
      else lines.push(renderDisplay(display, language));
    }
    const left = displays.length - maxDisplays;
    if (left > 0) lines.push(wordsFor(language).display.more(left));
    if (lines.length === 0) return pictures;
    // A separate message below the reply, so that an unclosed fence in the reply cannot swallow it.
    const below = { id: `${work.outboxId}.shown`, kind: "notice", text: lines.join("\n\n"), plain: false } as const;
    return [{ ...outbound(work, below), folds: true }, ...pictures];
  };
}
