import { parseIP } from '#harness';

/** The parts of a name below the zone, such as `_http._tcp.web.default.svc`, from the right. */
export interface RecordRequest {
  /** Empty if the name has no such label. The same applies to all other fields. */
  readonly kind: 'pod' | 'svc' | '';
  readonly namespace: string;
  /** The name of a service; below `pod`, an address: `10-244-1-2`. */
  readonly service: string;
  /** The label before the service, if it is the only one: `10-244-1-2`, `web-0`. */
  readonly endpoint: string;
  /** The two labels before the service, without their underscores: `http`, `tcp`. */
  readonly port: string;
  readonly protocol: string;
}

/**
 * Returns the zone of a name, in the same case as in the name; the longest one if there are several; undefined if there
 * is none.
 *
 * Upstream: coredns/coredns@v1.14.2 plugin/normalize.go Zones.Matches
 */
export function zoneOf(name: string, zones: readonly string[]): string | undefined {
  const [zone] = zones.filter((each) => isSubdomain(name, each)).sort((a, b) => b.length - a.length);
  return zone === undefined ? undefined : name.slice(name.length - zone.length);
}

/** Reports whether a name is a zone or is below it. Ignores case. */
export function isSubdomain(name: string, zone: string): boolean {
  return `.${name}`.toLowerCase().endsWith(zone === '.' ? zone : `.${zone}`.toLowerCase());
}

/**
 * Parses a name in a zone.
 *
 * @returns undefined if no record can have that name
 *
 * Upstream: coredns/coredns@v1.14.2 plugin/kubernetes/parse.go parseRequest
 */
export function parseRequest(name: string, zone: string): RecordRequest | undefined {
  const labels = labelsBelow(name.toLowerCase(), zone);
  const [kind = '', namespace = '', service = '', ...front] = labels.reverse();
  if (kind !== '' && kind !== 'svc' && kind !== 'pod') return undefined;
  const request = { kind, namespace, service, endpoint: '', port: '', protocol: '' } as const;
  const [last = '', first = ''] = front;
  switch (front.length) {
    case 0:
      return request;
    case 1:
      return { ...request, endpoint: last };
    case 2:
      return { ...request, protocol: withoutUnderscore(last), port: withoutUnderscore(first) };
    default:
      return undefined;
  }
}

/**
 * Returns the labels of a name before its zone: `web`, `default`, `svc` for `web.default.svc.cluster.local.` in
 * `cluster.local.`.
 */
export function labelsBelow(name: string, zone: string): string[] {
  return name
    .slice(0, name.length - zone.length)
    .split('.')
    .filter((label) => label !== '');
}

function withoutUnderscore(label: string): string {
  return label.replace(/^_/, '');
}

/** Appends the dot of the root zone to a name, if it is missing. */
export function fullyQualified(name: string): string {
  return name.endsWith('.') ? name : `${name}.`;
}

/**
 * Returns the label of an endpoint below its service: its hostname, or its address with dashes.
 *
 * Upstream: coredns/coredns@v1.14.2 plugin/kubernetes/kubernetes.go endpointHostname
 */
export function endpointHostname({
  hostname,
  address,
}: {
  readonly hostname?: string | undefined;
  readonly address: string;
}): string {
  // A label must not end with a dash.
  return hostname || address.replace(/[.:]/g, '-').replace(/-$/, '-0');
}

/**
 * Returns the address in the name of a pod: `10.244.1.2` for `10-244-1-2`; undefined if it is not an address.
 *
 * Upstream: coredns/coredns@v1.14.2 plugin/kubernetes/kubernetes.go findPods
 */
export function podAddress(label: string): string | undefined {
  const isIPv4 = label.split('-').length === 4 && !label.includes('--');
  return addressIn(label.replaceAll('-', isIPv4 ? '.' : ':'));
}

/** Reports whether a name is in a zone of reverse lookups, which `PTR` questions use. */
export function isReverse(name: string): boolean {
  return /\.(in-addr|ip6)\.arpa\.$/i.test(name);
}

/**
 * Returns the address in a name of a reverse lookup: `10.244.1.2` for `2.1.244.10.in-addr.arpa.`; undefined if it is
 * not an address.
 *
 * Upstream: coredns/coredns@v1.14.2 plugin/pkg/dnsutil/reverse.go ExtractAddressFromReverse
 */
export function reverseAddress(name: string): string | undefined {
  const [, labels = '', family = ''] = /^(.*)\.(in-addr|ip6)\.arpa\.$/.exec(name.toLowerCase()) ?? [];
  const parts = labels.split('.').reverse();
  if (family !== 'ip6') return parts.length === 4 ? addressIn(parts.join('.')) : undefined;
  return parts.length === 32 && parts.every((nibble) => /^[\da-f]$/.test(nibble))
    ? addressIn(parts.join('').replace(/(.{4})(?!$)/g, '$1:'))
    : undefined;
}

/** Returns the shortest notation of an address; undefined if the text is not an address. */
export function addressIn(text: string): string | undefined {
  try {
    return parseIP(text).text;
  } catch {
    return undefined;
  }
}
