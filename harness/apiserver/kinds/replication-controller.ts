import type * as core from '#api/core/v1';
import { selectorFromSet } from '../../api/label-selector.ts';
import type { ReplicationController } from '../../api/objects.ts';
import { replicationControllers } from '../../api/plain-resources.ts';
import type { Cause } from '../../api/status.ts';
import { withChanged, withDefaults } from '../copy-on-write.ts';
import { declareKind } from '../declare/declare-kind.ts';
import { nonnegative } from '../declare/rules.ts';
import { required } from '../validation/field-error.ts';
import { nameWarnings } from './name-warnings.ts';
import { setPodTemplateDefaults, validatePodTemplateSpec } from './pod-template.ts';
import {
  validateCounts,
  validateNonnegativeFields,
  validateRunsForEver,
  validateSelected,
  withReplicas,
} from './replicated-template.ts';
import { withField } from './with-field.ts';

/**
 * The kind ReplicationController.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/replicationcontroller/strategy.go, pkg/apis/core/v1/defaults.go
 * SetDefaults_ReplicationController, pkg/apis/core/validation/validation.go ValidateReplicationController
 *
 * Differs: the template causes errors but no warnings.
 */
export const replicationController = declareKind<ReplicationController>({
  resource: replicationControllers,
  defaultPropagationPolicy: 'Orphan',
  selectable: { 'status.replicas': ({ status }) => String(status.replicas) },
  generationOf: ({ spec }) => spec,
  scale: {
    replicas: ({ spec }) => spec.replicas ?? 0,
    currentReplicas: ({ status }) => status.replicas,
    selector: ({ spec }) => selectorFromSet(spec.selector).toString(),
    withReplicas,
  },

  setDefaults(object) {
    const labels = object.spec.template?.metadata?.labels;
    const labelled = labels
      ? withField(object, 'metadata', withDefaults(object.metadata, { labels }))
      : object;
    return withChanged(labelled, 'spec', (spec) =>
      withChanged(
        withDefaults(spec, { replicas: 1, ...(labels && { selector: labels }) }),
        'template',
        setPodTemplateDefaults,
      ),
    );
  },
  warningsOnCreate: ({ metadata }) => nameWarnings(metadata.name),

  rules: [({ spec }) => validateSpec(spec, 'spec')],
  statusRules: [({ status }) => validateStatus(status)],
});

/** Upstream: ValidateReplicationControllerSpec */
function validateSpec(spec: core.ReplicationControllerSpec, path: string): Cause[] {
  const { template, selector = {} } = spec;
  const selects = Object.keys(selector).length > 0;
  const at = `${path}.template`;
  return [
    ...nonnegative(spec.minReadySeconds, `${path}.minReadySeconds`),
    ...(selects ? [] : [required(`${path}.selector`)]),
    ...nonnegative(spec.replicas, `${path}.replicas`),
    ...(template
      ? [
          ...(selects ? validateSelected(template, selectorFromSet(selector), at) : []),
          ...validatePodTemplateSpec(template, at),
          ...validateRunsForEver(template, 'ReplicationController', at),
        ]
      : [required(at)]),
  ];
}

/** Upstream: ValidateReplicationControllerStatus */
function validateStatus(status: core.ReplicationControllerStatus): Cause[] {
  const parts = ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'] as const;
  return [
    ...validateNonnegativeFields(status, ['replicas', ...parts, 'observedGeneration'], 'status'),
    ...validateCounts(status, parts),
  ];
}
