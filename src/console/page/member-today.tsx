import { useEffect } from "preact/hooks";
import { Devices } from "./devices.tsx";
import { openCount } from "./questions-store.ts";
import type { ShowTime } from "./show-time.ts";
import { Waiting } from "./waiting.tsx";
import type { PageWords } from "./words/zh.ts";

/** The first page of a member: what waits for their word, and their devices. */
export function MemberToday({ words, time }: { readonly words: PageWords; readonly time: ShowTime }) {
  const sentence = words.member.waits(openCount.value);
  useEffect(() => {
    document.title = `${sentence} · Kurisu`;
  }, [sentence]);
  return (
    <>
      <section class="state" aria-label={words.pages.today}>
        <h1>{sentence}</h1>
        <p class="soft small">{words.member.hint}</p>
      </section>
      <div class="two">
        <div>
          <Waiting words={words} time={time} />
        </div>
        <div>
          <Devices words={words} time={time} />
        </div>
      </div>
    </>
  );
}
