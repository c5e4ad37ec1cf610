import { isShared } from '../api/freeze.ts';
import { quote } from '../api/names.ts';
import { QuantityError } from '../api/quantity.ts';
import { groupVersion, type Resource } from '../api/resource.ts';
import { errors, failure, StatusError } from '../api/status.ts';
import { apiTypes, type Struct } from '../api/table/table.ts';
import { customVersionOf } from './custom/custom-version.ts';
import { decodeCustom } from './custom/decode-custom.ts';
import { duplicateFields, fieldsOf } from './schema/duplicate-fields.ts';
import { goFormat } from './schema/go-format.ts';
import { TimeError } from './schema/time.ts';
import { UnmarshalError, type Unmarshalled, type UnmarshalOptions, unmarshal } from './schema/unmarshal.ts';
import { converterWording, jsonKind, jsonWording } from './schema/wording.ts';

/** The expected type: a resource, or the kind of a subresource's objects. */
export type Expected<T> = Pick<Resource, 'group' | 'version' | 'kind'> & { readonly __object?: T };

/** Options for decoding the body of a request. */
export interface DecodeOptions {
  /** The treatment of unknown fields, which are dropped in any case: nothing more, a warning, or an error. */
  readonly fieldValidation: 'Ignore' | 'Warn' | 'Strict';
  /** See {@link unmarshal}. @defaultValue nothing is trusted */
  readonly isTrusted?: (value: object) => boolean;
}

/** The parsed text of a body, if any: only a text can have duplicate fields. */
export interface Body {
  /** The text in JSON. */
  readonly body?: string;
  /** Strict decoding errors of a text in another format; they are reported first. */
  readonly strictErrors?: readonly string[];
}

/** The result of decoding. */
export interface Decoded<T> {
  /** A new object, except for its trusted parts: the caller may freeze it. */
  readonly object: T;
  /** For `Warning` headers: `unknown field "spec.replicaz"`. */
  readonly warnings: string[];
}

/**
 * Decodes the body of a create or update. Kind and apiVersion may be missing, because the URL implies them; so may
 * `metadata`. Null fields count as absent. Quantities and times get their canonical form. A trusted value is returned
 * unchanged.
 *
 * Decoding turns a client's input into an object of the URL's kind, or rejects it; validation follows later.
 * {@link decode} has the error messages for request bodies, and {@link decodePatched} those for patched objects.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/{create,update,patch}.go
 *
 * @throws StatusError 400 BadRequest, in upstream's words, for another kind or version, for a value of the
 *   wrong type, and, if `Strict`, for unknown and duplicate fields
 */
export function decode<T>(expected: Expected<T>, value: unknown, options: DecodeOptions & Body): Decoded<T> {
  if (isTrustedWhole(expected, value, options)) return { object: value as T, warnings: [] };
  const actual = interpret(expected, value);
  if (typeof actual === 'string') {
    throw unrecognized(expected, actual, options.body ?? JSON.stringify(value) ?? '');
  }
  const refuse = (why: string): never => {
    throw unhandled(actual, expected, why);
  };
  const { object, unknownFields } = attempt(() => decodeAs(actual, expected, value, options), refuse);
  const violations = violationsIn(unknownFields, options);
  if (options.fieldValidation === 'Strict' && violations.length > 0) refuse(strictDecodingError(violations));
  if (
    actual !== expected &&
    groupVersion(actual) !== groupVersion(expected) &&
    !servedEverywhere.has(expected.kind)
  ) {
    throw errors.badRequest(
      `the API version in the data (${groupVersion(actual)}) does not match the expected API version (${groupVersion(expected)})`,
    );
  }
  return { object: object as T, warnings: options.fieldValidation === 'Warn' ? violations : [] };
}

/**
 * Creates the error for a body whose kind cannot be determined.
 *
 * @param why - for a text that is not JSON, "couldn't get version/kind; json parse error: …"
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/rest.go transformDecodeError
 */
export function unrecognized(expected: Expected<unknown>, why: string, body: string): StatusError {
  return errors.badRequest(
    `the object provided is unrecognized (must be of type ${expected.kind}): ${why} (${summarize(body)})`,
  );
}

