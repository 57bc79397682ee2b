import type { ExportCase } from "./export-case.ts";

export const plainExports: readonly ExportCase[] = [
  {
    what: "an answer of get_group_msg_history",
    format: "onebot",
    text: JSON.stringify({
      status: "ok",
      retcode: 0,
      data: {
        messages: [
          {
            self_id: 99_999,
            user_id: 22_222,
            time: 1_714_536_000,
            message_id: 501,
            message_seq: 501,
            message_type: "group",
            group_id: 33_333,
            sender: { user_id: 22_222, nickname: "小波", card: "波" },
            raw_message: "x",
            message: [
              { type: "reply", data: { id: "400" } },
              { type: "at", data: { qq: "11111", name: "小安" } },
              { type: "text", data: { text: "看这个" } },
              { type: "image", data: { file: "a.jpg" } },
            ],
          },
          {
            user_id: "11111",
            time: 1_714_536_001,
            message_id: 502,
            group_id: "33333",
            sender: { nickname: "小安" },
            message: "[CQ:reply,id=501]好&#91;的&#93;[CQ:face,id=14]",
          },
          { user_id: 11_111, time: 0, message_id: 503, message: "没有时间" },
        ],
      },
    }),
    pieces: [
      "chat QQ 33333 qq:group:33333 shared",
      "1 2024-05-01T04:00:00 波(qq:22222)#501 @小安 看这个[图片]",
      "1 2024-05-01T04:00:01 小安(qq:11111)#502 好[的][表情]",
      "1 faulty",
    ],
  },
  {
    what: "events of OneBot, one a line",
    format: "onebot",
    text: [
      '{"post_type":"message","message_type":"private","user_id":22222,"time":1714536000,"message_id":1,"sender":{"nickname":"小波"},"message":"在吗"}',
      '{"post_type":"meta_event","meta_event_type":"heartbeat","time":1714536001}',
    ].join("\n"),
    pieces: ["chat  qq:private shared", "1 2024-05-01T04:00:00 小波(qq:22222)#1 在吗"],
  },
  {
    what: "plain JSONL",
    format: "jsonl",
    text: [
      '{"at":"2024-05-01 12:00:00","sender":"小安","text":"在吗","id":1}',
      '{"at":1714536001,"sender":"小波","person":"telegram:12","text":"在","reply":1}',
      '{"at":"2024-05-01T04:00:02Z","sender":"小安","text":"好"}',
      "",
      "坏了",
      '{"at":"昨天","sender":"小安","text":"好"}',
      '{"sender":"小安","text":"好"}',
    ].join("\n"),
    pieces: [
      "chat   own",
      "1 2024-05-01T04:00:00 小安()#1 在吗",
      "2 2024-05-01T04:00:01 小波(telegram:12)# 在",
      "3 2024-05-01T04:00:02 小安()# 好",
      "5 faulty",
      "6 faulty",
      "7 faulty",
    ],
  },
];
