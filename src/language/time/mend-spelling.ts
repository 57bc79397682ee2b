/** Common misspellings, each of one word only. */
const misspelt: readonly (readonly [RegExp, string])[] = [
  [/\b(?:tommorr?ow|tomm?or+w|tomorow|tomarr?ow|tomorrw|tomorrrow|tmrw?|to ?morow|2morrow)\b/gi, "tomorrow"],
  [/\b(?:wensday|wendsday|wednsday|wedensday|wednesdy)\b/gi, "wednesday"],
  [/\b(?:thurday|thrusday|thursdy|thirsday)\b/gi, "thursday"],
  [/\b(?:teusday|tuseday|tuesdy)\b/gi, "tuesday"],
  [/\b(?:saterday|satruday|saturdy)\b/gi, "saturday"],
  [/\b(?:firday|fridya)\b/gi, "friday"],
  [/\b(?:tonite|tonigt|toinght)\b/gi, "tonight"],
];
const behind = /(?:^|\b(?:on|next|this|by|every|until)\s)$/i;

/**
 * A misspelt day would be left in the text and another one set: "tomorow at 9". A capital letter within a sentence may begin a
 * name. Also times that are written in a way no reader knows: "13:00 pm", "an hour and a half".
 */
export function mendSpelling(text: string): string {
  const spelt = misspelt.reduce(
    (mended, [form, word]) =>
      mended.replace(form, (found: string, at: number) =>
        /^[A-Z]/.test(found) && !behind.test(mended.slice(Math.max(0, at - 8), at)) ? found : word,
      ),
    text,
  );
  return spelt
    .replaceAll(/\b(1[3-9]|2[0-3]):([0-5]\d)\s?pm\b/gi, "$1:$2")
    .replaceAll(/\bin an hour and a half\b/gi, "in 90 minutes")
    .replaceAll(/\bnext week,?\s+(?:on\s+)?((?:mon|tues|wednes|thurs|fri|satur|sun)day)\b/gi, "$1 next week");
}
