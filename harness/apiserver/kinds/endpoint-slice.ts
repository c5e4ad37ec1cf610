import type * as discovery from '#api/discovery/v1';
import { isValidIP, warnOfIP } from '../../api/ip.ts';
import { isDNS1123Label, isDNS1123Subdomain, isQualifiedName, isValidLabelValue } from '../../api/names.ts';
import type { EndpointSlice } from '../../api/objects.ts';
import { endpointSlices } from '../../api/resource.ts';
import { semanticEqual } from '../../api/semantic-equality.ts';
import type { Cause } from '../../api/status.ts';
import { mapItems, withChanged, withDefaults, without } from '../copy-on-write.ts';
import { declareKind } from '../declare/declare-kind.ts';
import { fields, oneOf, required } from '../declare/rules.ts';
import {
  duplicate,
  invalid,
  invalidEach,
  required as missing,
  notSupported,
  tooMany,
} from '../validation/field-error.ts';
import { whySpecialIP } from '../validation/special-ip.ts';
import { ipFamilyOf } from './service-cluster-ips.ts';

/**
 * The kind EndpointSlice. Its labels name the owner of the endpoints, so they count as desired state.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/discovery/endpointslice/strategy.go,
 * pkg/apis/discovery/validation/validation.go ValidateEndpointSlice
 */
export const endpointSlice = declareKind<EndpointSlice>({
  resource: endpointSlices,
  revalidates: 'after metadata',
  generationOf: ({ metadata, ...content }) => [content, metadata.labels],

  setDefaults: (object) => withChanged(object, 'ports', (ports) => mapItems(ports, setPortDefaults)),
  prepareForCreate: withoutTopology,
  prepareForUpdate: withoutTopology,
  warningsOnCreate: (object) => [
    ...(object.addressType === 'FQDN' ? ['spec.addressType: FQDN endpoints are deprecated'] : []),
    ...warnOfAddresses(object),
  ],
  warningsOnUpdate: warnOfAddresses,

  rules: [
    fields<EndpointSlice>({
      addressType: required(oneOf('FQDN', 'IPv4', 'IPv6')),
      ports: (ports = [], path) => validatePorts(ports, path),
    }),
  ],
  createRules: [validateEndpoints],
  // An update may keep its existing endpoints.
  updateRules: (object, old) =>
    semanticEqual(object.endpoints, old.endpoints) ? [] : validateEndpoints(object),
  immutable: ['addressType'],
});

function setPortDefaults(port: discovery.EndpointPort): discovery.EndpointPort {
  return withDefaults(port, { name: '', protocol: 'TCP' });
}

/** Drops the topology labels of v1beta1, which clients can no longer write. */
function withoutTopology(object: EndpointSlice): EndpointSlice {
  return withChanged(object, 'endpoints', (endpoints) =>
    mapItems(endpoints, (endpoint) => without(endpoint, 'deprecatedTopology')),
  );
}

const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];
const ADDRESSES_MAX = 100;
const PORTS_MAX = 20_000;
const ENDPOINTS_MAX = 1000;
const HINTS_MAX = 8;

function validatePorts(ports: readonly discovery.EndpointPort[], at: string): Cause[] {
  if (ports.length > PORTS_MAX) return [tooMany(at, ports.length, PORTS_MAX)];
  const names = new Set<string>();
  return ports.flatMap(({ name = '', protocol = '', appProtocol }, i) => {
    const path = `${at}[${i}]`;
    const causes = name ? invalidEach(`${path}.name`, name, isDNS1123Label(name)) : [];
    if (names.has(name)) causes.push(duplicate(`${path}.name`, name));
    names.add(name);
    if (!PROTOCOLS.includes(protocol)) causes.push(notSupported(`${path}.protocol`, protocol, PROTOCOLS));
    if (appProtocol !== undefined) {
      causes.push(...invalidEach(`${path}.appProtocol`, appProtocol, isQualifiedName(appProtocol)));
    }
    return causes;
  });
}

