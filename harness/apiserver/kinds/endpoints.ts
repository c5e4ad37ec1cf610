import type * as core from '#api/core/v1';
import { isValidIP, warnOfIP } from '../../api/ip.ts';
import { isDNS1123Label, isDNS1123Subdomain, isQualifiedName, isValidPortNum } from '../../api/names.ts';
import type { Endpoints } from '../../api/objects.ts';
import { endpoints as resource } from '../../api/resource.ts';
import { semanticEqual } from '../../api/semantic-equality.ts';
import type { Cause } from '../../api/status.ts';
import { mapItems, withChanged } from '../copy-on-write.ts';
import { declareKind } from '../declare/declare-kind.ts';
import { invalid, invalidEach, notSupported, required } from '../validation/field-error.ts';
import { whySpecialIP } from '../validation/special-ip.ts';

/**
 * The kind Endpoints.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/endpoint/strategy.go,
 * pkg/apis/core/validation/validation.go ValidateEndpoints
 */
export const endpoints = declareKind<Endpoints>({
  resource,
  allowCreateOnUpdate: true,
  deprecation: 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
  revalidates: 'after metadata',

  setDefaults: (object) =>
    withChanged(object, 'subsets', (subsets) =>
      mapItems(subsets, (subset) =>
        withChanged(subset, 'ports', (ports) => mapItems(ports, setPortDefaults)),
      ),
    ),
  warningsOnCreate: warnOfAddresses,
  warningsOnUpdate: warnOfAddresses,

  createRules: [validateSubsets],
  // An update may keep its existing subsets.
  updateRules: (object, old) => (semanticEqual(object.subsets, old.subsets) ? [] : validateSubsets(object)),
});

function setPortDefaults(port: core.EndpointPort): core.EndpointPort {
  return port.protocol ? port : { ...port, protocol: 'TCP' };
}

function validateSubsets({ subsets = [] }: Endpoints): Cause[] {
  return subsets.flatMap((subset, i) => validateSubset(subset, `subsets[${i}]`));
}

/** Validates a subset; the endpoints of a headless Service can have no ports. */
function validateSubset(subset: core.EndpointSubset, path: string): Cause[] {
  const { addresses = [], notReadyAddresses = [], ports = [] } = subset;
  const causes: Cause[] = [];
  if (addresses.length + notReadyAddresses.length === 0) {
    causes.push(required(path, 'must specify `addresses` or `notReadyAddresses`'));
  }
  for (const [field, list] of Object.entries({ addresses, notReadyAddresses })) {
    causes.push(...list.flatMap((address, i) => validateAddress(address, `${path}.${field}[${i}]`)));
  }
  return [
    ...causes,
    ...ports.flatMap((port, i) => validatePort(port, `${path}.ports[${i}]`, ports.length > 1)),
  ];
}

function validateAddress({ ip = '', hostname, nodeName }: core.EndpointAddress, path: string): Cause[] {
  const malformed = isValidIP(ip);
  return [
    ...invalidEach(`${path}.ip`, ip, malformed),
    ...(hostname ? invalidEach(`${path}.hostname`, hostname, isDNS1123Label(hostname)) : []),
    ...(nodeName === undefined
      ? []
      : invalidEach(`${path}.nodeName`, nodeName, isDNS1123Subdomain(nodeName))),
    // Upstream reports an invalid address twice, with two messages.
    ...(malformed.length > 0
      ? [invalid(`${path}.ip`, ip, 'must be a valid IP address')]
      : invalidEach(`${path}.ip`, ip, whySpecialIP(ip))),
  ];
}

function validatePort(port: core.EndpointPort, path: string, needsName: boolean): Cause[] {
  const { name, protocol, appProtocol } = port;
  const causes: Cause[] = [];
  if (name) causes.push(...invalidEach(`${path}.name`, name, isDNS1123Label(name)));
  else if (needsName) causes.push(required(`${path}.name`));
  causes.push(...invalidEach(`${path}.port`, port.port ?? 0, isValidPortNum(port.port ?? 0)));
  if (!protocol) causes.push(required(`${path}.protocol`));
  else if (!PROTOCOLS.includes(protocol)) causes.push(notSupported(`${path}.protocol`, protocol, PROTOCOLS));
  if (appProtocol !== undefined) {
    causes.push(...invalidEach(`${path}.appProtocol`, appProtocol, isQualifiedName(appProtocol)));
  }
  return causes;
}

const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];

/** Warns about non-canonical addresses. The controller canonicalizes the addresses that it writes. */
function warnOfAddresses({ metadata, subsets = [] }: Endpoints): string[] {
  if (metadata.labels?.['endpoints.kubernetes.io/managed-by'] === 'endpoint-controller') return [];
  return subsets.flatMap(({ addresses = [], notReadyAddresses = [] }, i) =>
    Object.entries({ addresses, notReadyAddresses }).flatMap(([field, list]) =>
      list.flatMap(({ ip }, j) => warnOfIP(ip, `subsets[${i}].${field}[${j}].ip`)),
    ),
  );
}
