/**
 * @module What a failure stops: the failed instance's host within its circuit, and whatever refers to
 * what failed. Other hosts go on.
 */
import type { InstanceKey } from "../../values/address.ts";
import type { PlannedInstance } from "../decide/planned-instance.ts";
import { type Failure, ResourceFailures } from "./resource-failures.ts";

/** The instances of a run that failed or were held back so far. */
export class Isolation {
  /** By circuit and host, the first one. */
  readonly #hosts = new Map<string, Failure>();
  readonly #closed = new Set<string>();
  /** By address of the resource. */
  readonly #resources = new Map<string, ResourceFailures>();
  /** Hosts of each circuit. */
  readonly #members = new Map<string, Set<string>>();
  /** Why circuits do not go on, on hosts where nothing was begun yet. */
  readonly #stopped = new Map<string, string>();
  readonly #stopAll: ReadonlySet<string>;
  /** Failures that were to be ignored: by address of the resource, then by key. */
  readonly #ignored = new Map<string, Map<InstanceKey, string>>();

  /**
   * @param all every instance of the run, for knowing which hosts a circuit has
   * @param stopAll circuits in which a failure on one host stops the later steps of all (`on_failure = "stop"`)
   */
  constructor(all: readonly PlannedInstance[], stopAll: ReadonlySet<string> = new Set()) {
    this.#stopAll = stopAll;
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
    const resource = this.#resources.get(instance.resource) ?? new ResourceFailures();
    this.#resources.set(instance.resource, resource);
    resource.add(failure);
  }

  /** Like {@link failed}, and nothing at all is to be done on the instance's host any more. */
  closed(instance: PlannedInstance, because: string): void {
    this.failed(instance, because);
    const host = hostKey(instance);
    if (host !== undefined) this.#closed.add(host);
  }

  /** Records a failure that only holds back what refers to the instance (`ignore_errors`), but for handlers. */
  ignored(instance: PlannedInstance, because: string): void {
    const resource = this.#ignored.get(instance.resource) ?? new Map<InstanceKey, string>();
    this.#ignored.set(instance.resource, resource.set(instance.key, because));
  }

  /** Lets nothing more of the circuit start. */
  stop(circuit: string, because: string): void {
    this.#stopped.set(circuit, because);
  }

  /** How many of a circuit's hosts failed or were held back. */
  failedHosts(circuit: string): number {
    return [...this.#hosts.keys()].filter((host) => host.startsWith(`${circuit}/`)).length;
  }

  /** Whether the instance itself failed or was held back. */
  isOut({ resource, key }: PlannedInstance): boolean {
    return this.#resources.get(resource)?.of(key) !== undefined;
  }

  /**
   * Why an instance must not be begun; undefined when it may.
   *
   * @param after addresses of all resources that come before it in this phase
   */
  holdsBack(instance: PlannedInstance, after: Iterable<string>): string | undefined {
    const { circuit } = instance.subject;
    const stopped = circuit === undefined ? undefined : this.#stopped.get(circuit);
    if (stopped !== undefined) return stopped;
    if (this.#resources.size === 0 && this.#ignored.size === 0) return undefined;
    const host = hostKey(instance);
    const onHost = host === undefined ? undefined : this.#hosts.get(host);
    // Its neighbours of the same step were begun together with it.
    const isLater = onHost?.instance.resource !== instance.resource || this.#closed.has(host ?? "");
    if (onHost !== undefined && isLater) return onHost.because;
    return this.#referredTo(instance) ?? this.#before(instance, after)?.because;
  }

  /**
   * Why an instance that the instance's configuration names failed. A handler watches all steps that notify it: where the
   * failure of one is ignored, it still runs for the others.
   */
  #referredTo({ accesses, subject }: PlannedInstance): string | undefined {
    const isHandler = subject.role === "handler";
    for (const { resource, of, key } of accesses) {
      if (of !== "one") continue;
      const because =
        this.#resources.get(resource)?.of(key)?.because ??
        (isHandler ? undefined : this.#ignored.get(resource)?.get(key));
      if (because !== undefined) return because;
    }
    return undefined;
  }

  /**
   * A failure in a resource that it waits for. In its own circuit only the same host counts, and so in another circuit
   * with the same hosts; what failed on a host that its circuit does not have holds all of it back.
   */
  #before({ subject }: PlannedInstance, after: Iterable<string>): Failure | undefined {
    const { circuit, host } = subject;
    const hosts = circuit === undefined ? undefined : this.#members.get(circuit);
    const countsAll = hosts === undefined || host === undefined || this.#stopAll.has(circuit!);
    for (const resource of after) {
      const failures = this.#resources.get(resource);
      const failure = countsAll ? failures?.first : (failures?.onHost(host) ?? failures?.outside(hosts));
      if (failure !== undefined) return failure;
    }
    return undefined;
  }
}

function hostKey({ subject }: PlannedInstance): string | undefined {
  return subject.circuit === undefined || subject.host === undefined
    ? undefined
    : `${subject.circuit}/${subject.host}`;
}