function validateEndpoints(object: EndpointSlice): Cause[] {
  const { addressType } = object;
  // A list that the client did not send is null.
  const endpoints = object.endpoints ?? [];
  if (endpoints.length > ENDPOINTS_MAX) return [tooMany('endpoints', endpoints.length, ENDPOINTS_MAX)];
  return endpoints.flatMap(({ addresses, nodeName, hostname, hints = {} }, i) => {
    const path = `endpoints[${i}]`;
    return [
      ...validateAddresses(addresses ?? [], addressType, `${path}.addresses`),
      ...(nodeName === undefined
        ? []
        : invalidEach(`${path}.nodeName`, nodeName, isDNS1123Subdomain(nodeName))),
      ...(hostname === undefined ? [] : invalidEach(`${path}.hostname`, hostname, isDNS1123Label(hostname))),
      ...validateHints(hints, `${path}.hints`),
    ];
  });
}

function validateAddresses(addresses: readonly string[], addressType: string, path: string): Cause[] {
  const each = addresses.flatMap((address, i) => validateAddress(address, addressType, `${path}[${i}]`));
  if (addresses.length === 0) return [missing(path, 'must contain at least 1 address')];
  if (addresses.length <= ADDRESSES_MAX) return each;
  return [tooMany(path, addresses.length, ADDRESSES_MAX), ...each];
}

/** Validates an address; an unknown address type is skipped. */
function validateAddress(address: string, addressType: string, path: string): Cause[] {
  if (addressType === 'FQDN') return validateDomainName(address, path);
  if (addressType !== 'IPv4' && addressType !== 'IPv6') return [];
  const malformed = isValidIP(address);
  if (malformed.length > 0) return invalidEach(path, address, malformed);
  const causes = invalidEach(path, address, whySpecialIP(address));
  if (ipFamilyOf(address) === addressType) return causes;
  // The path has no index: upstream's mistake.
  return [invalid(path.replace(/\[\d+\]$/, ''), address, `must be an ${addressType} address`), ...causes];
}

/**
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/validation/validation.go IsFullyQualifiedDomainName
 */
function validateDomainName(value: string, path: string): Cause[] {
  if (!value) return [missing(path)];
  const name = value.replace(/\.$/, '');
  const reasons = isDNS1123Subdomain(name);
  if (reasons.length > 0) return [invalid(path, name, reasons.join(','))];
  const labels = name.split('.');
  if (labels.length < 2) {
    return [invalid(path, name, 'should be a domain with at least two segments separated by dots')];
  }
  const label = labels.find((each) => isDNS1123Label(each).length > 0);
  return label === undefined ? [] : [invalid(path, label, isDNS1123Label(label).join(','))];
}

function validateHints({ forZones = [], forNodes = [] }: discovery.EndpointHints, path: string): Cause[] {
  const ofZones = validateNames(forZones, `${path}.forZones`, isValidLabelValue);
  // After too many zones, the nodes are not validated.
  if (forZones.length > HINTS_MAX) return ofZones;
  return [...ofZones, ...validateNames(forNodes, `${path}.forNodes`, isDNS1123Subdomain)];
}

function validateNames(
  hints: readonly { readonly name: string }[],
  path: string,
  why: (name: string) => readonly string[],
): Cause[] {
  if (hints.length > HINTS_MAX) return [tooMany(path, hints.length, HINTS_MAX)];
  const names = hints.map(({ name = '' }) => name);
  return names.flatMap((name, i) => [
    ...(names.indexOf(name) < i ? [duplicate(`${path}[${i}].name`, name)] : []),
    ...invalidEach(`${path}[${i}].name`, name, why(name)),
  ]);
}

/** Warns about non-canonical addresses. The controllers canonicalize the addresses that they write. */
function warnOfAddresses({ metadata, endpoints }: EndpointSlice): string[] {
  const manager = metadata.labels?.['endpointslice.kubernetes.io/managed-by'] ?? '';
  if (MENDING.has(manager)) return [];
  return (endpoints ?? []).flatMap(({ addresses }, i) =>
    addresses.flatMap((address, j) => warnOfIP(address, `endpoints[${i}].addresses[${j}]`)),
  );
}

const MENDING: ReadonlySet<string> = new Set([
  'endpointslice-controller.k8s.io',
  'endpointslicemirroring-controller.k8s.io',
]);
