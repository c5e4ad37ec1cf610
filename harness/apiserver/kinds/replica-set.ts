import type * as apps from '#api/apps/v1';
import type { ReplicaSet } from '../../api/objects.ts';
import { replicaSets } from '../../api/resource.ts';
import type { Cause } from '../../api/status.ts';
import { withChanged, withDefaults } from '../copy-on-write.ts';
import { declareKind } from '../declare/declare-kind.ts';
import { nameWarnings } from './name-warnings.ts';
import { setPodTemplateDefaults } from './pod-template.ts';
import {
  selectorText,
  validateCounts,
  validateNonnegativeFields,
  validateSelectorAndTemplate,
  withReplicas,
} from './replicated-template.ts';

/**
 * The kind ReplicaSet.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/apps/replicaset/strategy.go, pkg/apis/apps/v1/defaults.go
 * SetDefaults_ReplicaSet, pkg/apis/apps/validation/validation.go ValidateReplicaSet
 */
export const replicaSet = declareKind<ReplicaSet>({
  resource: replicaSets,
  generationOf: ({ spec }) => spec,
  scale: {
    replicas: ({ spec }) => spec.replicas,
    currentReplicas: ({ status }) => status.replicas,
    selector: ({ spec }) => selectorText(spec.selector),
    withReplicas,
  },

  setDefaults: (object) =>
    withChanged(object, 'spec', (spec) =>
      withChanged(withDefaults(spec, { replicas: 1 }), 'template', setPodTemplateDefaults),
    ),
  warningsOnCreate: ({ metadata }) => nameWarnings(metadata.name),

  // Upstream: ValidateReplicaSetSpec
  rules: [
    ({ spec }) => [
      ...validateNonnegativeFields(spec, ['replicas', 'minReadySeconds'], 'spec'),
      ...validateSelectorAndTemplate(spec, 'spec'),
    ],
  ],
  immutable: ['spec.selector'],
  statusRules: [({ status }) => validateStatus(status)],
});

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
