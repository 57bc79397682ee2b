import type { PageWords } from "./words/zh.ts";

/** Every conversation. */
export function Chats({ words }: { readonly words: PageWords }) {
  return <h1 class="sr">{words.pages.chats}</h1>;
}
