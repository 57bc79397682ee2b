const animals = {
  zh: "鼠牛虎兔龙蛇马羊猴鸡狗猪",
  en: ["Rat", "Ox", "Tiger", "Rabbit", "Dragon", "Snake", "Horse", "Goat", "Monkey", "Rooster", "Dog", "Pig"],
};
const branches = "子丑寅卯辰巳午未申酉戌亥";

/** The Chinese calendar's date of an instant in a zone: 丙午年(马)十月十四. A leap month reads 闰六月. */
export function formatLunar(instant: number, zone: string, language: "zh" | "en" | "ja"): string {
  const format = new Intl.DateTimeFormat("zh-CN-u-ca-chinese", { timeZone: zone, dateStyle: "full" });
  const parts = format.formatToParts(instant);
  const read = (type: string): string => parts.find((part) => (part.type as string) === type)?.value ?? "";
  const year = read("yearName");
  const animal = branches.indexOf(year.slice(-1));
  const date = `${year}年(${animals.zh.charAt(animal)})${read("month")}${read("day")}`;
  return language === "en" ? `${date}, year of the ${animals.en[animal] ?? ""}` : date;
}
