/** 「二楼」 and "the next question" are no homes: a place is one of these, or its own words say that it is one. */
const zhNames =
  "中国|中华|大陆|香港|澳门|台湾|北京|上海|天津|重庆|河北|山西|辽宁|吉林|黑龙江|江苏|浙江|安徽|福建|江西|山东|河南|湖北|湖南|广东|海南|四川|贵州|云南|陕西|甘肃|青海|内蒙古|广西|西藏|宁夏|新疆|东北|西北|江浙|潮汕|" +
  "石家庄|唐山|秦皇岛|邯郸|保定|张家口|承德|沧州|廊坊|衡水|太原|大同|运城|临汾|呼和浩特|包头|沈阳|大连|鞍山|抚顺|丹东|锦州|长春|哈尔滨|齐齐哈尔|大庆|牡丹江|佳木斯|南京|无锡|徐州|常州|苏州|南通|连云港|淮安|盐城|扬州|镇江|泰州|宿迁|昆山|杭州|宁波|温州|嘉兴|湖州|绍兴|金华|义乌|衢州|舟山|台州|丽水|合肥|芜湖|蚌埠|马鞍山|安庆|黄山|阜阳|六安|福州|厦门|莆田|泉州|漳州|龙岩|三明|宁德|南昌|景德镇|九江|赣州|上饶|济南|青岛|淄博|烟台|潍坊|济宁|泰安|威海|日照|临沂|德州|菏泽|郑州|开封|洛阳|新乡|许昌|南阳|商丘|信阳|周口|武汉|黄石|十堰|宜昌|襄阳|荆州|黄冈|长沙|株洲|湘潭|衡阳|岳阳|常德|张家界|郴州|广州|韶关|深圳|珠海|汕头|佛山|江门|湛江|茂名|惠州|梅州|清远|东莞|中山|潮州|揭阳|南宁|柳州|桂林|北海|海口|三亚|成都|自贡|攀枝花|泸州|德阳|绵阳|乐山|南充|宜宾|贵阳|遵义|昆明|大理|丽江|拉萨|西安|咸阳|宝鸡|延安|汉中|兰州|西宁|银川|乌鲁木齐|喀什|台北|高雄|台中|台南|新竹|" +
  "日本|韩国|朝鲜|新加坡|马来西亚|泰国|越南|印度|印度尼西亚|印尼|菲律宾|缅甸|老挝|柬埔寨|蒙古|英国|法国|德国|意大利|西班牙|葡萄牙|荷兰|比利时|瑞士|瑞典|挪威|芬兰|丹麦|波兰|俄罗斯|乌克兰|希腊|土耳其|埃及|南非|美国|加拿大|墨西哥|巴西|阿根廷|澳大利亚|澳洲|新西兰|爱尔兰|奥地利|" +
  "东京|大阪|京都|横滨|名古屋|福冈|札幌|神户|秋叶原|首尔|釜山|曼谷|清迈|河内|吉隆坡|槟城|伦敦|巴黎|柏林|慕尼黑|罗马|米兰|马德里|巴塞罗那|里斯本|阿姆斯特丹|布鲁塞尔|苏黎世|日内瓦|维也纳|布拉格|莫斯科|纽约|洛杉矶|旧金山|西雅图|波士顿|芝加哥|硅谷|华盛顿|温哥华|多伦多|悉尼|墨尔本|奥克兰|迪拜|浦东|海淀|朝阳区";