/**
 * Creates the error for a body with a known kind that cannot be decoded as the expected one.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/rest.go transformDecodeError
 */
export function unhandled(actual: GroupVersionKind, expected: Expected<unknown>, why: string): StatusError {
  return errors.badRequest(
    `${actual.kind} in version ${quote(actual.version)} cannot be handled as a ${expected.kind}: ${why}`,
  );
}

/** The original patch whose result {@link decodePatched} decodes. */
export interface Patch extends Body {
  /** The type of the patch: upstream has another wording for strategic merge patches. */
  readonly type: 'json' | 'merge' | 'strategic';
  readonly value: unknown;
}

/**
 * Decodes a patched object. Like {@link decode}, except that an error is a 422, not a 400, and that duplicate fields
 * are those of the patch.
 *
 * @throws StatusError 422 Invalid for the field `patch`, without kind and name
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/patch.go
 * jsonPatcher.applyPatchToCurrentObject and applyPatchToObject
 */
export function decodePatched<T>(
  expected: Expected<T>,
  patched: object,
  patch: Patch,
  options: DecodeOptions,
): Decoded<T> {
  const { fieldValidation } = options;
  const strategic = patch.type === 'strategic';
  const refuse = (why: string): never => {
    const shown = strategic ? goFormat(patch.value) : JSON.stringify(patched);
    const message = `Invalid value: ${quote(shown)}: ${why}`;
    throw errors.invalid({ group: '', kind: '' }, '', [
      { reason: 'FieldValueInvalid', field: 'patch', message },
    ]);
  };
  const decodePlain = (): Pick<Unmarshalled, 'object' | 'unknownFields'> => {
    const object = patched as Record<string, unknown>;
    if (isTrustedWhole(expected, patched, options)) return { object, unknownFields: [] };
    const actual = interpret(expected, patched);
    if (typeof actual === 'string') return refuse(actual);
    return decodeAs(actual, expected, patched, {
      ...options,
      wording: strategic ? converterWording : jsonWording,
    });
  };
  const { object, unknownFields } = attempt(decodePlain, refuse);
  const prefix = patch.type === 'json' ? 'json patch ' : '';
  const duplicates =
    fieldValidation === 'Ignore' || patch.body === undefined ? [] : duplicateFields(patch.body);
  const violations = [
    ...duplicates.map((path) => prefix + duplicateField(path)),
    ...unknownFields.map(unknownField),
  ];
  if (fieldValidation === 'Strict' && violations.length > 0) refuse(strictDecodingError(violations));
  return { object: object as T, warnings: fieldValidation === 'Warn' ? violations : [] };
}

/**
 * Decodes the result of an apply, whose fields are all known.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/managedfields/internal/structuredmerge.go structuredMergeManager.Apply
 *
 * @param name - the name of the object in messages
 * @throws StatusError InternalError, as upstream, for a value outside of its type
 */
export function decodeApplied<T>(expected: Expected<T>, value: object, name: string): T {
  const refuse = (why: string): never => {
    const what = `unable to convert unstructured object to ${expected.group}/${expected.version}, Kind=${expected.kind}`;
    const message = `failed to convert new object (${name}) to proper version (${groupVersion(expected)}): ${what}: ${why}`;
    throw new StatusError(failure('InternalError', message));
  };
  const options = { fieldValidation: 'Ignore', isTrusted: isShared, wording: converterWording } as const;
  return attempt(() => decodeAs(expected, expected, value, options), refuse).object as T;
}

type GroupVersionKind = Pick<Resource, 'group' | 'version' | 'kind'>;

/** Kinds that are registered in every group version. */
const servedEverywhere: ReadonlySet<string> = new Set(['DeleteOptions']);

/** Kinds of versions that the apiserver can read but no longer serves. They are decoded like the current version. */
const formerVersions: Readonly<Record<string, readonly string[]>> = {
  'apps/v1beta1': ['Deployment', 'Scale'],
  'apps/v1beta2': ['Deployment', 'ReplicaSet', 'Scale'],
  'coordination.k8s.io/v1beta1': ['Lease'],
  'discovery.k8s.io/v1beta1': ['EndpointSlice'],
  'extensions/v1beta1': ['Deployment', 'ReplicaSet', 'Scale'],
  'policy/v1beta1': ['Eviction', 'PodDisruptionBudget'],
  'scheduling.k8s.io/v1alpha1': ['PriorityClass'],
  'scheduling.k8s.io/v1beta1': ['PriorityClass'],
};

