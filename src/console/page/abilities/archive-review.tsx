import type { ArchiveReviewView } from "../../views/skills-views.ts";
import { showSize } from "../show-size.ts";
import type { SkillsWords } from "../words/skills/zh.ts";
import { SkillFindings } from "./skill-findings.tsx";

const kinds: Readonly<Record<string, string>> = { "+": "a", "-": "d" };

/** All that an archive is, as the terminal shows it. */
export function ArchiveReview({
  isOff,
  onCancel,
  onInstall,
  review,
  say,
}: {
  readonly review: ArchiveReviewView;
  readonly say: SkillsWords["archive"];
  readonly isOff: boolean;
  readonly onInstall: (review: ArchiveReviewView) => Promise<void>;
  readonly onCancel: () => void;
}) {
  const { description, files, findings, hash, id, isBlocked, name, over, rights, version } = review;
  return (
    <div class="able-review" role="group" aria-label={`${id} ${version}`}>
      <h3>
        {id} <span class="soft">{name}</span> {version}
      </h3>
      {description !== "" && <p>{description}</p>}
      <p class="small soft">
        {say.files(files.length)}
        <i class="sep" />
        {say.hash(hash.slice(0, 12))}
      </p>
      <ul class="mono small">
        {files.map(({ bytes, path }) => (
          <li key={path}>
            {path} <span class="soft">{showSize(bytes)}</span>
          </li>
        ))}
      </ul>
      {rights.map((line) => (
        <p key={line}>{line}</p>
      ))}
      {findings.length === 0 ? <p>{say.clean}</p> : <SkillFindings findings={findings} />}
      {over && (
        <>
          <p>{over.files.length === 0 ? say.same : say.changes(over.version)}</p>
          {over.files.map(({ lines, title }) => (
            <div class="diff" key={title}>
              <div class="name">
                <b>{title}</b>
              </div>
              {lines.map((line, at) => (
                <div key={at} class={`l ${kinds[line[0] ?? ""] ?? ""}`}>
                  <span />
                  <span>{/^[+-]/.test(line) ? line[0] : ""}</span>
                  <span>{/^[+ -]/.test(line) ? line.slice(1) : line}</span>
                </div>
              ))}
            </div>
          ))}
        </>
      )}
      {isBlocked && (
        <p class="bad">
          {say.blocked} <code class="mono">./kurisu skills install</code>
        </p>
      )}
      <span class="acts">
        {!isBlocked && (
          <button class="btn yes" type="button" disabled={isOff} onClick={() => void onInstall(review)}>
            {over ? say.update : say.install}
          </button>
        )}
        <button class="btn" type="button" onClick={onCancel}>
          {say.cancel}
        </button>
      </span>
    </div>
  );
}
