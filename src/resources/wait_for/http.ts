/**
 * @module Requests a URL from the host, with the client that it has: curl(1), wget(1) or busybox's.
 */
import { raw, type Script, script } from "../../script/script.ts";

/** Statuses that count as an answer where none are named. */
export const standardStatuses = [200];

/** Exit status of {@link answers} where the host has no client: waiting would be in vain. */
export const noClient = 69;

/** Seconds for one answer. */
const patience = 10;

/**
 * Status 0 when the URL answers with one of the statuses. What is answered is thrown away, a redirection is an answer. The
 * URL, which may hold a secret, is no argument, but of busybox's wget, which takes it in no other way.
 *
 * @param wanted whether it is to answer so, or not to
 */
export const answers = (
  url: string,
  statuses: readonly number[],
  wanted: boolean,
): Script => script`c3x_url=${url}
c3x_status=
if command -v curl >/dev/null 2>&1; then
  c3x_said=$(printf 'url = "%s"\n' "$c3x_url" | curl -q -g -K - -sS -o /dev/null -w '%{http_code}' --max-time ${patience} 2>&1)
  # The status comes last, behind what went wrong: 000 where there is none.
  c3x_status=\${c3x_said##*[!0-9]}
elif command -v wget >/dev/null 2>&1; then
  # That of busybox follows redirections, and tells a status only where it is an error; its -T crashes in Debian's 1.35.
  if wget --help 2>&1 | grep -q -- --max-redirect; then
    c3x_said=$(printf '%s\n' "$c3x_url" | wget -S -O /dev/null -T ${patience} --max-redirect=0 --tries=1 -i - 2>&1)
  elif c3x_said=$(wget -O /dev/null "$c3x_url" 2>&1); then c3x_said='HTTP/1.1 200'
  fi
  c3x_status=$(printf '%s\n' "$c3x_said" | sed -n 's/^.*HTTP\/[0-9.]* \([0-9][0-9][0-9]\).*/\1/p' | head -n 1)
else
  echo 'the host has neither curl nor wget: set http_from = "controller", or install one in an earlier step' >&2
  exit ${noClient}
fi
case " ${raw(statuses.join(" "))} " in
  *" $c3x_status "*) ${raw(wanted ? "exit 0" : 'echo "it answers with status $c3x_status" >&2; exit 1')} ;;
esac
${wanted ? reported : raw("exit 0")}`;

/** What it did instead, without lines that have the URL in them. */
const reported = raw(`case $c3x_status in
  [1-9]*) echo "it answers with status $c3x_status" ;;
  *)
    c3x_said=$(printf '%s\n' "\${c3x_said%000}" | grep -v :// | grep . | tail -n 3)
    echo "it does not answer\${c3x_said:+: }$c3x_said" ;;
esac >&2
exit 1`);
