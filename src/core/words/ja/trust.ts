/** /trust と /untrust への答え。 */
export const trust = {
  usage: "使い方：/trust IDか名前、取り消しは /untrust。ID はプラットフォームの番号。同じ名前が複数あれば ID で。",
  given: ({ name, id }: { readonly name: string; readonly id: string }) => `了解。${name}（${id}）を信頼する人にしました。次の発言から有効です。`,
  taken: ({ name, id }: { readonly name: string; readonly id: string }) => `${name}（${id}）は信頼する人から外れ、ただのメンバーになりました。今すぐ有効です。`,
  unknown: (text: string) => `「${text}」という人を知りません。ID で指定するか、先にペアリングしてもらってください。`,
  several: (ids: readonly string[]) => `その名前の人は複数います：${ids.join("、")}。ID で指定してください。`,
  isOwner: (name: string) => `${name} はすでに管理者です。`,
  notTrusted: (name: string) => `${name} はもともと信頼する人ではありません。`,
  byConfiguration: (name: string) => `${name} は設定で信頼されています。channels.yaml の trusted を変えてください。`,
};
