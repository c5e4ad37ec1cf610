import type { KubeObject } from '../../api/objects.ts';
import { endpointSlices, namespaces, services } from '../../api/resource.ts';
import { momentsOf } from '../../cluster/journal.ts';
import type { DnsQuestion } from '../../contracts/dns.ts';
import type { DnsHistory } from './history.ts';
import { ZONE } from './questions.ts';
import { Zone } from './zone.ts';

/** What there was from one write to the next. */
interface Moment {
  readonly revision: number;
  readonly zone: Zone;
  /** The versions of all objects that names of a service come from, by `namespace/name`. */
  readonly versions: ReadonlyMap<string, string>;
  /** The versions of all objects. */
  readonly all: string;
}

/** All that names have been in a run. */
export class NamesHistory {
  readonly #moments: readonly Moment[];
  static readonly #known = new WeakMap<DnsHistory, NamesHistory>();

  /** That of a run; it is made once. */
  static of(run: DnsHistory): NamesHistory {
    const past = NamesHistory.#known.get(run) ?? new NamesHistory(run);
    NamesHistory.#known.set(run, past);
    return past;
  }

  private constructor({ journal }: DnsHistory) {
    const moments: Moment[] = [];
    for (const { entry, objects } of momentsOf(journal)) {
      const there = {
        namespaces: [...objects(namespaces).values()],
        services: [...objects(services).values()],
        slices: [...objects(endpointSlices).values()],
      };
      const versions = new Map<string, string>();
      const add = (key: string, { metadata }: KubeObject): void =>
        void versions.set(key, `${versions.get(key) ?? ''} ${metadata.uid}@${metadata.resourceVersion}`);
      for (const each of there.services) add(`${each.metadata.namespace}/${each.metadata.name}`, each);
      for (const each of there.slices)
        add(`${each.metadata.namespace}/${each.metadata.labels?.['kubernetes.io/service-name']}`, each);
      const all = [...versions.values(), ...there.namespaces.map(({ metadata }) => metadata.name)].join(' ');
      moments.push({ revision: entry.revision, zone: new Zone(there), versions, all });
    }
    this.#moments = moments;
  }

  /** The names right after a revision. */
  at(revision: number): Zone {
    return (this.#upTo(revision).at(-1) as Moment).zone;
  }

  /** All addresses that were a service's, or of its endpoints that took traffic, up to a revision; by `namespace/name`. */
  addressesUpTo(revision: number): ReadonlyMap<string, ReadonlySet<string>> {
    const all = new Map<string, Set<string>>();
    for (const { zone } of this.#upTo(revision)) {
      for (const [key, address] of zone.ownAddresses) all.set(key, (all.get(key) ?? new Set()).add(address));
    }
    return all;
  }

  /** Whether nothing that a name depends on has changed between two revisions. */
  isSteady({ name }: DnsQuestion, from: number, to: number): boolean {
    const [first, ...later] = this.#moments.filter(
      ({ revision }, i) =>
        revision <= to && (this.#moments[i + 1]?.revision ?? Number.POSITIVE_INFINITY) > from,
    );
    const key = serviceIn(name);
    const versionIn = ({ versions, all, zone }: Moment): string =>
      key === undefined || zone.isAlias(name) ? all : (versions.get(key) ?? 'none');
    // A namespace that comes makes names, too; none goes.
    const namespacesOf = ({ all, zone }: Moment): string =>
      key === undefined ? all : String(zone.hasNamespace(key.split('/')[0] ?? ''));
    return (
      first !== undefined &&
      later.every(
        (moment) => versionIn(moment) === versionIn(first) && namespacesOf(moment) === namespacesOf(first),
      )
    );
  }

  #upTo(to: number): readonly Moment[] {
    return this.#moments.filter(({ revision }) => revision <= to);
  }
}

/** The service that a name is of: `default/web`. Undefined for other names. */
export function serviceIn(name: string): string | undefined {
  const labels = name
    .slice(0, Math.max(0, name.length - ZONE.length))
    .toLowerCase()
    .split('.')
    .filter(Boolean);
  const [kind, namespace, service] = labels.reverse();
  return kind === 'svc' && service !== undefined ? `${namespace}/${service}` : undefined;
}
