import type * as meta from '#api/meta/v1';
import { isDNS1123Label, isQualifiedName, isValidLabelValue } from '../../api/names.ts';
import { semanticEqual } from '../../api/semantic-equality.ts';
import type { Cause } from '../../api/status.ts';
import { forbidden, invalid, invalidEach, required, tooLong } from './field-error.ts';

/** The rules of a kind for {@link validateObjectMeta}. */
interface ObjectMetaRules {
  readonly namespaced: boolean;
  /** Returns the reasons why a name is invalid for this kind. */
  validateName(name: string): readonly string[];
  /** @defaultValue `metadata` */
  readonly path?: string;
}

/**
 * Returns the violations in the metadata of a new object, whose name is already generated.
 *
 * This module validates the metadata of all kinds, including labels, and selectors.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go ValidateObjectMeta, over
 * kubernetes/apimachinery@v0.36.3 pkg/api/validation/objectmeta.go, pkg/apis/meta/v1/validation/validation.go
 */
export function validateObjectMeta(meta: meta.ObjectMeta, rules: ObjectMetaRules): Cause[] {
  const { path = 'metadata' } = rules;
  return [
    ...validatePlainObjectMeta(meta, rules),
    ...validateKubeFinalizerNames(meta.finalizers ?? [], `${path}.finalizers`),
  ];
}

/**
 * Like {@link validateObjectMeta}, for kinds whose finalizers need no domain: definitions and custom resources.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/api/validation/objectmeta.go ValidateObjectMetaAccessor
 */
export function validatePlainObjectMeta(meta: meta.ObjectMeta, rules: ObjectMetaRules): Cause[] {
  const { namespaced, path = 'metadata' } = rules;
  const { name, namespace, generateName } = meta;
  const causes: Cause[] = [];
  if (generateName) {
    const reasons = rules.validateName(withoutTrailingDash(generateName));
    causes.push(...invalidEach(`${path}.generateName`, generateName, reasons));
  }
  if (!name) causes.push(required(`${path}.name`, 'name or generateName is required'));
  else causes.push(...invalidEach(`${path}.name`, name, rules.validateName(name)));

  if (!namespaced && namespace) causes.push(forbidden(`${path}.namespace`, 'not allowed on this type'));
  if (namespaced && !namespace) causes.push(required(`${path}.namespace`));
  if (namespaced && namespace) {
    causes.push(...invalidEach(`${path}.namespace`, namespace, isDNS1123Label(namespace)));
  }
  causes.push(
    ...validateNonnegativeField(meta.generation ?? 0, `${path}.generation`),
    ...validateLabels(meta.labels, `${path}.labels`),
    ...validateAnnotations(meta.annotations, `${path}.annotations`),
    ...validateOwnerReferences(meta.ownerReferences ?? [], `${path}.ownerReferences`),
    ...validateFinalizers(meta.finalizers ?? [], `${path}.finalizers`),
  );
  return causes;
}

/**
 * Returns the violations in a change of metadata. Finalizers are only checked for additions during a deletion, and for
 * their names.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go ValidateObjectMetaUpdate
 */
export function validateObjectMetaUpdate(
  meta: meta.ObjectMeta,
  old: meta.ObjectMeta,
  path = 'metadata',
): Cause[] {
  return [
    ...validatePlainObjectMetaUpdate(meta, old, path),
    ...validateKubeFinalizerNames(meta.finalizers ?? [], `${path}.finalizers`),
  ];
}

/**
 * Like {@link validateObjectMetaUpdate}, for kinds whose finalizers need no domain.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/api/validation/objectmeta.go ValidateObjectMetaAccessorUpdate
 */
