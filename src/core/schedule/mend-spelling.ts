/** Common misspellings, each of one word only. */
const misspelt = /\bto?m+[oa]r+[oae]?w+\b|\btmrw?\b|\bto ?morr?ow\b|\b2morrow\b/gi;
const weekdays: readonly (readonly [RegExp, string])[] = [
  [/\b(?:wensday|wendsday|wednsday|wedensday|wednesdy)\b/gi, "wednesday"],
  [/\b(?:thurday|thrusday|thursdy|thirsday)\b/gi, "thursday"],
  [/\b(?:teusday|tusday|tuseday|tuesdy)\b/gi, "tuesday"],
  [/\b(?:saterday|satruday|saturdy)\b/gi, "saturday"],
  [/\b(?:firday|fridya|fryday)\b/gi, "friday"],
  [/\b(?:munday|mondya)\b/gi, "monday"],
  [/\b(?:tonite|tonigt|toinght)\b/gi, "tonight"],
];

/** A misspelt day would be left in the text and another one set: "tomorow at 9". */
export function mendSpelling(text: string): string {
  return weekdays.reduce((mended, [form, word]) => mended.replace(form, word), text.replace(misspelt, "tomorrow"));
}
