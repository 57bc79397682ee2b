import * as fc from "fast-check";

/** What people do around questions, and what happens to them: for the model of approvals. */

const people = ["alice", "bob", "owner", "mallory"] as const;
export const rooms = ["own", "room", "hall"] as const;
const person = fc.constantFrom(...people);
const room = fc.constantFrom(...rooms);
const nth = fc.nat(5);
/** false = the next action does not wait for this one to come to rest. */
const calm = fc.boolean();

const ask = fc.record({ kind: fc.constant("ask"), person, room, calls: fc.integer({ min: 1, max: 3 }), calm });
/** What was asked before, once more: a grant may cover it. */
const askAgain = fc.record({ kind: fc.constant("askAgain"), person, room, nth: fc.nat(3), calm });
const reply = fc.record({
  kind: fc.constant("reply"),
  person,
  room,
  word: fc.constantFrom(
    "确认",
    "确认",
    "确认",
    "confirm",
    "yes!",
    "取消",
    "算了",
    "不确认",
    "好",
    "确认吗",
    "预览",
    "预览",
    "确认 30分钟",
    "确认 30分钟",
    "确认 本任务",
    "确认 1",
    "确认 1 3",
    "取消 2",
    "改成 x; poke changed",
  ),
  names: fc.constantFrom("nothing", "nothing", "code", "prompt", "other message"),
  nth,
  how: fc.constantFrom(
    "plain",
    "plain",
    "plain",
    "plain",
    "edited",
    "forwarded",
    "caption",
    "viaBot",
    "bot",
    "anonymous",
  ),
  calm,
});
const press = fc.record({
  kind: fc.constant("press"),
  person,
  room,
  nth,
  choice: fc.constantFrom("approve", "approve", "reject", "plain"),
  calm,
});
const preview = fc.record({
  kind: fc.constant("preview"),
  nth,
  by: fc.constantFrom("asker", "asker", ...people),
  how: fc.constantFrom("button", "word"),
  calm,
});
const action = fc.oneof(
  { weight: 5, arbitrary: ask },
  { weight: 3, arbitrary: askAgain },
  { weight: 8, arbitrary: reply },
  { weight: 3, arbitrary: press },
  { weight: 4, arbitrary: preview },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("repeat"), nth }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("wait"), seconds: fc.constantFrom(1, 61, 700, 1_790, 1_800, 1_900, -30) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom("restart", "policy", "votes") }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("command"),
      person,
      room,
      name: fc.constantFrom("/stop", "/new", "重来", "/revoke G1"),
    }),
  },
);
/** What seldom comes about by chance: a grant that is used, or not; a vote. */
const course = fc.oneof(
  fc
    .record({
      person,
      room,
      word: fc.constantFrom("确认 30分钟", "确认 30分钟", "确认 本任务"),
      between: fc.option(
        fc.constantFrom(
          { kind: "wait", seconds: 1_790 } as const,
          { kind: "wait", seconds: 1_800 } as const,
          { kind: "restart" } as const,
          { kind: "policy" } as const,
        ),
      ),
      again: fc.record({ person: fc.option(person), room: fc.option(room) }),
    })
    .map(({ person: who, room: where, word, between, again }): readonly Action[] => {
      const place = { person: who, room: where, calm: true };
      const other = { ...place, person: again.person ?? who, room: again.room ?? where };
      const said = { kind: "reply", ...place, word, names: "prompt", nth: 0, how: "plain" } as const;
      return [
        { kind: "ask", ...place, calls: 1 },
        said,
        ...(between ? [between] : []),
        { kind: "askAgain", ...place, nth: 0 },
        { kind: "askAgain", ...other, nth: 0 },
      ];
    }),
  fc
    .record({
      person,
      voters: fc.array(person, { minLength: 2, maxLength: 4 }),
      how: fc.constantFrom("reply", "press"),
    })
    .map(({ person: who, voters: all, how }): readonly Action[] => [
      { kind: "votes" },
      { kind: "ask", person: who, room: "room", calls: 1, calm: true },
      ...all.map((one): Action =>
        how === "press"
          ? { kind: "press", person: one, room: "room", nth: 0, choice: "approve", calm: false }
          : {
              kind: "reply",
              person: one,
              room: "room",
              word: "确认",
              names: "code",
              nth: 0,
              how: "plain",
              calm: false,
            },
      ),
    ]),
);
export const actions = fc
  .array(fc.oneof({ weight: 9, arbitrary: action.map((one) => [one]) }, { weight: 1, arbitrary: course }), {
    minLength: 3,
    maxLength: 16,
  })
  .map((list): readonly Action[] => list.flat());
export type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;
