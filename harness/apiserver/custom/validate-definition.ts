import type {
  CustomResourceColumnDefinition,
  CustomResourceDefinitionNames,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
  CustomResourceSubresources,
  CustomResourceValidation,
  SelectableField,
} from '#api/apiextensions/v1';
import { deepEqual } from '../../api/freeze.ts';
import { isDNS1035Label, isDNS1123Subdomain } from '../../api/names.ts';
import type { CustomResourceDefinition } from '../../api/objects.ts';
import type { Cause } from '../../api/status.ts';
import { duplicate, invalid, notSupported, required, tooMany } from '../validation/field-error.ts';
import { approvalOf, isProtectedGroup } from './api-approval.ts';
import { fieldAt } from './field-path.ts';
import { asInternalSchema } from './internal-schema.ts';
import { conversionCauses } from './validate-conversion.ts';
import { validateSchema } from './validate-schema.ts';

/**
 * Validates the spec of a definition.
 *
 * Upstream: kubernetes/apiextensions-apiserver@v0.36.3 pkg/apis/apiextensions/validation/validation.go
 * validateCustomResourceDefinitionSpec
 *
 * Differs: does not tolerate violations that existed before.
 */
export function validateDefinitionSpec(spec: CustomResourceDefinitionSpec): Cause[] {
  const { group, names, scope, conversion, preserveUnknownFields } = spec;
  const causes: Cause[] = [];
  const wrong = (path: string, value: unknown, reasons: readonly string[]): void => {
    if (reasons.length > 0) causes.push(invalid(path, value, reasons.join(',')));
  };
  if (!group) causes.push(required('spec.group'));
  else if (isDNS1123Subdomain(group).length > 0) wrong('spec.group', group, isDNS1123Subdomain(group));
  else if (!group.includes('.')) wrong('spec.group', group, ['should be a domain with at least one dot']);
  if (!scope) causes.push(required('spec.scope'));
  else if (!SCOPES.includes(scope)) causes.push(notSupported('spec.scope', scope, SCOPES));
  const internal = asInternal(spec.versions ?? []);
  const { versions } = internal;
  if (!internal.validation?.openAPIV3Schema) {
    versions.forEach(({ schema }, i) => {
      if (!schema?.openAPIV3Schema) causes.push(required(`spec.versions[${i}].schema.openAPIV3Schema`));
    });
  }
  if (preserveUnknownFields && spec.versions?.some(({ schema }) => hasDefaults(schema?.openAPIV3Schema))) {
    const why = 'must be false in order to use defaults in the schema';
    causes.push(invalid('spec.preserveUnknownFields', true, why));
  }
  versions.forEach((version, i) => {
    const path = `spec.versions[${i}]`;
    wrong(`${path}.name`, version.name, isDNS1035Label(version.name));
    // If any version has its own subresources, the common ones do not count.
    const hasOwn = versions.some(({ subresources }) => subresources);
    const { status } = (hasOwn ? version.subresources : internal.subresources) ?? {};
    causes.push(...versionCauses(version, path, Boolean(status)));
  });
  if (new Set(versions.map(({ name }) => name)).size < versions.length) {
    wrong('spec.versions', versions.map(shownVersion), ['must contain unique version names']);
  }
  if (versions.filter(({ storage }) => storage).length !== 1) {
    const shown = versions.length > 0 ? versions.map(shownVersion) : null;
    wrong('spec.versions', shown, ['must have exactly one version marked as storage version']);
  }
  const [first] = versions;
  if (first?.name) wrong('spec.version', first.name, isDNS1035Label(first.name));
  for (const field of ['plural', 'singular', 'kind', 'listKind'] as const) {
    if (!names?.[field]) causes.push(required(`spec.names.${field}`));
  }
  causes.push(...validateDefinitionNames(names ?? {}, 'spec.names'));
  if (internal.validation) {
    const hasStatus = [internal, ...versions].some(({ subresources }) => subresources?.status);
    causes.push(...validateSchema(internal.validation, 'spec.validation', hasStatus));
  }
  if (internal.subresources) causes.push(...scaleCauses(internal.subresources, 'spec.subresources'));
  causes.push(...columnCauses(internal.columns, 'spec.additionalPrinterColumns'));
  if (internal.selectable.length > 0) {
    const path = 'spec.selectableFields';
    if (!internal.validation) {
      causes.push(invalid(path, '', 'may only be set when validations.schema is included'));
    } else causes.push(...selectableCauses(internal.selectable, internal.validation, path));
  }
  if (preserveUnknownFields && conversion?.strategy !== 'None') {
    const why = 'must be None if spec.preserveUnknownFields is true';
    causes.push(invalid('spec.conversion.strategy', conversion?.strategy ?? '', why));
  }
  return [...causes, ...conversionCauses(conversion)];
}

