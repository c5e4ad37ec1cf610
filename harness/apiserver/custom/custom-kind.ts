import type { CustomResourceDefinitionVersion } from '#api/apiextensions/v1';
import { isDNS1123Subdomain } from '../../api/names.ts';
import type { KubeObject } from '../../api/objects.ts';
import type { Resource } from '../../api/resource.ts';
import { groupVersion } from '../../api/resource.ts';
import { semanticEqual } from '../../api/semantic-equality.ts';
import type { Cause } from '../../api/status.ts';
import { without } from '../copy-on-write.ts';
import type { Kind, ScaleAccess } from '../kind.ts';
import type { Json } from '../patch/json-value.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '../validation/object-meta.ts';
import { find } from './json-path.ts';
import { type StructuralSchema, withDefaults } from './structural-schema.ts';
import { validateValue } from './validate-value.ts';

type Custom = KubeObject & { readonly status?: unknown };

/**
 * The kind of one version of a custom resource.
 *
 * Upstream: kubernetes/apiextensions-apiserver@v0.36.3 pkg/registry/customresource/strategy.go customResourceStrategy,
 * status_strategy.go statusStrategy
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
  const hasStatus = subresources?.status !== undefined;
  const withStatus = (object: Custom, status: unknown): Custom => {
    if (!hasStatus) return object;
    const rest = without(object, 'status');
    return status === undefined ? (rest as Custom) : ({ ...rest, status } as Custom);
  };
  const causesOf = ({ metadata: _, ...object }: Custom): readonly Cause[] =>
    validateValue(withoutMetadata(schema), object as unknown as Json, '');
  const desired = ({ metadata: _, ...object }: Custom): unknown =>
    hasStatus ? without(object as Custom, 'status') : object;
  const kind: Kind<Custom> = {
    resource,
    validateName: isDNS1123Subdomain,
    setDefaults: (object) => withDefaults(schema, object as unknown as Json) as unknown as Custom,
    prepareForCreate: (object) => withStatus(object, undefined),
    validate: (object) => [
      ...validateObjectMeta(object.metadata, { namespaced, validateName: isDNS1123Subdomain }),
      ...causesOf(object),
    ],
    prepareForUpdate: (object, old) => withStatus(object, old.status),
    validateUpdate: (object, old) => [
      ...validateObjectMetaUpdate(object.metadata, old.metadata),
      ...causesOf(object),
    ],
    sameDesiredState: (object, old) => semanticEqual(desired(object), desired(old)),
    selectableFieldNames: selectableFields.map(({ jsonPath }) => jsonPath.replace(/^\./, '')),
    selectableFields: (object) =>
      Object.fromEntries(
        selectableFields.map(({ jsonPath }) => {
          const [found] = find(jsonPath, object as unknown as Json);
          return [jsonPath.replace(/^\./, ''), found === undefined || found === null ? '' : String(found)];
        }),
      ),
    ...(version.deprecated && {
      deprecation: version.deprecationWarning ?? `${groupVersion(resource)} ${resource.kind} is deprecated`,
    }),
    ...(hasStatus && {
      prepareForStatusUpdate: (object: Custom, old: Custom): Custom => {
        const { resourceVersion, managedFields } = object.metadata;
        return withStatus(
          { ...old, metadata: { ...old.metadata, resourceVersion, ...(managedFields && { managedFields }) } },
          object.status,
        );
      },
      validateStatusUpdate: (object: Custom, old: Custom) => [
        ...validateObjectMetaUpdate(object.metadata, old.metadata),
        ...causesOf(object),
      ],
    }),
    ...(subresources?.scale && { scale: scaleAt(subresources.scale) }),
    ...(stored.version !== resource.version && {
      // The versions differ in their names alone.
      conversion: {
        served: resource,
        stored,
        toStored: (object: object) => object,
        fromStored: (object: object) => object,
      },
    }),
  };
  return kind as unknown as Kind;
}

/** What metadata may say, the API says. */
function withoutMetadata(schema: StructuralSchema): StructuralSchema {
  const { metadata: _, ...properties } = schema.properties ?? {};
  return { ...schema, properties };
}

/** Upstream: kubernetes/apiextensions-apiserver@v0.36.3 pkg/registry/customresource/etcd.go scaleFromCustomResource */
function scaleAt({
  specReplicasPath,
  statusReplicasPath,
  labelSelectorPath,
}: {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}): ScaleAccess<Custom> {
  const at = (object: Custom, path: string): Json | undefined => find(path, object as unknown as Json)[0];
  return {
    replicas: (object) => Number(at(object, specReplicasPath) ?? 0),
    currentReplicas: (object) => Number(at(object, statusReplicasPath) ?? 0),
    selector: (object) => String((labelSelectorPath && at(object, labelSelectorPath)) ?? ''),
    withReplicas: (object, replicas) =>
      withValue(
        object as unknown as Json,
        specReplicasPath.split('.').slice(1),
        replicas,
      ) as unknown as Custom,
  };
}

function withValue(object: Json | undefined, [name, ...rest]: readonly string[], value: Json): Json {
  if (name === undefined) return value;
  const fields = (object ?? {}) as Record<string, Json>;
  return { ...fields, [name]: withValue(fields[name], rest, value) };
}
