/** /busy: the ways of words that come while she is busy. */
export const busy = {
  chosen: {
    queue: "好，手上的事做完再看你后面说的。",
    steer: "好，手上的事还没完你又说话，我下一步就会看到。",
    interrupt: "好，你再说话，我就停下手上的事先听你的。已经做了的不会撤回。",
  },
  now: {
    queue: "现在是排队：手上的事做完再看后面的话。",
    steer: "现在是插话：后面的话在我下一步时就看到。",
    interrupt: "现在是打断：后面的话一来，我就停下手上的事。",
  },
  usage:
    "用法：/busy 排队、/busy 插话、/busy 打断（queue、steer、interrupt）。群里，只有提要求的那个人能插话或打断；管理员也能打断。",
  notHere: "这里每句话都各有各的回答，插不了话。用 /busy 排队 或 /busy 打断。",
} as const;
