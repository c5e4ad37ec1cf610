import type * as apps from '#api/apps/v1';
import { isDNS1123Subdomain } from '../../api/names.ts';
import type { ReplicaSet } from '../../api/objects.ts';
import { replicaSets } from '../../api/resource.ts';
import { semanticEqual } from '../../api/semantic-equality.ts';
import type { Cause } from '../../api/status.ts';
import { withChanged, withDefaults } from '../copy-on-write.ts';
import type { Kind, ScaleAccess } from '../kind.ts';
import {
  validateImmutableField,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '../validation/object-meta.ts';
import { nameWarnings } from './name-warnings.ts';
import { setPodTemplateDefaults } from './pod-template.ts';
import {
  selectorText,
  validateCounts,
  validateNonnegativeFields,
  validateSelectorAndTemplate,
} from './replicated-template.ts';
import { withField } from './with-field.ts';

const scale: ScaleAccess<ReplicaSet> = {
  replicas: ({ spec }) => spec.replicas,
  currentReplicas: ({ status }) => status.replicas,
  selector: ({ spec }) => selectorText(spec.selector),
  withReplicas: (object, replicas) => withField(object, 'spec', withField(object.spec, 'replicas', replicas)),
};

/**
 * The kind ReplicaSet.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/apps/replicaset/strategy.go, pkg/apis/apps/v1/defaults.go
 * SetDefaults_ReplicaSet, pkg/apis/apps/validation/validation.go ValidateReplicaSet
 */
export const replicaSet: Kind<ReplicaSet> = {
  resource: replicaSets,
  validateName: isDNS1123Subdomain,
  selectableFields: () => ({}),
  selectableFieldNames: [],
  scale,

  setDefaults(object) {
    const withStatus = withChanged(withDefaults(object, { status: EMPTY_STATUS }), 'status', (status) =>
      withDefaults(status, EMPTY_STATUS),
    );
    return withChanged(withDefaults(withStatus, { spec: {} as ReplicaSet['spec'] }), 'spec', (spec) =>
      withChanged(withDefaults(spec, { replicas: 1 }), 'template', setPodTemplateDefaults),
    );
  },

  prepareForCreate(object) {
    return withField(object, 'status', EMPTY_STATUS);
  },

  validate(object) {
    return [
      ...validateObjectMeta(object.metadata, { namespaced: true, validateName: isDNS1123Subdomain }),
      ...validateSpec(object.spec),
    ];
  },

  warningsOnCreate: ({ metadata }) => nameWarnings(metadata.name),

  prepareForUpdate(object, old) {
    return withField(object, 'status', old.status);
  },

  validateUpdate(object, old) {
    return [
      ...validateObjectMetaUpdate(object.metadata, old.metadata),
      ...validateSpec(object.spec),
      ...validateImmutableField(object.spec.selector, old.spec.selector, 'spec.selector'),
    ];
  },

  prepareForStatusUpdate(object, old) {
    return withField(object, 'spec', old.spec);
  },

  validateStatusUpdate(object, old) {
    return [...validateObjectMetaUpdate(object.metadata, old.metadata), ...validateStatus(object.status)];
  },

  sameDesiredState(object, old) {
    return semanticEqual(object.spec, old.spec);
  },
};

/** `replicas` is there even when it is 0. */
const EMPTY_STATUS: apps.ReplicaSetStatus = Object.freeze({ replicas: 0 });

/** Upstream: ValidateReplicaSetSpec */
function validateSpec(spec: apps.ReplicaSetSpec): Cause[] {
  return [
    ...validateNonnegativeFields(spec, ['replicas', 'minReadySeconds'], 'spec'),
    ...validateSelectorAndTemplate(spec, 'spec'),
  ];
}

/** Upstream: ValidateReplicaSetStatus */
function validateStatus(status: apps.ReplicaSetStatus): Cause[] {
  const parts = ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'] as const;
  return [
    ...validateNonnegativeFields(
      status,
      ['replicas', ...parts, 'observedGeneration', 'terminatingReplicas'],
      'status',
    ),
    ...validateCounts(status, parts),
  ];
}
