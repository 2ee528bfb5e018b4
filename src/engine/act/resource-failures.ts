/**
 * @module The failures of one resource, found without going through them: on a large fleet there may be thousands, and
 * every later instance asks.
 */
import type { InstanceKey } from "../../values/address.ts";
import type { PlannedInstance } from "../decide/planned-instance.ts";

export interface Failure {
  readonly instance: PlannedInstance;
  /** One line: what holds back those that come after it. */
  readonly because: string;
}

export class ResourceFailures {
  readonly #byKey = new Map<InstanceKey, Failure>();
  /** By host, the latest; undefined stands for none. */
  readonly #byHost = new Map<string | undefined, Failure>();
  /** The same hosts, in order. */
  readonly #hosts: (string | undefined)[] = [];
  /** By the hosts of a circuit: the first host here that is not among them, or how many were looked at in vain. */
  readonly #outside = new Map<ReadonlySet<string>, { looked: number; failure: Failure | undefined }>();

  add(failure: Failure): void {
    const { key, subject } = failure.instance;
    this.#byKey.set(key, failure);
    if (!this.#byHost.has(subject.host)) this.#hosts.push(subject.host);
    this.#byHost.set(subject.host, failure);
  }

  get first(): Failure | undefined {
    return this.#byHost.get(this.#hosts[0]);
  }

  of(key: InstanceKey): Failure | undefined {
    return this.#byKey.get(key);
  }

  onHost(host: string): Failure | undefined {
    return this.#byHost.get(host);
  }

  /** On none of these hosts, or on no host at all. */
  outside(hosts: ReadonlySet<string>): Failure | undefined {
    const known = this.#outside.get(hosts) ?? { looked: 0, failure: undefined };
    this.#outside.set(hosts, known);
    while (known.failure === undefined && known.looked < this.#hosts.length) {
      const host = this.#hosts[known.looked++];
      if (host === undefined || !hosts.has(host)) known.failure = this.#byHost.get(host);
    }
    return known.failure;
  }
}
