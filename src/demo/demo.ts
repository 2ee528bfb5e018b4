/**
 * @module The demo: the main job on a throw-away host, told as a story. Every line between its headings comes from the
 * commands themselves, called as a person calls them.
 */
import { rmSync } from "node:fs";
import { mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Colors } from "picocolors/types";
import { createSessionPool, resolveLogin } from "../ssh/index.ts";
import { circuitText, configPath, files, templateText } from "./circuit.ts";
import { type DemoHost, startDemoHost } from "./host/demo-host.ts";

/** What the demo needs of the program around it. */
export interface Stage {
  out(text: string): void;
  readonly colors: Colors;
  /** Aborted when nobody reads what is shown any more. */
  readonly lost: AbortSignal;
  /** Runs a command of `conn3x` in the current directory, and gives its exit code. */
  conn3x(args: readonly string[]): Promise<number>;
}

/** A scene that did not end as it must: the demo stops there. */
class DemoError extends Error {
  override readonly name = "DemoError";
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Plays it from start to end, and removes everything, also after ^C. */
export async function playDemo(stage: Stage): Promise<0 | 1> {
  const before = process.cwd();
  const host = await startDemoHost({ units: ["web.service"] });
  const directory = await realpath(await mkdtemp(join(tmpdir(), "conn3x-demo-work-")));
  const places = [host.root, directory];
  // A second ^C ends the process at once: what is on the disk goes even then.
  const sweep = (): void => {
    for (const place of places) rmSync(place, { recursive: true, force: true });
  };
  process.once("exit", sweep);
  const shell = createShell(host);
  const stop = new AbortController();
  const onSignal = (): void => {
    if (stop.signal.aborted) process.exit(1);
    stop.abort();
  };
  const onLost = (): void => stop.abort();
  for (const signal of signals) process.on(signal, onSignal);
  stage.lost.addEventListener("abort", onLost);
  try {
    process.chdir(directory);
    await play({ stage, host, directory, shell, stopped: stop.signal });
    return 0;
  } catch (error) {
    if (!(error instanceof DemoError)) throw error;
    stage.out(`\n${error.message}\n`);
    return 1;
  } finally {
    process.chdir(before);
    for (const signal of signals) process.off(signal, onSignal);
    stage.lost.removeEventListener("abort", onLost);
    await shell.close();
    await host.close();
    await rm(directory, { recursive: true, force: true });
    process.off("exit", sweep);
    stage.out(`\nThe host is stopped, and ${places.join(" and ")} are removed.\n`);
  }
}

interface Scene {
  readonly stage: Stage;
  readonly host: DemoHost;
  readonly directory: string;
  readonly shell: Shell;
  readonly stopped: AbortSignal;
}

async function play(scene: Scene): Promise<void> {
  await introduce(scene);
  const started = await showHost(scene);
  await showCircuit(scene);

  heading(scene, 3, "What would be done?", "Nothing is changed by a plan: it reads the host and compares.");
  await conn3x(scene, ["plan"], 0);

  heading(scene, 4, "Do it", "The handler runs last, since a step that notifies it has changed something.");
  await conn3x(scene, ["apply", "-auto-approve"], 0);
  const applied = await showStart(scene, started);

  heading(scene, 5, "And again?", "What is as it should be is left alone.");
  await conn3x(scene, ["plan", "-detailed-exitcode"], 0);

  await editByHand(scene);
  await conn3x(scene, ["plan", "-detailed-exitcode"], 2);

  heading(scene, 7, "Put it back", "The file is as configured again, so the service must read it again.");
  await conn3x(scene, ["apply", "-auto-approve"], 0);
  await showStart(scene, applied);

  heading(scene, 8, "Take it all away", "Only what Conn3x made goes.");
  await conn3x(scene, ["destroy", "-auto-approve"], 0);
  await onHost(scene, `ls ${configPath(scene.host)}`);
  conclude(scene);
}

async function introduce({ stage, host, directory }: Scene): Promise<void> {
  stage.out(`${stage.colors.bold("Conn3x configures Linux hosts over SSH: it plans, you look, it applies.")}

This demo does so on a throw-away host that it has just started inside this process: an SSH server on
${host.address}:${host.port}. Nothing but it is touched, and nothing is left when the demo ends.

- The host's files lie under ${host.root}, so every path below starts with that.
- No service really runs there: its systemctl is a stand-in that keeps the state of units in files.
- The commands are the real ones. You could type them, in ${directory}.
`);
}

async function showHost(scene: Scene): Promise<string> {
  heading(
    scene,
    1,
    "The host",
    'A service named "web" runs on it. systemd gives every start an id of its own.',
  );
  await scene.shell.run("systemctl start web");
  return showStart(scene, undefined);
}

async function showCircuit(scene: Scene): Promise<void> {
  const { stage, host, directory } = scene;
  const circuit = circuitText(host);
  await Promise.all([
    writeFile(join(directory, files.circuit), circuit),
    writeFile(join(directory, files.template), templateText),
    writeFile(join(directory, files.key), host.privateKey, { mode: 0o600 }),
  ]);
  heading(
    scene,
    2,
    "The circuit",
    "A list of hosts, steps in their order, and a handler that runs when a step that notifies it changed.",
  );
  for (const name of [files.circuit, files.template]) {
    prompt(stage, `cat ${name}`);
    stage.out(indented(await readFile(join(directory, name), "utf8")));
  }
}

async function editByHand(scene: Scene): Promise<void> {
  heading(
    scene,
    6,
    "Somebody edits the file on the host",
    "The next plan finds it, says so, and exits with 2: there is something to do.",
  );
  await onHost(scene, `echo 'debug = on' >> ${configPath(scene.host)}`);
}

function conclude({ stage }: Scene): void {
  const { bold } = stage.colors;
  stage.out(`
${bold("That is the main job.")} A configuration of your own is a directory with a file such as web.circuit.hcl: put your
hosts in it, then conn3x plan and conn3x apply. The same file, compiled (conn3x compile), runs under OpenTofu and
Terraform. conn3x help lists the commands.
`);
}

/** Shows the id of the service's present start, and says whether it is another one than before. */
async function showStart(scene: Scene, before: string | undefined): Promise<string> {
  const id = await onHost(scene, "systemctl show -p InvocationID --value web");
  if (before !== undefined) {
    const { bold, green } = scene.stage.colors;
    if (id === before) throw new DemoError("The service was not restarted: its id is the one from before.");
    scene.stage.out(`${bold(green("Another id than before:"))} the handler has restarted the service.\n`);
  }
  return id;
}

function heading({ stage, stopped }: Scene, number: number, title: string, explanation: string): void {
  if (stopped.aborted) throw new DemoError("Stopped.");
  stage.out(`\n${stage.colors.cyan(stage.colors.bold(`${number}. ${title}`))}\n   ${explanation}\n`);
}

const prompt = ({ out, colors }: Stage, command: string, where = ""): void =>
  out(`\n${colors.dim(`${where}$`)} ${colors.bold(command)}\n`);

const indented = (text: string): string => text.replace(/^(?=.)/gm, "  ");

async function conn3x({ stage, stopped }: Scene, args: readonly string[], expected: number): Promise<void> {
  prompt(stage, `conn3x ${args.join(" ")}`);
  const status = await stage.conn3x(args);
  if (stopped.aborted) throw new DemoError("Stopped.");
  if (status !== expected)
    throw new DemoError(`conn3x ${args[0]} ended with exit code ${status}, not ${expected}.`);
  if (args.includes("-detailed-exitcode")) stage.out(`\nExit code ${status}.\n`);
}

/** Does on the host what a person does who is logged in to it, and shows it. */
async function onHost({ stage, shell }: Scene, command: string): Promise<string> {
  prompt(stage, command, "demo ");
  const answer = await shell.run(command);
  stage.out(answer);
  return answer.trim();
}

interface Shell {
  /** @returns what the command wrote, to either stream */
  run(command: string): Promise<string>;
  close(): Promise<void>;
}

/** A login of its own, apart from those of the commands. */
function createShell(host: DemoHost): Shell {
  const pool = createSessionPool();
  const session = pool.session(resolveLogin({ ...host.login, host: "demo" }));
  return {
    async run(command) {
      const { stdout, stderr } = await session.run({ script: command });
      return `${stdout}${stderr}`;
    },
    close: () => pool.close(),
  };
}
