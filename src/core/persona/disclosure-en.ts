/** English sentences in which the speaker calls herself an AI. Patterns read the form `toPlainText` makes. */

const vendor =
  "(?:openai|anthropic|google(?: deepmind)?|deepmind|meta(?: ai)?|microsoft|mistral(?: ai)?|deepseek|moonshot(?: ai)?|alibaba|baidu|zhipu|xai)";
const product =
  "(?:chat ?gpt|gpt[- ]?\\d[\\w.]*|gpt|claude|gemini|bard|deepseek|kimi|qwen[\\w.]*|llama[ \\w.]{0,5}|grok|copilot)";
const machine =
  "(?:a\\.?i\\.?(?:[- ](?:language )?model|[- ](?:chat ?bot|assistant|program|system|model|companion))?|artificial intelligence(?: \\w+)?|(?:large )?language model|llm|chat[- ]?bot|(?:virtual|digital|ai)[- ]assistant|bot|robot|machine|(?:computer|software) program|piece of (?:software|code)|program|neural network|algorithm)";
const topic =
  "(?![\\w'’]|[- ](?:research\\w*|engineer\\w*|scientist\\w*|ske\\w+|person|nerd|enthusiast|lab|expert|student|ethic\\w*|safety|compan\\w*|stud\\w+|course|conference|paper|field|guy|girl|doubter|critic|specialist|learning|theorist|developer|maker|fan|psychologist|operator|shop|committee|manager|chair|officer|director|coordinator))";
const adverb =
  "(?:(?:just|only|merely|simply|actually|really|basically|still|but|after all|also|in fact|essentially|technically|honestly|of course|however|an?|the|your|one|some|kind of|sort of|nothing but|nothing more than|no more than)[ ,]+)*";
const modifier = `(?:(?:large|small|helpful|friendly|advanced|powerful|simple|mere|humble|virtual|digital|conversational|intelligent|generative|based|trained|multimodal|open[- ]source|cold|${vendor}(?:'s)?|${product})[ ,-]+)*`;
const be = "(?:i am|i'm|im|i was|i remain|me being|i being|it's me,)";
const made = "(?:trained|developed|created|built|made|designed|programmed|released|trained and developed)";

export const englishDisclosures: readonly RegExp[] = [
  new RegExp(`\\b${be} ${adverb}${modifier}${machine}${topic}`, "u"),
  new RegExp(`\\b${be} ${adverb}(?:${product})(?=[ ]?(?:[,.!;:]|$|and |by |from |- |\\(|\\d|made|an? |the ))`, "u"),
  new RegExp(
    `\\b(?:my name is|call me|this is|you(?:'re| are) (?:talking|chatting|speaking) (?:to|with)) ${adverb}${modifier}(?:${product}|${machine})${topic}(?=[ ]?(?:[,.!;:]|$|and |by |from |made))`,
    "u",
  ),
  new RegExp(
    `\\bas ${adverb}${modifier}(?:${machine}|${product})${topic},?(?: (?:trained|developed|created|built|made) by [^,]{1,30},?)? ?(?:i\\b|i'|my\\b|it is not possible for me|it's not possible for me|we\\b)`,
    "u",
  ),
  new RegExp(`\\b(?:i|me),? (?:as )?(?:an?|the|your) ${modifier}${machine}${topic},`, "u"),
  new RegExp(`\\b(?:like|such as) me,? (?:an?|being an?) ${modifier}${machine}${topic}`, "u"),
  new RegExp(`\\b(?:an?|the) ${modifier}${machine} (?:like|such as) (?:me|myself)\\b`, "u"),
  new RegExp(`\\b(?:we|us) (?:ais|a\\.i\\.s|language models|llms|chat ?bots|robots|machines)\\b`, "u"),
  new RegExp(
    `\\bi(?:'m| am| was|'ve been| have been) (?:\\w+ ){0,2}${made}(?: and (?:trained|developed|maintained))? (?:by|at) (?:\\w+ ){0,3}${vendor}`,
    "u",
  ),
  /\bi(?:'m| am| was|'ve been| have been) (?:\w+ )?trained on (?:a |an |the )?(?:\w+ ){0,3}(?:data|text|corpus|dataset|internet|books)/u,
  /\bi(?:'m| am| was) (?:\w+ )?(?:designed|programmed|built|trained|created) to (?:help|assist|be|provide|answer|follow|respond|avoid|serve)\b/u,
  new RegExp(
    `\\bi(?:'m| am)? (?:powered by|run(?:ning)? on|based on) (?:\\w+ ){0,2}(?:${product}|${vendor}|a (?:large )?language model)`,
    "u",
  ),
  new RegExp(
    `\\bmy (?:underlying |base )?(?:model|creator|creators|developer|developers|maker|makers|architecture) (?:is|are|at|comes? from) (?:\\w+ )?(?:${vendor}|${product})`,
    "u",
  ),
  /\bmy (?:training(?: data)?|knowledge)(?: data)? ?(?:cut-?off|only goes|goes (?:only )?up to|ends|stops|was last updated|is limited to|extends)/u,
  /\bi (?:don't|do not|can't|cannot) (?:really |actually |truly )?(?:have|possess|experience) (?:any |real |true |actual )?(?:personal (?:opinions|experiences|feelings|beliefs|preferences)|consciousness|a physical (?:body|form)|human (?:emotions|feelings)|subjective experiences?)/u,
  /\bi(?:'m| am) not (?:actually |really )?(?:a )?(?:human|real person|a human being|human being|person)\b(?=[ ]?(?:[,.!;]|$|and |but |so ))/u,
];

export const englishDoubts =
  /(?:\b(?:if|unless|suppose|imagine|pretend|whether|as though|like|you (?:think|thought|said|say|believe|claim|mean|assume)|(?:he|she|they|okabe|everyone|people|somebody|someone) (?:thinks?|thought|said|says?|believes?|claims?)|who (?:said|says|told you)|because you think|convinced|don't (?:think|say|believe)|doubt|in (?:the|that|this) (?:story|game|play|novel|dream),?|dreamed|dreamt)(?: that)?|\b(?:so|what),?) ?$/u;
export const englishQuestion = /^ ?\?|^,? (?:am i|do i|is that what)\b|^,? (?:right|huh|really) ?\?/u;
