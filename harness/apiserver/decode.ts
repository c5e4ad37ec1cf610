/**
 * What a client sends becomes an object of the kind that its URL speaks of, or is refused: structure comes
 * before meaning. A request's body is told in the words of {@link decode}, a patched object in those of
 * {@link decodePatched}.
 *
 * Upstream: kubernetes/apiserver@v0.30.0 pkg/endpoints/handlers/{create,update,patch}.go
 */
import { quote } from '../api/names.ts';
import { QuantityError } from '../api/quantity.ts';
import { groupVersion, type Resource, resources } from '../api/resource.ts';
import { errors, type StatusError } from '../api/status.ts';
import { TimeError } from './schema/time.ts';
import { hasField, unmarshal, UnmarshalError } from './schema/unmarshal.ts';
import { converterWording, jsonKind } from './schema/wording.ts';

/** What is expected: a resource, or the kind of a subresource's objects, as in `{ group: 'autoscaling', … }`. */
export type Expected<T> = Pick<Resource, 'group' | 'version' | 'kind'> & { readonly __object?: T };

export interface DecodeOptions {
  /**
   * What becomes of fields that the kind does not have, besides being left out: nothing, a warning, or the
   * request's refusal.
   */
  readonly fieldValidation: 'Ignore' | 'Warn' | 'Strict';
  /** See {@link unmarshal}. @defaultValue nothing is trusted */
  readonly isTrusted?: (value: object) => boolean;
  /** What {@link duplicateFields} found in the text. @defaultValue none: without a text there are none */
  readonly duplicateFields?: readonly string[];
  /** The text from which the value was parsed. Some messages begin with it. @defaultValue the value as JSON */
  readonly body?: string;
}

export interface Decoded<T> {
  /** Fresh, apart from its trusted parts: the caller may freeze it. */
  readonly object: T;
  /** For `Warning` headers: `unknown field "spec.replicaz"`. */
  readonly warnings: string[];
}

/**
 * Decodes the body of a create or update. Kind and apiVersion may be absent, the URL says them; `metadata`, too.
 * Fields that are null are absent. Quantities and times come out in canonical form. A trusted value is
 * returned as it is.
 *
 * @throws StatusError 400 BadRequest, in upstream's words, for another kind or version, for a value of the wrong
 *   type, and, if `Strict`, for unknown and duplicate fields
 */
export function decode<T>(expected: Expected<T>, value: unknown, options: DecodeOptions): Decoded<T> {
  if (isTrustedWhole(expected, value, options)) return { object: value as T, warnings: [] };
  const actual = interpret(expected, value);
  if (typeof actual === 'string') throw unrecognized(expected, actual, options.body ?? JSON.stringify(value) ?? '');
  const refuse = (why: string): never => {
    throw errors.badRequest(
      `${actual.kind} in version ${quote(actual.version)} cannot be handled as a ${expected.kind}: ${why}`,
    );
  };
  const decoded = attempt(() => decodeAs(actual, expected, value, options), refuse);
  if (options.fieldValidation === 'Strict' && decoded.violations.length > 0) {
    refuse(strictDecodingError(decoded.violations));
  }
  if (groupVersion(actual) !== groupVersion(expected) && !servedEverywhere.has(expected.kind)) {
    throw errors.badRequest(
      `the API version in the data (${groupVersion(actual)}) does not match the expected API version (${groupVersion(expected)})`,
    );
  }
  return result(decoded, options);
}

/**
 * The refusal of a body that cannot even be said to be of some kind.
 *
 * @param why - for a text that is not JSON, "couldn't get version/kind; json parse error: …"
 *
 * Upstream: kubernetes/apiserver@v0.30.0 pkg/endpoints/handlers/rest.go transformDecodeError
 */
export function unrecognized(expected: Expected<unknown>, why: string, body: string): StatusError {
  return errors.badRequest(
    `the object provided is unrecognized (must be of type ${expected.kind}): ${why} (${summarize(body)})`,
  );
}

