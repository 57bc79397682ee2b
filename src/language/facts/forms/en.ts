import type { FactForm } from "../plain-fact.ts";
import { isPlaceName, looksLikePlace } from "./place-names.ts";

const very = "(?:really |truly |absolutely |also |just |do |quite |still |actually |always |mostly |totally ){0,2}";
const im = "i(?:['’]m| am)";
const thing = String.raw`(?<thing>\p{L}[\p{L}\d'’& -]{1,40})`;
const shortest = thing.replace("{1,40}", "{1,40}?");
const noThing =
  /^(?:it|this|that|these|those|you|your|him|his|her|she|he|them|they|their|how|what|when|where|who|to see|being here|the way|the idea|everything|something|nothing|one|both|talking to|when|if|us|my|people who|not|the [a-z]+ing|in|on|at|with|and|or|another|all|any|some|no|doing this|seeing|hearing)\b|\b(?:you|your|it|them|him|her|me|i|my|is|are|was|were|will|has|have|had|does|because|since|when|while|until|but|that|who|which|this|these|those|right now|again|lately|over|than|rather|so)\b/i;
/** "the new design" is the one that is on the table; "the Beatles" are not. */
const isThing = (value: string): boolean =>
  !noThing.test(value) && !/^the \p{Ll}/u.test(value) && value.split(" ").length <= 5;
/** Words behind a place that are no part of it. */
const behindPlace =
  /\s+(?:last|this|next|a|an|two|three|four|five|several|some|in|since|recently|now|already|again|with|for|because|to|from|years?|months?|weeks?|ago|and|on|at|when|after|before|where|but|just|earlier|back|\d+)\b.*$/i;
const cutPlace = (place: string): string => place.replace(behindPlace, "");
const work =
  "teacher|nurse|doctor|engineer|developer|programmer|student|lawyer|writer|designer|scientist|researcher|accountant|chef|cook|driver|farmer|artist|musician|journalist|photographer|professor|pilot|dentist|pharmacist|architect|librarian|translator|electrician|plumber|carpenter|mechanic|manager|analyst|consultant|postdoc|barista|waiter|waitress|police officer|firefighter|freelancer|physicist|chemist|biologist";

