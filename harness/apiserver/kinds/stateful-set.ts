import type * as apps from '#api/apps/v1';
import type * as core from '#api/core/v1';
import { isDNS1123Label } from '../../api/names.ts';
import type { PersistentVolumeClaim, StatefulSet } from '../../api/objects.ts';
import { statefulSets } from '../../api/plain-resources.ts';
import { semanticEqual } from '../../api/semantic-equality.ts';
import type { Cause } from '../../api/status.ts';
import { mapItems, withChanged, withDefaults } from '../copy-on-write.ts';
import { declareKind } from '../declare/declare-kind.ts';
import { fields, named, nonnegative, oneOf, optional } from '../declare/rules.ts';
import { forbidden, invalid, required } from '../validation/field-error.ts';
import { validateAnnotations, validateLabelSelector, validateLabels } from '../validation/object-meta.ts';
import { persistentVolumeClaim } from './persistent-volume-claim.ts';
import { validatePodAnnotations } from './pod/annotations.ts';
import { type GoStruct, inGoNames } from './pod/go-names.ts';
import { setPodTemplateDefaults, validatePodTemplateSpec } from './pod-template.ts';
import {
  parseSelector,
  selectorText,
  validateCounts,
  validateNonnegativeFields,
  validateRunsForEver,
  validateSelected,
  withReplicas,
} from './replicated-template.ts';
import { withOld } from './with-field.ts';

/**
 * The kind StatefulSet.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/apps/statefulset/strategy.go, pkg/apis/apps/v1/defaults.go
 * SetDefaults_StatefulSet, pkg/apis/apps/validation/validation.go ValidateStatefulSet
 *
 * Differs: the templates cause errors but no warnings. Upstream accepts a stored invalid template; no stored object
 * here has one.
 */
export const statefulSet = declareKind<StatefulSet>({
  resource: statefulSets,
  validateName: isDNS1123Label,
  generationOf: ({ spec }) => spec,
  scale: {
    replicas: ({ spec }) => spec.replicas ?? 0,
    currentReplicas: ({ status }) => status.replicas,
    selector: ({ spec }) => selectorText(spec.selector),
    withReplicas,
  },

  setDefaults: (object) => withChanged(object, 'spec', setSpecDefaults),
  warningsOnCreate: warnings,
  warningsOnUpdate: warnings,

  rules: [({ spec }) => validateSpec(spec, 'spec')],
  createRules: [
    fields<StatefulSet>({ spec: fields<apps.StatefulSetSpec>({ serviceName: named(isDNS1123Label) }) }),
  ],
  updateRules: validateUpdate,
  statusRules: [({ status }) => validateStatus(status)],
  statusUpdateRules: validateCollisionCount,
});

function setSpecDefaults(spec: apps.StatefulSetSpec): apps.StatefulSetSpec {
  const { type, rollingUpdate } = spec.updateStrategy ?? {};
  const rolling = type && !rollingUpdate ? {} : { rollingUpdate: {} };
  const complete = withDefaults(spec, {
    podManagementPolicy: 'OrderedReady',
    persistentVolumeClaimRetentionPolicy: {},
    replicas: 1,
    revisionHistoryLimit: 10,
  });
  const retained = withChanged(complete, 'persistentVolumeClaimRetentionPolicy', (policy) =>
    withDefaults(policy, { whenDeleted: 'Retain', whenScaled: 'Retain' }),
  );
  const updated = withChanged(retained, 'updateStrategy', (strategy) => {
    const typed = withDefaults(strategy, { type: 'RollingUpdate', ...rolling });
    if (typed.type !== 'RollingUpdate') return typed;
    return withChanged(typed, 'rollingUpdate', (update) => withDefaults(update, { partition: 0 }));
  });
  const claimed = withChanged(updated, 'volumeClaimTemplates', (claims) =>
    mapItems(claims, setClaimDefaults),
  );
  return withChanged(claimed, 'template', setPodTemplateDefaults);
}

/** Sets the type and the status of a claim template, as if it were stored. */
function setClaimDefaults(claim: core.PersistentVolumeClaim): core.PersistentVolumeClaim {
  const typed = withDefaults(claim, { apiVersion: 'v1', kind: 'PersistentVolumeClaim' });
  return persistentVolumeClaim.setDefaults(typed as PersistentVolumeClaim);
}

function warnings({ spec }: StatefulSet): readonly string[] {
  if ((spec.revisionHistoryLimit ?? 0) >= 0) return [];
  return [
    'spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended',
  ];
}

