/** /busy: the ways of words that come while she is busy. */
export const busy = {
  chosen: {
    queue: "Fine. What you say meanwhile waits until I am done.",
    steer: "Fine. What you say meanwhile I read at my next step.",
    interrupt: "Fine. When you say something, I drop what I am doing and listen. What is done stays done.",
  },
  now: {
    queue: "Now: queue. What you say while I am busy waits until I am done.",
    steer: "Now: steer. What you say while I am busy I read at my next step.",
    interrupt: "Now: interrupt. What you say while I am busy stops what I am doing.",
  },
  usage:
    "Usage: /busy queue, /busy steer, /busy interrupt. In a group only the person who asked can steer or interrupt; an owner can interrupt, too.",
  notHere: "Here each line gets its own answer, so it cannot enter another one. Use /busy queue or /busy interrupt.",
} as const;
