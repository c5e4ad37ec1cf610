import type * as discovery from '#api/discovery/v1';
import { isValidIP, warnOfIP } from '../../api/ip.ts';
import { isDNS1123Label, isDNS1123Subdomain, isQualifiedName, isValidLabelValue } from '../../api/names.ts';
import type { EndpointSlice } from '../../api/objects.ts';
import { endpointSlices } from '../../api/resource.ts';
import { semanticEqual } from '../../api/semantic-equality.ts';
import type { Cause } from '../../api/status.ts';
import { mapItems, withChanged, withDefaults, without } from '../copy-on-write.ts';
import type { Kind } from '../kind.ts';
import {
  duplicate,
  invalid,
  invalidEach,
  notSupported,
  required,
  tooMany,
} from '../validation/field-error.ts';
import {
  validateImmutableField,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '../validation/object-meta.ts';
import { whySpecialIP } from '../validation/special-ip.ts';
import { ipFamilyOf } from './service-cluster-ips.ts';

/**
 * The kind EndpointSlice. Its labels count as desired state: they say whose endpoints these are.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/discovery/endpointslice/strategy.go,
 * pkg/apis/discovery/validation/validation.go ValidateEndpointSlice
 */
export const endpointSlice: Kind<EndpointSlice> = {
  resource: endpointSlices,
  validateName: isDNS1123Subdomain,
  selectableFields: () => ({}),
  selectableFieldNames: [],

  setDefaults: (object) => withChanged(object, 'ports', (ports) => mapItems(ports, setPortDefaults)),
  prepareForCreate: withoutTopology,
  prepareForUpdate: withoutTopology,

  validate: (object) => validateAll(object),
  validateUpdate: (object, old) => [
    ...validateObjectMetaUpdate(object.metadata, old.metadata),
    ...validateAll(object, old),
    ...validateImmutableField(object.addressType, old.addressType, 'addressType'),
  ],

  warningsOnCreate: (object) => [
    ...(object.addressType === 'FQDN' ? ['spec.addressType: FQDN endpoints are deprecated'] : []),
    ...warnOfAddresses(object),
  ],
  warningsOnUpdate: warnOfAddresses,

  sameDesiredState({ metadata, ...content }, { metadata: oldMetadata, ...oldContent }) {
    return semanticEqual(content, oldContent) && semanticEqual(metadata.labels, oldMetadata.labels);
  },
};

function setPortDefaults(port: discovery.EndpointPort): discovery.EndpointPort {
  return withDefaults(port, { name: '', protocol: 'TCP' });
}

/** What v1beta1 knew of the place of an endpoint cannot be written any more. */
function withoutTopology(object: EndpointSlice): EndpointSlice {
  return withChanged(object, 'endpoints', (endpoints) =>
    mapItems(endpoints, (endpoint) => without(endpoint, 'deprecatedTopology')),
  );
}

/** Endpoints that stay as they were are not judged again. */
function validateAll(object: EndpointSlice, old?: EndpointSlice): Cause[] {
  const { addressType, endpoints, ports } = object;
  const causes = validateObjectMeta(object.metadata, { namespaced: true, validateName: isDNS1123Subdomain });
  if (!addressType) causes.push(required('addressType'));
  else if (!ADDRESS_TYPES.includes(addressType)) {
    causes.push(notSupported('addressType', addressType, ADDRESS_TYPES));
  }
  causes.push(...validatePorts(ports ?? []));
  const ofEndpoints = validateEndpoints(endpoints ?? [], addressType);
  const isKept = ofEndpoints.length > 0 && old && semanticEqual(old.endpoints, endpoints);
  return isKept ? causes : [...causes, ...ofEndpoints];
}

const ADDRESS_TYPES = ['FQDN', 'IPv4', 'IPv6'];
const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];
const ADDRESSES_MAX = 100;
const PORTS_MAX = 20_000;
const ENDPOINTS_MAX = 1000;
const HINTS_MAX = 8;

function validatePorts(ports: readonly discovery.EndpointPort[]): Cause[] {
  if (ports.length > PORTS_MAX) return [tooMany('ports', ports.length, PORTS_MAX)];
  const names = new Set<string>();
  return ports.flatMap(({ name = '', protocol = '', appProtocol }, i) => {
    const path = `ports[${i}]`;
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

function validateEndpoints(endpoints: readonly discovery.Endpoint[], addressType: string): Cause[] {
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
  if (addresses.length === 0) return [required(path, 'must contain at least 1 address')];
  if (addresses.length <= ADDRESSES_MAX) return each;
  return [tooMany(path, addresses.length, ADDRESSES_MAX), ...each];
}

/** An address of a type that is not known is not looked at. */
function validateAddress(address: string, addressType: string, path: string): Cause[] {
  if (addressType === 'FQDN') return validateDomainName(address, path);
  if (addressType !== 'IPv4' && addressType !== 'IPv6') return [];
  const malformed = isValidIP(address);
  if (malformed.length > 0) return invalidEach(path, address, malformed);
  const causes = invalidEach(path, address, whySpecialIP(address));
  if (ipFamilyOf(address) === addressType) return causes;
  // Without the index: upstream's slip.
  return [invalid(path.replace(/\[\d+\]$/, ''), address, `must be an ${addressType} address`), ...causes];
}

/**
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/validation/validation.go IsFullyQualifiedDomainName
 */
function validateDomainName(value: string, path: string): Cause[] {
  if (!value) return [required(path)];
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
  // Too many zones, and the nodes are not looked at.
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

/** The controllers mend the addresses that they write. */
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
