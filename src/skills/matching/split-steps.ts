/** Where one thing asked for ends and the next begins: a clause, 「然后」, "and", 「存到」, 「…して」. */
const between =
  /[,。!?;~…\n]+|(?=然后|之后|接着|再(?:把|帮|给|去|来)|并且?(?!到|发|排)|顺便|同时|存[到进成]|写[到进入]|导出?[到成]|保存[到成])|\b(?:and|then)\b|(?<=[てで])(?=[\p{Script=Han}a-z])/u;

/** 「你查查」: says to do something about what was said before. */
const referring =
  /^(?:你|帮我?|给我|快|赶紧|去|来|麻烦|请|再|先)*[查看搜找瞅瞧解修搞弄理排]+(?:一?[下眼]|个|点|决)?[吧呗啊看]?$/u;

/** What a normalised message asks for, one thing after the other. */
export function splitSteps(text: string): readonly string[] {
  const steps: string[] = [];
  for (const part of text.split(between)) {
    if (referring.test(part) && steps.length > 0) steps.push(`${steps.pop() ?? ""} ${part}`);
    else if (part !== "") steps.push(part);
  }
  return steps;
}
