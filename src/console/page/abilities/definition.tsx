import { useSignal } from "@preact/signals";
import type { ServerToolView } from "../../views/abilities-views.ts";
import type { AbilityWords } from "../words/abilities/zh.ts";

/** Lines before and after a changed one. */
const around = 2;
const kinds = { "+": "a", "-": "d", " ": "" } as const;

/** A definition that waits, with both hashes. Only lines that stay the same are folded: nothing new may be overlooked. */
export function Definition({ tool, say }: { readonly tool: ServerToolView; readonly say: AbilityWords["mcp"] }) {
  const isOpen = useSignal(false);
  const { hash = "", lines = [], name, was } = tool;
  const near = lines.filter((_, at) =>
    lines.slice(Math.max(0, at - around), at + around + 1).some(({ sign }) => sign !== " "),
  );
  const shown = isOpen.value ? lines : near;
  return (
    <div class="diff">
      <div class="name">
        <b>{name}</b>
        <span>
          {was === undefined
            ? say.newHash(hash.slice(0, 12))
            : `${say.hash} ${was.slice(0, 12)} → ${hash.slice(0, 12)}`}
        </span>
      </div>
      {shown.map(({ sign, text }, at) => (
        <div key={at} class={`l ${kinds[sign]}`}>
          <span />
          <span>{sign}</span>
          <span>{text}</span>
        </div>
      ))}
      {shown.length < lines.length && (
        <button class="fold" type="button" onClick={() => (isOpen.value = true)}>
          {say.unfold(lines.length - shown.length)}
        </button>
      )}
    </div>
  );
}
