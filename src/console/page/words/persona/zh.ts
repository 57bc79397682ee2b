import { editor } from "../editor/zh.ts";

export const persona = {
  list: "人格",
  usual: "默认",
  broken: "有错",
  unsaved: "没保存",
  shipped: "自带",
  shippedHow: "这是 Kurisu 自带的。第一次保存会先复制到你的 config/personas，之后改的是你那份。",
  copied: "已复制到 config/personas，以后改的是你这份。",
  readOnly: "Kurisu 写不进这个文件夹，只能看。让它的用户能写 config/personas，再打开一次。",
  gone: "没有这个人格",
  goneHow: "可能刚被删掉或改了名。看看还有哪些",
  count: (count: number) => `${count} 个对话选了`,
  files: "人格的文件",
  languages: { zh: "中文", en: "英语", ja: "日语" },
  tokens: "每轮都带",
  draftTokens: "保存后",
  use: "到处都用这个",
  used: "从下一条消息起，没另选的对话都用这个。",
  refused: (reason: string) => `没换成：${reason}`,
  failed: "没成功，再试一次。",
  export: "导出角色卡",
  usualHow: "没另选人格的对话都用这个。",
  nobody: "没有对话选这个。",
  chats: "选了这个的对话：",
  more: (count: number) => `还有 ${count} 个`,
  editor: {
    ...editor,
    masked: "文件里有一个密钥（这里遮住了），或者它是链接、不是文字，所以不能在这里改。到机器上改。",
    states: {
      ...editor.states,
      "in-force": "已生效，下一条消息就用",
      "saved-refused": "存好了，但别处还有错，先用着之前的",
      secret: "文字里有一个密钥，没有保存。把它拿掉",
    },
  },
};

export type PersonaWords = typeof persona;
