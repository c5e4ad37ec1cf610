import type {
  CustomResourceDefinitionNames,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
  JSONSchemaProps,
} from '#api/apiextensions/v1';
import { deepEqual } from '../../api/freeze.ts';
import { isDNS1035Label, isDNS1123Subdomain } from '../../api/names.ts';
import type { CustomResourceDefinition } from '../../api/objects.ts';
import { customResourceDefinitions } from '../../api/plain-resources.ts';
import type { Cause } from '../../api/status.ts';
import { withChanged, withDefaults } from '../copy-on-write.ts';
import { CLEANUP_FINALIZER } from '../custom/cleanup-finalizer.ts';
import { withDefinitionCondition } from '../custom/definition-condition.ts';
import { validateStructural } from '../custom/validate-structural.ts';
import { declareKind } from '../declare/declare-kind.ts';
import type { Kind } from '../kind.ts';
import { invalid, notSupported, required } from '../validation/field-error.ts';
import { validateImmutableField } from '../validation/object-meta.ts';

type Definition = CustomResourceDefinition;

const declared = declareKind<Definition>({
  resource: customResourceDefinitions,
  setDefaults: (object) => {
    const spec = withChanged(object, 'spec', (spec) =>
      withDefaults(withChanged(spec, 'names', withNames), { conversion: { strategy: 'None' } }),
    );
    return spec.status?.storedVersions?.length ? spec : withStorageVersion(spec);
  },
  rules: [(object) => [...nameCauses(object), ...specCauses(object.spec)]],
  updateRules: (object, old) => {
    const isEstablished = old.status.conditions?.some(
      ({ type, status }) => type === 'Established' && status === 'True',
    );
    if (!isEstablished) return [];
    return [
      ...validateImmutableField(object.spec.group, old.spec.group, 'spec.group'),
      ...validateImmutableField(object.spec.scope, old.spec.scope, 'spec.scope'),
      ...validateImmutableField(object.spec.names.kind, old.spec.names.kind, 'spec.names.kind'),
      ...validateImmutableField(object.spec.names.plural, old.spec.names.plural, 'spec.names.plural'),
    ];
  },
  generationOf: ({ spec }) => spec,
  warningsOnCreate: rulesNotEvaluated,
  warningsOnUpdate: rulesNotEvaluated,
});

/**
 * The kind CustomResourceDefinition: what it says is served as soon as its names are accepted.
 *
 * Upstream: kubernetes/apiextensions-apiserver@v0.36.3 pkg/registry/customresourcedefinition/{strategy,etcd}.go,
 * pkg/apis/apiextensions/validation/validation.go ValidateCustomResourceDefinition
 *
 * Differs: conversion by webhooks is refused, and rules in CEL are kept and not evaluated.
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

/** The same one, where a change comes to nothing. */
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

function specCauses({ group, names, scope, versions, conversion }: CustomResourceDefinitionSpec): Cause[] {
  const causes: Cause[] = [];
  const wrong = (path: string, value: unknown, reasons: readonly string[]): void => {
    if (reasons.length > 0) causes.push(invalid(path, value, reasons.join(',')));
  };
  if (!group) causes.push(required('spec.group'));
  else if (isDNS1123Subdomain(group).length > 0) wrong('spec.group', group, isDNS1123Subdomain(group));
  else if (!group.includes('.')) wrong('spec.group', group, ['should be a domain with at least one dot']);
  if (!scope) causes.push(required('spec.scope'));
  else if (!SCOPES.includes(scope)) causes.push(notSupported('spec.scope', scope, SCOPES));
  const listed = versions ?? [];
  const storing = listed.filter((version) => version.storage);
  listed.forEach((version, i) => {
    const path = `spec.versions[${i}]`;
    wrong(`${path}.name`, version.name, isDNS1035Label(version.name));
    causes.push(...versionCauses(version, path));
  });
  if (new Set(listed.map(({ name }) => name)).size < listed.length) {
    wrong('spec.versions', listed, ['must contain unique version names']);
  }
  if (storing.length !== 1) {
    wrong('spec.versions', listed, ['must have exactly one version marked as storage version']);
  }
  for (const field of ['plural', 'singular', 'kind', 'listKind'] as const) {
    const name = names?.[field] ?? '';
    if (!name) causes.push(required(`spec.names.${field}`));
    else wrong(`spec.names.${field}`, name, isDNS1035Label(name.toLowerCase()));
  }
  if (names?.kind && names.kind === names.listKind) {
    wrong('spec.names.listKind', names.listKind, ['kind and listKind may not be the same']);
  }
  for (const field of ['shortNames', 'categories'] as const) {
    (names?.[field] ?? []).forEach((name, i) => {
      wrong(`spec.names.${field}[${i}]`, name, isDNS1035Label(name));
    });
  }
  const { strategy = '' } = conversion ?? {};
  if (strategy !== 'None') causes.push(notSupported('spec.conversion.strategy', strategy, ['None']));
  return causes;
}

const SCOPES = ['Cluster', 'Namespaced'];

function versionCauses(version: CustomResourceDefinitionVersion, path: string): Cause[] {
  const schema = version.schema?.openAPIV3Schema;
  const schemaPath = `${path}.schema.openAPIV3Schema`;
  return [
    ...(schema ? validateStructural(schema, schemaPath) : [required(schemaPath)]),
    ...(version.additionalPrinterColumns ?? []).flatMap((column, i) => {
      const columnPath = `${path}.additionalPrinterColumns[${i}]`;
      return [
        ...(column.name ? [] : [required(`${columnPath}.name`)]),
        ...(COLUMN_TYPES.includes(column.type)
          ? []
          : [invalid(`${columnPath}.type`, column.type, `must be one of ${COLUMN_TYPES.join(',')}`)]),
        ...(column.jsonPath ? [] : [required(`${columnPath}.JSONPath`)]),
      ];
    }),
    ...(version.subresources?.scale
      ? (['specReplicasPath', 'statusReplicasPath'] as const).flatMap((field) => {
          const value = version.subresources?.scale?.[field] ?? '';
          const at = `${path}.subresources.scale.${field}`;
          const root = field === 'specReplicasPath' ? '.spec' : '.status';
          if (!value) return [required(at)];
          return value.startsWith(`${root}.`)
            ? []
            : [invalid(at, value, `should be a json path under ${root}`)];
        })
      : []),
  ];
}

const COLUMN_TYPES = ['boolean', 'date', 'integer', 'number', 'string'];

/** Rules in CEL are kept, so that they are there for a cluster that knows them. */
function rulesNotEvaluated({ spec }: Definition): readonly string[] {
  return spec.versions.flatMap(({ schema }, i) =>
    schema?.openAPIV3Schema && hasRules(schema.openAPIV3Schema)
      ? [
          `spec.versions[${i}].schema.openAPIV3Schema: x-kubernetes-validations are stored and not evaluated here`,
        ]
      : [],
  );
}

function hasRules(schema: JSONSchemaProps): boolean {
  const { properties = {}, items, additionalProperties } = schema;
  const below = [...Object.values(properties), items, additionalProperties].filter(
    (part): part is JSONSchemaProps => typeof part === 'object' && part !== null && !Array.isArray(part),
  );
  return (schema['x-kubernetes-validations']?.length ?? 0) > 0 || below.some(hasRules);
}