/** Returns the struct of the kind that an object names; undefined for an unregistered kind. */
export function structOf(actual: GroupVersionKind, expected: GroupVersionKind): Struct | undefined {
  const { kind } = actual;
  if (servedEverywhere.has(kind))
    return kind === expected.kind ? apiTypes.struct(`meta/v1.${kind}`) : undefined;
  const current = apiTypes.kind(actual);
  if (current !== undefined) return current;
  const former = Object.hasOwn(formerVersions, groupVersion(actual))
    ? formerVersions[groupVersion(actual)]
    : [];
  return former?.includes(kind) ? formerStructs.get(kind) : undefined;
}

const formerStructs: ReadonlyMap<string, Struct | undefined> = new Map(
  Object.entries({
    Deployment: 'apps/v1.Deployment',
    EndpointSlice: 'discovery/v1.EndpointSlice',
    Eviction: 'policy/v1.Eviction',
    Lease: 'coordination/v1.Lease',
    PodDisruptionBudget: 'policy/v1.PodDisruptionBudget',
    PriorityClass: 'scheduling/v1.PriorityClass',
    ReplicaSet: 'apps/v1.ReplicaSet',
    Scale: 'autoscaling/v1.Scale',
  }).map(([kind, type]) => [kind, apiTypes.struct(type)]),
);

/** Reports whether the server created the whole object under the expected kind and version. */
function isTrustedWhole(expected: GroupVersionKind, value: unknown, { isTrusted }: DecodeOptions): boolean {
  if (typeof value !== 'object' || value === null || !isTrusted?.(value)) return false;
  const { kind, apiVersion } = value as Record<string, unknown>;
  return kind === expected.kind && apiVersion === groupVersion(expected);
}

/**
 * Returns the type that a value names, with the expected type for missing parts, or an error message.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/runtime/serializer/json/meta.go SimpleMetaFactory.Interpret,
 * and json.go gvkWithDefaults
 */
function interpret(expected: GroupVersionKind, value: unknown): GroupVersionKind | string {
  const told = "couldn't get version/kind; json parse error:";
  if (value === undefined) return `${told} unexpected end of JSON input`;
  // Upstream treats null as an empty object.
  const source = value ?? {};
  if (typeof source !== 'object' || Array.isArray(source)) {
    return `${told} json: cannot unmarshal ${jsonKind(source, 'struct')} into Go value of type ${META_TYPE}`;
  }
  const { apiVersion = groupVersion(expected), kind = expected.kind } = source as Record<string, unknown>;
  if (kind === expected.kind && apiVersion === groupVersion(expected)) return expected;
  for (const [field, text] of Object.entries({ apiVersion, kind })) {
    if (text !== null && typeof text !== 'string') {
      return `${told} json: cannot unmarshal ${jsonKind(text, 'string')} into Go struct field .${field} of type string`;
    }
  }
  const [version = '', group = '', ...rest] = String(apiVersion ?? '')
    .split('/')
    .reverse();
  if (rest.length > 0) return `unexpected GroupVersion string: ${String(apiVersion)}`;
  return {
    kind: (kind as string | null) || expected.kind,
    group: group === '' && version === '' ? expected.group : group,
    version: version === '' && (group === '' || group === expected.group) ? expected.version : version,
  };
}

