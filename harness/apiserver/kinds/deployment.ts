import type * as apps from '#api/apps/v1';
import type { Deployment } from '../../api/objects.ts';
import { deployments } from '../../api/resource.ts';
import type { Cause } from '../../api/status.ts';
import { withChanged, withDefaults } from '../copy-on-write.ts';
import { declareKind } from '../declare/declare-kind.ts';
import { forbidden, invalid, notSupported, required } from '../validation/field-error.ts';
import {
  isZero,
  validateNotMoreThan100Percent,
  validatePositiveIntOrPercent,
} from '../validation/int-or-percent.ts';
import { validateNonnegativeField } from '../validation/object-meta.ts';
import { nameWarnings } from './name-warnings.ts';
import { type GoStruct, inGoNames } from './pod/go-names.ts';
import { setPodTemplateDefaults } from './pod-template.ts';
import {
  selectorText,
  validateCounts,
  validateNonnegativeFields,
  validateSelectorAndTemplate,
  withReplicas,
} from './replicated-template.ts';

/**
 * The kind Deployment.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/apps/deployment/strategy.go, pkg/apis/apps/v1/defaults.go
 * SetDefaults_Deployment, pkg/apis/apps/validation/validation.go ValidateDeployment
 */
export const deployment = declareKind<Deployment>({
  resource: deployments,
  // A status write from a stale copy must not restore old labels.
  statusKeepsMetadata: ['labels'],
  // The controller copies annotations to its ReplicaSets, so it must work when they change.
  generationOf: ({ spec, metadata }) => [spec, metadata.annotations ?? {}],
  scale: {
    replicas: ({ spec }) => spec.replicas,
    currentReplicas: ({ status }) => status.replicas ?? 0,
    selector: ({ spec }) => selectorText(spec.selector),
    withReplicas,
  },

  setDefaults: (object) => withChanged(object, 'spec', setSpecDefaults),
  warningsOnCreate: ({ metadata }) => nameWarnings(metadata.name),

  rules: [({ spec }) => validateSpec(spec)],
  immutable: ['spec.selector'],
  statusUpdateRules: ({ status }, old) => validateStatus(status, old.status),
});

function setSpecDefaults(spec: Deployment['spec']): Deployment['spec'] {
  const defaulted = withDefaults(spec, {
    replicas: 1,
    revisionHistoryLimit: 10,
    progressDeadlineSeconds: 600,
  });
  const withTemplate = withChanged(defaulted, 'template', setPodTemplateDefaults);
  return withChanged(withTemplate, 'strategy', setStrategyDefaults);
}

function setStrategyDefaults(strategy: apps.DeploymentStrategy): apps.DeploymentStrategy {
  const defaulted = withDefaults(strategy, { type: 'RollingUpdate' });
  if (defaulted.type !== 'RollingUpdate') return defaulted;
  return withChanged(withDefaults(defaulted, { rollingUpdate: {} }), 'rollingUpdate', (rollingUpdate) =>
    withDefaults(rollingUpdate, { maxUnavailable: '25%', maxSurge: '25%' }),
  );
}

/** Upstream: ValidateDeploymentSpec */
function validateSpec(spec: apps.DeploymentSpec): Cause[] {
  const { minReadySeconds = 0, progressDeadlineSeconds } = spec;
  const causes = [
    ...validateNonnegativeField(spec.replicas ?? 0, 'spec.replicas'),
    ...validateSelectorAndTemplate(spec, 'spec'),
    ...validateStrategy(spec.strategy ?? {}, 'spec.strategy'),
    ...validateNonnegativeFields(spec, ['minReadySeconds', 'revisionHistoryLimit'], 'spec'),
  ];
  if (progressDeadlineSeconds !== undefined) {
    const path = 'spec.progressDeadlineSeconds';
    causes.push(...validateNonnegativeField(progressDeadlineSeconds, path));
    if (progressDeadlineSeconds <= minReadySeconds) {
      causes.push(invalid(path, progressDeadlineSeconds, 'must be greater than minReadySeconds'));
    }
  }
  return causes;
}

/** Upstream: ValidateDeploymentStrategy */
function validateStrategy(strategy: apps.DeploymentStrategy, path: string): Cause[] {
  const { type, rollingUpdate } = strategy;
  switch (type) {
    case 'Recreate':
      if (!rollingUpdate) return [];
      return [forbidden(`${path}.rollingUpdate`, "may not be specified when strategy `type` is 'Recreate'")];
    case 'RollingUpdate':
      if (!rollingUpdate) {
        return [required(`${path}.rollingUpdate`, 'this should be defaulted and never be nil')];
      }
      return validateRollingUpdate(rollingUpdate, `${path}.rollingUpdate`);
    default:
      return [notSupported(path, inGoNames(strategy, STRATEGY), ['Recreate', 'RollingUpdate'])];
  }
}

/** Upstream: DeploymentStrategy */
const STRATEGY: GoStruct = {
  Type: ['type', ''],
  RollingUpdate: [
    'rollingUpdate',
    null,
    { MaxUnavailable: ['maxUnavailable', 0], MaxSurge: ['maxSurge', 0] },
  ],
};

/** Upstream: ValidateRollingUpdateDeployment */
function validateRollingUpdate(rollingUpdate: apps.RollingUpdateDeployment, path: string): Cause[] {
  const { maxUnavailable = 0, maxSurge = 0 } = rollingUpdate;
  const causes = [
    ...validatePositiveIntOrPercent(maxUnavailable, `${path}.maxUnavailable`),
    ...validatePositiveIntOrPercent(maxSurge, `${path}.maxSurge`),
  ];
  // If both are 0, the rollout can neither add nor remove a pod, so it can never start.
  if (isZero(maxUnavailable) && isZero(maxSurge)) {
    causes.push(invalid(`${path}.maxUnavailable`, maxUnavailable, 'may not be 0 when `maxSurge` is 0'));
  }
  causes.push(...validateNotMoreThan100Percent(maxUnavailable, `${path}.maxUnavailable`));
  return causes;
}

/** Upstream: ValidateDeploymentStatusUpdate */
function validateStatus(status: apps.DeploymentStatus, old: apps.DeploymentStatus): Cause[] {
  const causes = [
    ...validateNonnegativeFields(
      status,
      [
        'observedGeneration',
        'replicas',
        'updatedReplicas',
        'readyReplicas',
        'availableReplicas',
        'unavailableReplicas',
        'terminatingReplicas',
        'collisionCount',
      ],
      'status',
    ),
    ...validateCounts(status, ['updatedReplicas', 'readyReplicas', 'availableReplicas']),
  ];
  // A lower count would give a new template the name of a ReplicaSet that collided earlier.
  const { collisionCount = 0 } = status;
  if (old.collisionCount !== undefined && collisionCount < old.collisionCount) {
    causes.push(invalid('status.collisionCount', collisionCount, 'cannot be decremented'));
  }
  return causes;
}
