/**
 * Sentences of tools, the gate and the executor for the model, and the same for people. `{}` is a placeholder for a
 * value, `{~}` for another of these sentences. `en` is for sentences that instruct the model what to do; without it
 * English people read the sentence itself. tests/core/tell-reason.test.ts finds a sentence that is missing.
 */
export type ReasonWords = readonly [sentence: string, zh: string, ja: string, en?: string];
