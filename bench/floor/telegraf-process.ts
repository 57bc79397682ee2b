// The least that a bot can be: telegraf in one file, without a model and without a store.
import { Telegraf } from "telegraf";

const bot = new Telegraf(process.env["TELEGRAM_BOT_TOKEN"] ?? "", {
  telegram: { apiRoot: process.env["TELEGRAM_API_ROOT"] ?? "" },
});
bot.on("text", (context) => context.reply(`${context.message.text} 收到了`));
void bot.launch();
