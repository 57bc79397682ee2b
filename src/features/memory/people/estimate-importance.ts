/** Facts that do harm if they are not known: health, and food that a person must not or will not eat. */
const always =
  /过敏|過敏|不耐受|乳糖不耐|糖尿病|高血压|低血糖|哮喘|癫痫|心脏病|怀孕|素食|吃素|忌口|(?:不吃|不能吃|吃不了|不能喝|不喝)[^了]|\b(?:allerg\w{1,4}|intoleran\w{1,3}|vegetarian|vegan|diabet\w{1,3}|asthma\w{0,3}|epilep\w{1,3}|pregnant|coeliac|celiac)\b|\b(?:can['’]?t|cannot|don['’]?t|doesn['’]?t|never) (?:eat|drink)\b|アレルギー|不耐症|糖尿病|高血圧|喘息|妊娠|ベジタリアン|ビーガン|食べられ|飲めな/i;

/** 0 to 1, by the words of a memory. */
export function estimateImportance(content: string): number {
  return always.test(content) ? 0.9 : 0.5;
}
