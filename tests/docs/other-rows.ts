/** A test or a check that runs a documented command; `words` stand in it. */
export interface Proof {
  readonly by: string;
  readonly words: string;
}

/** Why no test of ours runs a command. The list stays this short. */
export const reasons = {
  machine: "it changes the operator's machine: its services, accounts, database server or container engine",
  network: "it needs a network: another host, or a registry of packages",
  writes: "a person runs it by hand: it writes into the checkout, or takes hours",
} as const;

export type Reason = keyof typeof reasons;

/** The scripts of package.json that documents name. */
export const scriptRows: Readonly<Record<string, Proof | Reason>> = {
  bench: { by: "tests/docs/commands.test.ts", words: '"bench/run.ts"' },
  check: { by: ".ci/run", words: "npm run --silent check" },
  dev: "writes",
  "docs:pictures": "writes",
  fix: "writes",
  release: { by: "tests/scripts/release.test.ts", words: '"scripts/release.mjs"' },
  "sandbox:image": { by: ".ci/run", words: "node scripts/sandbox-image.mjs --from-debootstrap --browser" },
  start: { by: "tests/docs/commands.test.ts", words: "node scripts/node.mjs src/main.ts start" },
  test: { by: ".ci/run", words: "run_part quick npm test" },
  "test:full": { by: ".ci/run", words: "npm run test:full --silent -- --rest" },
  "test:mutation": "writes",
};

/**
 * Every other command that a document shows, as `listCommands` writes it; those of npm scripts, of vitest and of `./kurisu` have
 * rules of their own. `run` = the test runs it, in a copy of what it names, in the order of the rows. `asked` = the request of a
 * curl is sent to a Kurisu that runs.
 */
export const otherRows: Readonly<Record<string, Proof | Reason | "run" | "asked">> = {
  "cp -n .env.example .env": "run",
  "chmod 600 .env": "run",
  "cp -r examples/skill-tides config/skills/tides": "run",
  "mkdir -p config/agents": "run",
  "cp examples/sub-agent/translator.yaml config/agents/": "run",
  "mkdir -p config/tools": "run",
  "cp examples/tool-weather/feels_like.ts config/tools/": "run",
  "mkdir src/channels/file": "run",
  "cp examples/channel-file/*.ts src/channels/file/": "run",
  "mkdir src/features/dice": "run",
  "cp examples/feature-dice/*.ts src/features/dice/": "run",
  "mkdir kurisu": "run",
  "openssl rand -hex 24": "machine",
  "openssl rand -hex 32": "machine",
  "export KURISU_API_TOKEN=$(openssl rand -hex 24)": "machine",
  'echo "$KURISU_API_TOKEN"': "run",
  "echo hi": "run",
  "echo 你好 >> talk/in.txt": { by: "tests/examples/channel-file.test.ts", words: "in.txt" },
  "tail -f talk/out.txt": { by: "tests/examples/channel-file.test.ts", words: "out.txt" },

  'curl http://127.0.0.1:10485/v1/chat/completions -H "Authorization: Bearer $KURISU_API_TOKEN" -H \'Content-Type: application/json\' -d \'{"model": "kurisu", "user": "okabe", "messages": [{"role": "user", "content": "在吗"}]}\'':
    "asked",

  "docker compose": { by: "tests/compose.test.ts", words: 'read("docker-compose.yml")' },
  "docker compose up -d --build": { by: "tests/compose.test.ts", words: '"gateway", "engine-guard", "prepare"' },
  "docker compose --profile cluster up -d --build": { by: "tests/compose.test.ts", words: '"cluster"' },
  "docker compose --profile qq up -d --build": { by: "tests/compose.test.ts", words: "napcat" },
  "docker compose exec gateway kurisu doctor": { by: "tests/docs/kurisu-rows.ts", words: "./kurisu doctor" },
  "docker compose exec gateway kurisu console code": {
    by: "tests/docs/kurisu-rows.ts",
    words: "./kurisu console code",
  },
  "docker compose restart engine-guard": "machine",
  "dockerd --add-runtime crun=/usr/bin/crun": { by: "tests/sandbox/other-runtime.test.ts", words: "crun" },

  "git clone ADDRESS kurisu": "network",
  "git clone 仓库地址 kurisu": "network",
  "git pull": "network",
  "ssh -L 10485:127.0.0.1:10485 her-machine": "network",
  "ssh -L 6099:127.0.0.1:6099 SERVER": "network",
  "ssh -L 10485:127.0.0.1:10485 SERVER": "network",
  "ollama pull bge-m3": "network",
  "npm audit": { by: "scripts/release/audit.mjs", words: '"npm", ["audit"' },
  "npm install /PATH/kurisu-VERSION.tgz": "network",
  "npm install ./kurisu-VERSION.tgz --prefix /opt/kurisu": "network",
  "npm install node-llama-cpp@3": "network",

  "node scripts/node.mjs scripts/bundle.mjs --package FOLDER": {
    by: "tests/scripts/package.test.ts",
    words: '["scripts/bundle.mjs", "--package", folder]',
  },
  "node scripts/node.mjs scripts/config-schema.mjs": {
    by: "tests/recipes.test.ts",
    words: "scripts/config-schema.mjs",
  },
  "node scripts/node.mjs tests/support/pictures/draw-house.ts": {
    by: "tests/scripts/draw-house.test.ts",
    words: "draw-house.ts",
  },

  "createdb --owner kurisu --encoding UTF8 --template template0 kurisu": "machine",
  "useradd --system --uid 10485 --user-group --home-dir /var/lib/kurisu --no-create-home --shell /usr/sbin/nologin kurisu":
    "machine",
  "install -D -o kurisu -m 600 /opt/kurisu/node_modules/kurisu/.env.example /etc/kurisu/.env": "machine",
  "ln -s /opt/kurisu/node_modules/.bin/kurisu /usr/local/bin/kurisu": "machine",
  "cp /opt/kurisu/node_modules/kurisu/packaging/*.service /etc/systemd/system/": "machine",
  "sudo -u kurisu KURISU_HOME=/var/lib/kurisu KURISU_CONFIG=/etc/kurisu/config /usr/local/bin/kurisu doctor": "machine",
  "journalctl -u kurisu": "machine",
  "systemctl daemon-reload": "machine",
  "systemctl edit kurisu": "machine",
  "systemctl enable --now kurisu-guard kurisu": "machine",
  "systemctl restart kurisu": "machine",
  "systemctl restart kurisu-guard kurisu": "machine",
};
