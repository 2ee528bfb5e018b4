/**
 * @module The streams of an `ssh2` client from their first moment: it hands out a channel when the host has agreed to the
 * command, and before that the host may send whatever it likes.
 */
import type { Client, ClientChannel } from "ssh2";

/** What `ssh2` keeps of its channels, which its types leave out. */
interface Inner {
  _chanMgr?: { update?(id: number, channel: unknown): void };
}

/**
 * @param onStream called for both streams of a channel when the host has opened it
 */
export function watchStreams(
  client: Client,
  onStream: (stream: ClientChannel | ClientChannel["stderr"]) => void,
): void {
  const channels = (client as unknown as Inner)._chanMgr;
  if (channels?.update === undefined) throw new Error("this version of ssh2 keeps its channels elsewhere");
  const update = channels.update.bind(channels);
  channels.update = (id, channel) => {
    const { stderr } = channel as ClientChannel;
    onStream(channel as ClientChannel);
    if (stderr !== undefined) onStream(stderr);
    update(id, channel);
  };
}
