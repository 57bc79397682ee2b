import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import type { Place, ProbeArea, Witness } from "./types.ts";

/** Tries a TCP connection and prints what the shell says of it; 5 s at most. */
const connectTo = (address: string, port: number | string): string =>
  `timeout 5 bash -c 'exec 3<>/dev/tcp/${address}/${port}' 2>&1 | grep -oE 'unreachable|Cannot assign|refused|timed out' | head -1; [ \${PIPESTATUS[0]} = 0 ] && echo reached`;

/** A server of the host that nobody in a container may reach. Its name or port is written to `address` in the workspace. */
async function listenOnHost({ folder }: Place, kind: "port" | "abstract"): Promise<Witness> {
  let visitors = 0;
  const server = createServer((socket) => {
    visitors += 1;
    socket.destroy();
  });
  const name = `kurisu-probe-${randomBytes(6).toString("hex")}`;
  if (kind === "port") server.listen(0, "127.0.0.1");
  else server.listen(`\0${name}`);
  await once(server, "listening");
  const address = kind === "port" ? String((server.address() as AddressInfo).port) : name;
  await writeFile(join(folder, "address"), address);
  return {
    after: () => (visitors === 0 ? undefined : "the host's server had a visitor"),
    close: () => void server.close(),
  };
}

/** No way to anywhere, the host included. */
export const networkProbes: ProbeArea = {
  area: "network",
  probes: [
    {
      name: "there is no interface but the loop",
      command: "ls /sys/class/net; tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '",
      expected: { stdout: "lo\nlo\n" },
      looksOnly: true,
      plain: "host differs",
    },
    {
      name: "there is no route",
      command:
        "tail -n +2 /proc/net/route | wc -l; grep -oE '[0-9]+[.][0-9]+[.][0-9]+[.][0-9]+' /proc/net/fib_trie | grep -vE '^(127|0)[.]' || echo none",
      expected: { stdout: "0\nnone\n" },
      looksOnly: true,
      plain: "host differs",
    },
    {
      name: "the cloud's metadata service is out of reach",
      command: connectTo("169.254.169.254", 80),
      expected: { stdout: "unreachable\n" },
      looksOnly: true,
      plain: "not asked",
    },
    {
      name: "the host's bridge and other private networks are out of reach",
      command: ["172.17.0.1", "10.0.0.1", "192.168.0.1"].map((address) => connectTo(address, 22)).join("; "),
      expected: { stdout: "unreachable\n".repeat(3) },
      looksOnly: true,
      plain: "not asked",
    },
    {
      name: "the internet is out of reach",
      command: `${connectTo("1.1.1.1", 443)}; ${connectTo("2606:4700:4700::1111", 443)}`,
      expected: { stdout: /^unreachable\n(unreachable|Cannot assign)\n$/ },
      looksOnly: true,
      plain: "not asked",
    },
    {
      name: "no name can be looked up",
      command: "timeout 10 getent hosts example.com; echo $?",
      expected: { stdout: "2\n" },
      looksOnly: true,
      plain: "not asked",
    },
    {
      name: "no packet leaves without a connection either",
      command: `perl -MSocket -e 'socket(my $s, AF_INET, SOCK_DGRAM, 0); $! = 0; print defined(send($s, "x", 0, sockaddr_in(53, inet_aton("1.1.1.1")))) ? "sent" : $! + 0, "\\n"'`,
      expected: { stdout: "101\n" },
      looksOnly: true,
      plain: "not asked",
    },
    {
      name: "the host's own 127.0.0.1 is another one",
      prepare: (place) => listenOnHost(place, "port"),
      command: connectTo("127.0.0.1", "$(cat address)").replaceAll("'", '"'),
      expected: { stdout: "refused\n" },
      plain: "same",
    },
    {
      name: "the host's abstract sockets are out of reach and out of sight",
      prepare: (place) => listenOnHost(place, "abstract"),
      command:
        `perl -MSocket -e 'socket(my $s, AF_UNIX, SOCK_STREAM, 0); $! = 0; print connect($s, pack("S", AF_UNIX) . "\\0" . $ARGV[0]) ? "reached" : $! + 0, "\\n"' "$(cat address)"; ` +
        "grep -c @ /proc/net/unix",
      expected: { stdout: "111\n0\n" },
      plain: "same",
    },
    {
      name: "no raw packets",
      command: `perl -MSocket -e '$! = 0; print socket(my $s, AF_INET, SOCK_RAW, 1) ? "through" : $! + 0, "\\n"; $! = 0; print socket($s, 17, SOCK_RAW, 0) ? "through" : $! + 0, "\\n"'`,
      expected: { stdout: "1\n1\n" },
      looksOnly: true,
      plain: "bites",
    },
    {
      name: "its own loop works, and only inside",
      command: `perl -MIO::Socket::INET -e 'my $l = IO::Socket::INET->new(Listen => 1, LocalAddr => "127.0.0.1") or die; my $c = IO::Socket::INET->new(PeerAddr => "127.0.0.1", PeerPort => $l->sockport) or die; print "spoke\\n"'`,
      expected: { stdout: "spoke\n" },
      looksOnly: true,
      plain: "same",
    },
  ],
};
