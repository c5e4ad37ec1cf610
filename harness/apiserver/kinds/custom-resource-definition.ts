import type {
  CustomResourceConversion,
  CustomResourceDefinitionNames,
  CustomResourceDefinitionSpec,
  JSONSchemaProps,
} from '#api/apiextensions/v1';
import { deepEqual } from '../../api/freeze.ts';
import { quote } from '../../api/names.ts';
import type { CustomResourceDefinition } from '../../api/objects.ts';
import { customResourceDefinitions } from '../../api/plain-resources.ts';
import type { Cause } from '../../api/status.ts';
import { withChanged, withDefaults } from '../copy-on-write.ts';
import { CLEANUP_FINALIZER } from '../custom/cleanup-finalizer.ts';
import { withDefinitionCondition } from '../custom/definition-condition.ts';
import {
  validateApproval,
  validateDefinitionNames,
  validateDefinitionSpec,
  validatePreserveUnknownFields,
  validateStoredVersions,
} from '../custom/validate-definition.ts';
import { isSupportedFormat } from '../custom/validate-value.ts';
import { declareKind } from '../declare/declare-kind.ts';
import type { Kind } from '../kind.ts';
import { invalid } from '../validation/field-error.ts';
import { validateImmutableField } from '../validation/object-meta.ts';

type Definition = CustomResourceDefinition;

const acceptedNames = ({ status }: Definition): readonly Cause[] =>
  validateDefinitionNames(status?.acceptedNames ?? {}, 'status.acceptedNames');

const declared = declareKind<Definition>({
  resource: customResourceDefinitions,
  setDefaults: (object) => {
    const spec = withChanged(object, 'spec', (spec) =>
      withDefaults(withChanged(withChanged(spec, 'names', withNames), 'conversion', withPort), {
        conversion: { strategy: 'None' },
      }),
    );
    return spec.status?.storedVersions?.length ? spec : withStorageVersion(spec);
  },
  hasPlainFinalizers: true,
  allowUnconditionalUpdate: false,
  createRules: [
    nameCauses,
    ({ spec }) => validateDefinitionSpec(spec),
    acceptedNames,
    validateStoredVersions,
    (object) => validateApproval(object),
    (object) => validatePreserveUnknownFields(object),
  ],
  updateRules: (object, old) => [
    ...validateDefinitionSpec(object.spec),
    ...immutableCauses(object.spec, old),
    ...acceptedNames(object),
    ...validateStoredVersions(object),
    ...validateApproval(object, old),
    ...validatePreserveUnknownFields(object, old),
  ],
  statusRules: [acceptedNames],
  generationOf: ({ spec }) => spec,
  warningsOnCreate: (object) => [...unrecognizedFormats(object), ...rulesNotEvaluated(object)],
  warningsOnUpdate: rulesNotEvaluated,
});

/**
 * The kind CustomResourceDefinition. The server serves its resource as soon as its names are accepted.
 *
 * Upstream: kubernetes/apiextensions-apiserver@v0.36.3 pkg/registry/customresourcedefinition/{strategy,etcd}.go,
 * pkg/apis/apiextensions/validation/validation.go ValidateCustomResourceDefinition
 *
 * Differs: CEL rules are stored but not evaluated. Unknown formats cause a
 * warning only when a definition is created.
 */
export const customResourceDefinition: Kind<Definition> = {
  ...declared,
  prepareForCreate: (object, user) =>
    unlessSame(withStorageVersion(declared.prepareForCreate(object, user)), object),
  prepareForUpdate: (object, old) => withStorageVersion(declared.prepareForUpdate(object, old)),
  termination: {
    finalizer: CLEANUP_FINALIZER,
    begin: (object, now) =>
      withDefinitionCondition(
        object,
        {
          type: 'Terminating',
          status: 'True',
          reason: 'InstanceDeletionPending',
          message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
        },
        now,
      ),
    isFinalized: ({ metadata }) => !metadata.finalizers?.length,
  },
};

