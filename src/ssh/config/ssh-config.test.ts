/**
 * `ssh -G` of this machine's OpenSSH is the oracle.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { resolveLogin } from "../login/resolve-login.ts";
import { lookUp } from "./config-lookup.ts";
import { isKeyword } from "./keywords.ts";
import type { ReachedLogin } from "./reached-login.ts";
import { reachedLogin } from "./reached-login.ts";

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "conn3x-config-"));
  mkdirSync(join(directory, "conf.d"));
});
afterAll(() => rmSync(directory, { recursive: true }));

const at = (name: string): string => join(directory, name);
function config(text: string): string {
  const file = at("config");
  writeFileSync(file, text);
  return file;
}

const short = (paths: readonly string[]): string =>
  paths.map((path) => path.replace(new RegExp(`^${userInfo().homedir}(?=/)`), "~")).join(" ");

/** What is compared, in the words of `ssh -G`. */
type Settings = Readonly<Record<string, string>>;

const compared = [
  "hostname",
  "user",
  "port",
  "stricthostkeychecking",
  "userknownhostsfile",
  "globalknownhostsfile",
  "hostkeyalias",
  "hashknownhosts",
  "identitiesonly",
  "proxyjump",
  "proxycommand",
  "connecttimeout",
  "serveraliveinterval",
  "serveralivecountmax",
];

function ofOpenSsh(file: string, host: string, user?: string): Settings {
  const args = ["-G", "-F", file, ...(user === undefined ? [] : ["-l", user]), host];
  const lines = execFileSync("ssh", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })
    .trim()
    .split("\n")
    .map((line): [string, string] => {
      const space = line.indexOf(" ");
      return [line.slice(0, space), line.slice(space + 1).trim()];
    });
  const first: Settings = Object.fromEntries([...lines].reverse());
  // It prints these as they were written.
  const tokens: Settings = { h: first.hostname!, n: host, p: first.port!, r: first.user!, "%": "%" };
  const expand = (text: string): string =>
    text.replace(/%([hnpr%])/g, (_, letter: string) => tokens[letter]!);
  const identities = lines.filter(([name]) => name === "identityfile").map(([, value]) => value);
  const files = identities.filter((path) => path !== "none");
  const isDefault = files.length > 0 && files.every((path) => path.startsWith("~/.ssh/id_"));
  const named = isDefault ? "" : expand(files.join(" ")) || "nothing";
  return {
    ...Object.fromEntries(compared.map((name) => [name, first[name] ?? ""])),
    userknownhostsfile: short(first.userknownhostsfile!.split(" ")),
    proxyjump: first.proxyjump ?? "",
    proxycommand: expand(first.proxycommand ?? ""),
    identityfile: named,
  };
}

async function ofOurs(file: string, host: string, user?: string): Promise<[Settings, ReachedLogin]> {
  const login = await reachedLogin(resolveLogin({ address: host, user, sshConfigFile: file }));
  const unset = (name: "connectTimeout" | "keepalive", value: string): string =>
    resolveLogin({ address: host })[name] === login[name] ? value : String(login[name]);
  const isGlobal = (path: string): boolean => path.startsWith("/etc/ssh/") || path.startsWith("/global");
  const checking = { strict: "true", "accept-new": "accept-new", off: "false" }[login.hostKeyChecking];
  return [
    {
      hostname: login.address,
      user: login.user,
      port: String(login.port),
      stricthostkeychecking: checking,
      userknownhostsfile: short(login.knownHostsFiles.filter((path) => !isGlobal(path))),
      globalknownhostsfile: login.knownHostsFiles.filter(isGlobal).join(" "),
      hostkeyalias: login.hostKeyAlias ?? "",
      hashknownhosts: login.hashKnownHosts ? "yes" : "no",
      identitiesonly: login.identitiesOnly ? "yes" : "no",
      proxyjump: login.proxyJump?.toLowerCase() === "none" ? "" : (login.proxyJump ?? ""),
      proxycommand: login.proxyCommand?.toLowerCase() === "none" ? "" : (login.proxyCommand ?? ""),
      connecttimeout: unset("connectTimeout", "none"),
      serveraliveinterval: unset("keepalive", "0"),
      serveralivecountmax: String(login.keepaliveCount),
      identityfile: login.identityFiles.every((path) => path.startsWith("~/.ssh/id_"))
        ? login.identityFiles.length === 0
          ? "nothing"
          : ""
        : short(login.identityFiles),
    },
    login,
  ];
}

