/** Which words are the name of a file, and where in a sentence without spaces it begins. */

const extension = /\.[a-z][a-z0-9]{0,7}$/i;
const bareNames = /^(?:readme|makefile|dockerfile|license|changelog)$/i;
const domain = /^(?!.*\.\.)[a-z0-9][a-z0-9.-]*\.(?:com|org|net|io|dev|edu|gov|cn|jp|app)(?:\/\S*)?$/i;
/** 3.5GB, v1.2 and 1.5x are numbers. */
const number = /^v?\d[\d.]*[a-z]{0,4}$/i;
const folder = /^(?=.*[a-z])(?:(?:~|\.{1,2})?\/[\w./-]*|[\w.-][\w./-]*\/)$/i;
/** *.md, src/*.ts, *report* */
const pattern = /^(?=.*[a-z])(?:[\w./-]*\*[\w*/-]*\.[\w*]+|\*[\w-]+\*?)$/i;

export function isFileName(text: string): boolean {
  if (text.length > 200 || /[\n:：，。()（）=<>|;]/.test(text) || /\.\w*\s/.test(text)) return false;
  if (folder.test(text) || bareNames.test(text) || pattern.test(text)) return true;
  return extension.test(text) && !number.test(text) && !isAddress(text);
}

export function isAddress(text: string): boolean {
  return text.length < 300 && domain.test(text);
}

/** Words that may precede a name and are no part of it; only one of the verbs, or 读书笔记.md would lose its own. */
const particles =
  /^(?:麻烦你?|请|帮我|帮忙|给我|能不能|可以|我那个|我的|那个|这个|一下|下|叫做|叫|名为|名叫|把|将|在|往|向|从|给|到|里|的|文件|和|跟|与|再|先|然后|一个|个|新的|旧的|空|我想|我要|你|我)/;
const verb =
  /^(?:读取|读出|读一下|念一下|念念|查看|看一下|看一看|看看|看下|打开|显示|删掉|删除|删了|移除|扔掉|发给我|发一下|发送|发|传|下载|新建|创建|建立|建|写|复制|拷贝|移动|运行|执行|跑一下|跑|编辑|修改|读|念|删|数一下|找一下|找找|找|看|有)/;
/** A name begins behind the last of these, whatever precedes it. */
const introduction =
  /(?:写到|写进|写入|存到|存进|存为|存成|保存到|保存为|追加到|加到|放到|记到|改名为|改名成|叫做|名为|を)/g;
const wordsAtEnd = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー]+$/u;

/**
 * Whether `run`, characters that names are made of, is a file; and how many of the characters before it belong to the
 * name. A folder that was read before is `/` in them.
 */
export function findFileName(run: string, before: string): { readonly before: number } | undefined {
  if (/^(?:\.[a-z]|\/|\d)/i.test(run) && extension.test(run) && !(/^\d/.test(run) && number.test(run))) {
    const words = wordsAtEnd.exec(before)?.[0] ?? "";
    if (words !== "" && before.at(-words.length - 1) === "/") return { before: words.length + 1 };
    return { before: takeOff(words).length };
  }
  return isFileName(run) ? { before: 0 } : undefined;
}

function takeOff(words: string): string {
  const introduced = [...words.matchAll(introduction)].at(-1);
  let name = introduced === undefined ? words : words.slice(introduced.index + introduced[0].length);
  for (let verbs = 0; name !== "";) {
    const word = particles.exec(name)?.[0] ?? (verbs === 0 ? verb.exec(name)?.[0] : undefined);
    if (word === undefined) break;
    if (!particles.test(name)) verbs += 1;
    name = name.slice(word.length);
  }
  return name;
}
