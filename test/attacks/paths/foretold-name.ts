import { temporaryFamily } from "../../../src/script/temporary-files.ts";
import type { Attack, Cell } from "./table/attack.ts";

/** Process ids and seconds that are foretold. */
const many = 3000;

/**
 * Links at names that something is written to beside the object: temporary files for the next process ids, and backups for
 * the next seconds.
 */
export const foretoldName: Attack = {
  name: "foretold_name",
  against: ({ holds }) => holds !== "directory",
  strike: (cell) =>
    cell.victim.name.includes("backup")
      ? `${spoil(cell)}
now=$(date +%s); i=0
while [ $i -lt 40 ]; do
  ln -s ${cell.prize}/secret "${cell.object}.$(date -u -d @$((now + i)) +%Y-%m-%dT%H%M%SZ)~" 2>/dev/null
  i=$((i + 1))
done`
      : `${spoil(cell)}
perl -e 'my $pid = fork; exit unless $pid; waitpid $pid, 0;
for my $p ($pid .. $pid + ${many}) { symlink "${target(cell)}", "${cell.directory}/.conn3x-${temporaryFamily(cell.object)}-00000000-00000000-$p" }'`,
};

const target = ({ victim, prize }: Cell): string =>
  victim.holds === "link" ? `${prize}/tree` : `${prize}/secret`;

/** So that there is something to write. */
const spoil = ({ victim, object }: Cell): string =>
  victim.holds === "link"
    ? `rm -f ${object}; ln -s elsewhere ${object}`
    : `rm -f ${object}; echo spoilt >${object}`;
