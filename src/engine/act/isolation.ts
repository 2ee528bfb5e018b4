/**
 * @module Who must not go on after a failure: the failed instance's host within its circuit, and whatever refers to
 * what failed. Other hosts go on.
 */
import type { PlannedInstance } from "../decide/planned-instance.ts";
import type { InstanceKey } from "../plan.ts";

interface Failure {
  readonly instance: PlannedInstance;
  readonly because: string;
}

/** What failed or was held back so far in a run. */
export class Isolation {
  /** By circuit and host, the first one. */
  readonly #hosts = new Map<string, Failure>();
  readonly #closed = new Set<string>();
  /** By address of the resource, then by key. */
  readonly #resources = new Map<string, Map<InstanceKey, Failure>>();
  /** Hosts of each circuit. */
  readonly #members = new Map<string, Set<string>>();

  /** @param all every instance of the run, for knowing which hosts a circuit has */
  constructor(all: readonly PlannedInstance[]) {
    for (const { subject } of all) {
      if (subject.circuit === undefined || subject.host === undefined) continue;
      const hosts = this.#members.get(subject.circuit) ?? new Set<string>();
      this.#members.set(subject.circuit, hosts.add(subject.host));
    }
  }

  /**
   * @param because one line: what holds back those that come after it
   */
  failed(instance: PlannedInstance, because: string): void {
    const failure = { instance, because };
    const host = hostKey(instance);
    if (host !== undefined && !this.#hosts.has(host)) this.#hosts.set(host, failure);
    const resource = this.#resources.get(instance.resource) ?? new Map<InstanceKey, Failure>();
    this.#resources.set(instance.resource, resource.set(instance.key, failure));
  }

  /** Like {@link failed}, and nothing at all is to be done on the instance's host any more. */
  closed(instance: PlannedInstance, because: string): void {
    this.failed(instance, because);
    const host = hostKey(instance);
    if (host !== undefined) this.#closed.add(host);
  }

  /** Whether the instance itself failed or was held back. */
  isOut({ resource, key }: PlannedInstance): boolean {
    return this.#resources.get(resource)?.has(key) ?? false;
  }

  /**
   * Why an instance must not be begun; undefined when it may.
   *
   * @param after addresses of all resources that come before it in this phase
   */
  holdsBack(instance: PlannedInstance, after: Iterable<string>): string | undefined {
    if (this.#resources.size === 0) return undefined;
    const host = hostKey(instance);
    const onHost = host === undefined ? undefined : this.#hosts.get(host);
    // Its neighbours of the same step were begun together with it.
    const isLater = onHost?.instance.resource !== instance.resource || this.#closed.has(host ?? "");
    if (onHost !== undefined && isLater) return onHost.because;
    return this.#referredTo(instance)?.because ?? this.#before(instance, after)?.because;
  }

  /** A failed instance that the instance's configuration names. */
  #referredTo({ accesses }: PlannedInstance): Failure | undefined {
    for (const { resource, of, key } of accesses) {
      const failure = of === "one" ? this.#resources.get(resource)?.get(key) : undefined;
      if (failure !== undefined) return failure;
    }
    return undefined;
  }

  /**
   * A failure in a resource that it waits for. In its own circuit only the same host counts, and so in another circuit
   * with the same hosts; what failed on a host that its circuit does not have holds all of it back.
   */
  #before({ subject }: PlannedInstance, after: Iterable<string>): Failure | undefined {
    const hosts = subject.circuit === undefined ? undefined : this.#members.get(subject.circuit);
    for (const resource of after) {
      for (const failure of this.#resources.get(resource)?.values() ?? []) {
        const { host } = failure.instance.subject;
        const isShared = subject.host !== undefined && host !== undefined && hosts?.has(host);
        if (!isShared || host === subject.host) return failure;
      }
    }
    return undefined;
  }
}

function hostKey({ subject }: PlannedInstance): string | undefined {
  return subject.circuit === undefined || subject.host === undefined
    ? undefined
    : `${subject.circuit}/${subject.host}`;
}
