import { deepEqual, type EndpointSlice, type Service } from '#harness';
import { filterBase, natHead, natTail } from './base-rules.ts';
import type { Configuration } from './configuration.ts';
import { type Endpoint, endpointsOf } from './endpoint.ts';
import { type ServicePort, servicePortsOf } from './service-port.ts';
import { rulesOf, type ServiceRules } from './service-rules.ts';
import { chooseEndpoints, type Place } from './topology.ts';
import { chainLine } from './words.ts';

/** A service port, and what was worked out for it. */
export interface Entry {
  readonly port: ServicePort;
  /** All its endpoints, usable or not. */
  readonly all: readonly Endpoint[];
  readonly rules: ServiceRules;
}

/** Where services and endpoints are looked up. */
export interface Sources {
  service(key: string): Service | undefined;
  slices(key: string): readonly EndpointSlice[];
}

/** On what all rules depend. */
export interface Circumstances extends Place {
  readonly nodeIP: string;
  readonly configuration: Configuration;
  readonly hasComments: boolean;
}

/** The rules of all services, by service. It knows what has changed, and writes no more than that. */
export class RuleBook {
  readonly #sources: Sources;
  readonly #entries = new Map<string, readonly Entry[]>();
  /** Services whose rules are others than those that were written last. */
  readonly #changed = new Set<string>();
  #hasFlowsChanged = false;

  constructor(sources: Sources) {
    this.#sources = sources;
  }

  /** The ports of all services. */
  get entries(): readonly Entry[] {
    return [...this.#entries.values()].flat();
  }

  /** Whether it is other than when it was {@link settle | written} last. */
  get hasChanged(): boolean {
    return this.#changed.size > 0;
  }

  /** Whether something about a service of datagrams has changed since {@link settle}. */
  get hasFlowsChanged(): boolean {
    return this.#hasFlowsChanged;
  }

  /** Works the rules of a service out anew. */
  update(key: string, circumstances: Circumstances): void {
    this.#set(key, this.#entriesOf(key, circumstances));
  }

  /** Forgets services that are not among these. */
  keepOnly(keys: ReadonlySet<string>): void {
    for (const key of [...this.#entries.keys()]) if (!keys.has(key)) this.#set(key, []);
  }

  /** All of it has been written. */
  settle(): void {
    this.#changed.clear();
    this.#hasFlowsChanged = false;
  }

  /** The chains of services that are used. */
  get chains(): ReadonlySet<string> {
    return new Set(this.entries.flatMap(({ rules }) => rules.own.chains));
  }

  /**
   * What iptables-restore is to read.
   *
   * @param isFull whether chains of services are written that have not changed
   * @param stale chains that are to go
   */
  write(
    configuration: Configuration,
    { isFull, stale }: { readonly isFull: boolean; readonly stale: readonly string[] },
  ): string {
    // In the order of their names, so that equal services come to equal rules.
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
      // A chain has to be empty before it can go, and this line empties it.
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
