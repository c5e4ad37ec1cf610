import { deepEqual, type EndpointSlice, type Service } from '#harness';
import { filterBase, natHead, natTail } from './base-rules.ts';
import type { Configuration } from './configuration.ts';
import { type Endpoint, endpointsOf } from './endpoint.ts';
import { type ServicePort, servicePortsOf } from './service-port.ts';
import { rulesOf, type ServiceRules } from './service-rules.ts';
import { chooseEndpoints, type Place } from './topology.ts';
import { chainLine } from './words.ts';

/** A service port with its computed rules. */
export interface Entry {
  readonly port: ServicePort;
  /** All its endpoints, usable or not. */
  readonly all: readonly Endpoint[];
  readonly rules: ServiceRules;
}

/** Lookups of services and their slices. */
export interface Sources {
  service(key: string): Service | undefined;
  slices(key: string): readonly EndpointSlice[];
}

/** The inputs of all rules besides services. */
export interface Circumstances extends Place {
  readonly nodeIP: string;
  readonly configuration: Configuration;
  readonly hasComments: boolean;
}

/** The rules of all services, by service. It tracks changes, and writes only changed services. */
export class RuleBook {
  readonly #sources: Sources;
  readonly #entries = new Map<string, readonly Entry[]>();
  /** Services whose rules have changed since the last write. */
  readonly #changed = new Set<string>();
  #hasFlowsChanged = false;

  constructor(sources: Sources) {
    this.#sources = sources;
  }

  /** The ports of all services. */
  get entries(): readonly Entry[] {
    return [...this.#entries.values()].flat();
  }

  /** Whether the rules have changed since the last call of {@link settle}. */
  get hasChanged(): boolean {
    return this.#changed.size > 0;
  }

  /** Whether a UDP service or its endpoints have changed since the last call of {@link settle}. */
  get hasFlowsChanged(): boolean {
    return this.#hasFlowsChanged;
  }

  /** Recomputes the rules of a service. */
  update(key: string, circumstances: Circumstances): void {
    this.#set(key, this.#entriesOf(key, circumstances));
  }

  /** Drops all other services. */
  keepOnly(keys: ReadonlySet<string>): void {
    for (const key of [...this.#entries.keys()]) if (!keys.has(key)) this.#set(key, []);
  }

  /** Marks all changes as written. */
  settle(): void {
    this.#changed.clear();
    this.#hasFlowsChanged = false;
  }

  /** The chains that services use. */
  get chains(): ReadonlySet<string> {
    return new Set(this.entries.flatMap(({ rules }) => rules.own.chains));
  }

  /**
   * Returns the input of iptables-restore.
   *
   * @param isFull - whether it includes the chains of unchanged services
   * @param stale - the chains to delete
   */
  write(
    configuration: Configuration,
    { isFull, stale }: { readonly isFull: boolean; readonly stale: readonly string[] },
  ): string {
    // Sorted by name, so that equal services produce equal text.
    const keys = [...this.#entries.keys()].sort();
    const of = (some: readonly string[]): readonly ServiceRules[] =>
      some.flatMap((key) => (this.#entries.get(key) ?? []).map(({ rules }) => rules));
    const all = of(keys);
    const written = of(keys.filter((key) => isFull || this.#changed.has(key)));
    const filter = filterBase(configuration);
    const nat = natHead(configuration);
    const lines = [
      '*filter',
      ...filter.chains,
      ...all.flatMap(({ shared }) => shared.filter),
      ...filter.rules,
      'COMMIT',
      '*nat',
      ...nat.chains,
      // A chain must be empty before it can be deleted, and this line empties it.
      ...[...written.flatMap(({ own }) => own.chains), ...stale].map(chainLine),
      ...nat.rules,
      ...all.flatMap(({ shared }) => shared.nat),
      ...written.flatMap(({ own }) => own.rules),
      ...stale.map((chain) => `-X ${chain}`),
      natTail(configuration),
      'COMMIT',
    ];
    return `${lines.join('\n')}\n`;
  }

  #entriesOf(key: string, circumstances: Circumstances): readonly Entry[] {
    const service = this.#sources.service(key);
    if (!service) return [];
    const slices = this.#sources.slices(key);
    return servicePortsOf(service).map((port) => {
      const all = endpointsOf(slices, port, circumstances.node);
      return { port, all, rules: rulesOf(port, chooseEndpoints(all, port, circumstances), circumstances) };
    });
  }

  #set(key: string, after: readonly Entry[]): void {
    const before = this.#entries.get(key) ?? [];
    if (deepEqual(before, after)) return;
    if (after.length > 0) this.#entries.set(key, after);
    else this.#entries.delete(key);
    this.#changed.add(key);
    if ([...before, ...after].some(({ port }) => port.protocol === 'udp')) this.#hasFlowsChanged = true;
  }
}