export const enForms: readonly FactForm[] = [
  {
    category: "fact",
    forms: [
      /^(?:my (?:full |real |first )?name(?: is|['’]s)|i(?:['’]m| am) (?:called|named)) (?<name>\p{Lu}[\p{L}'’-]{1,20}(?: \p{Lu}[\p{L}'’-]{0,20}){0,3})$/u,
      /^(?:My (?:full |real |first )?name(?: is|['’]s)|I(?:['’]m| am) (?:called|named)) (?<name>\p{Lu}[\p{L}'’-]{1,20}(?: \p{Lu}[\p{L}'’-]{0,20}){0,3})$/u,
    ],
    read: ({ name = "" }) => ({ key: "name", value: name }),
  },
  {
    category: "fact",
    forms: [/^(?:[Pp]lease |[Yy]ou can |[Jj]ust ){0,2}[Cc]all me (?<name>\p{Lu}[\p{L}'’-]{1,20})$/u],
    read: ({ name = "" }) =>
      /^(?:When|If|Back|Later|Tomorrow|Maybe|A|An|The)$/.test(name) ? undefined : { key: "nickname", value: name },
  },
  {
    category: "fact",
    forms: [
      /^i(?:['’]ve| have)? (?:currently |now |just |recently |finally ){0,2}(?:live in|lived in(?= .* since)|settled(?: down)? in|(?<moved>(?:re)?moved(?: back| over)? to)) (?<place>\p{L}[\p{L}\d'’. -]{1,50})$/iu,
      /^i(?:['’]m| am) (?:currently |now )?living in (?<place>\p{L}[\p{L}\d'’. -]{1,50})$/iu,
    ],
    read({ moved = "", place: written = "" }) {
      const place = cutPlace(written);
      // "I moved to Linux": only what is known as a place ends a home.
      return (moved === "" ? looksLikePlace(place) : isPlaceName(place)) ? { key: "home", value: place } : undefined;
    },
  },
  {
    category: "fact",
    forms: [/^i (?:no longer live|don['’]t live|do not live) in (?<place>\p{L}[\p{L}'’. -]{1,30}?)(?: any ?more)?$/iu],
    read: ({ place = "" }) => (isPlaceName(place) ? { key: "home" } : undefined),
  },
  {
    category: "fact",
    forms: [
      /^i(?:['’]ve| have)? (?:just |recently |finally )?got(?:ten)? (?<state>married|divorced|engaged)(?: (?:last|this) (?:week|month|year|spring|summer|autumn|fall|winter)| yesterday)?$/iu,
      /^(?:i(?:['’]m| am)) (?:now |still |happily )?(?<state>married|divorced|engaged|single)(?: now| again)?$/iu,
      /^we (?:just |recently )?(?<state>broke up|got married|got engaged)$/iu,
    ],
    read: ({ state = "" }) => ({ key: "partner", value: state }),
  },
  {
    category: "fact",
    forms: [
      /^i(?:['’]m| am) (?:originally )?from (?<place>\p{L}[\p{L}'’ -]{1,30})$/iu,
      /^i come from (?<place>\p{L}[\p{L}'’ -]{1,30})$/iu,
    ],
    read: ({ place = "" }) => (looksLikePlace(place) ? { key: "hometown", value: place } : undefined),
  },
  {
    category: "fact",
    forms: [
      new RegExp(
        `^${im} (?:severely |very |really |badly |slightly |deathly |mildly )?(?:allergic|intolerant) to ${thing}$`,
        "iu",
      ),
      /^i have (?:a |an )?(?:severe |bad |mild |serious )?(?<thing>\p{L}[\p{L} ]{1,20}) (?:allergy|intolerance)$/iu,
    ],
    read: ({ thing: value = "" }) =>
      /\b(?:bullshit|mondays?|work|stupid|you|people|it|this|that)\b/i.test(value)
        ? undefined
        : { key: `allergy ${value.toLowerCase()}`, value },
  },
  {
    category: "fact",
    forms: [
      /^i (?:never |don['’]t |do not |can['’]t |cannot |can not )(?:eat|drink) (?<thing>\p{L}[\p{L} ]{1,20}?)(?: any ?more)?$/iu,
    ],
    read: ({ thing: value = "" }) =>
      value.split(" ").length > 3 ||
      /^(?:it|this|that|these|those|much|anything|everything|nothing|enough|breakfast|lunch|dinner|supper|food|stuff|a|an|any|another|one|two|too|well|properly|fast|slowly|first|last|most)\b|\b(?:and|or|but|now|yet|until|because|when|while|with|without|bite|sip|drop|more|again|alone|here|there|at|on|in|by|to|for|from|before|after|during|out|up|like|as|too|much|either|right|your|you|my|his|her|the|so|then|tomorrow|fast)\b/i.test(
        value,
      )
        ? undefined
        : { key: `diet ${value.toLowerCase()}`, value },
  },
  {
    category: "fact",
    forms: [
      new RegExp(
        `^${im} (?:a |an )?(?<diet>vegetarian|vegan|diabetic|pescatarian|lactose intolerant|celiac|coeliac|colou?r-?blind|asthmatic)$`,
        "iu",
      ),
    ],
    read: ({ diet = "" }) => ({
      key: /^(?:veg|pesc)/i.test(diet) ? "diet" : `health ${diet.toLowerCase()}`,
      value: diet,
    }),
  },
  {
    category: "fact",
    forms: [
      /^my birthday(?: is|['’]s)(?: on)? (?<day>(?:the )?[\p{L}\d][\p{L}\d ,/.-]{2,24})$/iu,
      /^i was born on (?<day>(?:the )?[\p{L}\d][\p{L}\d ,/.-]{2,24})$/iu,
    ],
    read: ({ day = "" }) =>
      /\d|first|second|third|\bchristmas|new year/i.test(day) ? { key: "birthday", value: day } : undefined,
  },
  {
    category: "fact",
    forms: [new RegExp(`^${im} (?<age>\\d{1,3})(?: years old)?$`, "iu")],
    read: ({ age = "" }) => (Number(age) >= 5 && Number(age) <= 120 ? { key: "age", value: age } : undefined),
  },
  {
    category: "fact",
    forms: [
      new RegExp(
        `^${im} (?:now |currently )?an? (?<work>(?:[a-z-]{2,20} ){0,3}(?:${work})(?: (?:at|for|in) (?:\\p{Lu}|the \\p{Lu})[\\p{L}\\d&'’. -]{1,40})?)(?: now)?$`,
        "iu",
      ),
      /^i (?:now |currently )?work (?<how>as an? |at |for |in )(?<work>\p{L}[\p{L}\d&'’. -]{1,50})$/iu,
      /^i(?:['’]ve| have)? (?:quit|left|changed) my (?:old )?job and (?:i )?(?:have )?(?<how>joined) (?<work>\p{Lu}[\p{L}\d&'’ -]{1,30})$/u,
      /^I(?:['’]ve| have)? (?:quit|left|changed) my (?:old )?job and (?:I )?(?:have )?(?<how>joined) (?<work>\p{Lu}[\p{L}\d&'’ -]{1,30})$/u,
    ],
    read: ({ how = "", work: value = "" }) =>
      /^(?:bad|terrible|great|good|lousy|better|home|night|the|a while|you|him|her|them|this|that|it|bit|fan)\b/i.test(
        value,
      )
        ? undefined
        : { key: /^(?:at|for|joined)/.test(how) ? "employer" : "occupation", value },
  },
  {
    category: "preference",
    forms: [/^my favou?rite (?<what>\p{L}[\p{L} ]{1,20})(?: is|['’]s) (?<thing>\p{L}[\p{L}\d'’& -]{1,40})$/iu],
    read: ({ what = "", thing: value = "" }) =>
      !isThing(value) ? undefined : { key: `favourite ${what.toLowerCase()}`, value },
  },
  {
    category: "preference",
    forms: [new RegExp(`^i ${very}(?:like|love|adore|prefer|enjoy) ${thing}$`, "iu")],
    read: ({ thing: value = "" }) => (isThing(value) ? { key: "likes", value } : undefined),
  },
  {
    category: "preference",
    forms: [
      new RegExp(
        `^i ${very}(?:hate|dislike|detest|can['’]t stand|cannot stand|don['’]t like|do not like|don['’]t love) ${shortest}(?: any ?more)?$`,
        "iu",
      ),
    ],
    read: ({ thing: value = "" }) =>
      !isThing(value) || /^(?:to say|waiting for|being)\b/i.test(value) ? undefined : { key: "dislikes", value },
  },
  {
    category: "fact",
    forms: [
      /^my (?<who>cat|dog|hamster|rabbit|parrot|wife|husband|partner|son|daughter|brother|sister|boyfriend|girlfriend)(?: is (?:called|named)|['’]s name is|['’]s called) (?<name>\p{L}[\p{L}'’-]{1,20})$/iu,
    ],
    read: ({ who = "", name = "" }) => ({ key: `name of ${who.toLowerCase()}`, value: name }),
  },
  {
    category: "fact",
    forms: [
      /^i have (?<pet>(?:a|an|one|two|three|four|\d) (?:[a-z]{2,12} ){0,2}(?:cats?|dogs?|hamsters?|rabbits?|parrots?|kids?|sons?|daughters?|brothers?|sisters?))$/iu,
    ],
    read: ({ pet = "" }) => ({ key: `has ${pet.split(" ").at(-1)?.toLowerCase()}`, value: pet }),
  },
  {
    category: "fact",
    forms: [
      /^(?:please |kindly |always |you should ){0,2}remember(?: that)? (?<ordered>(?:i|my|i['’]m|i['’]ve)\b[^.]{2,70})$/iu,
      /^don['’]t forget(?: that)? (?<ordered>(?:i|my|i['’]m|i['’]ve)\b[^.]{2,70})$/iu,
    ],
    read: ({ ordered = "" }) =>
      /password|pin code|told you|asked you|said|card number/i.test(ordered) ? undefined : {},
  },
];
