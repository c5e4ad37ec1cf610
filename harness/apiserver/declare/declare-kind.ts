import { freezeObject } from '../../api/freeze.ts';
import { isDNS1123Subdomain } from '../../api/names.ts';
import type { KubeObject } from '../../api/objects.ts';
import type { Resource } from '../../api/resource.ts';
import { semanticEqual } from '../../api/semantic-equality.ts';
import type { Cause } from '../../api/status.ts';
import { decode } from '../decode.ts';
import type { Kind } from '../kind.ts';
import { withField } from '../kinds/with-field.ts';
import {
  validateImmutableField,
  validateObjectMeta,
  validateObjectMetaUpdate,
  validatePlainObjectMeta,
  validatePlainObjectMetaUpdate,
} from '../validation/object-meta.ts';

/**
 * What there is to say of a plain kind, which behaves like most: what a client sends is defaulted, held to rules and
 * stored; the status has a writer of its own.
 */
export interface KindDeclaration<T extends KubeObject> extends Partial<Passed<T>> {
  readonly resource: Resource<T>;
  /** The rule for names. @defaultValue isDNS1123Subdomain */
  readonly validateName?: (name: string) => readonly string[];
  /** Defaults that the types do not tell. What Go prints of an absent field is there already. */
  readonly setDefaults?: (object: T) => T;
  /** What is taken or made of a new object, besides its status. */
  readonly prepareForCreate?: (object: T, user?: string) => T;
  /** What is taken or made of an updated one, besides its status. */
  readonly prepareForUpdate?: (object: T, old: T) => T;
  /** What is taken or made of a status that is written. Of what it gives, the status alone counts. */
  readonly prepareForStatusUpdate?: (object: T, old: T) => T;
  /** Hold for new objects and for updated ones. */
  readonly rules?: readonly ObjectRule<T>[];
  /** Hold for new objects alone: what a rule that came later must not ask of those that were there. */
  readonly createRules?: readonly ObjectRule<T>[];
  /** Which changes are refused. Asked after {@link rules}. */
  readonly updateRules?: (object: T, old: T) => readonly Cause[];
  /** The paths of fields that no update may change: `spec.controller`. */
  readonly immutable?: readonly string[];
  /** Hold when the status is written. Only where there is that subresource. */
  readonly statusRules?: readonly ObjectRule<T>[];
  /** Which changes of a status are refused. Asked after {@link statusRules}. */
  readonly statusUpdateRules?: (object: T, old: T) => readonly Cause[];
  /** Does a writer of the status write the labels, and other metadata, too? @defaultValue true */
  readonly statusHasMetadata?: boolean;
  /** May finalizers be without a domain? @defaultValue false */
  readonly hasPlainFinalizers?: boolean;
  /** What in the object `metadata.generation` counts the changes of. Absent for kinds that have none. */
  readonly generationOf?: (object: T) => unknown;
  /** What field selectors may select, by the name of the field. */
  readonly selectable?: Readonly<Record<string, (object: T) => string>>;
}

/** A `Rule` for a whole object, whose path is empty. */
export type ObjectRule<T> = (object: T, path: string) => readonly Cause[];

/** What a {@link Kind} says itself. */
type Passed<T extends KubeObject> = Pick<
  Kind<T>,
  | 'admitCreate'
  | 'allowCreateOnUpdate'
  | 'allowUnconditionalUpdate'
  | 'defaultPropagationPolicy'
  | 'parts'
  | 'resetFields'
  | 'returnsDeletedObject'
  | 'scale'
  | 'setTimes'
  | 'warningsOnCreate'
  | 'warningsOnUpdate'
>;

/**
 * Makes a {@link Kind} of what is special in it.
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
    prepareForUpdate = unchanged,
    prepareForStatusUpdate = unchanged,
    rules = [],
    createRules = [],
    updateRules = none,
    immutable = [],
    statusRules = [],
    statusUpdateRules = none,
    statusHasMetadata = true,
    hasPlainFinalizers = false,
    generationOf,
    selectable = {},
    ...passed
  } = declaration;
  const { namespaced } = resource;
  const validateMeta = hasPlainFinalizers ? validatePlainObjectMeta : validateObjectMeta;
  const validateMetaUpdate = hasPlainFinalizers ? validatePlainObjectMetaUpdate : validateObjectMetaUpdate;
  const hasStatus = resource.subresources.includes('status');
  const emptyStatus = hasStatus ? statusOf(emptyObject(resource)) : undefined;
  const withStatus = (object: T, status: unknown): T =>
    hasStatus ? (withField(object as KubeObject & { status?: unknown }, 'status', status) as T) : object;

  return {
    ...passed,
    resource,
    validateName,
    setDefaults,
    selectableFieldNames: Object.keys(selectable),
    selectableFields: (object) =>
      Object.fromEntries(Object.entries(selectable).map(([name, value]) => [name, value(object)])),

    prepareForCreate: (object, user) => withStatus(prepareForCreate(object, user), emptyStatus),
    validate: (object) => [
      ...validateMeta(object.metadata, { namespaced, validateName }),
      ...rules.flatMap((rule) => rule(object, '')),
      ...createRules.flatMap((rule) => rule(object, '')),
    ],

    prepareForUpdate: (object, old) => withStatus(prepareForUpdate(object, old), statusOf(old)),
    validateUpdate: (object, old) => [
      ...validateMetaUpdate(object.metadata, old.metadata),
      ...rules.flatMap((rule) => rule(object, '')),
      ...updateRules(object, old),
      ...immutable.flatMap((path) => validateImmutableField(at(object, path), at(old, path), path)),
    ],

    ...(hasStatus && {
      prepareForStatusUpdate: (object: T, old: T) =>
        withStatus(
          statusHasMetadata ? withField(old, 'metadata', object.metadata) : withSystemFields(old, object),
          statusOf(prepareForStatusUpdate(object, old)),
        ),
      validateStatusUpdate: (object: T, old: T) => [
        ...validateMetaUpdate(object.metadata, old.metadata),
        ...statusRules.flatMap((rule) => rule(object, '')),
        ...statusUpdateRules(object, old),
      ],
    }),

    ...(generationOf && {
      sameDesiredState: (object: T, old: T) => semanticEqual(generationOf(object), generationOf(old)),
    }),
  };
}

/** The metadata of `old`, but for the version that it must have. */
function withSystemFields<T extends KubeObject>(old: T, object: T): T {
  const { resourceVersion } = object.metadata;
  return withField(old, 'metadata', withField(old.metadata, 'resourceVersion', resourceVersion));
}

const unchanged = <T>(object: T): T => object;
const none = (): readonly Cause[] => [];

/** As Go prints it when nothing was sent. */
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