export function validatePlainObjectMetaUpdate(
  meta: meta.ObjectMeta,
  old: meta.ObjectMeta,
  path = 'metadata',
): Cause[] {
  const causes: Cause[] = [];
  if (old.deletionTimestamp) {
    causes.push(
      ...validateNoNewFinalizers(meta.finalizers ?? [], old.finalizers ?? [], `${path}.finalizers`),
    );
  }
  if (!meta.resourceVersion) {
    causes.push(invalid(`${path}.resourceVersion`, '', 'must be specified for an update'));
  }
  if ((meta.generation ?? 0) < (old.generation ?? 0)) {
    causes.push(invalid(`${path}.generation`, meta.generation ?? 0, 'must not be decremented'));
  }
  for (const field of ['name', 'namespace', 'uid'] as const) {
    causes.push(...validateImmutableField(meta[field] ?? '', old[field] ?? '', `${path}.${field}`));
  }
  for (const field of ['creationTimestamp', 'deletionTimestamp'] as const) {
    if (semanticEqual(meta[field], old[field])) continue;
    causes.push(invalid(`${path}.${field}`, meta[field], FIELD_IMMUTABLE));
  }
  causes.push(
    ...validateImmutableField(
      meta.deletionGracePeriodSeconds,
      old.deletionGracePeriodSeconds,
      `${path}.deletionGracePeriodSeconds`,
    ),
    ...validateLabels(meta.labels, `${path}.labels`),
    ...validateAnnotations(meta.annotations, `${path}.annotations`),
    ...validateOwnerReferences(meta.ownerReferences ?? [], `${path}.ownerReferences`),
  );
  return causes;
}

/** The message for a change of an immutable field. Upstream: FieldImmutableErrorMsg */
const FIELD_IMMUTABLE = 'field is immutable';

/** Upstream: ValidateImmutableField */
export function validateImmutableField(value: unknown, old: unknown, path: string): Cause[] {
  return semanticEqual(value, old) ? [] : [invalid(path, value, FIELD_IMMUTABLE)];
}

/** Upstream: kubernetes/apimachinery@v0.36.3 pkg/api/validation/generic.go ValidateNonnegativeField */
export function validateNonnegativeField(value: number, path: string): Cause[] {
  return value < 0 ? [invalid(path, value, 'must be greater than or equal to 0')] : [];
}

/**
 * Validates label keys and values. Errors of both have the path of the whole map.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/apis/meta/v1/validation/validation.go ValidateLabels
 */
export const validateLabels = once((labels: Readonly<Record<string, string>>, path): Cause[] =>
  Object.entries(labels).flatMap(([key, value]) => [
    ...validateLabelName(key, path),
    ...invalidEach(path, value, isValidLabelValue(value)),
  ]),
);

/**
 * Returns a validator that skips a frozen value that was valid before. Most updates change only the status, and share the
 * rest of the object.
 */
function once<T extends object>(validate: (value: T, path: string) => Cause[]) {
  const valid = new WeakSet<T>();
  return (value: T | undefined, path: string): Cause[] => {
    if (!value || valid.has(value)) return [];
    const causes = validate(value, path);
    if (causes.length === 0 && Object.isFrozen(value)) valid.add(value);
    return causes;
  };
}

/** Upstream: kubernetes/apimachinery@v0.36.3 pkg/apis/meta/v1/validation/validation.go ValidateLabelName */
export function validateLabelName(name: string, path: string): Cause[] {
  return invalidEach(path, name, isQualifiedName(name));
}

/**
 * Validates annotations: keys like those of labels but in any case, arbitrary values, and at most 256 KiB in total.
 *
 * Upstream: ValidateAnnotations
 */
export const validateAnnotations = once((annotations: Readonly<Record<string, string>>, path): Cause[] => {
  const entries = Object.entries(annotations);
  const causes = entries.flatMap(([key]) => invalidEach(path, key, isQualifiedName(key.toLowerCase())));
  let bytes = 0;
  for (const [key, value] of entries) bytes += Buffer.byteLength(key) + Buffer.byteLength(value);
  if (bytes > ANNOTATION_BYTES_MAX) causes.push(tooLong(path, ANNOTATION_BYTES_MAX));
  return causes;
});

const ANNOTATION_BYTES_MAX = 256 * 1024;

/**
 * Validates a structured label selector. An empty one is valid here; kinds that must not select everything check that
 * themselves.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/apis/meta/v1/validation/validation.go ValidateLabelSelector
 */
export function validateLabelSelector(
  selector: meta.LabelSelector | null | undefined,
  path: string,
): Cause[] {
  if (!selector) return [];
  const causes = validateLabels(selector.matchLabels, `${path}.matchLabels`);
  selector.matchExpressions?.forEach((requirement, i) => {
    causes.push(...validateLabelSelectorRequirement(requirement, `${path}.matchExpressions[${i}]`));
  });
  return causes;
}

