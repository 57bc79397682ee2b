/** Tells English sentences from command lines, names and codes, which are written in the same letters. */

/** Words that sentences are built with. */
const sentenceWords = new Set(
  `a an the is are was were be am i you he she it we they my your me him us them what how why when where which who can could
  will would should please to of in on for with and or but do does did not don't can't i'm it's that's this that there let
  let's have has if about tell show make give find want need thanks thank what's who's where's how's i've i'd i'll you're
  isn't doesn't didn't won't wasn't aren't anything something nothing everything any some all every more than then from at
  by as so just really too very because after before today tomorrow yesterday now`.split(/\s+/),
);

/** Said alone they are a whole English message. */
const wholeMessages = new Set(
  `hello hi hey thanks thank please sorry what why who when where how howdy greetings goodbye welcome morning good nice great
  hiya thx`.split(/\s+/),
);

/** Verbs of requests, before a thing. None is a common shell command. */
const requestVerbs = new Set(
  `run show list read write delete remove create search tell give explain translate execute check remind download summarize
  summarise calculate convert send open edit append rename describe compare draw play call look help try use say add find
  fetch make get set copy move count save`.split(/\s+/),
);

/** The first words of command lines. */
const commandNames = new Set(
  `ls cd pwd cat cp mv rm mkdir rmdir touch echo printf grep egrep rg sed awk find xargs sort uniq head tail wc cut tr tee diff
  patch less more man which whoami who id uname hostname date cal uptime top htop ps kill killall df du free lsblk mount umount
  chmod chown ln tar zip unzip gzip gunzip curl wget ping ssh scp rsync dig nslookup ifconfig ip netstat ss nc telnet git svn
  hg npm npx yarn pnpm node deno bun tsc python python3 pip pip3 uv ruby gem perl php java javac go cargo rustc gcc cc make
  cmake docker podman kubectl helm systemctl service journalctl apt apt-get yum dnf brew pacman sudo su export source alias
  env set unset history clear exit vim vi nano emacs code tmux screen test time sleep seq yes true false file stat jq psql
  mysql sqlite3 redis-cli ollama ffmpeg openssl kurisu`.split(/\s+/),
);

/** Commands that print their arguments: words after them are no sentence. */
const printers = new Set(["echo", "printf", "git", "alias", "export"]);

interface EnglishSigns {
  /** Words in plain letters; no file name, flag or code is one. */
  readonly words: number;
  readonly signs: number;
  readonly english: boolean;
  /** It begins as an English sentence does. */
  readonly begins: boolean;
}

export function readEnglish(text: string): EnglishSigns {
  const tokens = splitTokens(text);
  const words = tokens.flatMap((token) => readWord(token) ?? []);
  const signs = words.filter((word) => sentenceWords.has(word) || wholeMessages.has(word)).length;
  const [first = ""] = words;
  const opens = [sentenceWords, wholeMessages, requestVerbs].some((known) => known.has(first));
  return {
    words: words.length,
    signs,
    english: !isCommandLine(text) && isSentence(tokens, words, signs),
    begins: opens && readWord(tokens[0] ?? "") === first && !isCommandLine(text),
  };
}

function isSentence(tokens: readonly string[], words: readonly string[], signs: number): boolean {
  const [first = ""] = words;
  if (words.length === 1 && tokens.length === 1) return wholeMessages.has(first);
  if (words.length === 0) return false;
  if (requestVerbs.has(first) && tokens.length >= 2 && readWord(tokens[0] ?? "") === first) return true;
  return signs >= 1 || words.length >= 5;
}

/** `git push origin main`, `find . -name '*.txt'`; not "find me a book" and not "docker is slow". */
function isCommandLine(text: string): boolean {
  const [first = "", ...rest] = splitTokens(text.replace(/^[\s$#>]+/, ""));
  const name = first.toLowerCase();
  if (!commandNames.has(name)) return /^(?:\.{0,2}\/|~\/|[A-Z_]+=)/.test(first);
  if (printers.has(name)) return !/^(?:is|are|was|isn't|does|doesn't)$/i.test(rest[0] ?? "");
  const words = rest.flatMap((token) => readWord(token) ?? []);
  const hasSyntax = rest.some((token) => /^-|^[|<>&;]|[|>;]$|^[*.~$/]|[/*=]/.test(token));
  if (hasSyntax) return true;
  if (rest.length === 0) return true;
  return !words.some((word) => sentenceWords.has(word));
}

function splitTokens(text: string): readonly string[] {
  return text
    .split(/[\s\u3000-\u303f\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]+/u)
    .filter((token) => /[!-~]/.test(token));
}

/** In small letters, without the marks around it. A code such as `8QJ4-M2AN` and `a.txt` are no words. */
function readWord(token: string): string | undefined {
  const match = /^["'([]{0,3}([a-z]+(?:['’][a-z]+)?)[)\]"'.,!?:;…~]{0,6}$/i.exec(token);
  return match?.[1]?.toLowerCase().replace("’", "'");
}
