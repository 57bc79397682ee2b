import type { Channel, ChatAddress, InboundEvent } from "../../../src/channels/types.ts";

/** A started channel, with people in a private chat and perhaps in a group of it. */
export interface Place {
  readonly channel: Channel;
  readonly address: ChatAddress;
  readonly group?: ChatAddress;
  /** What the gateway was handed, in order. */
  readonly events: () => readonly InboundEvent[];
  /** Somebody says something; answers the platform's id of it. */
  readonly hear: (text: string, how?: Hearing) => Promise<string>;
  /** The platform hands in one message twice, for whatever reason it has. */
  readonly hearTwice?: (text: string) => Promise<void>;
  /** The words of a part as its client shows them; left out = as they are sent. */
  readonly shows?: (part: string) => string;
  /** What we said there, as people see it. */
  readonly seen: (where?: ChatAddress) => readonly SeenMessage[];
  /** The emoji that we have under a message now; where the platform has such. */
  readonly marks?: (messageId: string) => readonly string[];
  /** The way to the platform breaks, and stays broken until `mend`. */
  readonly break?: () => void;
  readonly mend?: () => void;
  /** Files we sent there, as people get them. */
  readonly seenFiles: (where?: ChatAddress) => readonly SeenFile[];
  /** How many connections of ours the platform has. */
  readonly connections: () => number;
  readonly close: () => Promise<void>;
}

export interface Hearing {
  /** In the group instead of the private chat. */
  readonly inGroup?: boolean;
  /** With a mention of us before it. */
  readonly toUs?: boolean;
  readonly quoting?: string;
}

export interface SeenMessage {
  readonly id: string;
  readonly text: string;
  readonly replyTo?: string | undefined;
  /** It calls everybody, or anybody, to it. */
  readonly rings: boolean;
}

interface SeenFile {
  readonly name: string;
  readonly content: Buffer;
  readonly caption: string;
}

export interface Platform {
  readonly name: string;
  readonly open: () => Promise<Place>;
  /** It reaches people over a network. */
  readonly remote: boolean;
}
