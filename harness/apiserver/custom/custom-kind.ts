import type { CustomResourceDefinitionVersion } from '#api/apiextensions/v1';
import { isDNS1123Subdomain, isQualifiedName, quote } from '../../api/names.ts';
import type { KubeObject } from '../../api/objects.ts';
import type { Resource } from '../../api/resource.ts';
import { type Cause, failure, StatusError } from '../../api/status.ts';
import { without } from '../copy-on-write.ts';
import type { Kind, ScaleAccess } from '../kind.ts';
import { equalJson, type Json, type JsonObject } from '../patch/json-value.ts';
import { invalid } from '../validation/field-error.ts';
import { validatePlainObjectMeta, validatePlainObjectMetaUpdate } from '../validation/object-meta.ts';
import { validateEmbeddedResources } from './embedded-resources.ts';
import { find } from './json-path.ts';
import { validateListTypes } from './list-types.ts';
import { AccessorError, nestedField, withNestedField } from './nested-field.ts';
import { prune, type StructuralSchema, withDefaults, withoutNulls } from './structural-schema.ts';
import { validateValue } from './validate-value.ts';

type Custom = KubeObject & { readonly status?: unknown };
type ScalePaths = NonNullable<NonNullable<CustomResourceDefinitionVersion['subresources']>['scale']>;

/**
 * Returns the kind of one version of a custom resource.
 *
 * Upstream: kubernetes/apiextensions-apiserver@v0.36.3 pkg/registry/customresource/strategy.go customResourceStrategy,
 * status_strategy.go statusStrategy
 *
 * Differs: an update has no warnings, and field owners in another version are not converted.
 *
 * @param stored - the version in which the objects are stored
 */
export function customKind(
  resource: Resource<Custom>,
  version: CustomResourceDefinitionVersion,
  schema: StructuralSchema,
  stored: Resource,
): Kind {
  const { namespaced } = resource;
  const { subresources, selectableFields = [] } = version;
  const hasStatus = Boolean(subresources?.status);
  const scale = subresources?.scale ?? undefined;
  const statusSchema = schema.properties?.status;
  const fromStored = asRead(schema);
  const withStatus = (object: Custom, status: unknown): Custom => {
    if (!hasStatus) return object;
    const rest = without(object, 'status');
    return status === undefined ? (rest as Custom) : ({ ...rest, status } as Custom);
  };
  /** Returns all violations in an object except those in its metadata. */
  const causesOf = (object: Custom, old?: Custom): readonly Cause[] => {
    const value = json(object);
    const isHeldToListTypes = !old || validateListTypes(schema, json(old)).length === 0;
    return [
      ...validateValue(schema, value, '', old && json(old)),
      ...(scale ? [...scaleSpecCauses(value, scale), ...scaleStatusCauses(value, scale)] : []),
      ...validateEmbeddedResources(schema, value),
      ...(isHeldToListTypes ? validateListTypes(schema, value) : []),
    ];
  };
  const statusCauses = (object: Custom, old: Custom): readonly Cause[] => {
    const status = object.status as Json | undefined;
    return [
      ...(status === undefined || !statusSchema
        ? []
        : validateValue(statusSchema, status, 'status', old.status as Json | undefined)),
      ...(scale ? scaleStatusCauses(json(object), scale) : []),
      ...(validateListTypes(schema, json(old)).length === 0 ? validateListTypes(schema, json(object)) : []),
    ];
  };
  const kind: Kind<Custom> = {
    resource,
    validateName: isDNS1123Subdomain,
    setDefaults: (object) => withDefaults(schema, json(object)) as unknown as Custom,
    prepareForCreate: (object) => withStatus(object, undefined),
    validate: (object) => [
      ...validatePlainObjectMeta(object.metadata, { namespaced, validateName: isDNS1123Subdomain }),
      ...causesOf(object),
    ],
    warningsOnCreate: ({ metadata }) => finalizerWarnings(metadata.finalizers ?? []),
    prepareForUpdate: (object, old) => withStatus(object, fromStored(old).status),
    validateUpdate: (object, old) => [
      ...validatePlainObjectMetaUpdate(object.metadata, old.metadata),
      ...causesOf(object, fromStored(old)),
    ],
    allowUnconditionalUpdate: false,
    sameDesiredState: (object, old) => equalJson(withoutMetadata(object), withoutMetadata(fromStored(old))),
    selectableFieldNames: selectableFields.map(({ jsonPath }) => jsonPath.replace(/^\./, '')),
    selectableFields: (object) => {
      const read = json(fromStored(object));
      return Object.fromEntries(
        selectableFields.map(({ jsonPath }) => {
          const [found] = find(jsonPath, read) ?? [];
          return [jsonPath.replace(/^\./, ''), found === undefined || found === null ? '' : String(found)];
        }),
      );
    },
    ...(hasStatus &&
      ({
        prepareForStatusUpdate: (object: Custom, old: Custom): Custom => {
          const { resourceVersion, managedFields } = object.metadata;
          const kept = fromStored(old);
          return withStatus(
            {
              ...kept,
              metadata: { ...kept.metadata, resourceVersion, ...(managedFields && { managedFields }) },
            },
            object.status,
          );
        },
        validateStatusUpdate: (object: Custom, old: Custom) => [
          ...validatePlainObjectMetaUpdate(object.metadata, old.metadata),
          ...statusCauses(object, fromStored(old)),
        ],
        resetFields: { status: ['metadata', 'spec'] },
      } satisfies Partial<Kind<Custom>>)),
    ...(scale && { scale: scaleAt(scale) }),
    // The versions differ only in their names, and in the fields that their schemas keep and default.
    conversion: {
      served: resource,
      stored,
      toStored: (object: object) => object,
      fromStored: (object: object) => fromStored(object as Custom),
    },
  };
  return kind as unknown as Kind;
}

