import type { DnsMessage, DnsQuestion, DnsRecord, KubernetesDnsOptions } from '#harness';
import { type Found, find, findNames } from './find.ts';
import {
  addressIn,
  fullyQualified,
  isReverse,
  isSubdomain,
  labelsBelow,
  parseRequest,
  reverseAddress,
  zoneOf,
} from './names.ts';
import { addressRecords, type Circumstances, serviceRecords, startOfAuthority } from './records.ts';
import type { DnsView } from './view.ts';

/** How the plugin is set up, with what it takes for granted filled in. */
export type Settings = Required<Pick<KubernetesDnsOptions, 'zones' | 'ttl' | 'pods' | 'fallthrough'>>;

/** An answer, as far as the cluster knows it. */
export interface Answer {
  readonly message: DnsMessage;
  /** The name is an alias that leads out of the zone: what stands before the records of its target, if there are any to be had. */
  readonly alias?: Alias;
}

interface Alias {
  /** Each the target of the one before. */
  readonly records: readonly DnsRecord[];
  readonly target: string;
}

/** What there is to say of a name. `undefined`: there is no such name. */
type Records =
  | (Partial<Pick<DnsMessage, 'answer' | 'additional'>> & Partial<Pick<Answer, 'alias'>>)
  | undefined;

/**
 * Answers a question from what is known of the cluster.
 *
 * @param hasSynced while it is false, a name that is not known may exist all the same: `SERVFAIL` takes the place of `NXDOMAIN`
 * @returns undefined when another plugin is to answer
 *
 * Upstream: coredns/coredns@v1.14.2 plugin/kubernetes/handler.go ServeDNS
 */
export function answer(
  question: DnsQuestion,
  {
    view,
    settings,
    hasSynced,
  }: { readonly view: DnsView; readonly settings: Settings; readonly hasSynced: boolean },
): Answer | undefined {
  const { name } = question;
  const zone = zoneOf(name, settings.zones);
  if (zone === undefined) return undefined;
  const circumstances = { name, zone, ttl: settings.ttl };
  const records = recordsFor(question, circumstances, view, settings);
  if (!records && settings.fallthrough.some((each) => isSubdomain(name, each))) return undefined;
  const { answer: found = [], additional = [], alias: leadsOut } = records ?? {};
  const soa = startOfAuthority(circumstances, view.serial);
  return {
    message: {
      question,
      rcode: records ? 'NOERROR' : hasSynced ? 'NXDOMAIN' : 'SERVFAIL',
      authoritative: true,
      answer: found,
      authority: found.length > 0 ? [] : [soa],
      additional,
    },
    ...(leadsOut && { alias: leadsOut }),
  };
}

function recordsFor(question: DnsQuestion, at: Circumstances, view: DnsView, settings: Settings): Records {
  const { name, zone } = at;
  const names = (target: string) => namesOf({ ...at, name: target }, view, settings);
  switch (question.type) {
    case 'A':
    case 'AAAA':
      return resolve(question.type, at, names);
    case 'SRV':
      return present(names(name), (all) => serviceRecords(all.filter(isAddress), at));
    case 'CNAME':
      return present(names(name), (all) => ({ answer: all.slice(0, 1).flatMap((each) => alias(each, at)) }));
    case 'PTR':
      return reverseAddress(name) === undefined
        ? present(names(name), () => ({}))
        : pointers(at, view, settings);
    case 'TXT':
      if (isVersion(at)) return { answer: [{ name, ttl: VERSION_TTL, type: 'TXT', text: '1.1.0' }] };
      // A name that only has names below it has no text, and does not exist: so upstream.
      return names(name)?.length ? {} : undefined;
    case 'SOA':
      return name.length === zone.length ? { answer: [startOfAuthority(at, view.serial)] } : {};
    default:
      return present(names(name), () => ({}));
  }
}

/** Something is made of what was found; where there is no such name, there is nothing to make. */
function present(all: readonly Found[] | undefined, make: (all: readonly Found[]) => Records): Records {
  return all && make(all);
}

/** What a name stands for. Names of addresses are asked for with `PTR` alone. */
function namesOf(
  { name, zone }: Circumstances,
  view: DnsView,
  { pods }: Settings,
): readonly Found[] | undefined {
  const request = parseRequest(name, zone);
  if (!request) return undefined;
  if (request.namespace !== '' && isReverse(name)) return undefined;
  return find(request, view, pods);
}

/**
 * The addresses of a name, and behind an alias those of its target: the client is to get all that there is to know at once. An
 * alias that leads to nothing is left out.
 *
 * Upstream: coredns/coredns@v1.14.2 plugin/backend_lookup.go A
 */
function resolve(
  type: 'A' | 'AAAA',
  at: Circumstances,
  names: (name: string) => readonly Found[] | undefined,
  before: readonly string[] = [],
): Records {
  const all = names(at.name);
  if (!all) return undefined;
  const [aliased] = all.flatMap((each) => alias(each, at));
  if (aliased?.type !== 'CNAME') return { answer: addressRecords(all, type, at) };
  const { target } = aliased;
  const passed = [...before, at.name];
  if (passed.length > ALIASES_MAX || isLoop(target, passed)) return {};
  if (!isSubdomain(target, at.zone)) return { alias: { records: [aliased], target } };
  const { answer: rest = [], alias: further } = resolve(type, { ...at, name: target }, names, passed) ?? {};
  if (further) return { alias: { ...further, records: [aliased, ...further.records] } };
  return rest.length > 0 ? { answer: [aliased, ...rest] } : {};
}

/** Upstream: coredns/coredns@v1.14.2 plugin/backend_lookup.go maxCnameChainLength */
const ALIASES_MAX = 11;

/** What is below an alias is never there. */
function isLoop(target: string, passed: readonly string[]): boolean {
  return isSubdomain(target, passed.at(-1) ?? '') || passed.some((name) => isSame(name, target));
}

function isSame(name: string, other: string): boolean {
  return name.toLowerCase() === other.toLowerCase();
}

function isAddress({ host }: Found): boolean {
  return addressIn(host) !== undefined;
}

function alias(found: Found, { name, ttl }: Circumstances): readonly DnsRecord[] {
  return isAddress(found) ? [] : [{ name, ttl, type: 'CNAME', target: fullyQualified(found.host) }];
}

/** Upstream: coredns/coredns@v1.14.2 plugin/kubernetes/reverse.go Reverse */
function pointers({ name, ttl }: Circumstances, view: DnsView, { zones }: Settings): Records {
  const primary = zones.find((zone) => !isReverse(`.${zone}`)) ?? '';
  const names = findNames(reverseAddress(name) ?? '', view);
  if (names.length === 0) return undefined;
  return { answer: names.map((each) => ({ name, ttl, type: 'PTR', target: `${each}.${primary}` })) };
}

/** Which version of the specification of names is followed. Upstream: coredns/coredns@v1.14.2 plugin/kubernetes/kubernetes.go DNSSchemaVersion */
function isVersion({ name, zone }: Circumstances): boolean {
  const labels = labelsBelow(name.toLowerCase(), zone);
  return labels.length === 1 && labels[0] === 'dns-version';
}

/** In seconds. */
const VERSION_TTL = 28_800;
