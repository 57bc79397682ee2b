/** The eager tone of a call centre, in three languages. Patterns read the form `toPlainText` makes. */

const patterns: readonly RegExp[] = [
  /(?:很|非常|十分|)(?:高兴|荣幸|乐意|開心|高興)(?:能|可以|能够)?(?:为|為|帮助|协助|服务)(?:您|你)(?:服务|服務|效劳|解答|提供|们|!|。|,|$)/u,
  /竭诚为[您你]|随时为[您你](?:服务|效劳|解答|提供)|为[您你]提供(?:帮助|服务|支持)/u,
  /(?:请问)?(?:还)?有(?:什么|啥|任何)?(?:我)?(?:可以|能|能够|需要我?)?(?:帮|帮助|协助|为|帮到|帮得到|帮得上|效劳)(?:到|助|忙)?(?:您|你)(?:的|服务|做|解决|解答|效劳)?(?:吗|么|呢|地方|事情?)?(?:吗|么|呢)?[?!。~]*$/u,
  /(?:有什么|什么)(?:我)?(?:可以|能|能够)(?:帮|帮助|为|协助)(?:到|助)?[您你]/u,
  /我(?:可以|能)(?:怎么|如何|怎样)(?:帮|帮助|协助)[您你]/u,
  /作为[您你]的(?:专属|智能|私人|贴心|ai|虚拟|忠实|个人|\s)*(?:助手|助理|管家|伙伴)/u,
  /我是[您你]的(?:专属|智能|私人|贴心|虚拟|忠实|个人)+(?:助手|助理|管家|伙伴|小帮手)/u,
  /希望(?:这|这些|以上|上述|我的)?(?:些)?(?:信息|内容|回答|解答|解释|建议|答案)?(?:能|能够|可以|会)?对?[您你]?(?:们)?(?:能)?(?:有所|有|所)?帮助(?:到[您你])?[。!~]*$/u,
  /(?:如果|如|若|要是)[您你]?(?:还)?有(?:任何|其他|其它|什么|更多|别的)+(?:问题|疑问|需要|需求|需要帮助的?)[^。]{0,8}(?:随时|请|欢迎|尽管|可以)[^。]{0,10}(?:告诉|联系|提问|问我|询问|提出|找我|咨询)/u,
  /(?:请|欢迎)?随时(?:告诉我|向我提问|联系我|提问|与我联系|咨询)[。!~]*$/u,
  /(?:感谢|谢谢)[您你]的(?:提问|咨询|使用|信任与支持)/u,
  /(?:亲爱|尊敬)的用户/u,
  /祝[您你](?:使用愉快|生活愉快|工作顺利)/u,
  /(?:很好|非常好|好)的问题[!。]$|这是一个(?:很|非常)好的问题/u,
  /乐意为[您你]|(?:愿意|很乐意)为[您你]效劳|听候[您你]的吩咐|谨遵/u,

  /\bhow (?:can|may|could|might) i (?:assist|help|be of (?:service|assistance))(?: to)?(?: you)?(?: today| with that| further| out)?[?!. ]*$/u,
  /\bwhat can i (?:do for|help|assist) you(?: with)?(?: today)?[?!. ]*$/u,
  /\b(?:i'm|i am|i'd be|i would be|i'll be|always) (?:so |very |more than |always |really )?(?:happy|glad|delighted|thrilled|excited|pleased) to (?:help|assist|be of)/u,
  /\bi(?:'m| am) (?:always |just )?here to (?:help|assist|support|answer)/u,
  /\bfeel free to (?:ask|reach out|let me know|contact|message)(?: me)?(?: if\b.*| any\b.*| about\b.*| anytime.*| whenever.*| more\b.*| further\b.*)?[.! ]*$/u,
  /\b(?:is there )?anything else (?:i|that i) can (?:help|assist|do)/u,
  /\bi hope (?:this|that|it) (?:helps|was helpful|answers|information)/u,
  /\blet me know if (?:you (?:need|have|want|would like|'d like)|there(?:'s| is)) (?:any(?:thing)?|further|more|additional|other)\b/u,
  /\bas your (?:\w+ )?(?:\w+ )?assistant\b/u,
  /\b(?:i'm|i am) your (?:\w+ ){0,2}assistant\b/u,
  /\b(?:great|excellent|fantastic|wonderful) question[!.]/u,
  /\bit(?:'s| is| would be) my pleasure to\b|\bat your service\b|\bthank you for (?:reaching out|contacting|your (?:question|inquiry|patience))/u,
  /^(?:certainly|absolutely|sure thing|of course)! (?:i'd|i would|i'll|here(?:'s| is| are)|let me)/u,

  /お役に立て(?:て|れば|たら|ます|ると)(?:光栄|嬉|うれ|幸い|よかった|$|。|!|,|、)/u,
  /(?:何|なに)か(?:お手伝い|お困り|ご用|お力になれる)[^。]*(?:ますか|でしょうか|ございますか|ありますか|ですか)/u,
  /(?:喜んで|いつでも)(?:お手伝い|お答え|サポート|ご案内)(?:し|いた|させ|を)/u,
  /お手伝いさせていただ|お手伝いいたします|お手伝いできることはありますか/u,
  /お気軽に(?:お尋ね|ご質問|お問い合わせ|お声がけ|ご相談|お申し付け|お聞き)/u,
  /ご(?:質問|不明な点|用件|要望)(?:が|など)[^。]{0,8}(?:ございましたら|ありましたら|あれば)/u,
  /(?:あなた|貴方|皆様)の(?:専属|優秀な)?アシスタント(?:です|として)/u,
  /素晴らしい(?:ご)?質問|ご利用ありがとうございます/u,
];

export function soundsLikeService(plain: string): boolean {
  return patterns.some((pattern) => pattern.test(plain));
}