const SCOPES = ['Cluster', 'Namespaced'];

/**
 * The versions of a definition, with their common parts separated. Messages refer to the common parts at their separate
 * path.
 */
interface Internal {
  readonly versions: readonly CustomResourceDefinitionVersion[];
  readonly validation: CustomResourceValidation | undefined;
  readonly subresources: CustomResourceSubresources | undefined;
  readonly columns: readonly CustomResourceColumnDefinition[];
  readonly selectable: readonly SelectableField[];
}

/**
 * Upstream: kubernetes/apiextensions-apiserver@v0.36.3 pkg/apis/apiextensions/v1/conversion.go
 * Convert_v1_CustomResourceDefinitionSpec_To_apiextensions_CustomResourceDefinitionSpec
 */
function asInternal(versions: readonly CustomResourceDefinitionVersion[]): Internal {
  const [first] = versions;
  const isCommon = (field: keyof CustomResourceDefinitionVersion): boolean =>
    first !== undefined &&
    versions.every((version) => deepEqual(version[field] ?? undefined, first[field] ?? undefined));
  const common = (['schema', 'subresources', 'additionalPrinterColumns', 'selectableFields'] as const).filter(
    isCommon,
  );
  const taken = first && Object.fromEntries(common.map((field) => [field, first[field]]));
  const { schema, subresources, additionalPrinterColumns, selectableFields } = (taken ??
    {}) as Partial<CustomResourceDefinitionVersion>;
  return {
    versions: versions.map((version) => {
      const own = { ...version };
      for (const field of common) delete own[field];
      return own;
    }),
    validation: schema ?? undefined,
    subresources: subresources ?? undefined,
    columns: additionalPrinterColumns ?? [],
    selectable: selectableFields ?? [],
  };
}

/** Returns a version in the apiserver's internal form, for messages that print it. */
function shownVersion(version: CustomResourceDefinitionVersion): object {
  const { subresources, additionalPrinterColumns, selectableFields } = version;
  const schema = version.schema?.openAPIV3Schema;
  const scale = subresources?.scale;
  return {
    Name: version.name,
    Served: version.served,
    Storage: version.storage,
    Deprecated: version.deprecated ?? false,
    DeprecationWarning: version.deprecationWarning ?? null,
    Schema: version.schema ? { OpenAPIV3Schema: schema ? asInternalSchema(schema) : null } : null,
    Subresources: subresources
      ? {
          Status: subresources.status ? {} : null,
          Scale: scale
            ? {
                SpecReplicasPath: scale.specReplicasPath,
                StatusReplicasPath: scale.statusReplicasPath,
                LabelSelectorPath: scale.labelSelectorPath ?? null,
              }
            : null,
        }
      : null,
    AdditionalPrinterColumns:
      additionalPrinterColumns?.map((column) => ({
        Name: column.name,
        Type: column.type,
        Format: column.format ?? '',
        Description: column.description ?? '',
        Priority: column.priority ?? 0,
        JSONPath: column.jsonPath,
      })) ?? null,
    SelectableFields: selectableFields?.map(({ jsonPath }) => ({ JSONPath: jsonPath })) ?? null,
  };
}

function hasDefaults(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  const { default: own } = schema as { default?: unknown };
  return (own !== undefined && own !== null) || Object.values(schema).some(hasDefaults);
}