function withNames(names: CustomResourceDefinitionNames): CustomResourceDefinitionNames {
  const { kind } = names;
  if (!kind) return names;
  return withDefaults(names, { singular: kind.toLowerCase(), listKind: `${kind}List` });
}

/** Upstream: kubernetes/apiextensions-apiserver@v0.36.3 pkg/apis/apiextensions/v1/defaults.go SetDefaults_ServiceReference */
function withPort(conversion: CustomResourceConversion): CustomResourceConversion {
  return withChanged(conversion, 'webhook', (webhook) =>
    withChanged(webhook, 'clientConfig', (config) =>
      withChanged(config, 'service', (service) => withDefaults(service, { port: 443 })),
    ),
  );
}

/** Returns the old object if a change has no effect. */
const unlessSame = (next: Definition, object: Definition): Definition =>
  deepEqual(next, object) ? object : next;

function withStorageVersion(object: Definition): Definition {
  const storage = object.spec?.versions?.find((version) => version.storage)?.name;
  const { storedVersions = [] } = object.status ?? {};
  if (storage === undefined || storedVersions?.includes(storage)) return object;
  return { ...object, status: { ...object.status, storedVersions: [...(storedVersions ?? []), storage] } };
}

function nameCauses({ metadata, spec }: Definition): readonly Cause[] {
  const { plural = '' } = spec.names ?? {};
  if (metadata.name === `${plural}.${spec.group}`) return [];
  return [invalid('metadata.name', metadata.name, 'must be spec.names.plural+"."+spec.group')];
}

/** Rejects changes of the fields that name the stored objects. Upstream: validateCustomResourceDefinitionSpecUpdate */
function immutableCauses(
  { scope, group, names }: CustomResourceDefinitionSpec,
  { spec: old, status }: Definition,
): readonly Cause[] {
  const isEstablished = status.conditions?.some((one) => one.type === 'Established' && one.status === 'True');
  return [
    ...(isEstablished
      ? [
          ...validateImmutableField(scope, old.scope, 'spec.scope'),
          ...validateImmutableField(names.kind, old.names.kind, 'spec.names.kind'),
        ]
      : []),
    ...validateImmutableField(group, old.group, 'spec.group'),
    ...validateImmutableField(names.plural, old.names.plural, 'spec.names.plural'),
  ];
}

/** Returns the distinct schemas of a definition: one for all versions that share it. */
function schemasOf({ spec }: Definition): readonly JSONSchemaProps[] {
  const schemas = spec.versions.flatMap(({ schema }) => schema?.openAPIV3Schema ?? []);
  const [first] = schemas;
  return first && schemas.length === spec.versions.length && schemas.every((one) => deepEqual(one, first))
    ? [first]
    : schemas;
}

/** Returns a schema and all nested schemas. Upstream: SchemaHas */
function allIn(schema: JSONSchemaProps): readonly JSONSchemaProps[] {
  const { items, allOf = [], anyOf = [], oneOf = [], not, properties = {}, additionalProperties } = schema;
  const below = [items ?? [], allOf, anyOf, oneOf, not ?? [], Object.values(properties)].flat();
  if (typeof additionalProperties === 'object' && additionalProperties) below.push(additionalProperties);
  return [schema, ...below.flatMap(allIn)];
}

/** Upstream: getUnrecognizedFormatsInCRD */
function unrecognizedFormats(definition: Definition): readonly string[] {
  return schemasOf(definition)
    .flatMap(allIn)
    .filter(({ format, type }) => format && !isSupportedFormat(format, type ?? ''))
    .map(({ format }) => `unrecognized format ${quote(format as string)}`);
}

/** Warns of CEL rules. They are stored, so that they exist for a cluster that evaluates them. */
function rulesNotEvaluated({ spec }: Definition): readonly string[] {
  return spec.versions.flatMap(({ schema }, i) =>
    schema?.openAPIV3Schema &&
    allIn(schema.openAPIV3Schema).some((one) => one['x-kubernetes-validations']?.length)
      ? [
          `spec.versions[${i}].schema.openAPIV3Schema: x-kubernetes-validations are stored and not evaluated here`,
        ]
      : [],
  );
}
