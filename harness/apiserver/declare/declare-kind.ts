import { freezeObject } from '../../api/freeze.ts';
import { isDNS1123Subdomain } from '../../api/names.ts';
import type { KubeObject, ObjectMeta } from '../../api/objects.ts';
import type { Resource } from '../../api/resource.ts';
import { semanticEqual } from '../../api/semantic-equality.ts';
import type { Cause } from '../../api/status.ts';
import type { User } from '../../contracts/access/index.ts';
import { decode } from '../decode.ts';
import type { Kind } from '../kind.ts';
import { withField, withOld } from '../kinds/with-field.ts';
import {
  validateImmutableField,
  validateObjectMeta,
  validateObjectMetaUpdate,
  validatePlainObjectMeta,
  validatePlainObjectMetaUpdate,
} from '../validation/object-meta.ts';

/**
 * The special parts of a kind. Otherwise it behaves like most kinds: the apiserver sets defaults, checks the rules
 * and stores the object, and a separate client writes the status.
 */
export interface KindDeclaration<T extends KubeObject> extends Partial<Passed<T>> {
  readonly resource: Resource<T>;
  /** The rule for names. @defaultValue isDNS1123Subdomain */
  readonly validateName?: (name: string) => readonly string[];
  /** Sets defaults. Decoding has already set Go's zero values. */
  readonly setDefaults?: (object: T) => T;
  /** Changes a new object, except its status. */
  readonly prepareForCreate?: (object: T, user?: User) => T;
  /** The status of a new object. @defaultValue the empty one */
  readonly newStatus?: (object: T) => unknown;
  /** Changes an updated object, except its status. */
  readonly prepareForUpdate?: (object: T, old: T) => T;
  /** The status after an update of the object. @defaultValue the old one */
  readonly updatedStatus?: (object: T, old: T) => unknown;
  /** Changes a status that a client writes. Only the status of the result is used. */
  readonly prepareForStatusUpdate?: (object: T, old: T) => T;
  /** Rules for new and for updated objects. */
  readonly rules?: readonly ObjectRule<T>[];
  /** Further rules for new objects. A newer rule belongs here, so that it does not reject older objects. */
  readonly createRules?: readonly ObjectRule<T>[];
  /** Rejects changes. Runs after {@link rules}. */
  readonly updateRules?: (object: T, old: T) => readonly Cause[];
  /** The paths of fields that no update may change, such as `spec.controller`. */
  readonly immutable?: readonly string[];
  /**
   * Whether an update is also validated as a new object, including its metadata, before or after the metadata change.
   * @defaultValue no: only by {@link rules}
   */
  readonly revalidates?: 'after metadata' | 'before metadata';
  /** Whether {@link rules} run before the rules for the metadata of a new object. @defaultValue false */
  readonly metadataLast?: boolean;
  /** Rules for a status that a client writes. Only for kinds with that subresource. */
  readonly statusRules?: readonly ObjectRule<T>[];
  /** Rejects changes of a status. Runs after {@link statusRules}. */
  readonly statusUpdateRules?: (object: T, old: T) => readonly Cause[];
  /** Whether a status write also changes labels and other metadata. @defaultValue true */
  readonly statusHasMetadata?: boolean;
  /** Exceptions of {@link statusHasMetadata}: metadata that a status write does not change. */
  readonly statusKeepsMetadata?: readonly (keyof ObjectMeta)[];
  /** Whether finalizers can have no domain. @defaultValue false */
  readonly hasPlainFinalizers?: boolean;
  /** The part of the object whose changes `metadata.generation` counts. Absent for kinds without a generation. */
  readonly generationOf?: (object: T) => unknown;
  /** Returns the values for field selectors, by field name. */
  readonly selectable?: Readonly<Record<string, (object: T) => string>>;
}

/** A `Rule` for a whole object, whose path is empty. */
export type ObjectRule<T> = (object: T, path: string) => readonly Cause[];

/** The parts that a {@link Kind} takes unchanged. */
type Passed<T extends KubeObject> = Pick<
  Kind<T>,
  | 'admitCreate'
  | 'allowCreateOnUpdate'
  | 'allowUnconditionalUpdate'
  | 'defaultPropagationPolicy'
  | 'deprecation'
  | 'gracePeriodSeconds'
  | 'newAllocator'
  | 'parts'
  | 'resetFields'
  | 'returnsDeletedObject'
  | 'scale'
  | 'setTimes'
  | 'termination'
  | 'warningsOnCreate'
  | 'warningsOnUpdate'
  | 'watchIndex'
>;

