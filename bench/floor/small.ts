import { setTimeout as pause } from "node:timers/promises";
import { createControlGroup } from "./control-group.ts";
import { createPeople } from "./people.ts";
import { crowd, openKurisu, person, type Ground } from "./subjects.ts";

const limits = { memoryMb: 512, cores: 1 };
const isQuestion = /编号 ([A-Z]+\d)/;

/**
 * The product in a control group of 512 MB with one core: 20 chats that talk, then each of them has a command run in a
 * container of its own after a yes. The containers are the engine's and count there.
 */
export async function measureSmall(ground: Ground): Promise<boolean> {
  const dockerHost = process.env["DOCKER_HOST"] ?? "unix:///var/run/docker.sock";
  const subject = await openKurisu(ground, { name: "Kurisu in 512 MB", dockerHost });
  const people = createPeople(subject.fake);
  const group = createControlGroup(limits);
  ground.stack.defer(() => group.remove());
  const running = await subject.start({ group });
  await pause(5_000);
  const idleMb = running.rss();
  const talked = [await people.burst(crowd, 10), await people.burst(crowd, 10)];
  const began = performance.now();
  await Promise.all(crowd.map((chat) => runCommand(chat)));
  const commandsMs = performance.now() - began;
  const [last] = await people.talk(person, 1);
  const { peakMb, kills } = group.read();
  const residentMb = running.rss();
  await running.stop();
  const { lost, doubled, reordered } = people.faults();

  async function runCommand(chat: number): Promise<void> {
    const answered = people.ask(chat, "\n运行 echo hi");
    const card = await subject.fake.waitForMessage(
      ({ chat: its, texts }) => its === chat && isQuestion.test(texts[0] ?? ""),
      120_000,
    );
    // A person reads it first; an answer within milliseconds would come before the question counts as shown.
    await pause(1_000);
    subject.fake.sendText({ chat, text: `确认 ${isQuestion.exec(card.texts[0] ?? "")?.[1]}` });
    await answered;
  }

  console.log(`| ${limits.memoryMb} MB, ${limits.cores} core | |\n|---|---|`);
  for (const [what, value] of [
    ["start until it asks for messages, ms", running.ready.ms],
    ["memory when idle, MB", idleMb],
    ["two bursts of 20 chats x 10, messages a second", 400_000 / ((talked[0] ?? 0) + (talked[1] ?? 0))],
    ["20 chats, each a command in its container after a yes (the second of reading included), ms", commandsMs],
    ["a turn after that, ms", last ?? Number.NaN],
    ["memory at the end, MB", residentMb],
    ["most memory of the group, page cache included, MB", peakMb],
    ["processes killed for memory", kills],
    ["lost + doubled + reordered", lost + doubled + reordered],
  ] as const)
    console.log(`| ${what} | ${value.toFixed(0)} |`);
  return kills === 0 && lost + doubled + reordered === 0;
}
