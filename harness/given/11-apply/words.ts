import type { ObjectKey } from '../../api/objects.ts';
import type { Resource } from '../../api/resource.ts';
import { isConflict, isUnsupportedMediaType } from '../../api/status.ts';
import type { Json } from '../../apiserver/patch/json-value.ts';
import type { ApplyError, Mapping } from '../../contracts/apply/index.ts';
import type { Manifest } from './manifest-type.ts';

/** The annotation that records the configuration that was applied last. */
export const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** The part of a target that messages name. */
interface Place {
  readonly source: string;
  readonly mapping: Mapping;
  readonly key: ObjectKey;
}

/**
 * The errors of an apply, in kubectl's words. An error that a request caused has it as its `cause`.
 *
 * Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/util/helpers.go AddSourceToErr, pkg/cmd/apply/apply.go applyOneObject
 */
export const failures = {
  noObjects: () => new Error('no objects passed to apply'),
  /** @param problems `kind not set` */
  invalid: (source: string, problems: readonly string[]) => {
    const all = problems.length > 1 ? `[${problems.join(', ')}]` : problems.join('');
    return new Error(
      `error validating ${quoted(source)}: error validating data: ${all}; if you choose to ignore these errors, turn validation off with --validate=false`,
    );
  },
  badMetadata: (source: string, field: string, value: Json | undefined) =>
    new Error(
      `unable to decode ${quoted(source)}: json: cannot unmarshal ${goType(value)} into Go struct field ObjectMeta.${field}`,
    ),
  generateName: (prefix: string) => new Error(`from ${prefix}: cannot use generate name with apply`),
  nameMissing: (place: Place) => failures.reading(place, new Error('resource name may not be empty')),
  noMatch: (source: string, { apiVersion, kind, metadata }: Manifest) =>
    new Error(
      `resource mapping not found for name: ${quoted(metadata.name)} namespace: ${quoted(String(metadata.namespace ?? ''))} from ${quoted(source)}: no matches for kind ${quoted(kind)} in version ${quoted(apiVersion)}\nensure CRDs are installed first`,
    ),
  otherNamespace: (own: string, required: string) =>
    new Error(
      `the namespace from the provided object ${quoted(own)} does not match the namespace ${quoted(required)}. You must pass '--namespace=${own}' to perform this operation.`,
    ),
  reading: (place: Place, cause: unknown): Error =>
    whileDoing(`retrieving current configuration of:\n${said(place)}\nfrom server for:`, place, cause),
  creating: (place: Place, cause: unknown) => whileDoing('creating', place, cause),
  /** @param patch its text, or that of the object that replaces the live one. Empty if no patch could be computed */
  applying: (place: Place, patch: string, cause: unknown): Error =>
    whileDoing(`applying patch:\n${patch}\nto:\n${said(place)}\nfor:`, place, cause),
  /** @param patch its text */
  patching: (place: Place, patch: string, cause: unknown) =>
    failures.applying(place, patch, whileDoing('patching', place, cause)),
  deadline: () => new Error('context deadline exceeded'),
  /** The new object could not be created, and the old one not either. */
  notRestored: (cause: unknown, second: unknown) =>
    new Error(
      `An error occurred force-replacing the existing object with the newly provided one:\n\n${textOf(cause)}.\n\nAdditionally, an error occurred attempting to restore the original object:\n\n${textOf(second)}`,
      { cause },
    ),
  onServer: (cause: unknown) => {
    const text = textOf(cause);
    if (isUnsupportedMediaType(cause))
      return new Error(`Server-side apply not available on the server: (${text})`, { cause });
    return new Error(isConflict(cause) ? `${text}\n${CONFLICT_ADVICE}` : text, { cause });
  },
  pruning: ({ group, version, kind, namespaced }: Resource, cause: unknown) =>
    new Error(
      `error pruning ${namespaced ? 'namespaced' : 'nonNamespaced'} object ${group}/${version}, Kind=${kind}: ${textOf(cause)}`,
      { cause },
    ),
  notWritten: (flag: string) => new Error(`${flag}: this optional level is not written yet`),
};

/**
 * The warnings of an apply, without the word `Warning:`.
 *
 * Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/apply/apply.go warningNoLastAppliedConfigAnnotation and others
 */
export const warnings = {
  /** The live object was not created by an apply. */
  noLastApplied: (resource: Resource, name: string) =>
    `resource ${resource.plural}/${name} is missing the ${LAST_APPLIED} annotation which is required by kubectl apply. kubectl apply should only be used on resources created declaratively by either kubectl create --save-config or kubectl apply. The missing annotation will be patched automatically.`,
  /** The object has a `deletionTimestamp`. */
  deleting: (name: string) => `Detected changes to resource ${name} which is currently being deleted.`,
  annotationNotKept: (error: unknown) =>
    `failed to migrate ${LAST_APPLIED} for Server-Side Apply. This is non-fatal and will be retried next time you apply. Error: ${textOf(error)}`,
  ownersNotMigrated: (error: unknown) =>
    `server rejected managed fields migration to Server-Side Apply. This is non-fatal and will be retried next time you apply. Error: ${textOf(error)}`,
  notAppliedAgain: (error: unknown) =>
    `failed to re-apply configuration after performing Server-Side Apply migration. This is non-fatal and will be retried next time you apply. Error: ${textOf(error)}`,
};

/** Returns an error as a report has it, with the refusal of the server as its cause. */
export function applyErrorOf(source: string, error: unknown): ApplyError {
  let cause = error;
  while (cause instanceof Error && cause.cause !== undefined) cause = cause.cause;
  return { source, message: textOf(error), ...(cause === error && !isRefusal(error) ? {} : { cause }) };
}

const isRefusal = (error: unknown): boolean => error instanceof Error && error.constructor !== Error;

function whileDoing(doing: string, { source }: Place, cause: unknown): Error {
  return new Error(`error when ${doing} ${quoted(source)}: ${textOf(cause)}`, { cause });
}

/** Upstream: kubernetes/cli-runtime@v0.36.3 pkg/resource/visitor.go Info.String */
function said({ mapping: { resource }, key }: Place): string {
  const { group, version, plural, kind } = resource;
  return [
    `Resource: "${group}/${version}, Resource=${plural}", GroupVersionKind: "${group}/${version}, Kind=${kind}"`,
    `Name: ${quoted(key.name)}, Namespace: ${quoted(key.namespace ?? '')}`,
  ].join('\n');
}

const quoted = (text: string): string => JSON.stringify(text);

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function goType(value: Json | undefined): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

const CONFLICT_ADVICE = [
  'Please review the fields above--they currently have other managers. Here',
  'are the ways you can resolve this warning:',
  '* If you intend to manage all of these fields, please re-run the apply',
  '  command with the `--force-conflicts` flag.',
  '* If you do not intend to manage all of the fields, please edit your',
  '  manifest to remove references to the fields that should keep their',
  '  current managers.',
  '* You may co-own fields by updating your manifest to match the existing',
  "  value; in this case, you'll become the manager if the other manager(s)",
  '  stop managing the field (remove it from their configuration).',
  'See https://kubernetes.io/docs/reference/using-api/server-side-apply/#conflicts',
].join('\n');

/**
 * Returns a handler that throws an error with more words: `.catch(rethrowAs(failures.reading, target))`.
 *
 * @param failure makes the error from a place and its cause
 */
export function rethrowAs<P>(
  failure: (place: P, cause: unknown) => Error,
  place: P,
): (cause: unknown) => never {
  return (cause) => {
    throw failure(place, cause);
  };
}
