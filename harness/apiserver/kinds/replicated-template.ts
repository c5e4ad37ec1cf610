import type * as core from '#api/core/v1';
import type * as meta from '#api/meta/v1';
import { labelSelectorAsSelector, type Selector, SelectorError } from '../../api/label-selector.ts';
import type { Cause } from '../../api/status.ts';
import { forbidden, invalid, notSupported, required } from '../validation/field-error.ts';
import { validateLabelSelector, validateNonnegativeField } from '../validation/object-meta.ts';
import { inGoOrder } from './pod/go-names.ts';
import { validatePodTemplateSpec } from './pod-template.ts';
import { withField } from './with-field.ts';

/** A selector and the template that it must match; a client may have left out either. */
interface SelectorAndTemplate {
  readonly selector?: meta.LabelSelector;
  readonly template?: core.PodTemplateSpec;
}

/**
 * Every rule that a selector and its template break. The selector may not be empty, or the controller would
 * take all pods of the namespace for its own; it must match the template, or each new pod would leave one
 * missing and the controller would never stop.
 *
 * What Deployments and ReplicaSets have in common: a template, a selector that must match it, and a status that
 * counts pods.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/apps/validation/validation.go
 */
export function validateSelectorAndTemplate(spec: SelectorAndTemplate, path: string): Cause[] {
  const { selector, template = {} } = spec;
  const causes: Cause[] = [];
  if (!selector) {
    causes.push(required(`${path}.selector`));
  } else {
    causes.push(...validateLabelSelector(selector, `${path}.selector`));
    if (!Object.keys(selector.matchLabels ?? {}).length && !selector.matchExpressions?.length) {
      // Upstream says "deployment" for ReplicaSets, too.
      causes.push(invalid(`${path}.selector`, selector, 'empty selector is invalid for deployment'));
    }
  }
  const parsed = parseSelector(selector);
  if (!parsed) causes.push(invalid(`${path}.selector`, selector, 'invalid label selector'));
  else causes.push(...validateTemplate(template, parsed, `${path}.template`));
  return causes;
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/apps/validation/validation.go ValidatePodTemplateSpecForReplicaSet */
function validateTemplate(template: core.PodTemplateSpec, selector: Selector, path: string): Cause[] {
  return [
    ...(selector.empty ? [] : validateSelected(template, selector, path)),
    ...validatePodTemplateSpec(template, path),
    ...validateRunsForEver(template, 'ReplicaSet', path),
  ];
}

/** The labels of a template must be those that the selector selects. */
export function validateSelected(
  { metadata }: core.PodTemplateSpec,
  selector: Selector | undefined,
  path: string,
): Cause[] {
  if (!selector || selector.matches(metadata?.labels)) return [];
  const detail = '`selector` does not match template `labels`';
  return [invalid(`${path}.metadata.labels`, inGoOrder(metadata?.labels), detail)];
}

/**
 * The pods of a controller that keeps up a number of them must not end.
 *
 * @param kind as the message names it
 */
export function validateRunsForEver({ spec }: core.PodTemplateSpec, kind: string, path: string): Cause[] {
  const { restartPolicy = '', activeDeadlineSeconds } = spec ?? {};
  const detail = `activeDeadlineSeconds in ${kind} is not Supported`;
  return [
    ...(restartPolicy === 'Always'
      ? []
      : [notSupported(`${path}.spec.restartPolicy`, restartPolicy, ['Always'])]),
    ...(activeDeadlineSeconds === undefined ? [] : [forbidden(`${path}.spec.activeDeadlineSeconds`, detail)]),
  ];
}

/**
 * The counts of a status: none negative, none of `parts` above `replicas`, and no pod available that is not
 * ready.
 *
 * @param parts the counts to check besides `replicas`, in upstream's order
 * @param ready what the message calls the number of pods that are ready
 */
export function validateCounts<K extends string>(
  status: { readonly [P in K | 'replicas' | 'readyReplicas' | 'availableReplicas']?: number },
  parts: readonly K[],
  ready = 'readyReplicas',
): Cause[] {
  const { replicas = 0, readyReplicas = 0, availableReplicas = 0 } = status;
  const causes: Cause[] = [];
  for (const field of parts) {
    const count = status[field] ?? 0;
    if (count > replicas)
      causes.push(invalid(`status.${field}`, count, 'cannot be greater than status.replicas'));
  }
  if (availableReplicas > readyReplicas) {
    causes.push(invalid('status.availableReplicas', availableReplicas, `cannot be greater than ${ready}`));
  }
  return causes;
}

/** Refuses each of `fields` that is negative; absent ones are 0. */
export function validateNonnegativeFields<K extends string>(
  object: { readonly [P in K]?: number },
  fields: readonly K[],
  path: string,
): Cause[] {
  return fields.flatMap((field) => validateNonnegativeField(object[field] ?? 0, `${path}.${field}`));
}

/** Returns the object with another number of replicas, as a client of `Scale` writes it. */
export function withReplicas<T extends { readonly spec: { readonly replicas?: number } }>(
  object: T,
  replicas: number,
): T {
  return withField(object, 'spec', withField(object.spec, 'replicas', replicas));
}

/** The text of a selector, as `Scale` shows it; empty when it cannot be understood. */
export function selectorText(selector: meta.LabelSelector | undefined): string {
  return parseSelector(selector)?.toString() ?? '';
}

/** The selector, or undefined when it cannot be understood. One that is absent selects nothing. */
export function parseSelector(selector: meta.LabelSelector | undefined): Selector | undefined {
  try {
    return labelSelectorAsSelector(selector);
  } catch (error) {
    if (error instanceof SelectorError) return undefined;
    throw error;
  }
}
