import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { keepChoice, languages, readLanguage, themes } from "./choices.ts";
import { Brand, Logo, TodayIcon } from "./marks.tsx";
import type { PageWords } from "./words/zh.ts";

const languageNames = { zh: "中", en: "En", ja: "日" } as const;

/** The frame around every page. */
export function Frame({
  words,
  version,
  fault,
  onLeave,
  children,
}: {
  readonly words: PageWords;
  readonly version: string;
  readonly fault: string | undefined;
  readonly onLeave: () => void;
  readonly children: ComponentChildren;
}) {
  const foot = <Foot words={words} version={version} onLeave={onLeave} />;
  return (
    <>
      <a class="skip" href="#content">
        {words.skip}
      </a>
      <div class="frame">
        <div class="nav">
          <Brand name={words.name} />
          <nav aria-label={words.navigation}>
            <ul>
              <li>
                <a href="/console/" aria-current="page">
                  <TodayIcon />
                  {words.pages.today}
                </a>
              </li>
            </ul>
          </nav>
          {foot}
        </div>
        <header class="topbar">
          <Logo />
          <b>{words.pages.today}</b>
        </header>
        <main id="content" tabIndex={-1}>
          <div role="alert">{fault !== undefined && <p class="banner">{fault}</p>}</div>
          {children}
        </main>
      </div>
      <footer class="phonefoot">{foot}</footer>
    </>
  );
}

function Foot({
  words,
  version,
  onLeave,
}: {
  readonly words: PageWords;
  readonly version: string;
  readonly onLeave: () => void;
}) {
  const theme = useSignal(document.documentElement.dataset["theme"] ?? "auto");
  const language = readLanguage();
  return (
    <div class="foot">
      <div>Kurisu {version}</div>
      <span class="seg" role="group" aria-label={words.language}>
        {languages.map((one) => (
          <button
            type="button"
            lang={one}
            aria-pressed={one === language}
            onClick={() => {
              keepChoice("kurisu_language", one);
              location.reload();
            }}
          >
            {languageNames[one]}
          </button>
        ))}
      </span>
      <span class="seg" role="group" aria-label={words.theme}>
        {themes.map((one) => (
          <button
            type="button"
            aria-pressed={one === theme.value}
            onClick={() => {
              keepChoice("kurisu_theme", one);
              document.documentElement.dataset["theme"] = one;
              theme.value = one;
            }}
          >
            {words.themes[one]}
          </button>
        ))}
      </span>
      <div>
        {words.owner}
        <i class="sep" />
        <button class="link" type="button" onClick={onLeave}>
          {words.leave}
        </button>
      </div>
    </div>
  );
}
