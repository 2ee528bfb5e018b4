/**
 * @module Which of many paths have to be looked at one by one: those that others can change, and links that are followed.
 *
 * One `stat` over all directories above all paths. Where each belongs to root or the acting user and nobody else can
 * write to it, nobody can change what is found there, and names are enough. `go.ts` has the rules for all others.
 */
import { lines, raw, type Script, script } from "../../script/script.ts";
import { saySlow } from "../../script/slowly.ts";
import { plainPath } from "../../values/host-path.ts";
import { slices } from "./at-once.ts";

/** Defines `c3x_is_special PATH`, for paths in the directories above these. */
export const survey = (paths: readonly string[]): Script =>
  lines([functions, ...slices(directoriesAbove(paths)).map((some) => script`c3x_survey ${some}`)]);

/** All directories above the paths, each after those above it. */
function directoriesAbove(paths: readonly string[]): readonly string[] {
  const all = new Set(["/"]);
  for (const path of paths) {
    const parts = plainPath(path).split("/").slice(1, -1);
    for (const i of parts.keys()) all.add(`/${parts.slice(0, i + 1).join("/")}`);
  }
  return [...all];
}

/**
 * Lists of paths between line ends: `c3x_loose` are directories whose contents others can change, or that are links,
 * `c3x_sticky` those where others can only add to it. A name with a line end can but add to them.
 */
const functions = raw(`c3x_nl='
'
c3x_loose=$c3x_nl c3x_sticky=$c3x_nl
c3x_survey() {
  c3x_flags=
  for d do if [ -e "$d" ] || [ -L "$d" ]; then c3x_flags=\${c3x_flags}e; else c3x_flags=\${c3x_flags}m; fi; done
  c3x_s=$(c3x_stat_there "$c3x_flags" "$@")
  case $c3x_s in
    *"\${c3x_nl}complete") ;;
    *)
      for d do c3x_loose=$c3x_loose$d$c3x_nl; done
      return ;;
  esac
  for d do
    c3x_up=\${d%/*}
    c3x_up=\${c3x_up:-/}
    c3x_flag=\${c3x_flags%"\${c3x_flags#?}"} c3x_flags=\${c3x_flags#?} c3x_is= c3x_u= c3x_m=0
    if [ "$c3x_flag" = e ]; then
      c3x_line=\${c3x_s%%"$c3x_nl"*}
      c3x_s=\${c3x_s#*"$c3x_nl"} c3x_u=\${c3x_line%% *} c3x_m=$((0x\${c3x_line#* }))
    fi
    case $c3x_loose in
      *"$c3x_nl$c3x_up$c3x_nl"*) c3x_is=loose ;;
      *)
        if [ -z "$c3x_u" ]; then case $c3x_sticky in *"$c3x_nl$c3x_up$c3x_nl"*) c3x_is=loose ;; esac
        elif [ $((c3x_m & 0xf000)) -ne $((0x4000)) ] || ! c3x_is_trusted "$c3x_u"; then c3x_is=loose
        elif [ $((c3x_m & 0x12)) -eq 0 ]; then :
        elif [ $((c3x_m & 0x200)) -ne 0 ]; then c3x_is=sticky
        else c3x_is=loose; fi ;;
    esac
    case $c3x_is in
      loose) c3x_loose=$c3x_loose$d$c3x_nl ;;
      sticky) c3x_sticky=$c3x_sticky$d$c3x_nl ;;
    esac
  done
}
c3x_stat_there() {
  f=$1
  shift
  for d do
    shift
    case $f in e*) set -- "$@" "$d" ;; esac
    f=\${f#?}
  done
  c3x_stat "$c3x_modes" "$@" && echo complete
}
c3x_is_special() {
  if [ "$c3x_follow" = y ] && [ -L "$1" ]; then return 0; fi
  c3x_up=\${1%/*}
  case $c3x_loose$c3x_sticky in *"$c3x_nl\${c3x_up:-/}$c3x_nl"*) return 0 ;; esac
  return 1
}`);

/**
 * `c3x_look_at PATH` prints all about one path, after `walk` and `held`: a word of `c3x_kinds`, or one that begins with `!`
 * and what belongs to it. `!u` is followed by the reason; any other by what `stat` says of it, and a readable file by its
 * hash where there are to be some. Letters after the kind: `l`, behind a link; `s`, others can change what is there; `h`,
 * the content must not leave the host. `!x` is a link that was followed, and leads nowhere. Before all of it stands `@` and the
 * path as it is without links, where that is another and has no line end.
 */
export const lookAtOne: Script = raw(`c3x_look_at() (
  c3x_at "$1" "$c3x_follow"
  c3x_r=$?
  c3x_real "$1" $c3x_r
  case $c3x_r in
    0) ;;
    2) if [ -n "$c3x_linked" ]; then echo '!x'; else echo a; fi; exit ;;
    *) c3x_tell; exit ;;
  esac
  p=./$c3x_name
  if [ -L "$p" ]; then echo x
  elif [ -d "$p" ]; then c3x_describe d
  elif [ -f "$p" ] && [ -r "$p" ]; then
    c3x_why='was changed while it was looked at'
    c3x_open c3x_describe_held 2>/dev/null || c3x_tell
  elif [ -f "$p" ]; then c3x_describe n
  elif [ -e "$p" ]; then c3x_describe o
  elif [ -n "$c3x_linked" ]; then echo '!x'
  elif ! [ -x . ]; then c3x_why='is below a directory that the user may not search'; c3x_tell
  else echo a; fi
)
c3x_real() {
  case $2 in
    0) [ "$c3x_name" = . ] && c3x_p=$c3x_way || c3x_p=$c3x_way/$c3x_name ;;
    2) c3x_p=$c3x_way/\${c3x_rest%/}/$c3x_name ;;
    *) return ;;
  esac
  case $c3x_p in "$1" | *"$c3x_nl"*) ;; *) printf '@%s\n' "$c3x_p" ;; esac
}
c3x_tell() { echo '!u'; printf %s "$c3x_why" | tr '\n' ' '; echo; }
c3x_describe() {
  c3x_why='was changed while it was looked at'
  if r=$(c3x_stat "$c3x_described" "$p"); then printf '%s\n' "!$1\${c3x_linked:+l}\${c3x_shared:+s}" "$r"; else c3x_tell; fi
}
c3x_describe_held() {
  r=$(c3x_facts) || return
  set -- $r
  c3x_held touch "$@" || { c3x_tell; return; }
  if c3x_may read "$1" "$2" "$3" "$4"; then h=; else h=h; fi
  s=
  case $c3x_hashes$9 in y????????*) ${saySlow.text} ;; esac
  [ "$c3x_hashes" = n ] || s=$(c3x_sum <&5) || return
  printf '%s\n' "!f\${c3x_linked:+l}\${c3x_shared:+s}$h" "\${r#* * * * * }"
  [ "$c3x_hashes" = n ] || echo "\${s%%[ *]*}"
}`);