/** The patch after which {@link decodePatched} decodes. */
export interface Patch {
  /** How it was applied: upstream tells a strategic merge patch's mistakes in other words. */
  readonly type: 'json' | 'merge' | 'strategic';
  /**
   * What the failure shows: the patched object as JSON after a `json` and a `merge` patch, the patch as Go
   * prints a map after a `strategic` one.
   */
  readonly shown: () => string;
}

/**
 * Decodes what a patch has made of an object. Like {@link decode}, except that a patch is not a bad request but
 * an invalid one.
 *
 * @throws StatusError 422 Invalid, of no kind and no name, for the field `patch`
 */
export function decodePatched<T>(
  expected: Expected<T>,
  patched: object,
  options: DecodeOptions & { readonly patch: Patch },
): Decoded<T> {
  if (isTrustedWhole(expected, patched, options)) return { object: patched as T, warnings: [] };
  const refuse = (why: string): never => {
    const message = `Invalid value: ${quote(options.patch.shown())}: ${why}`;
    throw errors.invalid({ group: '', kind: '' }, '', [{ reason: 'FieldValueInvalid', field: 'patch', message }]);
  };
  const actual = interpret(expected, patched);
  if (typeof actual === 'string') return refuse(actual);
  const decoded = attempt(() => decodeAs(actual, expected, patched, options), refuse);
  if (options.fieldValidation === 'Strict' && decoded.violations.length > 0) {
    refuse(strictDecodingError(decoded.violations));
  }
  return result(decoded, options);
}

type GroupVersionKind = Pick<Resource, 'group' | 'version' | 'kind'>;

interface Violating {
  readonly object: Record<string, unknown>;
  readonly violations: readonly string[];
}

/** Registered in every version of every group. */
const servedEverywhere: ReadonlySet<string> = new Set(['DeleteOptions']);

/** Versions that the apiserver can still read but no longer serves. */
const formerVersions: ReadonlySet<string> = new Set([
  'apps/v1beta1 Deployment',
  'apps/v1beta1 Scale',
  'apps/v1beta2 Deployment',
  'apps/v1beta2 ReplicaSet',
  'apps/v1beta2 Scale',
  'coordination.k8s.io/v1beta1 Lease',
  'extensions/v1beta1 Deployment',
  'extensions/v1beta1 ReplicaSet',
  'extensions/v1beta1 Scale',
  'policy/v1beta1 Eviction',
  'policy/v1beta1 PodDisruptionBudget',
  'scheduling.k8s.io/v1alpha1 PriorityClass',
  'scheduling.k8s.io/v1beta1 PriorityClass',
]);

const nameOf = (it: GroupVersionKind): string => `${groupVersion(it)} ${it.kind}`;

/** Kinds by which an object may call itself that is sent to the wrong place. */
const currentVersions: ReadonlySet<string> = new Set([
  ...resources.map(nameOf),
  'v1 Binding',
  'policy/v1 Eviction',
  'autoscaling/v1 Scale',
]);

/** Whether the server made the whole of it: under the right name, it is what it seems. */
function isTrustedWhole(expected: GroupVersionKind, value: unknown, { isTrusted }: DecodeOptions): boolean {
  if (isTrusted === undefined || typeof value !== 'object' || value === null || !isTrusted(value)) return false;
  const { kind, apiVersion } = value as Record<string, unknown>;
  return kind === expected.kind && apiVersion === groupVersion(expected);
}

