import { useSignal } from "@preact/signals";
import type { SkillsWords } from "../words/skills/zh.ts";

/** Takes an installed skill away, in two steps. */
export function RemoveSkill({
  id,
  isOff,
  onRemove,
  say,
}: {
  readonly id: string;
  readonly say: SkillsWords;
  readonly isOff: boolean;
  readonly onRemove: (id: string) => Promise<void>;
}) {
  const isAsked = useSignal(false);
  if (!isAsked.value)
    return (
      <span class="acts">
        <button
          class="btn sm no"
          type="button"
          disabled={isOff}
          aria-label={`${say.remove} ${id}`}
          onClick={() => (isAsked.value = true)}
        >
          {say.remove}
        </button>
      </span>
    );
  return (
    <div class="sure" role="group" aria-label={say.sure(id)}>
      <p>{say.sure(id)}</p>
      <span class="acts">
        <button class="btn sm no" type="button" disabled={isOff} onClick={() => void onRemove(id)}>
          {say.yes}
        </button>
        <button class="btn sm" type="button" ref={(button) => button?.focus()} onClick={() => (isAsked.value = false)}>
          {say.no}
        </button>
      </span>
    </div>
  );
}