const META_TYPE =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/** Decodes a value as the type that it names, and rejects it if that is not the expected one. */
function decodeAs(
  actual: GroupVersionKind,
  expected: GroupVersionKind,
  value: unknown,
  options: UnmarshalOptions,
): Unmarshalled {
  const custom = customVersionOf(expected);
  if (custom) {
    if (actual.kind !== expected.kind) {
      throw new ConversionError(
        `no kind ${quote(actual.kind)} is registered for version ${quote(groupVersion(actual))}`,
      );
    }
    const { object, unknownFields } = decodeCustom(custom, value ?? {}, options);
    return { object: named(object, expected), unknownFields };
  }
  const struct = structOf(actual, expected);
  if (struct === undefined) {
    throw new ConversionError(
      `no kind ${quote(actual.kind)} is registered for version ${quote(groupVersion(actual))} in scheme "pkg/api/legacyscheme/scheme.go:30"`,
    );
  }
  const { isTrusted } = options;
  const { object, unknownFields } = unmarshal(struct, value ?? {}, {
    ...options,
    // The value does not have the expected type, so the whole is not trusted.
    isTrusted: isTrusted && ((part) => part !== value && isTrusted(part)),
  });
  if (actual.kind !== expected.kind) {
    throw new ConversionError(
      `converting (v1.${actual.kind}) to (${internalPackage(expected)}.${expected.kind}): unknown conversion`,
    );
  }
  return { object: named(object, expected), unknownFields };
}

/** The error for a kind, registered or not, that is not the expected one. */
class ConversionError extends Error {
  override readonly name = 'ConversionError';
}

/** Returns the Go package of a group's internal types. */
const internalPackage = ({ group }: GroupVersionKind): string => group.split('.')[0] || 'core';

/**
 * Returns the violations in the fields of a body, in the order of the text.
 *
 * Like upstream, ignores duplicate and unknown fields below an unknown field.
 */
function violationsIn(
  unknownFields: readonly string[],
  { fieldValidation, body, strictErrors = [] }: DecodeOptions & Body,
): string[] {
  if (fieldValidation === 'Ignore') return [];
  const unknown = [...strictErrors, ...unknownFields.map(unknownField)];
  if (body === undefined) return unknown;
  const below = (path: string, field: string): boolean =>
    path.startsWith(field) && ['', '.', '['].includes(path.charAt(field.length));
  const duplicates = duplicateFields(body).filter(
    (path) => !unknownFields.some((field) => below(path, field)),
  );
  if (duplicates.length === 0) return unknown;
  const strange = new Map([
    ...duplicates.map((path) => [`true ${path}`, duplicateField(path)] as const),
    ...unknownFields.map((path) => [`false ${path}`, unknownField(path)] as const),
  ]);
  const violations = fieldsOf(body).map(({ path, repeated }) => strange.get(`${repeated} ${path}`));
  return [...new Set(violations)].filter((violation) => violation !== undefined).slice(0, VIOLATIONS_MAX);
}

/** Upstream stops collecting here. */
const VIOLATIONS_MAX = 100;

const unknownField = (path: string): string => `unknown field ${quote(path)}`;
const duplicateField = (path: string): string => `duplicate field ${quote(path)}`;

/** Returns the object with its kind and apiVersion first, as Go prints it. */
function named(object: Record<string, unknown>, expected: GroupVersionKind): Record<string, unknown> {
  const apiVersion = groupVersion(expected);
  if (object.kind === expected.kind && object.apiVersion === apiVersion) return object;
  const name = { kind: expected.kind, apiVersion };
  return Object.assign({ ...name }, object, name);
}

/** Runs a decoding. Translates invalid input to an error of the request, and passes programming errors on. */
function attempt<T>(run: () => T, refuse: (why: string) => never): T {
  try {
    return run();
  } catch (error) {
    if (refusals.some((refusal) => error instanceof refusal)) return refuse((error as Error).message);
    throw error;
  }
}

const refusals = [UnmarshalError, QuantityError, TimeError, ConversionError];

/** Upstream: kubernetes/apimachinery@v0.36.3 pkg/runtime/error.go strictDecodingError */
const strictDecodingError = (violations: readonly string[]): string =>
  `strict decoding error: ${violations.join(', ')}`;

/**
 * Returns the beginning of a body for messages: as text if it looks like an object, otherwise in hexadecimal.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/rest.go summarizeData
 */
function summarize(body: string): string {
  const bytes = new TextEncoder().encode(body);
  if (bytes.length === 0) return '<empty>';
  const first = bytes.subarray(0, 30);
  const more = bytes.length > first.length ? ' ...' : '';
  if (body.startsWith('{')) return `${new TextDecoder().decode(first)}${more}`;
  return `${Array.from(first, (byte) => byte.toString(16).padStart(2, '0')).join('')}${more}`;
}
