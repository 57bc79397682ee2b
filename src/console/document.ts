import type { Language } from "../core/conversation.ts";
import type { PageFiles } from "./page-files.ts";

/** `auto` follows the system. */
export const themes = ["auto", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

/** Nothing but our own files; no text becomes HTML or a script. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

export const documentHeaders = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": policy,
  "Cross-Origin-Opener-Policy": "same-origin",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cache-Control": "no-store",
} as const;

const tags: Readonly<Record<Language, string>> = { zh: "zh-CN", en: "en", ja: "ja" };

interface Failure {
  readonly noScript: string;
  readonly notStarted: string;
  readonly notBuilt: string;
}

/** Said by the document itself, where the page's own words are not there. */
const failures: Readonly<Record<Language, Failure>> = {
  zh: {
    noScript: "控制台要开着 JavaScript 才能用。",
    notStarted: "控制台没有起来。换一个新一点的浏览器，或者刷新试试；和她说话不受影响。",
    notBuilt: "这里没有控制台的文件。用 npm start 启动一次，它会自己装好。",
  },
  en: {
    noScript: "The console needs JavaScript.",
    notStarted: "The console did not start. Try a newer browser, or reload. Chats are not affected.",
    notBuilt: "The files of the console are missing. Start once with npm start, which builds them.",
  },
  ja: {
    noScript: "コンソールには JavaScript が必要です。",
    notStarted:
      "コンソールが起動しませんでした。新しいブラウザで開くか、再読み込みしてください。チャットには影響ありません。",
    notBuilt: "コンソールのファイルがありません。npm start で一度起動すると用意されます。",
  },
};

export const describeNotBuilt = (language: Language): string => failures[language].notBuilt;

/** The same for every path of the page. */
export function writeDocument(
  { homeIcon, icon, imports, manifest, script, style, words }: PageFiles["list"],
  language: Language,
  theme: Theme,
): string {
  const { noScript, notStarted } = failures[language];
  return `<!doctype html>
<html lang="${tags[language]}" data-theme="${theme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<title>Kurisu</title>
<link rel="icon" href="/console/assets/${icon}" type="image/svg+xml">
<link rel="apple-touch-icon" href="/console/assets/${homeIcon}">
<link rel="manifest" href="/console/assets/${manifest}">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="#f3f2ed">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#0f1416">
<link rel="stylesheet" href="/console/assets/${style}">
${[words[language], ...imports].map((name) => `<link rel="modulepreload" href="/console/assets/${name}">`).join("\n")}
<script type="module" src="/console/assets/${script}"></script>
</head>
<body>
<div id="app"><noscript><p class="unstarted now">${noScript}</p></noscript><p class="unstarted">${notStarted}</p></div>
</body>
</html>
`;
}
