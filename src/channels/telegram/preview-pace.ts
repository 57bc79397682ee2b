/** How far apart the preview requests of one chat are, milliseconds. Edits count against a group's 20 messages a minute. */
export interface PreviewPace {
  readonly draftMs: number;
  /** Before the first draft of a turn: an answer that is whole by then needs none, and does not wait for it. */
  readonly firstDraftMs: number;
  /** Before a turn that is shown in a message begins it: a short answer is sent once, and never edited. */
  readonly firstMessageMs: number;
  readonly editMs: number;
  readonly typingMs: number;
  /** After a request that got no answer. */
  readonly unreachableMs: number;
}

export const defaultPreviewPace: PreviewPace = {
  draftMs: 1_000,
  firstDraftMs: 150,
  firstMessageMs: 800,
  editMs: 3_000,
  typingMs: 4_000,
  unreachableMs: 5_000,
};
