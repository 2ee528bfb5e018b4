/**
 * Names of hosts and users that are commands: whoever gives them, no shell gets to see them.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { script } from "../../script/script.ts";
import type { HostError } from "../host-error.ts";
import type { Login, TransportName } from "../login/login.ts";
import { resolveLogin } from "../login/resolve-login.ts";
import { createSessionPool } from "../session-pool.ts";

const directory = mkdtempSync(join(tmpdir(), "conn3x-names-"));
const marker = join(directory, "ran");
/** Creates the marker, in whatever shell; without blanks, which end a word of `ssh_config`. */
const evil = `x$(touch\${IFS}${marker})`;
afterEach(() => rmSync(marker, { force: true }));
afterAll(() => rmSync(directory, { recursive: true }));

/** Proxy commands in which each token stands as a word of its own. */
const command = "echo %h %r %n %k";

type Changes = { readonly [K in keyof Login]?: Login[K] | undefined };

/** The `ssh_config` file, settings of the login. */
const givers: Readonly<Record<string, readonly [string, Changes]>> = {
  user: ["", { user: evil, proxyCommand: command }],
  address: ["", { address: evil, proxyCommand: command }],
  "user for the file's command": [`ProxyCommand ${command}\n`, { user: evil }],
  "address for the file's command": [`ProxyCommand ${command}\n`, { address: evil }],
  "User of the file": [`User ${evil}\n`, { user: undefined, proxyCommand: command }],
  "HostName of the file": [`HostName ${evil}\n`, { proxyCommand: command }],
  "HostKeyAlias of the file": [`HostKeyAlias ${evil}\n`, { proxyCommand: command }],
  "ProxyJump's user": [
    `Host gate\n  ProxyCommand ${command}\nHost t\n  ProxyJump ${evil.replaceAll("/", "_")}@gate\n`,
    {},
  ],
  "ProxyJump's host": [`ProxyJump ${evil.replaceAll("/", "_")}\nHost x*\n  ProxyCommand ${command}\n`, {}],
  "ProxyJump with a token": [`ProxyJump %r@gate\nHost gate\n  ProxyCommand ${command}\n`, { user: evil }],
  "proxy_jump's user": [`Host gate\n  ProxyCommand ${command}\n`, { proxyJump: `${evil}@gate` }],
  "a second one's": [`Host gate\n  ProxyCommand ${command}\n`, { proxyJump: `gate,${evil}@gate2` }],
  "a bastion's user": [
    `Host gate\n  ProxyCommand ${command}\n`,
    { bastions: [{ address: "gate", user: evil }] },
  ],
  "a bastion's address": [`ProxyCommand ${command}\n`, { bastions: [{ address: evil }] }],
  "a bastion's HostName": [
    `Host gate\n  HostName ${evil}\n  ProxyCommand ${command}\n`,
    { bastions: [{ address: "gate" }] },
  ],
  "an option as address": ["", { address: `-oProxyCommand=touch\${IFS}${marker}` }],
  "an option as user": ["", { user: `-oProxyCommand=touch\${IFS}${marker}` }],
};

describe.each<TransportName>(["ssh2", "openssh"])("by %s", (transport) => {
  it.each(Object.entries(givers))("%s", async (_name, [config, changes]) => {
    const sshConfigFile = join(directory, "config");
    writeFileSync(sshConfigFile, config);
    const settings = {
      user: "me",
      agent: false,
      hostKeyChecking: "off",
      retries: 0,
      connectTimeout: 4,
    } as const;
    const pool = createSessionPool();
    try {
      const login = resolveLogin({
        ...settings,
        transport,
        ...changes,
        sshConfigFile,
        address: changes.address ?? "t",
      });
      const error = await pool
        .session(login)
        .ask(script`true`)
        .then(
          () => expect.fail("this should have failed"),
          (failure: HostError) => failure,
        );
      expect(existsSync(marker)).toBe(false);
      expect(error).toMatchObject({ code: "login_settings", message: expect.stringContaining(" must ") });
    } finally {
      await pool.close();
    }
  });
});
