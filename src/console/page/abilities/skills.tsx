import { useSignal } from "@preact/signals";
import type { SkillChoiceRequest, SkillsView, SkillView } from "../../views/skills-views.ts";
import { callServer, type ServerAnswer } from "../call-server.ts";
import { connection } from "../live.ts";
import type { AbilityParts } from "./ability-parts.ts";
import { InstallSkill } from "./install-skill.tsx";
import { Nothing } from "./nothing.tsx";
import { RemoveSkill } from "./remove-skill.tsx";
import { SkillFindings } from "./skill-findings.tsx";

/** Only a shared skill is switched on: one of hers is used as it is needed, and an installed one is let in by its question. */
const choices = { own: ["off", "auto"], installed: ["off", "auto"], shared: ["on", "off", "auto"] } as const;

/** The skills with what chats have chosen, and the way in for an archive. */
export function Skills({
  onChanged,
  skills: { disabled, items },
  ...parts
}: AbilityParts & { readonly skills: SkillsView; readonly onChanged: () => void }) {
  const say = parts.say.skills;
  const told = useSignal("");
  const isBusy = useSignal(false);
  const isOff = isBusy.value || connection.value.kind !== "live";

  async function act(asked: Promise<ServerAnswer<unknown>>, done: string): Promise<void> {
    isBusy.value = true;
    const answer = await asked;
    isBusy.value = false;
    const isGone = answer.kind === "refused" && answer.status === 404;
    told.value = answer.kind === "ok" ? done : isGone ? say.gone : say.failed;
    onChanged();
  }
  const remove = (id: string) => act(callServer("DELETE", `/skills/${encodeURIComponent(id)}`), say.removed(id));
  const choose = (
    skill: SkillView,
    { chat, session }: SkillView["choices"][number],
    choice: SkillChoiceRequest["choice"],
  ) => {
    const request: SkillChoiceRequest = { skill: skill.id, choice };
    return act(
      callServer("PUT", `/sessions/${encodeURIComponent(session)}/skills`, request),
      say.chosen(skill.id, chat),
    );
  };

  return (
    <section aria-label={say.title}>
      <InstallSkill {...parts} onChanged={onChanged} />
      <p role="status" class={told.value === "" ? "sr" : "able-told small"}>
        {told.value}
      </p>
      {items.length + disabled.length === 0 ? (
        <Nothing title={say.none} how={say.noneHow} />
      ) : (
        <ul class="sheet able-servers">
          {disabled.map(({ id, problem }) => (
            <li key={`off ${id}`}>
              <span class="dot off" />
              <h2>{id}</h2>
              <div class="rest">
                <p lang="en">{say.off(problem)}</p>
                <RemoveSkill id={id} say={say} isOff={isOff} onRemove={remove} />
              </div>
            </li>
          ))}
          {items.map((skill) => (
            <li key={skill.id}>
              <span class={`dot ${skill.missing.length > 0 ? "off" : "ready"}`} />
              <h2>
                {skill.id}{" "}
                <span class="soft">
                  {skill.name}
                  <i class="sep" />
                  {skill.version}
                  <i class="sep" />
                  {say.from[skill.from]}
                </span>
              </h2>
              <div class="rest">
                {skill.description !== "" && <p>{skill.description}</p>}
                <p class="mono way">{skill.source}</p>
                <p class="small soft">{say.usual[skill.from]}</p>
                {skill.missing.length > 0 && <p>{say.missing(skill.missing.join(parts.say.comma))}</p>}
                {skill.choices.map((one) => (
                  <div class="able-choice" key={one.session} role="group" aria-label={say.in(one.chat)}>
                    <span>{say.in(one.chat)}</span>
                    <span class="seg">
                      {choices[skill.from].map((choice) => (
                        <button
                          key={choice}
                          type="button"
                          aria-pressed={one.choice === choice}
                          disabled={isOff}
                          onClick={() => void choose(skill, one, choice)}
                        >
                          {say.choices[choice]}
                        </button>
                      ))}
                    </span>
                  </div>
                ))}
                {skill.findings.length > 0 && (
                  <details>
                    <summary>{say.findings(skill.findings.length)}</summary>
                    <SkillFindings findings={skill.findings} />
                  </details>
                )}
                {skill.from === "installed" && <RemoveSkill id={skill.id} say={say} isOff={isOff} onRemove={remove} />}
              </div>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
