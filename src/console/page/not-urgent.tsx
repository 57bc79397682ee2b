import type { LaterView } from "../views/today-views.ts";
import { pathTo } from "./router.ts";
import type { PageWords } from "./words/zh.ts";

/** The things that can wait, each with the way to see to it. */
export function NotUrgent({ later, words }: { readonly later: readonly LaterView[]; readonly words: PageWords }) {
  if (later.length === 0) return null;
  const say = words.later;
  return (
    <section aria-labelledby="later">
      <h2 class="head" id="later">
        {say.title}
      </h2>
      <div class="sheet">
        {later.map((one) => {
          const { detail, title } = describe(one, words);
          return (
            <div class="wish" key={title}>
              <b class="t">{title}</b>
              <span class="d">
                {detail}
                {one.kind === "mcp" && (
                  <>
                    {" "}
                    <a href={pathTo(["abilities", "mcp"])}>{say.mcpLook}</a>
                  </>
                )}
              </span>
            </div>
          );
        })}
      </div>
    </section>
  );
}

function describe(one: LaterView, { later: say }: PageWords): { readonly title: string; readonly detail: string } {
  switch (one.kind) {
    case "mcp":
      return { title: say.mcp(one.server, one.tools), detail: say.mcpHow };
    case "restart":
      return { title: say.restart(one.keys.length), detail: one.keys.join(", ") };
    case "refused":
      return { title: say.refused(one.files.length), detail: one.files.join(", ") };
  }
}
