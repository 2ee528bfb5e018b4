/**
 * @module What still runs when a file goes that units were read from: systemd.unit(5), "Unit File Load Path".
 */
import { type Diagnostic, warningDiagnostic } from "../../diagnostics/diagnostic.ts";
import { script } from "../../script/script.ts";
import { type Facts, type HostLook, hostLook } from "../kind.ts";
import { runningService } from "./name.ts";
import { propertiesOf } from "./show.ts";

/** By precedence. */
const directories = [
  "/etc/systemd/system",
  "/run/systemd/system",
  "/usr/local/lib/systemd/system",
  "/usr/lib/systemd/system",
  "/lib/systemd/system",
];

const unitFile = new RegExp(
  `^(?:${directories.join("|")})/([^/]+\\.(?:service|socket|timer|path|mount|automount|swap|slice|scope|target))$`,
);

/** The name of the unit whose file a path is, or of its template; undefined for other files, such as drop-ins. */
const unitOfFile = (path: string): string | undefined => unitFile.exec(path)?.[1];

/** Units that run by a file, and that are something else, or nothing, without it. */
interface RunningUnit {
  /** All names that it has. */
  readonly names: readonly string[];
}

/** One process for all files. What another file of the same name makes of a unit is what it goes on with. */
const facts: Facts<readonly RunningUnit[]> = {
  subject: ({ path }) => String(path),
  ask: (paths) => script`if [ -d /run/systemd/system ]; then
for f in ${paths}; do
  for d in ${directories}; do
    d=$d/\${f##*/}
    if [ "$d" != "$f" ] && [ -e "$d" ] && ! [ "$d" -ef "$f" ]; then echo "Replaced=$f"; break; fi
  done
done
echo
systemctl show -p Id -p Names -p ActiveState -p FragmentPath -- ${paths.map(patternOf)}
fi`,
  parse(stdout, paths) {
    const blocks = stdout.toString("utf8").split("\n\n");
    const replaced = new Set(blocks[0]!.split("\n").map((line) => line.slice("Replaced=".length)));
    const units = blocks.map(propertiesOf);
    return paths.map((path) => {
      const running = units.filter(
        (show) =>
          show.get("FragmentPath") === path &&
          /^(?:active|reloading|activating)$/.test(show.get("ActiveState") ?? ""),
      );
      const names = running.map((show) => ({
        names: [show.get("Id")!, ...(show.get("Names") ?? "").split(" ")],
      }));
      return { state: "present", facts: replaced.has(path) ? [] : names };
    });
  },
};

/** All that are made of a template. */
const patternOf = (path: string): string => unitOfFile(path)!.replace(/@(?=\.[a-z]+$)/, "@*");

/** What runs by a file that is to go; undefined where it is no unit's file. */
export function leftRunningBy(path: string): HostLook | undefined {
  if (unitOfFile(path) === undefined) return undefined;
  return hostLook(
    { type: "unit_files", facts },
    {
      object: { path },
      about: "conn3x_service",
      means: (found, { named }) =>
        (found.state === "present" ? found.facts : [])
          .filter(({ names }) => !names.some((name) => named.has(runningService(name))))
          .map(({ names }) => stillRuns(path, names[0]!)),
    },
  );
}

const stillRuns = (path: string, unit: string): Diagnostic =>
  warningDiagnostic(
    "A unit still runs without its file",
    `${unit} runs. Removing ${path} does not stop it, and no service step of this run does; afterwards it cannot be started again. Stop it with a service step first (running = false, enabled = false; one that goes as well stops it with on_remove = "delete"), or run \`systemctl disable --now ${unit}\` on the host.`,
  );
