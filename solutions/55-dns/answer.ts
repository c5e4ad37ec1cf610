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

/** The configuration of the plugin, including default values. */
export type Settings = Required<Pick<KubernetesDnsOptions, 'zones' | 'ttl' | 'pods' | 'fallthrough'>>;

/** An answer from the state of the cluster. */
export interface Answer {
  readonly message: DnsMessage;
  /**
   * Set if the name is an alias with a target outside the zone: the records that precede those of the target, if the
   * target can be resolved.
   */
  readonly alias?: Alias;
}

interface Alias {
  /** The chain of aliases: each one is the target of its predecessor. */
  readonly records: readonly DnsRecord[];
  readonly target: string;
}

/** The records of a name; `undefined` if the name does not exist. */
type Records =
  | (Partial<Pick<DnsMessage, 'answer' | 'additional'>> & Partial<Pick<Answer, 'alias'>>)
  | undefined;

/**
 * Answers a question from the state of the cluster.
 *
 * @param hasSynced - while it is false, an unknown name may exist, so the response code is `SERVFAIL`, not `NXDOMAIN`
 * @returns undefined if another plugin must answer
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
      // As in upstream, a name that only has names below it does not exist for TXT questions.
      return names(name)?.length ? {} : undefined;
    case 'SOA':
      return name.length === zone.length ? { answer: [startOfAuthority(at, view.serial)] } : {};
    default:
      return present(names(name), () => ({}));
  }
}

/** Makes records of the targets; returns undefined if the name does not exist. */
function present(all: readonly Found[] | undefined, make: (all: readonly Found[]) => Records): Records {
  return all && make(all);
}

/** Returns the targets of a name. Names of reverse lookups exist only for `PTR` questions. */
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
 * Returns the addresses of a name. For an alias, includes the addresses of its target, so that the client does not need
 * a second question. An alias without a resolvable target is left out.
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

/** Reports a loop of aliases. A target below the alias itself counts, because such a name never exists. */
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

/**
 * Reports whether a question asks for the version of the DNS specification.
 *
 * Upstream: coredns/coredns@v1.14.2 plugin/kubernetes/kubernetes.go DNSSchemaVersion
 */
function isVersion({ name, zone }: Circumstances): boolean {
  const labels = labelsBelow(name.toLowerCase(), zone);
  return labels.length === 1 && labels[0] === 'dns-version';
}

/** In seconds. */
const VERSION_TTL = 28_800;