function validateLabelSelectorRequirement(requirement: meta.LabelSelectorRequirement, path: string): Cause[] {
  const { key = '', operator = '', values = [] } = requirement;
  const causes: Cause[] = [];
  if (operator === 'In' || operator === 'NotIn') {
    if (values.length === 0) {
      causes.push(required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'"));
    }
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (values.length > 0) {
      causes.push(
        forbidden(`${path}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"),
      );
    }
  } else {
    causes.push(invalid(`${path}.operator`, operator, 'not a valid selector operator'));
  }
  causes.push(...validateLabelName(key, `${path}.key`));
  values.forEach((value, i) => {
    causes.push(...invalidEach(`${path}.values[${i}]`, value, isValidLabelValue(value)));
  });
  return causes;
}

/**
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/api/validation/objectmeta.go ValidateOwnerReferences, where
 * all errors carry the path of the list, too, instead of an item's
 *
 * Differs: reports at most ten controllers after the first, because each error contains the whole list. Upstream
 * answers a thousand controllers with a thousand times the size of the request.
 */
function validateOwnerReferences(references: readonly meta.OwnerReference[], path: string): Cause[] {
  const causes: Cause[] = [];
  let controller: string | undefined;
  let others = 0;
  for (const reference of references) {
    const { apiVersion = '', kind = '', name = '', uid = '' } = reference;
    if (!apiVersion || apiVersion.endsWith('/')) {
      causes.push(invalid(`${path}.apiVersion`, apiVersion, 'version must not be empty'));
    }
    for (const [field, value] of Object.entries({ kind, name, uid })) {
      if (!value) causes.push(invalid(`${path}.${field}`, value, 'must not be empty'));
    }
    if (apiVersion === 'v1' && kind === 'Event') {
      causes.push(invalid(path, reference, '/v1, Kind=Event is disallowed from being an owner'));
    }
    if (!reference.controller) continue;
    if (controller === undefined) controller = `${kind}/${name}`;
    else if (others++ < OTHER_CONTROLLERS_MAX) {
      const detail = `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${kind}/${name}`;
      causes.push(invalid(path, references, detail));
    }
  }
  return causes;
}

const OTHER_CONTROLLERS_MAX = 10;

/** Upstream: ValidateFinalizers */
function validateFinalizers(finalizers: readonly string[], path: string): Cause[] {
  const causes = finalizers.flatMap((finalizer) => validateLabelName(finalizer, path));
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    causes.push(invalid(path, finalizers, 'finalizer orphan and foregroundDeletion cannot be both set'));
  }
  return causes;
}

function validateKubeFinalizerNames(finalizers: readonly string[], path: string): Cause[] {
  return finalizers.flatMap((finalizer, i) => validateKubeFinalizerName(finalizer, `${path}[${i}]`));
}

/**
 * Validates a finalizer. Without a domain, it must be one of Kubernetes' own, because otherwise no component is known
 * to handle it.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go validateKubeFinalizerName
 */
export function validateKubeFinalizerName(finalizer: string, path: string): Cause[] {
  if (finalizer.includes('/') || STANDARD_FINALIZERS.includes(finalizer)) return [];
  return [invalid(path, finalizer, 'name is neither a standard finalizer name nor is it fully qualified')];
}

const STANDARD_FINALIZERS: readonly string[] = ['kubernetes', 'orphan', 'foregroundDeletion'];

/** Upstream: ValidateNoNewFinalizers */
function validateNoNewFinalizers(
  finalizers: readonly string[],
  old: readonly string[],
  path: string,
): Cause[] {
  const added = [...new Set(finalizers)].filter((finalizer) => !old.includes(finalizer)).sort();
  if (added.length === 0) return [];
  const list = added.map((finalizer) => JSON.stringify(finalizer)).join(', ');
  const detail = `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`;
  return [forbidden(path, detail)];
}

/**
 * Replaces the trailing dash of a generateName by a letter, because the generated suffix completes the name. Like
 * upstream, it drops two characters by mistake, which has no visible effect.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/api/validation/generic.go maskTrailingDash
 */
function withoutTrailingDash(prefix: string): string {
  return prefix.length > 1 && prefix.endsWith('-') ? `${prefix.slice(0, -2)}a` : prefix;
}
