import type * as apps from '#api/apps/v1';
import type { DaemonSet } from '../../api/objects.ts';
import { daemonSets } from '../../api/plain-resources.ts';
import { semanticEqual } from '../../api/semantic-equality.ts';
import type { Cause } from '../../api/status.ts';
import { withChanged, withDefaults } from '../copy-on-write.ts';
import { declareKind } from '../declare/declare-kind.ts';
import { fields, nonnegative } from '../declare/rules.ts';
import { invalid, notSupported, required } from '../validation/field-error.ts';
import {
  isZero,
  validateNotMoreThan100Percent,
  validatePositiveIntOrPercent,
} from '../validation/int-or-percent.ts';
import { validateLabelSelector } from '../validation/object-meta.ts';
import { type GoStruct, inGoNames } from './pod/go-names.ts';
import { setPodTemplateDefaults, validatePodTemplateSpec } from './pod-template.ts';
import { parseSelector, validateRunsForEver, validateSelected } from './replicated-template.ts';
import { validateCollisionCount } from './stateful-set.ts';
import { withField } from './with-field.ts';

/**
 * Annotation with the number of changes of the template; removed API versions had a field for it.
 *
 * Upstream: kubernetes/api@v0.36.3 apps/v1/types.go DeprecatedTemplateGeneration
 */
const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation';

/**
 * The kind DaemonSet.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/apps/daemonset/strategy.go, pkg/apis/apps/v1/defaults.go
 * SetDefaults_DaemonSet, pkg/apis/apps/validation/validation.go ValidateDaemonSet
 *
 * Differs: the template causes errors but no warnings. An annotation that is not a number counts as absent.
 */
export const daemonSet = declareKind<DaemonSet>({
  resource: daemonSets,
  generationOf: ({ spec }) => spec,
  setDefaults: (object) => withChanged(object, 'spec', setSpecDefaults),
  prepareForCreate: (object) => withTemplateGeneration(object, Math.max(1, templateGenerationOf(object))),
  prepareForUpdate(object, old) {
    const isChanged = !semanticEqual(object.spec.template, old.spec.template);
    return withTemplateGeneration(object, templateGenerationOf(old) + (isChanged ? 1 : 0));
  },

  rules: [({ spec }) => validateSpec(spec, 'spec')],
  immutable: ['spec.selector'],
  statusRules: [
    fields<DaemonSet>({
      status: fields<apps.DaemonSetStatus>({
        currentNumberScheduled: nonnegative,
        numberMisscheduled: nonnegative,
        desiredNumberScheduled: nonnegative,
        numberReady: nonnegative,
        observedGeneration: nonnegative,
        updatedNumberScheduled: nonnegative,
        numberAvailable: nonnegative,
        numberUnavailable: nonnegative,
        collisionCount: nonnegative,
      }),
    }),
  ],
  statusUpdateRules: validateCollisionCount,
});

function setSpecDefaults(spec: apps.DaemonSetSpec): apps.DaemonSetSpec {
  const limited = withDefaults(spec, { revisionHistoryLimit: 10 });
  const updated = withChanged(limited, 'updateStrategy', (strategy) => {
    const typed = withDefaults(strategy, { type: 'RollingUpdate' });
    if (typed.type !== 'RollingUpdate') return typed;
    return withChanged(withDefaults(typed, { rollingUpdate: {} }), 'rollingUpdate', (update) =>
      withDefaults(update, { maxUnavailable: 1, maxSurge: 0 }),
    );
  });
  return withChanged(updated, 'template', setPodTemplateDefaults);
}

function templateGenerationOf({ metadata }: DaemonSet): number {
  const generation = Number.parseInt(metadata.annotations?.[TEMPLATE_GENERATION] ?? '', 10);
  return Number.isNaN(generation) ? 0 : generation;
}

function withTemplateGeneration(object: DaemonSet, generation: number): DaemonSet {
  const { metadata } = object;
  const annotations = withField<Record<string, string>, string>(
    metadata.annotations ?? {},
    TEMPLATE_GENERATION,
    String(generation),
  );
  return withField(object, 'metadata', withField(metadata, 'annotations', annotations));
}

/** Upstream: ValidateDaemonSetSpec */
function validateSpec(spec: apps.DaemonSetSpec, path: string): Cause[] {
  const { selector, template = {} } = spec;
  const causes = validateLabelSelector(selector, `${path}.selector`);
  causes.push(...validateSelected(template, parseSelector(selector ?? undefined), `${path}.template`));
  if (selector && !Object.keys(selector.matchLabels ?? {}).length && !selector.matchExpressions?.length) {
    causes.push(invalid(`${path}.selector`, selector, 'empty selector is invalid for daemonset'));
  }
  return [
    ...causes,
    ...validatePodTemplateSpec(template, `${path}.template`),
    ...validateRunsForEver(template, 'DaemonSet', `${path}.template`),
    ...nonnegative(spec.minReadySeconds, `${path}.minReadySeconds`),
    ...validateUpdateStrategy(spec.updateStrategy ?? {}, `${path}.updateStrategy`),
    ...nonnegative(spec.revisionHistoryLimit, `${path}.revisionHistoryLimit`),
  ];
}

const ROLLING_UPDATE: GoStruct = { MaxUnavailable: ['maxUnavailable', 0], MaxSurge: ['maxSurge', 0] };

/** Upstream: ValidateDaemonSetUpdateStrategy, ValidateRollingUpdateDaemonSet */
function validateUpdateStrategy(
  { type, rollingUpdate }: apps.DaemonSetUpdateStrategy,
  path: string,
): Cause[] {
  if (type === 'OnDelete') return [];
  if (type !== 'RollingUpdate') {
    const shown = {
      Type: type ?? '',
      RollingUpdate: rollingUpdate ? inGoNames(rollingUpdate, ROLLING_UPDATE) : null,
    };
    return [notSupported(path, shown, ['RollingUpdate', 'OnDelete'])];
  }
  if (!rollingUpdate) return [required(`${path}.rollingUpdate`)];
  const { maxUnavailable = 0, maxSurge = 0 } = rollingUpdate;
  const at = `${path}.rollingUpdate`;
  const causes = [
    ...validatePositiveIntOrPercent(maxUnavailable, `${at}.maxUnavailable`),
    ...validatePositiveIntOrPercent(maxSurge, `${at}.maxSurge`),
    ...validateNotMoreThan100Percent(maxUnavailable, `${at}.maxUnavailable`),
    ...validateNotMoreThan100Percent(maxSurge, `${at}.maxSurge`),
  ];
  if (!isZero(maxUnavailable) && !isZero(maxSurge)) {
    causes.push(invalid(`${at}.maxSurge`, maxSurge, 'may not be set when maxUnavailable is non-zero'));
  } else if (isZero(maxUnavailable) && isZero(maxSurge)) {
    causes.push(required(`${at}.maxUnavailable`, 'cannot be 0 when maxSurge is 0'));
  }
  return causes;
}