const enNames =
  "china|hong kong|macau|taiwan|beijing|shanghai|shenzhen|guangzhou|hangzhou|chengdu|wuhan|nanjing|suzhou|xi['’]an|taipei|japan|tokyo|osaka|kyoto|yokohama|nagoya|fukuoka|sapporo|kobe|akihabara|korea|south korea|seoul|busan|singapore|malaysia|kuala lumpur|thailand|bangkok|chiang mai|vietnam|hanoi|saigon|indonesia|jakarta|bali|the philippines|manila|india|mumbai|delhi|new delhi|bangalore|chennai|kolkata|hyderabad|pakistan|karachi|nepal|sri lanka|iran|tehran|israel|tel aviv|turkey|istanbul|dubai|egypt|cairo|kenya|nairobi|nigeria|lagos|ghana|accra|south africa|cape town|johannesburg|morocco|" +
  "england|scotland|wales|ireland|britain|the uk|uk|london|manchester|liverpool|birmingham|leeds|bristol|oxford|cambridge|edinburgh|glasgow|cardiff|belfast|dublin|cork|france|paris|lyon|marseille|toulouse|nice|bordeaux|germany|berlin|munich|hamburg|cologne|frankfurt|stuttgart|leipzig|dresden|italy|rome|milan|turin|naples|florence|venice|bologna|spain|madrid|barcelona|valencia|seville|portugal|lisbon|porto|the netherlands|netherlands|amsterdam|rotterdam|utrecht|belgium|brussels|antwerp|ghent|switzerland|zurich|geneva|basel|bern|austria|vienna|salzburg|graz|sweden|stockholm|gothenburg|malmö|norway|oslo|bergen|finland|helsinki|denmark|copenhagen|iceland|reykjavik|poland|warsaw|krakow|kraków|czechia|prague|brno|hungary|budapest|romania|bucharest|bulgaria|sofia|greece|athens|croatia|zagreb|serbia|belgrade|ukraine|kyiv|lviv|russia|moscow|saint petersburg|estonia|tallinn|latvia|riga|lithuania|vilnius|" +
  "america|the us|the usa|the united states|usa|new york|new york city|nyc|brooklyn|los angeles|san francisco|san diego|san jose|seattle|portland|boston|chicago|detroit|philadelphia|washington|atlanta|miami|orlando|dallas|houston|austin|denver|phoenix|las vegas|minneapolis|pittsburgh|nashville|new orleans|california|texas|florida|colorado|oregon|ohio|virginia|michigan|new jersey|hawaii|alaska|canada|toronto|vancouver|montreal|ottawa|calgary|quebec|mexico|mexico city|brazil|são paulo|sao paulo|rio de janeiro|argentina|buenos aires|chile|santiago|peru|lima|colombia|bogotá|bogota|australia|sydney|melbourne|brisbane|perth|adelaide|canberra|new zealand|auckland|wellington|christchurch";

const zhNamed = new RegExp(
  `^(?:${zhNames})(?:省|市)?(?:(?:${zhNames})(?:市)?)?(?:[\\p{Script=Han}]{1,6}(?:区|县|镇|乡|村|路|街|道|苑|新城|花园|小区))?$`,
  "u",
);
/** 阳朔县, 望京街道 */
const zhUnit = /^[\p{Script=Han}]{2,6}(?:省|市|县|区|镇|村|街道|自治州)$/u;
const zhNoUnit =
  /超市|城市|都市|股市|菜市|夜市|[山小社景校园灾战郊城市地展专误片辖盲禁雷赛]区$|[农山乡]村$|小镇$|[了的过着这那哪个两几某一别另整全各很]/;
const enNamed = new RegExp(`^(?:${enNames})$`, "iu");
const enUnit =
  /^(?:(?:St\.?|Saint|San|Santa|Los|Las|New|North|South|East|West|Port|Fort|Mount|Lake) \p{Lu}\p{L}+|\p{Lu}\p{Ll}{2,}(?:ton|ville|burg|burgh|borough|bury|shire|ford|stadt|furt|heim|dorf|grad)|\p{Lu}\p{L}+ (?:City|County|Island|Beach|Springs|Falls|Heights))$/u;

/** True for names that can only be a place. */
export function isPlaceName(value: string): boolean {
  return (
    zhNamed.test(value) || (zhUnit.test(value) && !zhNoUnit.test(value)) || enNamed.test(value) || enUnit.test(value)
  );
}

/** 床上, 二楼, 朋友家, 海边: somewhere, but no name of a place. */
const zhSomewhere =
  /[的了着过得我你他她它这那哪谁啥吗呢把被给和跟与很太都就会能要想不没有是说去来到让]|^(?:一|两|几|某|别|另|同|本|自己|朋友|同学|亲戚|老|新|大|小|高|低|顶)|[楼层室房厅床院店馆家边里内外上下中旁侧间屋车船校]$|宿舍|学校|公司|单位|附近|对面|隔壁|乡下|农村|郊|城里|市区|市中心|公寓|别墅|民宿|青旅|地下|心|梦|一起|回忆|过去|未来/;

/** After words that only go with a home, such as 「住在」, an unknown name will do. */
export function looksLikePlace(value: string): boolean {
  if (isPlaceName(value)) return true;
  if (/^[\p{Script=Han}·]{2,8}$/u.test(value)) return !zhSomewhere.test(value);
  return (
    /^\p{Lu}[\p{L}'’-]{2,}(?: \p{Lu}[\p{L}'’-]+){0,3}$/u.test(value) &&
    !/^(?:The|A|An|My|Your|His|Her|Their|Our|This|That|Another|Fear|Hope|Peace|Denial|Emacs|Vim|Linux|Excel|Slack|January|February|March|April|May|June|July|August|September|October|November|December)\b|\b(?:Hotel|Hostel)\b/.test(
      value,
    )
  );
}
