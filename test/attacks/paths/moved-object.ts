import { type Attack, attacker, type Cell } from "./table/attack.ts";

/** Root's, in directories of the attacker: as a program of root's leaves things there. */
const arranged = ({ home, secret }: Cell): string =>
  `mkdir -p ${home}/from/in; chown ${attacker}: ${home}/from ${home}/from/in; cd ${home}/from; umask 077
[ -e file ] || echo ${secret} >file
for d in dir in/dir; do [ -d $d ] || { mkdir $d; echo ${secret} >$d/secret; chmod 644 $d/secret; }; done`;

/** What the attacker has by now, or can read. */
const won = ({ home, secret }: Cell): string =>
  `find ${home} -user ${attacker} -type f -exec grep -l ${secret} {} + | sed 's/^/owns /'
find ${home} -user ${attacker} -path '*/dir*' -type d -exec test -e {}/secret \\; -print | sed 's/^/owns /'
runuser -u ${attacker} -- grep -rs ${secret} ${home} | sed 's/^/reads /'
[ ! -d ${home}/sub/dir/in ] || [ -e ${home}/sub/dir/in/dir/secret ] || echo 'had root remove what is in a directory of its own'`;

/**
 * A file or directory of root's that the attacker moves: to the path of the object, or into the directory that it is. A
 * directory of root's is renamed where it is, or goes along with the attacker's own that it is in.
 */
export const movedObject: Attack = {
  name: "moved_object",
  against: ({ kind }) => kind !== "link",
  arranged,
  strike: ({ victim, object, home, directory }) => {
    const from = `${home}/from`;
    if (victim.holds === "file") return `mv -fT ${from}/file ${object}`;
    return `mkdir -p ${directory}; cd ${directory}
[ -O dir ] || mkdir dir 2>/dev/null
[ ! -O dir ] || { mv ${from}/file dir/moved; mv ${from}/in dir/in; }`;
  },
  won,
};

/** The object itself is a directory of root's that the attacker has renamed to it. */
export const renamedDirectory: Attack = {
  name: "renamed_directory",
  against: ({ kind }) => kind === "directory",
  arranged: (cell) =>
    `${arranged(cell)}
[ -e ${cell.directory}/other ] || [ -e ${cell.object}/secret ] || cp -a dir ${cell.directory}/other`,
  strike: ({ object, directory }) => `cd ${directory}
[ ! -e other ] || { [ ! -d ${object} ] || mv -T ${object} gone.$$; mv -T other ${object}; }`,
  won: (cell) =>
    `${won(cell)}
[ -e ${cell.object}/secret ] || [ -e ${cell.directory}/other/secret ] || echo 'had root empty a directory of its own'`,
};