/** Upstream: validateCustomResourceDefinitionVersion */
function versionCauses(version: CustomResourceDefinitionVersion, path: string, hasStatus: boolean): Cause[] {
  const { schema, subresources, additionalPrinterColumns = [], selectableFields = [] } = version;
  const causes = deprecationCauses(version, `${path}.deprecationWarning`);
  if (schema) causes.push(...validateSchema(schema, `${path}.schema`, hasStatus));
  if (subresources) causes.push(...scaleCauses(subresources, `${path}.subresources`));
  causes.push(...columnCauses(additionalPrinterColumns, `${path}.additionalPrinterColumns`));
  if (selectableFields.length === 0) return causes;
  if (!schema?.openAPIV3Schema) {
    const why = 'may only be set when `version.schema.openAPIV3Schema` is not included';
    return [...causes, invalid(`${path}.selectableFields`, '', why)];
  }
  return [...causes, ...selectableCauses(selectableFields, schema, `${path}.selectableFields`)];
}

/** Upstream: validateDeprecationWarning */
function deprecationCauses(
  { deprecated, deprecationWarning }: CustomResourceDefinitionVersion,
  path: string,
): Cause[] {
  if (deprecationWarning === undefined || deprecationWarning === null) return [];
  const wrong = (why: string): Cause => invalid(path, deprecationWarning, why);
  if (!deprecated) return [wrong('can only be set for deprecated versions')];
  const causes: Cause[] = [];
  if (Buffer.byteLength(deprecationWarning) > 256) causes.push(wrong('must be <= 256 characters long'));
  if (deprecationWarning === '') causes.push(wrong('must not be an empty string'));
  const odd = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.exec(deprecationWarning);
  if (odd) {
    const at = Buffer.byteLength(deprecationWarning.slice(0, odd.index));
    const why = `must only contain printable UTF-8 characters; non-printable character found at index ${at}`;
    causes.push(wrong(why));
  }
  return causes;
}

/** Upstream: ValidateCustomResourceDefinitionNames */
export function validateDefinitionNames(
  names: Partial<CustomResourceDefinitionNames>,
  path: string,
): Cause[] {
  const causes: Cause[] = [];
  const label = (field: string, value: string, text = value, before = ''): void => {
    const reasons = value === '' ? [] : isDNS1035Label(text);
    if (reasons.length > 0) causes.push(invalid(`${path}.${field}`, value, before + reasons.join(',')));
  };
  const { kind = '', listKind = '', shortNames, categories } = names;
  label('plural', names.plural ?? '');
  label('singular', names.singular ?? '');
  const mixed = 'may have mixed case, but should otherwise match: ';
  label('kind', kind, kind.toLowerCase(), mixed);
  label('listKind', listKind, listKind.toLowerCase(), mixed);
  const each = (field: string, values: readonly string[]): void => {
    values.forEach((value, i) => {
      const reasons = isDNS1035Label(value);
      if (reasons.length > 0) causes.push(invalid(`${path}.${field}[${i}]`, value, reasons.join(',')));
    });
  };
  each('shortNames', shortNames ?? []);
  if (kind && kind === listKind) {
    causes.push(invalid(`${path}.listKind`, listKind, 'kind and listKind may not be the same'));
  }
  each('categories', categories ?? []);
  return causes;
}

/** Upstream: ValidateCustomResourceColumnDefinition */
function columnCauses(columns: readonly CustomResourceColumnDefinition[], path: string): Cause[] {
  return columns.flatMap(({ name, type, format, jsonPath }, i) => {
    const at = `${path}[${i}]`;
    const causes: Cause[] = [];
    if (!name) causes.push(required(`${at}.name`));
    const oneOf = `must be one of ${COLUMN_TYPES.join(',')}`;
    if (!type) causes.push(required(`${at}.type`, oneOf));
    else if (!COLUMN_TYPES.includes(type)) causes.push(invalid(`${at}.type`, type, oneOf));
    if (format && !COLUMN_FORMATS.includes(format)) {
      causes.push(invalid(`${at}.format`, format, `must be one of ${COLUMN_FORMATS.join(',')}`));
    }
    if (!jsonPath) causes.push(required(`${at}.JSONPath`));
    else causes.push(...simplePathCauses(jsonPath, `${at}.JSONPath`));
    return causes;
  });
}

const COLUMN_TYPES = ['boolean', 'date', 'integer', 'number', 'string'];
const COLUMN_FORMATS = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];

/** Upstream: validateSimpleJSONPath */
const simplePathCauses = (path: string, at: string): Cause[] =>
  path.startsWith('.') ? [] : [invalid(at, path, 'must be a simple json path starting with .')];

