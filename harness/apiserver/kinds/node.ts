import { isValidCIDR, warnOfCIDR } from '../../api/ip.ts';
import { quote } from '../../api/names.ts';
import type { Node } from '../../api/objects.ts';
import { nodes } from '../../api/resource.ts';
import { semanticEqual } from '../../api/semantic-equality.ts';
import type { Cause } from '../../api/status.ts';
import { withChanged, withDefaults } from '../copy-on-write.ts';
import { declareKind } from '../declare/declare-kind.ts';
import { duplicate, forbidden, invalid, invalidEach } from '../validation/field-error.ts';
import { type GoStruct, inGoNames } from './pod/go-names.ts';
import { canonicalResourceList } from './pod/quantities.ts';
import { validateResourceQuantity } from './pod/resources.ts';
import { validateTaints } from './pod/tolerations.ts';

/**
 * The kind Node. A kubelet creates its own, status and all, so a create keeps the status.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/node/strategy.go
 *
 * Differs: `spec.configSource` and the deprecated annotations are not validated.
 */
export const node = declareKind<Node>({
  resource: nodes,
  selectable: { 'spec.unschedulable': ({ spec }) => String(spec.unschedulable ?? false) },
  revalidates: 'before metadata',

  setDefaults: (node) => withChanged(withChanged(node, 'spec', withPodCIDRs), 'status', setStatusDefaults),
  newStatus: ({ status }) => status,
  warningsOnCreate: nodeWarnings,
  warningsOnUpdate: nodeWarnings,

  // Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go ValidateNode
  rules: [
    validateNodeTaints,
    validateResources,
    validateSwap,
    validateDeclaredFeatures,
    ({ spec }) => validatePodCIDRs(spec.podCIDRs ?? []),
  ],
  updateRules: validateNodeUpdate,
  statusUpdateRules: validateNodeUpdate,
});

/** Sets `allocatable` to the capacity if it is absent: nothing is reserved for the system. */
function setStatusDefaults(status: Node['status']): Node['status'] {
  const result = withChanged(status, 'capacity', canonicalResourceList);
  const rounded = withChanged(result, 'allocatable', canonicalResourceList);
  return rounded.capacity ? withDefaults(rounded, { allocatable: rounded.capacity }) : rounded;
}

/**
 * Keeps `podCIDR` and `podCIDRs[0]` equal; if they differ, `podCIDR` wins.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/v1/conversion.go Convert_v1_NodeSpec_To_core_NodeSpec
 */
function withPodCIDRs(spec: Node['spec']): Node['spec'] {
  const { podCIDR, podCIDRs = [] } = spec;
  if ((podCIDR ?? '') === (podCIDRs[0] ?? '')) return spec;
  return podCIDR ? { ...spec, podCIDRs: [podCIDR] } : { ...spec, podCIDR: podCIDRs[0] ?? '' };
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/node/strategy.go nodeWarnings */
function nodeWarnings({ spec: { configSource, externalID, podCIDRs = [] } }: Node): string[] {
  return [
    ...(configSource ? ['spec.configSource: the feature is removed'] : []),
    ...(externalID ? ['spec.externalID: this field is deprecated, and is unused by Kubernetes'] : []),
    ...podCIDRs.flatMap((cidr, i) => warnOfCIDR(cidr, `spec.podCIDRs[${i}]`)),
  ];
}

/** Upstream: NodeAddress */
const ADDRESS: GoStruct = { Type: ['type', ''], Address: ['address', ''] };

/** Upstream reports taints under the metadata, though they are in the spec. */
function validateNodeTaints({ spec }: Node): Cause[] {
  return validateTaints(spec.taints ?? [], 'metadata.taints');
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go ValidateNodeUpdate */
function validateNodeUpdate(node: Node, old: Node): Cause[] {
  const causes = [...validateResources(node), ...validateDeclaredFeatures(node)];
  const addresses = node.status.addresses ?? [];
  addresses.forEach((address, i) => {
    const isRepeated = addresses.slice(0, i).some((other) => semanticEqual(other, address));
    if (isRepeated) causes.push(duplicate(`status.addresses[${i}]`, inGoNames(address, ADDRESS)));
  });
  const { podCIDRs: oldCIDRs = [], providerID: oldProviderID } = old.spec;
  const { podCIDRs = [], providerID } = node.spec;
  if (oldCIDRs.length > 0) {
    // Upstream reports the same error once per changed CIDR.
    const changed =
      oldCIDRs.length === podCIDRs.length ? oldCIDRs.filter((cidr, i) => cidr !== podCIDRs[i]) : [''];
    const detail = 'node updates may not change podCIDR except from "" to valid';
    causes.push(...changed.map(() => forbidden('spec.podCIDRs', detail)));
  }
  if (oldProviderID && oldProviderID !== providerID) {
    const detail = 'node updates may not change providerID except from "" to valid';
    causes.push(forbidden('spec.providerID', detail));
  }
  return [...causes, ...validateNodeTaints(node)];
}

function validateResources({ status }: Node): Cause[] {
  const lists = Object.entries({ capacity: status.capacity, allocatable: status.allocatable });
  return lists.flatMap(([field, list]) =>
    Object.entries(list ?? {}).flatMap(([name, text]) =>
      validateResourceQuantity(name, text, `status.${field}.${name}`),
    ),
  );
}

/**
 * Validates the swap capacity. The path is upstream's mistake.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go validateNodeSwapStatus
 */
function validateSwap({ status }: Node): Cause[] {
  const capacity = status.nodeInfo?.swap?.capacity;
  return capacity === undefined || capacity > 0
    ? []
    : [invalid('metadata.nodeSwapStatus.capacity', capacity, 'must be greater than zero')];
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go validateNodeDeclaredFeatures */
function validateDeclaredFeatures({ status }: Node): Cause[] {
  const { declaredFeatures = [] } = status;
  return declaredFeatures.flatMap((feature, i) => {
    const path = `status.declaredFeatures[${i}]`;
    const before = declaredFeatures[i - 1] ?? '';
    const causes = invalidEach(path, feature, whyNoFeature(feature));
    if (i > 0 && before === feature) causes.push(duplicate(path, feature));
    if (before > feature) causes.push(invalid(path, feature, 'list must be sorted alphabetically'));
    return causes;
  });
}

function whyNoFeature(name: string): string[] {
  const what = `invalid feature name ${quote(name)}: `;
  if (name.length > 253) return [`${what}must be no more than 253 characters`];
  return FEATURE.test(name) ? [] : [what + NO_FEATURE];
}

const FEATURE = /^[A-Z][a-zA-Z0-9]*(\/[a-zA-Z][a-zA-Z0-9]*)*$/;
const NO_FEATURE =
  "must start with an UpperCamelCase segment, with subsequent segments separated by '/' (e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes";

function validatePodCIDRs(cidrs: readonly string[]): Cause[] {
  const path = 'spec.podCIDRs';
  const causes = cidrs.flatMap((cidr, i) => invalidEach(`${path}[${i}]`, cidr, isValidCIDR(cidr)));
  const families = new Set(cidrs.map((cidr) => cidr.includes(':')));
  if (families.size < cidrs.length && cidrs.length > 1) {
    causes.push(invalid(path, cidrs, 'may specify no more than one CIDR for each IP family'));
  }
  return causes;
}
