/**
 * A single form for what means the same: full width and capitals (NFKC, lower case), traditional characters, invisible
 * ones, runs of spaces. Every replacement is one character for one, so a pattern can be folded like the text it reads.
 */
export function normalizeUtterance(text: string): string {
  return foldCharacters(text.normalize("NFKC").toLowerCase())
    .replaceAll(/[\u200b-\u200f\u2060\ufeff]/gu, "")
    .replaceAll(/[^\S\n]+/gu, " ")
    .trim();
}

/**
 * Traditional characters of the words in triggers, each before its simplified one. Japanese writes some of them, too,
 * hence patterns are folded as well.
 */
const pairs =
  "幾几點点時时間间現现鐘钟號号農农曆历陰阴陽阳週周禮礼換换後后還还離离過过個个從从這这裡里邊边國国東东紐纽約约倫伦數数據据檔档夾夹錄录開开關关記记憶忆寫写讀读刪删" +
  "創创編编輯辑儲储檢检尋寻資资訊讯網网頁页聯联報报價价匯汇氣气溫温預预測测熱热聞闻樂乐電电視视劇剧車车飛飞機机鐵铁訂订終终運运執执腳脚環环變变進进殺杀裝装載载壓压" +
  "縮缩絡络連连線线碼码錯错誤误譯译試试實实釋释優优倉仓庫库遠远衝冲併并歸归滾滚標标籤签瀏浏覽览螢屏圖图擊击單单鏈链結结歡欢討讨厭厌歲岁說说話话題题總总統统計计誰谁" +
  "發发紀纪歷历鬧闹設设觸触學学會会樣样問问嗎吗麼么麽么幫帮給给請请讓让著着裏里為为來来對对沒没無无於于與与經经應应該该當当們们頭头樓楼閱阅動动態态論论壇坛濟济獎奖" +
  "賽赛勝胜負负贏赢輸输產产銷销稅税貨货賣卖買买錢钱塊块幣币議议詞词語语課课調调賬账張张門门閉闭啟启導导圍围層层屬属類类節节級级細细維维續续縣县響响項项館馆齊齐龍龙" +
  "衛卫觀观覺觉診诊證证識识護护豐丰貼贴賴赖跡迹轉转輪轮辦办醫医錶表鍵键長长陳陈險险雙双雜杂雲云靈灵顏颜願愿養养駕驾髒脏鮮鲜齒齿寶宝師师帶带幹干廣广廠厂彈弹徹彻戲戏" +
  "戶户擇择擔担擬拟擴扩攝摄攤摊敗败敵敌斷断書书條条橋桥欄栏殘残決决況况淚泪淨净滅灭濾滤災灾爭争狀状獨独獲获獻献畢毕異异療疗皺皱盤盘監监確确礙碍稱称穩稳競竞筆笔築筑" +
  "簡简簽签籌筹粵粤純纯紙纸組组絕绝綠绿緊紧練练縫缝織织繪绘繼继罰罚羅罗義义習习職职聲声聽听腦脑膚肤臺台舉举舊旧艙舱藝艺藥药處处蘋苹術术製制複复規规親亲訓训訪访許许" +
  "訴诉評评詢询詳详誠诚講讲謝谢豬猪貓猫貝贝財财貴贵費费購购趕赶躍跃輕轻遊游違违選选遲迟郵邮鄉乡醬酱鋪铺鋼钢鎖锁鏡镜鑰钥閃闪閒闲際际難难靜静頂顶順顺額额顯显風风飯饭" +
  "飲饮馬马驗验驚惊鬆松魚鱼鳥鸟麗丽黃黄黨党";

const folded = new Map(Array.from(pairs.match(/../gu) ?? [], (pair) => [pair.charAt(0), pair.charAt(1)]));

function foldCharacters(text: string): string {
  let result = "";
  for (const character of text) result += folded.get(character) ?? character;
  return result;
}
