/** Takes away the full stop of a sentence that is quoted inside another one. An ellipsis stays. */
export const dropFullStop = (sentence: string): string => sentence.replace(/(?<![.。])[.。]$/, "");
