import { expect, it } from "vitest";
import { looksSecret } from "../../../../src/features/memory/people/looks-secret.ts";
import { workTime } from "../../../support/work-time.ts";

const secrets = `我的支付密码 123456
我的 PIN 码 4821
我的银行卡密码是8472615
my wifi password hunter2xyz
my pin code 4821
パスワードはhunter2です
暗証番号 4821
我的身份证号是110101199003071233
号码 11010119900307109X
身份证 110101199003071234
我的卡号 6222 0200 0000 0000 000 不对，是 4111 1111 1111 1111
card 5500-0000-0000-0004
我的护照号是 E12345678
my passport number is 123456789
パスポート番号はTK1234567です
マイナンバーは1234 5678 9012`.split("\n");

const harmless = `我的幸运数字是 4821
我的生日是 1990-03-07
我的手机号是 13812345678
我的 QQ 号是 1234567890
我的 Telegram 是 @hunter2xyz
我换密码换了 3 次
我在 2024 年改过密码
我老是忘记密码
我的密码箱是红色的
我把密码 2024 年换了一次
我的护照明年到期
我的护照 2031 年到期
我办过 3 次护照
我每天走 10000 步
我的身份证丢了
我的学号是 20210134
订单号是 202405011234567890
我的车牌是京A12345
我的工资是 15000
我住在 1204 室
I forgot my wifi password
I use a password manager
I collect pins since 2003
I have 12 pins from 1984
my lucky number is 4821
my passport expires in 2031
my timestamp is 1714560000000
the bank called 3 times
パスワードを忘れた
誕生日は1990年3月7日です`.split("\n");

it("keeps no passwords, numbers of cards and papers, and takes nothing else for one", () => {
  expect(secrets.filter((text) => !looksSecret(text))).toEqual([]);
  expect(harmless.filter(looksSecret)).toEqual([]);
});

it("costs no more than the length of the text", () => {
  for (const part of ["密码 ", "1 ", "11010119900307", "护照", "passport a", "マイナンバー 1", "pin number ", "X4-"]) {
    const begun = workTime();
    looksSecret(part.repeat(3_000));
    expect(workTime() - begun).toBeLessThan(2_000);
  }
});
