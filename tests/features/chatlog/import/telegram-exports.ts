import type { ExportCase } from "./export-case.ts";

export const telegramExports: readonly ExportCase[] = [
  {
    what: "one chat of Telegram Desktop",
    format: "telegram",
    text: JSON.stringify(
      {
        name: "搬家群",
        type: "private_supergroup",
        id: 1234,
        messages: [
          { id: 1, type: "service", date: "2024-05-01T12:00:00", actor: "Ann", action: "create_group", text: "" },
          {
            id: 2,
            type: "message",
            date: "2024-05-01T12:00:05",
            date_unixtime: "1714536005",
            from: "Ann",
            from_id: "user11",
            text: ["看 ", { type: "link", text: "https://a.example" }, " 和\n", { type: "bold", text: "这个" }],
          },
          {
            id: 3,
            type: "message",
            date_unixtime: "1714536006",
            from: "Bo",
            from_id: "user12",
            photo: "p.jpg",
            text: "猫",
          },
          {
            id: 4,
            type: "message",
            date_unixtime: "1714536007",
            from: "Bo",
            from_id: "user12",
            file: "s.webp",
            media_type: "sticker",
            sticker_emoji: "😀",
            text: "",
          },
          {
            id: "message5",
            type: "message",
            date: "2024-05-01T12:00:08",
            from: null,
            from_id: "channel9",
            text: "公告",
          },
          { id: 6, type: "message", from: "Bo", text: "没有时间" },
          { id: 7, type: "message", date_unixtime: "1714536009", from: "Bo", from_id: "user12", text: "" },
        ],
      },
      null,
      1,
    ),
    pieces: [
      "chat 搬家群 telegram:1234 shared",
      "14 2024-05-01T04:00:05 Ann(telegram:11)#2 看 https://a.example 和\n这个",
      "34 2024-05-01T04:00:06 Bo(telegram:12)#3 [图片] 猫",
      "43 2024-05-01T04:00:07 Bo(telegram:12)#4 [表情 😀]",
      "54 2024-05-01T04:00:08 channel9()#5 公告",
      "62 faulty",
    ],
  },
  {
    what: "everything of Telegram Desktop",
    format: "telegram",
    text: JSON.stringify({
      about: "Here is the data you requested.",
      personal_information: { user_id: 11, first_name: "Ann" },
      contacts: { list: [{ user_id: 12 }] },
      chats: {
        about: "This page lists all chats from this export.",
        list: [
          {
            name: "Bo",
            type: "personal_chat",
            id: 12,
            messages: [
              { id: 5, type: "message", date_unixtime: "1714536005", from: "Bo", from_id: "user12", text: "在吗" },
            ],
          },
          { type: "saved_messages", id: 11, messages: [] },
          {
            type: "saved_messages",
            id: 11,
            messages: [
              { id: 6, type: "message", date_unixtime: "1714536006", from: "Ann", from_id: "user11", text: "备忘" },
            ],
          },
        ],
      },
      left_chats: {
        list: [
          {
            name: "旧群",
            type: "private_group",
            id: 77,
            messages: [
              { id: 7, type: "message", date_unixtime: 1_714_536_007, from: "Bo", from_id: "user12", text: "再见" },
            ],
          },
        ],
      },
    }),
    pieces: [
      "chat Bo telegram:12 own",
      "1 2024-05-01T04:00:05 Bo(telegram:12)#5 在吗",
      "chat Saved Messages telegram:11 own",
      "1 2024-05-01T04:00:06 Ann(telegram:11)#6 备忘",
      "chat 旧群 telegram:77 own",
      "1 2024-05-01T04:00:07 Bo(telegram:12)#7 再见",
    ],
  },
];
