import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { keepChoice, languages, readLanguage, themes } from "./choices.ts";
import { AbilitiesIcon, Brand, ChatsIcon, HerIcon, Logo, SystemIcon, TodayIcon } from "./icons.tsx";
import { ConnectionBanner, ConnectionState } from "./connection-state.tsx";
import { isOutdated } from "./live.ts";
import { listShortcuts, Keyboard } from "./keyboard.tsx";
import { notices, switchNotices } from "./notices.ts";
import { listPages, pathOfPage, type PageName } from "./pages.ts";
import { followLinks } from "./router.ts";
import { isMember } from "./viewer.ts";
import type { PageWords } from "./words/zh.ts";

const languageNames = { zh: "中", en: "En", ja: "日" } as const;

const icons = {
  today: TodayIcon,
  chats: ChatsIcon,
  her: HerIcon,
  abilities: AbilitiesIcon,
  system: SystemIcon,
} as const;

/** The frame around every page. */
export function Frame({
  words,
  page,
  counts,
  version,
  fault,
  onLeave,
  children,
}: {
  readonly words: PageWords;
  readonly page: PageName;
  /** The number of things on a page that wait for the owner. */
  readonly counts: Readonly<Partial<Record<PageName, number>>>;
  readonly version: string;
  readonly fault: string | undefined;
  readonly onLeave: () => void;
  readonly children: ComponentChildren;
}) {
  const foot = <Foot words={words} version={version} onLeave={onLeave} />;
  const links = listPages().map((name) => {
    const Icon = icons[name];
    const count = counts[name] ?? 0;
    return (
      <a key={name} href={pathOfPage(name)} aria-current={name === page ? "page" : undefined}>
        <Icon />
        {words.pages[name]}
        {count > 0 && (
          <span class="count" role="img" aria-label={words.waiting(count)}>
            {count}
          </span>
        )}
      </a>
    );
  });
  return (
    <div class="whole" onClick={followLinks}>
      <a class="skip" href="#content">
        {words.skip}
      </a>
      <div class="frame">
        <div class="nav">
          <Brand name={words.name} />
          <nav aria-label={words.navigation}>
            <ul>
              {links.map((link) => (
                <li key={link.key}>{link}</li>
              ))}
            </ul>
          </nav>
          {foot}
        </div>
        <header class="topbar">
          <Logo />
          <b>{words.pages[page]}</b>
          <span class="right">
            <ConnectionState words={words} />
          </span>
        </header>
        <main id="content" tabIndex={-1}>
          <ConnectionBanner words={words} />
          <div role="alert">{fault !== undefined && <p class="banner">{fault}</p>}</div>
          {children}
        </main>
      </div>
      <footer class="phonefoot">{foot}</footer>
      <nav class="tabbar" aria-label={words.navigation}>
        {links}
      </nav>
      <Keyboard words={words} />
    </div>
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
      <ConnectionState words={words} />
      <div>Kurisu {version}</div>
      {isOutdated.value && (
        <button class="link" type="button" onClick={() => location.reload()}>
          {words.connection.outdated}
        </button>
      )}
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
      <div class="desk">
        <button class="link by-keys" type="button" onClick={listShortcuts}>
          {words.keyboard.open}
        </button>
        {notices.value !== "none" && (
          <button
            class="link"
            type="button"
            disabled={notices.value === "refused"}
            onClick={() => void switchNotices()}
          >
            {words.notices[notices.value]}
          </button>
        )}
      </div>
      <div>
        {isMember.value ? words.member.name : words.owner}
        <i class="sep" />
        <button class="link" type="button" onClick={onLeave}>
          {words.leave}
        </button>
      </div>
    </div>
  );
}