/** Upstream: ValidateStatefulSetSpec */
function validateSpec(spec: apps.StatefulSetSpec, path: string): Cause[] {
  const { podManagementPolicy, selector, volumeClaimTemplates = [] } = spec;
  const template = spec.template ?? {};
  const causes: Cause[] = [];
  if (podManagementPolicy !== 'OrderedReady' && podManagementPolicy !== 'Parallel') {
    const detail = "must be 'OrderedReady' or 'Parallel'";
    causes.push(invalid(`${path}.podManagementPolicy`, podManagementPolicy, detail));
  }
  causes.push(
    ...validateUpdateStrategy(spec.updateStrategy ?? {}, `${path}.updateStrategy`),
    ...retentionPolicy(
      spec.persistentVolumeClaimRetentionPolicy,
      `${path}.persistentVolumeClaimRetentionPolicy`,
    ),
    ...validateNonnegativeFields(spec, ['replicas', 'minReadySeconds'], path),
    ...nonnegative(spec.ordinals?.start, `${path}.ordinals.start`),
  );
  if (!selector) {
    causes.push(required(`${path}.selector`));
  } else {
    causes.push(...validateLabelSelector(selector, `${path}.selector`));
    if (!Object.keys(selector.matchLabels ?? {}).length && !selector.matchExpressions?.length) {
      causes.push(invalid(`${path}.selector`, selector, 'empty selector is invalid for statefulset'));
    }
  }
  const parsed = parseSelector(selector ?? undefined);
  if (!parsed) causes.push(invalid(`${path}.selector`, selector, ''));
  else {
    const seen = asInPods(template, volumeClaimTemplates);
    const at = `${path}.template`;
    const { labels, annotations } = template.metadata ?? {};
    if (!parsed.empty) causes.push(...validateSelected(template, parsed, at));
    // Upstream reports some of these errors twice.
    causes.push(
      ...validatePodTemplateSpec(seen, at),
      ...validateLabels(labels, `${at}.labels`),
      ...validateAnnotations(annotations, `${at}.annotations`),
      ...validatePodAnnotations(annotations, seen.spec ?? { containers: [] }, `${at}.annotations`),
    );
  }
  return [...causes, ...validateRunsForEver(template, 'StatefulSet', `${path}.template`)];
}

/** Returns the template as pods get it: with their names, and with the volumes of the claims. */
function asInPods(
  template: core.PodTemplateSpec,
  claims: readonly core.PersistentVolumeClaim[],
): core.PodTemplateSpec {
  return withChanged(template, 'spec', ({ hostname, subdomain, ...spec }) => {
    if (claims.length === 0) return spec;
    const names = claims.map(({ metadata }) => metadata?.name ?? '');
    const claimed = names.map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
    const own = (spec.volumes ?? []).filter(({ name }) => !names.includes(name));
    return { ...spec, volumes: [...claimed, ...own] };
  });
}

const STRATEGY: GoStruct = {
  Type: ['type', ''],
  RollingUpdate: [
    'rollingUpdate',
    null,
    { Partition: ['partition', 0], MaxUnavailable: ['maxUnavailable', null] },
  ],
};

function validateUpdateStrategy(strategy: apps.StatefulSetUpdateStrategy, path: string): Cause[] {
  const { type, rollingUpdate } = strategy;
  const shown = inGoNames(strategy, STRATEGY) as { RollingUpdate: unknown };
  if (type === 'OnDelete') {
    if (!rollingUpdate) return [];
    const detail = "only allowed for updateStrategy 'RollingUpdate'";
    return [invalid(`${path}.rollingUpdate`, shown.RollingUpdate, detail)];
  }
  if (type !== 'RollingUpdate') {
    return [invalid(path, shown, "must be 'RollingUpdate' or 'OnDelete'")];
  }
  // maxUnavailable has a feature gate that is off.
  return [...nonnegative(rollingUpdate?.partition, `${path}.rollingUpdate.partition`)];
}

const retentionPolicy = optional(
  fields<apps.StatefulSetPersistentVolumeClaimRetentionPolicy>({
    whenDeleted: oneOf('Retain', 'Delete'),
    whenScaled: oneOf('Retain', 'Delete'),
  }),
);

/** Upstream: ValidateStatefulSetUpdate */
function validateUpdate({ spec }: StatefulSet, { spec: old }: StatefulSet): Cause[] {
  const fixed = withOld(
    spec,
    old,
    ...(['replicas', 'template', 'updateStrategy', 'minReadySeconds', 'ordinals'] as const),
    ...(['revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy'] as const),
  );
  if (semanticEqual(fixed, old)) return [];
  const detail =
    "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";
  return [forbidden('spec', detail)];
}

/** Upstream: ValidateStatefulSetStatus */
function validateStatus(status: apps.StatefulSetStatus): Cause[] {
  const parts = ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'] as const;
  return [
    ...validateNonnegativeFields(
      status,
      ['replicas', ...parts, 'observedGeneration', 'collisionCount'],
      'status',
    ),
    ...validateCounts(status, parts, 'status.readyReplicas'),
  ];
}

/** Rejects a decreased collisionCount, from which names are derived. */
export function validateCollisionCount(
  { status }: { readonly status: { readonly collisionCount?: number } },
  { status: old }: { readonly status: { readonly collisionCount?: number } },
): Cause[] {
  if (old.collisionCount === undefined || (status.collisionCount ?? -1) >= old.collisionCount) return [];
  return [invalid('status.collisionCount', status.collisionCount ?? 0, 'cannot be decremented')];
}
