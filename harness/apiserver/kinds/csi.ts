import type * as storage from '#api/storage/v1';
import { isDNS1123Subdomain, isQualifiedName } from '../../api/names.ts';
import type { CSIDriver, CSINode } from '../../api/objects.ts';
import { csiDrivers, csiNodes } from '../../api/plain-resources.ts';
import { semanticEqual } from '../../api/semantic-equality.ts';
import type { Cause } from '../../api/status.ts';
import { withChanged, withDefaults } from '../copy-on-write.ts';
import { declareKind } from '../declare/declare-kind.ts';
import { fields, nonnegative, oneOf, type Rule, required } from '../declare/rules.ts';
import { duplicate, invalid, invalidEach, required as missing, tooLong } from '../validation/field-error.ts';
import { validateImmutableField } from '../validation/object-meta.ts';
import { type GoStruct, inGoNames } from './pod/go-names.ts';

/**
 * Rule for the name of a CSI driver.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go ValidateCSIDriverName
 */
export const csiDriverName: Rule<string> = required((name = '', path) => [
  ...(Buffer.byteLength(name) > 63 ? [tooLong(path, 63)] : []),
  ...invalidEach(path, name, isDNS1123Subdomain(name.toLowerCase())),
]);

/** Upstream: validateTokenRequests */
const tokenRequests: Rule<readonly storage.TokenRequest[]> = (requests = [], path) =>
  requests.flatMap(({ audience = '', expirationSeconds: seconds }, i) => {
    const at = `${path}[${i}]`;
    const isSeen = requests.slice(0, i).some((earlier) => (earlier.audience ?? '') === audience);
    if (isSeen) return [duplicate(`${at}.audience`, audience)];
    const refuse = (detail: string) => [invalid(`${at}.expirationSeconds`, seconds, detail)];
    if (seconds === undefined) return [];
    if (seconds < 600) return refuse('may not specify a duration less than 10 minutes');
    return seconds > 2 ** 32 ? refuse('may not specify a duration larger than 2^32 seconds') : [];
  });

/** Upstream reports these errors at the path of the list. */
const lifecycleModes: Rule<readonly string[]> = (modes = [], path) =>
  modes.flatMap((mode) => oneOf('Persistent', 'Ephemeral')(mode, path));

/**
 * The kind CSIDriver.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/storage/csidriver/strategy.go, pkg/apis/storage/v1/defaults.go
 * SetDefaults_CSIDriver, pkg/apis/storage/validation/validation.go ValidateCSIDriver
 */
export const csiDriver = declareKind<CSIDriver>({
  resource: csiDrivers,
  allowUnconditionalUpdate: false,
  generationOf: ({ spec }) => spec,
  setDefaults: (object) =>
    withChanged(object, 'spec', (spec) =>
      withDefaults(spec, {
        attachRequired: true,
        podInfoOnMount: false,
        storageCapacity: false,
        fsGroupPolicy: 'ReadWriteOnceWithFSType',
        volumeLifecycleModes: ['Persistent'],
        requiresRepublish: false,
        seLinuxMount: false,
      }),
    ),
  warningsOnCreate: ({ spec: { tokenRequests = [], serviceAccountTokenInSecrets } }) =>
    tokenRequests.length > 0 && serviceAccountTokenInSecrets === undefined
      ? [
          'spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes',
        ]
      : [],
  rules: [
    fields<CSIDriver>({
      spec: fields<storage.CSIDriverSpec>({
        fsGroupPolicy: oneOf('File', 'None', 'ReadWriteOnceWithFSType'),
        tokenRequests,
        volumeLifecycleModes: lifecycleModes,
        nodeAllocatableUpdatePeriodSeconds: (period = 10, path) =>
          period < 10 ? [invalid(path, period, 'must be greater than or equal to 10 seconds')] : [],
      }),
    }),
    ({ spec: { serviceAccountTokenInSecrets: inSecrets, tokenRequests = [] } }) => {
      if (inSecrets === undefined || tokenRequests.length > 0) return [];
      const detail = 'serviceAccountTokenInSecrets is set but no tokenRequests are specified';
      return [invalid('spec.serviceAccountTokenInSecrets', inSecrets, detail)];
    },
  ],
  updateRules: ({ spec }, { spec: old }) => [
    // Upstream's spelling.
    ...validateImmutableField(spec.attachRequired, old.attachRequired, 'spec.attachedRequired'),
    ...validateImmutableField(
      spec.volumeLifecycleModes,
      old.volumeLifecycleModes,
      'spec.volumeLifecycleModes',
    ),
  ],
});

/** Upstream: validateCSINodeDriver. Keys have the path of their driver. */
const nodeDriver: Rule<storage.CSINodeDriver> = (driver, path) => {
  const { nodeID = '' } = driver ?? {};
  // Go prints a missing list as null.
  const topologyKeys = driver?.topologyKeys ?? [];
  const causes: Cause[] = [...csiDriverName(driver?.name, `${path}.name`)];
  if (!nodeID) causes.push(missing(`${path}.nodeID`));
  if (Buffer.byteLength(nodeID) > 256) {
    causes.push(invalid(`${path}.nodeID`, nodeID, 'must be 256 characters or less'));
  }
  causes.push(...nonnegative(driver?.allocatable?.count, `${path}.allocatable.count`));
  topologyKeys.forEach((key, i) => {
    if (!key) causes.push(missing(path));
    if (topologyKeys.indexOf(key) < i) causes.push(duplicate(path, key));
    causes.push(...invalidEach(path, key, isQualifiedName(key)));
  });
  return causes;
};

const nodeDrivers: Rule<readonly storage.CSINodeDriver[]> = (drivers = [], path) =>
  drivers.flatMap((driver, i) => {
    const isSeen = drivers.slice(0, i).some(({ name }) => name === driver.name);
    const at = `${path}[${i}]`;
    return [...nodeDriver(driver, at), ...(isSeen ? [duplicate(`${at}.name`, driver.name)] : [])];
  });

const DRIVER: GoStruct = {
  Name: ['name', ''],
  NodeID: ['nodeID', ''],
  TopologyKeys: ['topologyKeys', null],
  Allocatable: ['allocatable', null],
};

/**
 * The kind CSINode. Only the number of volumes can change in a driver that stays.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/storage/csinode/strategy.go,
 * pkg/apis/storage/validation/validation.go ValidateCSINode
 */
export const csiNode = declareKind<CSINode>({
  resource: csiNodes,
  allowUnconditionalUpdate: false,
  rules: [fields<CSINode>({ spec: fields<storage.CSINodeSpec>({ drivers: nodeDrivers }) })],
  updateRules({ spec }, { spec: old }) {
    return (old.drivers ?? []).flatMap((before) =>
      (spec.drivers ?? []).flatMap((driver) => {
        if (driver.name !== before.name) return [];
        const fixed = { ...driver, allocatable: before.allocatable };
        if (semanticEqual(fixed, before)) return [];
        const shown = { ...(inGoNames(driver, DRIVER) as object), Allocatable: null };
        return [invalid('spec.drivers', shown, 'field is immutable')];
      }),
    );
  },
});
