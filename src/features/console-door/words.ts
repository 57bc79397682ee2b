import type { Language } from "../../core/conversation.ts";
import { kurisuCommand } from "../../core/kurisu-command.ts";
import type { Translated } from "../../core/words/dictionary.ts";

const zh = {
  menus: {
    console: {
      menu: "拿网页控制台的登录码",
      help: "/console 拿一个网页控制台的登录码，在那里看你自己的对话、记忆和提醒",
    },
  },
  notHere: "这里拿不到登录码，请到聊天软件里私聊我。",
  atTerminal: `在终端里用 ${kurisuCommand} console code 拿登录码。`,
  privateOnly: "登录码我只在私聊里给：群里谁都看得到。",
  closed: "网页控制台还没有对大家开放，要等管理员打开。",
  closedByYou:
    "从聊天里登录控制台还没打开：在 console.yaml 里写上 members: true，认识的人就能各看各的；你自己也能这样进来。",
  notListening: "控制台现在没在运行，过一会儿再试。",
  at: (address: string) => `控制台在这里：${address}`,
  noAddress: {
    member: "控制台的地址问管理员要，我不知道你那边该怎么连过来。",
    owner: "console.yaml 的 hosts 里没有写地址；在我运行的机器上打开控制台就行。",
  },
  code: (code: string) => `登录码是 ${code}，10 分钟内有效，只能用一次。别给别人：拿到它的人就能看你的东西。`,
};

const en: Translated<typeof zh> = {
  menus: {
    console: {
      menu: "Get a code for the web console",
      help: "/console   a code for the web console, where you see your own chats, memories and reminders",
    },
  },
  notHere: "There is no code for the console here. Ask me in private in a chat app.",
  atTerminal: `In the terminal, ${kurisuCommand} console code prints a code.`,
  privateOnly: "I give codes for the console in private only: a group shows them to everybody.",
  closed: "The web console is not open to everybody yet. The owner would have to open it.",
  closedByYou:
    "Nobody gets in from a chat yet. With members: true in console.yaml the people I know see what is their own there, and you can come in this way too.",
  notListening: "The console is not running right now. Try again in a while.",
  at: (address: string) => `The console is here: ${address}`,
  noAddress: {
    member: "Ask the owner for the console's address. I cannot tell how it is reached from where you are.",
    owner: "No address is listed as hosts in console.yaml. The console opens on the machine that I run on.",
  },
  code: (code: string) =>
    `Your code is ${code}, good for 10 minutes and for one use. Give it to nobody: who has it sees what is yours.`,
};

const ja: Translated<typeof zh> = {
  menus: {
    console: {
      menu: "ウェブコンソールのログインコード",
      help: "/console ウェブコンソールのログインコード。自分の会話・記憶・リマインダーが見られる",
    },
  },
  notHere: "ここではコードを出せないわ。チャットアプリの個人チャットで言って。",
  atTerminal: `端末では ${kurisuCommand} console code でコードが出るわ。`,
  privateOnly: "コードは個人チャットでしか渡さない。グループでは全員に見えるから。",
  closed: "ウェブコンソールはまだみんなに開放されていないの。管理者が開けるまで待って。",
  closedByYou:
    "チャットからのログインはまだ閉じてる。console.yaml に members: true と書けば、知り合いが自分の分だけ見られるし、あなたもここから入れる。",
  notListening: "コンソールは今動いていない。少ししてからもう一度。",
  at: (address: string) => `コンソールはここ：${address}`,
  noAddress: {
    member: "コンソールのアドレスは管理者に聞いて。そちらからどうつながるか、わたしには分からない。",
    owner: "console.yaml の hosts にアドレスがない。わたしが動いているマシンで開いて。",
  },
  code: (code: string) =>
    `コードは ${code}。10 分間有効、一回だけ。誰にも渡さないこと。持った人があなたの分を見られてしまう。`,
};

export const consoleDoorWords: Readonly<Record<Language, Translated<typeof zh>>> = { zh, en, ja };