/** Upstream: ValidateCustomResourceDefinitionSubresources */
function scaleCauses({ scale }: CustomResourceSubresources, path: string): Cause[] {
  if (!scale) return [];
  const causes: Cause[] = [];
  const check = (field: string, value: string, roots: readonly string[], where: string): void => {
    const at = `${path}.scale.${field}`;
    const wrong = simplePathCauses(value, at);
    if (wrong.length > 0) causes.push(...wrong);
    else if (!roots.some((root) => value.startsWith(`${root}.`))) {
      causes.push(invalid(at, value, `should be a json path under ${where}`));
    }
  };
  for (const field of ['specReplicasPath', 'statusReplicasPath'] as const) {
    const root = field === 'specReplicasPath' ? '.spec' : '.status';
    if (!scale[field]) causes.push(required(`${path}.scale.${field}`));
    else check(field, scale[field], [root], root);
  }
  if (scale.labelSelectorPath) {
    check('labelSelectorPath', scale.labelSelectorPath, ['.spec', '.status'], 'either .spec or .status');
  }
  return causes;
}

/** Upstream: MaxSelectableFields */
const SELECTABLE_MAX = 8;

/** Upstream: ValidateCustomResourceSelectableFields */
function selectableCauses(
  fields: readonly SelectableField[],
  { openAPIV3Schema = {} }: CustomResourceValidation,
  path: string,
): Cause[] {
  const causes: Cause[] = [];
  const known = new Set<string>();
  fields.forEach(({ jsonPath }, i) => {
    const at = `${path}[${i}].jsonPath`;
    if (!jsonPath) {
      causes.push(required(at));
      return;
    }
    const found = fieldAt(jsonPath, openAPIV3Schema, false);
    if (typeof found === 'string') {
      causes.push(invalid(at, jsonPath, `is an invalid path: ${found}`));
      return;
    }
    if (found.root === 'metadata') {
      causes.push(invalid(at, jsonPath, 'must not point to fields in metadata'));
    }
    if (!['string', 'boolean', 'integer'].includes(found.schema?.type ?? '')) {
      const why =
        'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';
      causes.push(invalid(at, jsonPath, why));
    }
    if (known.has(found.path)) causes.push(duplicate(at, jsonPath));
    known.add(found.path);
  });
  if (known.size > SELECTABLE_MAX) causes.push(tooMany(path, known.size, SELECTABLE_MAX));
  return causes;
}

/** Upstream: ValidateCustomResourceDefinitionStoredVersions */
export function validateStoredVersions({ spec, status }: CustomResourceDefinition): Cause[] {
  const path = 'status.storedVersions';
  const stored = status?.storedVersions ?? [];
  if (stored.length === 0) return [invalid(path, null, 'must have at least one stored version')];
  const causes: Cause[] = [];
  for (const { name, storage } of spec.versions ?? []) {
    if (storage && !stored.includes(name)) {
      causes.push(invalid(path, stored, `must have the storage version ${name}`));
    }
  }
  stored.forEach((name, i) => {
    if (spec.versions?.some((version) => version.name === name)) return;
    const why = `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
    causes.push(invalid(`${path}[${i}]`, name, why));
  });
  return causes;
}

/** Upstream: validateAPIApproval */
export function validateApproval(
  definition: CustomResourceDefinition,
  old?: CustomResourceDefinition,
): Cause[] {
  if (!isProtectedGroup(definition.spec.group)) return [];
  const { state, reason, annotation } = approvalOf(definition);
  if (old && approvalOf(old).state === state) return [];
  const path = 'metadata.annotations[api-approved.kubernetes.io]';
  if (state === 'Missing') return [required(path, reason)];
  return state === 'Invalid' ? [invalid(path, annotation, reason)] : [];
}

/** Upstream: validatePreserveUnknownFields */
export function validatePreserveUnknownFields(
  { spec }: CustomResourceDefinition,
  old?: CustomResourceDefinition,
): Cause[] {
  if (old?.spec.preserveUnknownFields || !spec.preserveUnknownFields) return [];
  const why =
    'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
  return [invalid('spec.preserveUnknownFields', true, why)];
}
