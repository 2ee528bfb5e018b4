/**
 * @module Limits how many hosts are worked with at once: what a host is asked still travels together, and thousands of hosts
 * neither are connected to in one instant nor keep all that is in flight in memory.
 */

/** Hosts at once. Far more than a controller's processor keeps busy. */
const hostsAtOnce = 128;

export interface HostWindow {
  /**
   * Begins at once when something for the same host is being done or there is room, else when there is. Everything that
   * waits for a host begins together. Without a host it begins at once.
   */
  run<T>(host: string | undefined, work: () => Promise<T>): Promise<T>;
}

export function hostWindow(size: number = hostsAtOnce): HostWindow {
  const running = new Map<string, number>();
  const waiting = new Map<string, (() => void)[]>();

  const begin = async <T>(host: string, work: () => Promise<T>): Promise<T> => {
    running.set(host, (running.get(host) ?? 0) + 1);
    try {
      return await work();
    } finally {
      const left = running.get(host)! - 1;
      if (left > 0) running.set(host, left);
      else {
        running.delete(host);
        openNext();
      }
    }
  };

  const openNext = (): void => {
    while (running.size < size) {
      const [next] = waiting;
      if (next === undefined) return;
      const [host, begins] = next;
      waiting.delete(host);
      for (const begin of begins) begin();
    }
  };

  return {
    run(host, work) {
      if (host === undefined) return work();
      if (running.has(host) || running.size < size) return begin(host, work);
      return new Promise((resolve, reject) => {
        const start = () => void begin(host, work).then(resolve, reject);
        const others = waiting.get(host);
        if (others === undefined) waiting.set(host, [start]);
        else others.push(start);
      });
    },
  };
}
