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

/** What is expected: a resource, or the kind of a subresource's objects. */
export type Expected<T> = Pick<Resource, 'group' | 'version' | 'kind'> & { readonly __object?: T };

/** How strictly the body of a request is decoded. */
export interface DecodeOptions {
  /**
   * What becomes of fields that the kind does not have, besides being left out: nothing, a warning, or the
   * request's refusal.
   */
  readonly fieldValidation: 'Ignore' | 'Warn' | 'Strict';
  /** See {@link unmarshal}. @defaultValue nothing is trusted */
  readonly isTrusted?: (value: object) => boolean;
}

/** The text that was parsed, where there is one: only there can a field stand twice. */
export interface Body {
  /** In JSON. */
  readonly body?: string;
  /** What strict decoding held against a text in another format; it is told first. */
  readonly strictErrors?: readonly string[];
}

/** What came out of decoding. */
export interface Decoded<T> {
  /** Fresh, apart from its trusted parts: the caller may freeze it. */
  readonly object: T;
  /** For `Warning` headers: `unknown field "spec.replicaz"`. */
  readonly warnings: string[];
}

/**
 * Decodes the body of a create or update. Kind and apiVersion may be absent, the URL says them; `metadata`,
 * too. Fields that are null are absent. Quantities and times come out in canonical form. A trusted value is
 * returned as it is.
 *
 * What a client sends becomes an object of the kind that its URL speaks of, or is refused: structure comes
 * before meaning. A request's body is told in the words of {@link decode}, a patched object in those of
 * {@link decodePatched}.
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
 * The refusal of a body that cannot even be said to be of some kind.
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
 * The refusal of a body that says its kind, but cannot be read as what is expected.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/rest.go transformDecodeError
 */
export function unhandled(actual: GroupVersionKind, expected: Expected<unknown>, why: string): StatusError {
  return errors.badRequest(
    `${actual.kind} in version ${quote(actual.version)} cannot be handled as a ${expected.kind}: ${why}`,
  );
}

/** The patch after which {@link decodePatched} decodes, as it was sent. */
export interface Patch extends Body {
  /** How it was applied: upstream tells a strategic merge patch's mistakes in other words. */
  readonly type: 'json' | 'merge' | 'strategic';
  readonly value: unknown;
}

/**
 * Decodes what a patch has made of an object. Like {@link decode}, except that it is not a bad request but an
 * invalid one, and that duplicate fields are those of the patch.
 *
 * @throws StatusError 422 Invalid, of no kind and no name, for the field `patch`
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
 * Decodes what an apply has made of an object, of which every field is known.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/managedfields/internal/structuredmerge.go structuredMergeManager.Apply
 *
 * @param name - the object as a message names it
 * @throws StatusError InternalError, as upstream has it, for a value that its type does not take
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

/** Registered in every version of every group. */
const servedEverywhere: ReadonlySet<string> = new Set(['DeleteOptions']);

/** Kinds of versions that the apiserver can still read but no longer serves. Ours are read like those of today. */
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

/** The struct of what an object calls itself; undefined for a kind that is not registered. */
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

/** Whether the server made the whole of it: under the right name, it is what it seems. */
function isTrustedWhole(expected: GroupVersionKind, value: unknown, { isTrusted }: DecodeOptions): boolean {
  if (typeof value !== 'object' || value === null || !isTrusted?.(value)) return false;
  const { kind, apiVersion } = value as Record<string, unknown>;
  return kind === expected.kind && apiVersion === groupVersion(expected);
}

/**
 * What the value calls itself, with what is expected where it does not say, or why it cannot be told.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/runtime/serializer/json/meta.go SimpleMetaFactory.Interpret,
 * and json.go gvkWithDefaults
 */
function interpret(expected: GroupVersionKind, value: unknown): GroupVersionKind | string {
  const told = "couldn't get version/kind; json parse error:";
  if (value === undefined) return `${told} unexpected end of JSON input`;
  // Upstream takes null for an empty object.
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

/** Decodes a value by what it calls itself; what does not become the expected kind is refused. */
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
    // The whole does not have the right name, or it would not be here: it may be anything.
    isTrusted: isTrusted && ((part) => part !== value && isTrusted(part)),
  });
  if (actual.kind !== expected.kind) {
    throw new ConversionError(
      `converting (v1.${actual.kind}) to (${internalPackage(expected)}.${expected.kind}): unknown conversion`,
    );
  }
  return { object: named(object, expected), unknownFields };
}

/** Refuses a kind that is known, or not, but not the one expected. */
class ConversionError extends Error {
  override readonly name = 'ConversionError';
}

/** The Go package of the types that all versions of a group are converted to. */
const internalPackage = ({ group }: GroupVersionKind): string => group.split('.')[0] || 'core';

/**
 * What is wrong with the fields of a body, in the order in which they stand in it.
 *
 * Upstream does not read on below an unknown field: what is repeated there, or is itself such a field, does
 * not count.
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

/** The object under its name, which comes first, as Go writes it. */
function named(object: Record<string, unknown>, expected: GroupVersionKind): Record<string, unknown> {
  const apiVersion = groupVersion(expected);
  if (object.kind === expected.kind && object.apiVersion === apiVersion) return object;
  const name = { kind: expected.kind, apiVersion };
  return Object.assign({ ...name }, object, name);
}

/**
 * Runs a decoding; what it refuses is told in the request's terms, and mistakes of the program pass through.
 */
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
 * The beginning of a body, for messages: as it is if it looks like an object, otherwise in hexadecimal.
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
