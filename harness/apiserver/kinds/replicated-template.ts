import type * as core from '#api/core/v1';
import type * as meta from '#api/meta/v1';
import { labelSelectorAsSelector, type Selector, SelectorError } from '../../api/label-selector.ts';
import type { Cause } from '../../api/status.ts';
import { forbidden, invalid, notSupported, required } from '../validation/field-error.ts';
import { validateLabelSelector, validateNonnegativeField } from '../validation/object-meta.ts';
import { inGoOrder } from './pod/go-names.ts';
import { validatePodTemplateSpec } from './pod-template.ts';
import { withField } from './with-field.ts';

/** A selector and the template that it must match; a client may omit either. */
interface SelectorAndTemplate {
  readonly selector?: meta.LabelSelector;
  readonly template?: core.PodTemplateSpec;
}

/**
 * Returns all violations of the selector and template of a Deployment or a ReplicaSet. With an empty
 * selector the controller would adopt all pods of the namespace. If the selector did not match the template, the
 * controller would create pods without end, because no new pod would count.
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

/** Validates that the selector selects the labels of the template. */
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
 * Requires a restart policy that keeps pods running, for a controller that maintains a number of them.
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
 * Validates the counts of a status. No count is negative, none of `parts` exceeds `replicas`, and no more pods are
 * available than ready.
 *
 * @param parts the counts to check besides `replicas`, in upstream's order
 * @param ready the message's name for the number of ready pods
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

/** Rejects negative values of `fields`; an absent field is 0. */
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

/** Returns the text of a selector, as `Scale` exposes it; empty if it cannot be parsed. */
export function selectorText(selector: meta.LabelSelector | undefined): string {
  return parseSelector(selector)?.toString() ?? '';
}

/** Parses a selector; undefined if it is invalid. An absent selector selects nothing. */
export function parseSelector(selector: meta.LabelSelector | undefined): Selector | undefined {
  try {
    return labelSelectorAsSelector(selector);
  } catch (error) {
    if (error instanceof SelectorError) return undefined;
    throw error;
  }
}
