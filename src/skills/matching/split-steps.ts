/** Where one thing asked for ends and the next begins: a clause, 「然后」, "and", 「存到」, 「…して」. */
const between =
  /[,。!?;~…\n]+|(?=然后|之后|以后再|接着|再(?:把|帮|给|去|来)|并且?(?!到|发|排)|顺便|同时|存[到进成]|写[到进入]|导出?[到成]|保存[到成])|\b(?:and|then)\b|(?<=[てで])(?=[\p{Script=Han}a-z])/u;

/** What a normalised message asks for, one thing after the other. */
export function splitSteps(text: string): readonly string[] {
  return text.split(between).filter((step) => step !== "");
}
