/** opus = in an Ogg file. */
export type SpeechFormat = "opus" | "mp3";

/** The abilities of a platform, as this channel uses them. A method that belongs to one of these exists exactly when it is true. */
export interface ChannelCapabilities {
  /**
   * How a running turn is shown (`show`): apart from the messages, disappearing by itself (draft), in a message that is
   * edited (edit), or not at all.
   */
  readonly streaming: "draft" | "edit" | "none";
  /** Questions carry buttons (`answerPress`). */
  readonly buttons: boolean;
  /** A sent message can be replaced (`close`). */
  readonly edit: boolean;
  /** Messages can be marked with an emoji (`react`). */
  readonly reactions: boolean;
  /** Our own messages can be taken back (`remove`). */
  readonly removal: boolean;
  /** UTF-16 units that one message holds; Infinity = any number. */
  readonly textLimit: number;
  /** Largest file that goes out, bytes. */
  readonly fileLimit: number;
  /** The form of voice messages that go out as such; false when none do. */
  readonly voice: SpeechFormat | false;
  /** Live views hold what calls show; elsewhere that is a message below the reply. */
  readonly displays: boolean;
  /** The same person has another id in each group. */
  readonly idsDifferByChat?: boolean;
}
