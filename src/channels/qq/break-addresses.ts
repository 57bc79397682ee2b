/** 1 = nothing QQ takes for an address; 2 = it does not even look like one. */
export type AddressBreak = 0 | 1 | 2;

const address = /(?:https?:\/\/)?(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,18}(?![a-z0-9])(?::\d{1,5})?(?:\/[!-~]{0,2000})?/gi;

/** QQ refuses a message with an unregistered address; its words are worth more than the link. */
export function breakAddresses(text: string, how: AddressBreak): string {
  if (how === 0) return text;
  if (how === 2) return text.replaceAll(address, "[…]");
  return text.replaceAll(address, (whole) => whole.replace(/^https?:\/\//i, "").replaceAll(".", "。"));
}

/** The same for a question: an approver must see every letter of what they approve. */
export function bracketAddresses(text: string): string {
  return text.replaceAll(address, (whole) => whole.replace("://", "[:]//").replaceAll(".", "[.]"));
}
