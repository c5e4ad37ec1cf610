import { parseIP } from '#harness';

/** What is asked for below the zone, from the right: `_http._tcp.web.default.svc`. */
export interface RecordRequest {
  /** Empty where the name ends before. */
  readonly kind: 'pod' | 'svc' | '';
  readonly namespace: string;
  /** The name of a service; below `pod` an address, `10-244-1-2`. */
  readonly service: string;
  /** The first label, where there is exactly one before the service: `10-244-1-2`, `web-0`. */
  readonly endpoint: string;
  /** The two labels before the service, without their underscores: `http`, `tcp`. */
  readonly port: string;
  readonly protocol: string;
}

/**
 * The zone that a name is in, spelled as in the name; undefined when it is in none. Of several, the longest.
 *
 * Upstream: coredns/coredns@v1.14.2 plugin/normalize.go Zones.Matches
 */
export function zoneOf(name: string, zones: readonly string[]): string | undefined {
  const [zone] = zones.filter((each) => isSubdomain(name, each)).sort((a, b) => b.length - a.length);
  return zone === undefined ? undefined : name.slice(name.length - zone.length);
}

/** Whether a name is a zone, or is below it. Upper and lower case are the same. */
export function isSubdomain(name: string, zone: string): boolean {
  return `.${name}`.toLowerCase().endsWith(zone === '.' ? zone : `.${zone}`.toLowerCase());
}

/**
 * Reads a name in a zone.
 *
 * @returns undefined when nothing can have that name
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

/** The labels of a name before its zone: of `web.default.svc.cluster.local.` in `cluster.local.`, `web`, `default`, `svc`. */
export function labelsBelow(name: string, zone: string): string[] {
  return name
    .slice(0, name.length - zone.length)
    .split('.')
    .filter((label) => label !== '');
}

function withoutUnderscore(label: string): string {
  return label.replace(/^_/, '');
}

/** A name with the dot of the root at its end. */
export function fullyQualified(name: string): string {
  return name.endsWith('.') ? name : `${name}.`;
}

/**
 * What an endpoint is called below its service: its hostname, or its address with dashes.
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
  // No label ends with a dash.
  return hostname || address.replace(/[.:]/g, '-').replace(/-$/, '-0');
}

/**
 * The address that a name of a pod spells: of `10-244-1-2`, `10.244.1.2`. Undefined when it spells none.
 *
 * Upstream: coredns/coredns@v1.14.2 plugin/kubernetes/kubernetes.go findPods
 */
export function podAddress(label: string): string | undefined {
  const isIPv4 = label.split('-').length === 4 && !label.includes('--');
  return addressIn(label.replaceAll('-', isIPv4 ? '.' : ':'));
}

/** Whether a name is in the tree of addresses, where it is asked for with `PTR`. */
export function isReverse(name: string): boolean {
  return /\.(in-addr|ip6)\.arpa\.$/i.test(name);
}

/**
 * The address that a name in the tree of addresses spells backwards: of `2.1.244.10.in-addr.arpa.`, `10.244.1.2`. Undefined when
 * it spells none.
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

/** An address in its shortest spelling; undefined when the text is none. */
export function addressIn(text: string): string | undefined {
  try {
    return parseIP(text).text;
  } catch {
    return undefined;
  }
}