const json = (object: Custom): JsonObject => object as unknown as JsonObject;

const withoutMetadata = ({ metadata: _, ...object }: Custom): Json => object as unknown as JsonObject;

/**
 * Returns a function that reads a stored object in a version: drops fields unknown to its schema and adds defaults. The
 * results are cached.
 *
 * Upstream: kubernetes/apiextensions-apiserver@v0.36.3 pkg/apiserver/customresource_handler.go crdConversionRESTOptionsGetter
 */
function asRead(schema: StructuralSchema): (object: Custom) => Custom {
  const known = new WeakMap<Custom, Custom>();
  return (object) => {
    let read = known.get(object);
    if (!read) {
      const { value } = prune(schema, json(object), true);
      read = withDefaults(schema, withoutNulls(schema, value)) as unknown as Custom;
      known.set(object, read);
    }
    return read;
  };
}

/**
 * Upstream: kubernetes/apiextensions-apiserver@v0.36.3 pkg/registry/customresource/validator.go validateKubeFinalizerName
 */
function finalizerWarnings(finalizers: readonly string[]): readonly string[] {
  const warn = (finalizer: string, what: string): string =>
    `metadata.finalizers: ${quote(finalizer)}: ${what}`;
  return [...new Set(finalizers)].sort().flatMap((finalizer) => {
    const wrong = isQualifiedName(finalizer).map((why) => warn(finalizer, why));
    if (finalizer.includes('/') || STANDARD_FINALIZERS.includes(finalizer)) return wrong;
    const path = finalizer.includes('.') ? ' including a path (/)' : '';
    const what = `prefer a domain-qualified finalizer name${path} to avoid accidental conflicts with other finalizer writers`;
    return [...wrong, warn(finalizer, what)];
  });
}

const STANDARD_FINALIZERS: readonly string[] = ['orphan', 'foregroundDeletion', 'kubernetes'];

/** Upstream: kubernetes/apiextensions-apiserver@v0.36.3 pkg/registry/customresource/etcd.go scaleFromCustomResource */
function scaleAt({
  specReplicasPath,
  statusReplicasPath,
  labelSelectorPath,
}: ScalePaths): ScaleAccess<Custom> {
  return {
    replicas: (object) => orFail(() => nestedField(json(object), specReplicasPath, 'int64')),
    currentReplicas: (object) => orFail(() => nestedField(json(object), statusReplicasPath, 'int64')) ?? 0,
    selector: (object) =>
      (labelSelectorPath && orFail(() => nestedField(json(object), labelSelectorPath, 'string'))) || '',
    withReplicas: (object, replicas) =>
      withNestedField(json(object), specReplicasPath, replicas) as unknown as Custom,
    customPath: specReplicasPath,
  };
}

function orFail<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof AccessorError)) throw error;
    throw new StatusError(failure('InternalError', error.message));
  }
}

/** Upstream: ValidateScaleSpec */
function scaleSpecCauses(object: JsonObject, { specReplicasPath }: ScalePaths): Cause[] {
  return replicasCauses(object, specReplicasPath);
}

/** Upstream: ValidateScaleStatus */
function scaleStatusCauses(
  object: JsonObject,
  { statusReplicasPath, labelSelectorPath }: ScalePaths,
): Cause[] {
  return [
    ...replicasCauses(object, statusReplicasPath),
    ...(labelSelectorPath
      ? accessorCauses(labelSelectorPath, '', () => {
          nestedField(object, labelSelectorPath, 'string');
          return [];
        })
      : []),
  ];
}

function replicasCauses(object: JsonObject, path: string): Cause[] {
  return accessorCauses(path, 0, () => {
    const replicas = nestedField(object, path, 'int64') ?? 0;
    if (replicas < 0) return [invalid(path, replicas, 'should be a non-negative integer')];
    if (replicas <= INT32_MAX) return [];
    return [invalid(path, replicas, `should be less than or equal to ${INT32_MAX}`)];
  });
}

function accessorCauses(path: string, zero: unknown, check: () => Cause[]): Cause[] {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof AccessorError)) throw error;
    return [invalid(path, zero, error.message)];
  }
}

const INT32_MAX = 2 ** 31 - 1;