/**
 * What the value calls itself, with what is expected where it does not say, or why it cannot be told.
 *
 * Upstream: kubernetes/apimachinery@v0.30.0 pkg/runtime/serializer/json/meta.go SimpleMetaFactory.Interpret,
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
  const { apiVersion, kind } = source as Record<string, unknown>;
  for (const [field, text] of Object.entries({ apiVersion, kind })) {
    if (text !== undefined && text !== null && typeof text !== 'string') {
      return `${told} json: cannot unmarshal ${jsonKind(text, 'string')} into Go struct field .${field} of type string`;
    }
  }
  const [version = '', group = '', ...rest] = String(apiVersion ?? '').split('/').reverse();
  if (rest.length > 0) return `unexpected GroupVersion string: ${String(apiVersion)}`;
  return {
    kind: (kind as string | undefined | null) || expected.kind,
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
  options: DecodeOptions & { readonly patch?: Patch },
): Violating {
  const everywhere = actual.kind === expected.kind && servedEverywhere.has(actual.kind);
  const known = currentVersions.has(nameOf(actual)) || formerVersions.has(nameOf(actual)) || everywhere;
  if (nameOf(actual) !== nameOf(expected) && !known) {
    throw new ConversionError(
      `no kind ${quote(actual.kind)} is registered for version ${quote(groupVersion(actual))} in scheme "pkg/api/legacyscheme/scheme.go:30"`,
    );
  }
  const { object, unknownFields } = unmarshal(actual.kind, value ?? {}, {
    isTrusted: options.isTrusted,
    ...(options.patch?.type === 'strategic' ? { wording: converterWording } : {}),
  });
  if (actual.kind !== expected.kind) {
    throw new ConversionError(
      `converting (v1.${actual.kind}) to (${internalPackage(expected)}.${expected.kind}): unknown conversion`,
    );
  }
  if (hasField(expected.kind, 'metadata')) object.metadata ??= {};
  return {
    object: named(object, expected),
    violations: [
      ...outside(unknownFields, options.duplicateFields ?? []).map((path) => `duplicate field ${quote(path)}`),
      ...unknownFields.map((path) => `unknown field ${quote(path)}`),
    ],
  };
}

/** Refuses a kind that is known, or not, but not the one expected. */
class ConversionError extends Error {
  override readonly name = 'ConversionError';
}

/** The Go package of the types that all versions of a group are converted to. */
const internalPackage = ({ group }: GroupVersionKind): string => group.split('.')[0] || 'core';

/** Upstream does not read on below a field that is unknown. */
function outside(unknownFields: readonly string[], paths: readonly string[]): readonly string[] {
  const below = (path: string, field: string): boolean =>
    path.startsWith(field) && ['', '.', '['].includes(path.charAt(field.length));
  return paths.filter((path) => !unknownFields.some((field) => below(path, field)));
}

/** The object under its name, which comes first, as Go writes it. */
function named(object: Record<string, unknown>, expected: GroupVersionKind): Record<string, unknown> {
  const apiVersion = groupVersion(expected);
  if (object.kind === expected.kind && object.apiVersion === apiVersion) return object;
  const name = { kind: expected.kind, apiVersion };
  return Object.assign({ ...name }, object, name);
}

/** Runs a decoding; what it refuses is told in the request's terms, and mistakes of the program pass through. */
function attempt<T>(run: () => T, refuse: (why: string) => never): T {
  try {
    return run();
  } catch (error) {
    if (refusals.some((refusal) => error instanceof refusal)) return refuse((error as Error).message);
    throw error;
  }
}

const refusals = [UnmarshalError, QuantityError, TimeError, ConversionError];

/** Upstream: kubernetes/apimachinery@v0.30.0 pkg/runtime/error.go strictDecodingError */
const strictDecodingError = (violations: readonly string[]): string =>
  `strict decoding error: ${violations.join(', ')}`;

function result<T>({ object, violations }: Violating, { fieldValidation }: DecodeOptions): Decoded<T> {
  return { object: object as T, warnings: fieldValidation === 'Warn' ? [...violations] : [] };
}

/**
 * The beginning of a body, for messages: as it is if it looks like an object, otherwise in hexadecimal.
 *
 * Upstream: kubernetes/apiserver@v0.30.0 pkg/endpoints/handlers/rest.go summarizeData
 */
function summarize(body: string): string {
  const bytes = new TextEncoder().encode(body);
  if (bytes.length === 0) return '<empty>';
  const first = bytes.subarray(0, 30);
  const more = bytes.length > first.length ? ' ...' : '';
  if (body.startsWith('{')) return `${new TextDecoder().decode(first)}${more}`;
  return `${Array.from(first, (byte) => byte.toString(16).padStart(2, '0')).join('')}${more}`;
}
