/** Answers requests of one kind, as the feature types them. The signal ends when the client cancels the request or goes away. */
export type AnswerRequest = (request: never, signal: AbortSignal) => Promise<string>;
