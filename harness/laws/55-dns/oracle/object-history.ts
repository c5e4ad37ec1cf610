import type { KubeObject } from '../../../api/objects.ts';
import { endpointSlices, namespaces, services } from '../../../api/resource.ts';
import { momentsOf } from '../../../cluster/journal.ts';
import type { DnsQuestion } from '../../../contracts/dns.ts';
import type { DnsHistory } from '../history.ts';
import { ZONE } from '../scenario/questions.ts';
import { Zone } from './zone.ts';

/** The state between one write and the next. */
interface Moment {
  readonly revision: number;
  readonly zone: Zone;
  /** The versions of all objects that the names of a service depend on, by `namespace/name`. */
  readonly versions: ReadonlyMap<string, string>;
  /** The versions of all objects. */
  readonly all: string;
}

/** The history of all names in a run. */
export class NamesHistory {
  readonly #moments: readonly Moment[];
  static readonly #known = new WeakMap<DnsHistory, NamesHistory>();

  /** Returns the history of a run, computed once. */
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

  /** Returns the names right after a revision. */
  at(revision: number): Zone {
    return (this.#upTo(revision).at(-1) as Moment).zone;
  }

  /** Returns all addresses, up to a revision, of a service or of its ready endpoints, by `namespace/name`. */
  addressesUpTo(revision: number): ReadonlyMap<string, ReadonlySet<string>> {
    const all = new Map<string, Set<string>>();
    for (const { zone } of this.#upTo(revision)) {
      for (const [key, address] of zone.ownAddresses) all.set(key, (all.get(key) ?? new Set()).add(address));
    }
    return all;
  }

  /** Whether no object that a name depends on has changed between two revisions. */
  isSteady({ name }: DnsQuestion, from: number, to: number): boolean {
    const [first, ...later] = this.#moments.filter(
      ({ revision }, i) =>
        revision <= to && (this.#moments[i + 1]?.revision ?? Number.POSITIVE_INFINITY) > from,
    );
    const key = serviceIn(name);
    const versionIn = ({ versions, all, zone }: Moment): string =>
      key === undefined || zone.isAlias(name) ? all : (versions.get(key) ?? 'none');
    // A new namespace also adds names; none is deleted.
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

/** Returns the service of a name: `default/web`. Undefined for other names. */
export function serviceIn(name: string): string | undefined {
  const labels = name
    .slice(0, Math.max(0, name.length - ZONE.length))
    .toLowerCase()
    .split('.')
    .filter(Boolean);
  const [kind, namespace, service] = labels.reverse();
  return kind === 'svc' && service !== undefined ? `${namespace}/${service}` : undefined;
}