/** `ask` is strict here, since nobody is asked. */
function askIsStrict(settings: Settings): Settings {
  return settings.stricthostkeychecking === "ask" ? { ...settings, stricthostkeychecking: "true" } : settings;
}

async function compare(text: string, host: string, user?: string): Promise<ReachedLogin> {
  const file = config(text);
  const [ours, login] = await ofOurs(file, host, user);
  expect(ours).toEqual(askIsStrict(ofOpenSsh(file, host, user)));
  return login;
}

describe.skipIf(spawnSync("ssh", ["-V"]).error !== undefined)("as ssh -G prints it", () => {
  it.each<[string, string, string, string?]>([
    ["nothing", "", "web1"],
    ["the first value counts", "Port 1\nPort 2\nHost *\n  Port 3\n  User late\n", "web1"],
    ["a host's own block", "Host web1\n  HostName 10.0.0.1\n  User ops\n  Port 2222\n", "web1"],
    ["another host's block", "Host web2\n  HostName 10.0.0.1\n", "web1"],
    ["patterns", "Host web? !web1\n  Port 1\nHost *.example.com\n  Port 2\nHost w*\n  Port 3\n", "web1"],
    ["a negated pattern alone matches nothing", "Host !web2\n  Port 1\n", "web1"],
    ["several patterns", "Host a b web1 c\n  Port 9\n", "web1"],
    [
      "equals signs, quotes, tabs, comments",
      'Host = web1\n\tPort=2222\n\tUser = "ops" # who\n#Port 1\n',
      "web1",
    ],
    ["any case of keywords", "hOST web1\n  pORT 12\n  HOSTNAME a.b\n", "web1"],
    ["CRLF", "Host web1\r\n  Port 22\r\n  User ops\r\n", "web1"],
    ["HostName with tokens", "Host web*\n  HostName %h.example.com\n", "web1"],
    ["a percent sign", "HostName %%h\n", "web1"],
    ["Match host sees HostName", "Host web1\n  HostName db1\nMatch host db1\n  Port 7\n", "web1"],
    ["Match host not the alias", "Host web1\n  HostName db1\nMatch host web1\n  Port 7\n", "web1"],
    ["Match originalhost", "Host web1\n  HostName db1\nMatch originalhost web1\n  Port 7\n", "web1"],
    ["Match user that was set before", "User ops\nMatch user ops\n  Port 8\n", "web1"],
    ["Match user that is given", "Match user deploy\n  Port 8\n", "web1", "deploy"],
    ["Match user against the given one", "User ops\nMatch user ops\n  Port 8\n", "web1", "deploy"],
    ["Match localuser", `Match localuser ${userInfo().username}\n  Port 8\n`, "web1"],
    ["Match all", "Host web2\n Port 1\nMatch all\n  Port 8\n", "web1"],
    ["Match with several criteria", "Match originalhost web1 user z,deploy\n  Port 8\n", "web1", "deploy"],
    ["Match negated", "Match !host web2\n  Port 8\nMatch !host web1\n  User no\n", "web1"],
    ["Match host with patterns", "Match host !web1,web*\n  Port 8\nMatch host web*\n  Port 9\n", "web1"],
    [
      "Match final",
      "Host web1\n  HostName db1\nMatch final host db1\n  Port 7\nHost db1\n  User x\n",
      "web1",
    ],
    ["Match canonical without canonicalisation", "Match canonical\n  Port 7\n", "web1"],
    [
      "IdentityFile adds up",
      "IdentityFile /keys/a\nHost *\n  IdentityFile ~/.ssh/%h-%r-%p\n  IdentitiesOnly yes\n",
      "web1",
    ],
    ["IdentityFile none, which is no default one either", "IdentityFile none\n", "web1"],
    ["IdentityFile none among others", "IdentityFile none\nIdentityFile /keys/a\n", "web1"],
    ["IdentityFile twice", "IdentityFile /keys/a\nIdentityFile /keys/a\n", "web1"],
    ["known hosts files", "UserKnownHostsFile /a /b\nGlobalKnownHostsFile /global\n", "web1"],
    ["a known hosts file with blanks", 'UserKnownHostsFile "/a b" ~/c\n', "web1"],
    ["HostKeyAlias", "HostKeyAlias gate\nHashKnownHosts yes\n", "web1"],
    ["ProxyJump", "ProxyJump ops@gate:2022,inner\n", "web1"],
    ["ProxyJump none", "Host web1\n  ProxyJump none\nHost *\n  ProxyJump gate\n", "web1"],
    ["ProxyCommand", "ProxyCommand nc -X 'a b' \"%h\" %p # no comment\n", "web1"],
    ["ProxyCommand before ProxyJump", "ProxyCommand nc\nProxyJump gate\n", "web1"],
    ["ProxyJump before ProxyCommand", "ProxyJump gate\nProxyCommand nc\n", "web1"],
    ["ProxyCommand none", "ProxyCommand none\nProxyJump gate\n", "web1"],
    ["times", "ConnectTimeout 1m30\nServerAliveInterval 5\nServerAliveCountMax 7\n", "web1"],
    ["StrictHostKeyChecking no", "StrictHostKeyChecking no\n", "web1"],
    ["StrictHostKeyChecking off", "StrictHostKeyChecking off\n", "web1"],
    ["StrictHostKeyChecking yes", "StrictHostKeyChecking yes\n", "web1"],
    ["StrictHostKeyChecking accept-new", "StrictHostKeyChecking accept-new\n", "web1"],
    ["names in capitals", "Host web1\n  Port 1\nHost WEB1\n  Port 2\n", "WEB1"],
    ["HostName in capitals", "HostName DB1.Example\nMatch host db1*\n  Port 3\n", "web1"],
    ["an address", "Host 10.0.*\n  User ops\n", "10.0.0.1"],
    ["an address of IPv6", "Host 2001:*\n  User ops\n", "2001:db8::1"],
  ])("%s", async (_name, text, host, user) => {
    await compare(text, host, user);
  });

  it("files that are included, by patterns, inside of blocks, some missing", async () => {
    writeFileSync(at("conf.d/10-a.conf"), "Host web1\n  Port 10\n");
    writeFileSync(at("conf.d/20-b.conf"), "User ops\nHost web2\n  HostName db2\n");
    writeFileSync(at("conf.d/.hidden.conf"), "Port 66\n");
    const include = `Include ${at("missing")} "${at("conf.d")}/*.conf"\n`;
    for (const host of ["web1", "web2", "web3"]) {
      await compare(`${include}ConnectTimeout 3\n`, host);
      await compare(`Host web1\n  ${include}  ServerAliveInterval 4\n`, host);
      await compare(`Host web2\n  ${include}Host *\n  Port 99\n`, host);
      await compare(`Match originalhost web1,web2\n${include}  ServerAliveInterval 4\n`, host);
      await compare(`Include ${at("conf.d")}/[12]0-?.conf\n`, host);
      await compare(`Include ${at("conf.d")}/[!1]0-*\n`, host);
    }
  });

  it("whatever is put together", { timeout: 120_000 }, async () => {
    const names = ["web1", "web2", "db1", "db1.example.com"];
    const pattern = fc.constantFrom(...names, "web*", "*.example.com", "*", "?b1", "!web1", "!db*", "d*");
    const patterns = fc.array(pattern, { minLength: 1, maxLength: 3 });
    const user = fc.constantFrom("ops", "deploy", "root");
    const criterion = fc.oneof(
      patterns.map((list) => `host ${list.join(",")}`),
      patterns.map((list) => `originalhost ${list.join(",")}`),
      patterns.map((list) => `!host ${list.join(",")}`),
      user.map((name) => `user ${name}`),
      user.map((name) => `!user ${name}`),
    );
    const head = fc.oneof(
      patterns.map((list) => `Host ${list.join(" ")}`),
      fc.array(criterion, { minLength: 1, maxLength: 2 }).map((list) => `Match ${list.join(" ")}`),
      fc.constant("Match all"),
      fc.constant("Match final all"),
    );
    const setting = fc.oneof(
      fc.constantFrom(...names, "%h.example.com").map((name) => `HostName ${name}`),
      fc.integer({ min: 1, max: 9 }).map((port) => `Port ${port}`),
      user.map((name) => `User ${name}`),
      fc.constantFrom("/k/a", "/k/%h", "~/k/%r", "/k/%n%%").map((file) => `IdentityFile ${file}`),
      fc.constantFrom("none", "gate", "a@gate:1,b").map((jump) => `ProxyJump ${jump}`),
      fc.constantFrom("none", "nc x", "nc x").map((command) => `ProxyCommand ${command}`),
      fc.constantFrom("yes", "no", "accept-new", "ask").map((word) => `StrictHostKeyChecking ${word}`),
      fc.constantFrom("alias1", "alias2").map((alias) => `HostKeyAlias ${alias}`),
      fc.constantFrom("3", "1m").map((time) => `ConnectTimeout ${time}`),
    );
    const block = fc.tuple(head, fc.array(setting, { maxLength: 3 }));
    const whole = fc.tuple(fc.array(setting, { maxLength: 2 }), fc.array(block, { maxLength: 5 }));
    await fc.assert(
      fc.asyncProperty(
        whole,
        fc.constantFrom(...names),
        fc.option(user, { nil: undefined }),
        async ([before, blocks], host, given) => {
          const text = [before, ...blocks.map(([first, rest]) => [first, ...rest])].flat().join("\n");
          await compare(`${text}\n`, host, given);
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe("what is not honoured", () => {
  it("is a warning that names it and its place, where it would have counted", async () => {
    const file = config(
      'Match exec "true"\n  Port 1\nMatch host other exec "true"\n  Port 2\nBindAddress ::1\n',
    );
    const [settings, { warnings }] = await ofOurs(file, "web1");
    expect(settings.port).toBe("22");
    expect(warnings).toEqual([`"Match exec" in ${file} line 1 is not honoured: its block is passed over.`]);
    const [, second] = await ofOurs(config("Host web1\nBindAddress ::1\nPKCS11Provider none\n"), "web1");
    expect(second.warnings).toEqual([
      `BindAddress in ${file} line 2 is not honoured (transport = "openssh" would).`,
    ]);
  });

  it("is an error where a value means nothing", async () => {
    await expect(ofOurs(config("\nPort ssh\n"), "web1")).rejects.toMatchObject({
      code: "login_settings",
      message: `${at("config")} line 2: "ssh" is no value of this keyword`,
    });
  });

  it.each([
    ["a directory", () => directory, "cannot be read: illegal operation on a directory"],
    [
      "a line that ends in a quotation",
      () => config('Host *\nUser "x\n'),
      "config line 2 cannot be understood",
    ],
    ["a match without an end", () => config("Match bad syntax here\n"), "config line 1 cannot be understood"],
    [
      "one of them in a file that is included",
      () => {
        writeFileSync(at("conf.d/bad"), '# first\nUser "x\n');
        return config(`Include ${at("conf.d/bad")}\n`);
      },
      "conf.d/bad line 2 cannot be understood",
    ],
  ])("is an error of the host: %s", async (_, file, message) => {
    const login = resolveLogin({ address: "web", sshConfigFile: file() });
    await expect(reachedLogin(login)).rejects.toMatchObject({
      code: "login_settings",
      hostDown: true,
      message: expect.stringContaining(message),
    });
  });
});

describe("what the login itself says", () => {
  it("counts more than the file, also where it says the default", async () => {
    const file = config(
      "Port 2222\nUser ops\nStrictHostKeyChecking no\nServerAliveInterval 9\nProxyJump gate\n",
    );
    const login = resolveLogin({
      address: "web1",
      port: 22,
      user: "deploy",
      hostKeyChecking: "strict",
      keepalive: 15,
      proxyJump: "none",
      sshConfigFile: file,
    });
    const { port, user, hostKeyChecking, keepalive, proxyJump } = await reachedLogin(login);
    expect([port, user, hostKeyChecking, keepalive, proxyJump]).toEqual([22, "deploy", "strict", 15, "none"]);
  });

  it("may be that there is no file", async () => {
    expect(await reachedLogin(resolveLogin({ address: "web1", sshConfigFile: "none" }))).toMatchObject({
      address: "web1",
      port: 22,
      identityFiles: ["~/.ssh/id_ed25519", "~/.ssh/id_ecdsa", "~/.ssh/id_rsa"],
      warnings: [],
    });
  });
});

it("looks for relative names of Include below the user's directory", async () => {
  mkdirSync(at("home/.ssh/conf.d"), { recursive: true });
  writeFileSync(at("home/.ssh/config"), "Include conf.d/*\nInclude ~/.ssh/last\n");
  writeFileSync(at("home/.ssh/conf.d/one"), "Host web1\n  Port 5\n");
  writeFileSync(at("home/.ssh/last"), "HostName db1\n");
  const query = { host: "web1", localUser: "me", home: at("home") };
  const { values, hostName } = await lookUp([at("home/.ssh/config")], query);
  expect([values.get("port")?.[0]?.words, hostName]).toEqual([["5"], "db1"]);
});

describe("what nobody reads", () => {
  const warningsOf = async (text: string): Promise<readonly string[]> => {
    writeFileSync(at("odd"), text);
    return (await reachedLogin(resolveLogin({ address: "web1", sshConfigFile: at("odd") }))).warnings;
  };

  it("is told, unless it is meant for others", async () => {
    expect(await warningsOf("Host web1\n  Hostnmae x\n  Compression yes\n")).toEqual([
      `"hostnmae" in ${at("odd")} line 2 is no keyword of ssh_config, and says nothing.`,
    ]);
    expect(await warningsOf("IgnoreUnknown Use*,hostn*\nUseFoo yes\nHostnmae x\n")).toEqual([]);
    expect(await warningsOf("Host other\n  Hostnmae x\n")).toEqual([]);
  });

  it("is no keyword that ssh has", () => {
    const printed = execFileSync("ssh", ["-G", "-F", "none", "x"], { encoding: "utf8" });
    const keywords = printed.split("\n").flatMap((line) => line.toLowerCase().split(" ")[0] || []);
    expect(keywords.filter((keyword) => !isKeyword(keyword))).toEqual([]);
  });

  it("without public keys only what the login names is offered", async () => {
    writeFileSync(at("no-keys"), "PubkeyAuthentication no\nIdentityFile /keys/a\n");
    const login = resolveLogin({ address: "web1", sshConfigFile: at("no-keys"), privateKeyFile: "/keys/b" });
    expect(await reachedLogin(login)).toMatchObject({ identityFiles: [], privateKeyFile: "/keys/b" });
  });
});