/**
 * Makes a {@link Kind} from its special parts.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/registry/rest/create.go RESTCreateStrategy, as most strategies of
 * kubernetes/kubernetes@v1.36.3 pkg/registry implement it
 */
export function declareKind<T extends KubeObject>(declaration: KindDeclaration<T>): Kind<T> {
  const {
    resource,
    validateName = isDNS1123Subdomain,
    setDefaults = unchanged,
    prepareForCreate = unchanged,
    newStatus = () => emptyStatus,
    prepareForUpdate = unchanged,
    updatedStatus = (_, old) => statusOf(old),
    prepareForStatusUpdate = unchanged,
    rules = [],
    createRules = [],
    updateRules = none,
    immutable = [],
    revalidates,
    metadataLast = false,
    statusRules = [],
    statusUpdateRules = none,
    statusHasMetadata = true,
    statusKeepsMetadata,
    hasPlainFinalizers = false,
    generationOf,
    selectable = {},
    ...passed
  } = declaration;
  const { namespaced } = resource;
  const hasStatus = resource.subresources.includes('status');
  const emptyStatus = hasStatus ? statusOf(emptyObject(resource)) : undefined;
  const withStatus = (object: T, status: unknown): T =>
    hasStatus ? (withField(object as KubeObject & { status?: unknown }, 'status', status) as T) : object;
  const metadataOf = (object: T, old: T): ObjectMeta => {
    const { metadata } = object;
    if (!statusHasMetadata) return withField(old.metadata, 'resourceVersion', metadata.resourceVersion);
    return statusKeepsMetadata ? withOld(metadata, old.metadata, ...statusKeepsMetadata) : metadata;
  };

  const validateMeta = hasPlainFinalizers ? validatePlainObjectMeta : validateObjectMeta;
  const validateMetaUpdate = hasPlainFinalizers ? validatePlainObjectMetaUpdate : validateObjectMetaUpdate;
  const follow = (each: readonly ObjectRule<T>[], object: T): Cause[] =>
    each.flatMap((rule) => rule(object, ''));
  const validateWhole = (object: T): Cause[] => {
    const causes = validateMeta(object.metadata, { namespaced, validateName });
    return metadataLast ? [...follow(rules, object), ...causes] : [...causes, ...follow(rules, object)];
  };
  const fields = Object.entries(selectable);

  return {
    ...passed,
    resource,
    validateName,
    setDefaults,
    selectableFieldNames: Object.keys(selectable),
    selectableFields: (object) => Object.fromEntries(fields.map(([name, value]) => [name, value(object)])),

    prepareForCreate: (object, user) => withStatus(prepareForCreate(object, user), newStatus(object)),
    validate: (object) => [...validateWhole(object), ...follow(createRules, object)],

    prepareForUpdate: (object, old) => withStatus(prepareForUpdate(object, old), updatedStatus(object, old)),
    validateUpdate: (object, old) => [
      ...(revalidates === 'before metadata' ? validateWhole(object) : []),
      ...validateMetaUpdate(object.metadata, old.metadata),
      ...(revalidates === 'after metadata' ? validateWhole(object) : []),
      ...(revalidates ? [] : follow(rules, object)),
      ...updateRules(object, old),
      ...immutable.flatMap((path) => validateImmutableField(at(object, path), at(old, path), path)),
    ],

    ...(hasStatus && {
      prepareForStatusUpdate: (object: T, old: T) =>
        withStatus(
          withField(old, 'metadata', metadataOf(object, old)),
          statusOf(prepareForStatusUpdate(object, old)),
        ),
      validateStatusUpdate: (object: T, old: T) => [
        ...validateMetaUpdate(object.metadata, old.metadata),
        ...follow(statusRules, object),
        ...statusUpdateRules(object, old),
      ],
    }),
    ...(statusKeepsMetadata && {
      resetFields: { status: ['spec', ...statusKeepsMetadata.map((field) => `metadata.${field}`)] },
    }),

    ...(generationOf && {
      sameDesiredState: (object: T, old: T) => semanticEqual(generationOf(object), generationOf(old)),
    }),
  };
}

const unchanged = <T>(object: T): T => object;
const none = (): readonly Cause[] => [];

/** An empty object, as Go prints it. */
function emptyObject<T extends KubeObject>(resource: Resource<T>): T {
  return freezeObject(decode(resource, {}, { fieldValidation: 'Ignore' }).object);
}

function statusOf(object: object): unknown {
  return (object as { status?: unknown }).status;
}

function at(object: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce((part, name) => (part as Record<string, unknown> | undefined)?.[name] ?? undefined, object);
}
