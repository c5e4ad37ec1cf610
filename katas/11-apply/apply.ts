/**
 * Kata 11 · `kubectl apply`. Read README.md first, then start with Level 1.
 *
 * Objects are shared and frozen: return a changed copy. For your own design, write only {@link apply}.
 */
import {
  type Applied,
  type Apply,
  type ApplyContext,
  type ApplyOptions,
  type Json,
  type JsonList,
  type JsonObject,
  type ListPatch,
  type ManagedFields,
  type Manifest,
  type Mapping,
  type MergeField,
  type MergeSchema,
  noOptionalSteps,
  type OptionalSteps,
  retainsKeys,
  type Step,
  type Target,
  type ThreeWayPatch,
  type Versions,
} from '#given/11-apply';
import { type KubeObject, todo } from '#harness';

const KATA = '11-apply';

// Level 1 · Documents

/**
 * Returns the objects of a document. A *list* is an object with a list of `items`, whatever its kind is. Its items take
 * its place. A document that is `null` is empty.
 *
 * An item that has neither `kind` nor `apiVersion` has those of its list, without the ending `List`: the items of a
 * `PodList` are pods. A list can have a list as an item. The items of that list come after all other objects of the
 * document. (kubectl v1.36 refuses such a list.)
 *
 * @example
 * objectsOf({ kind: 'List', items: [a, { kind: 'List', items: [b] }, c] }) // [a, c, b]
 *
 * @see Upstream: kubernetes/cli-runtime@v0.36.3 pkg/resource/visitor.go FlattenListVisitor.Visit
 */
export function objectsOf(document: Json): readonly Json[] {
  return todo(KATA, 'objectsOf', 'Level 1');
}

/**
 * Returns a manifest in its namespace. A namespaced object without a namespace (or with an empty one) gets
 * `namespace.name`. An object of the cluster stays as it is.
 *
 * @throws Error `failures.otherNamespace(own, namespace.name)` if `namespace.required`, and a namespaced object names
 * another namespace
 * @see Upstream: kubernetes/cli-runtime@v0.36.3 pkg/resource/visitor.go SetNamespace, RequireNamespace
 */
export function placeIn(
  manifest: Manifest,
  resource: Pick<Mapping['resource'], 'namespaced'>,
  namespace: ApplyOptions['namespace'],
): Manifest {
  return todo(KATA, 'placeIn', 'Level 1');
}

// Level 2 · The last applied configuration

/**
 * Returns a value as Go's `json.Encoder` writes it, without the newline at the end. kubectl compares this text, so each
 * byte counts:
 *
 * - no spaces; the keys of each object in the order of their bytes (`byBytes`)
 * - `<`, `>`, `&`, U+2028 and U+2029 in texts and keys as `\u003c`, `\u003e`, `\u0026`, `\u2028`, `\u2029`
 *
 * Go and JavaScript write numbers alike.
 *
 * @example
 * encodeJson({ b: '<1>', '9': 1, '10': [true, null] }) // {"10":[true,null],"9":1,"b":"\u003c1\u003e"}
 *
 * @see Upstream: kubernetes/apimachinery@v0.36.3 pkg/apis/meta/v1/unstructured/helpers.go doEncode
 */
export function encodeJson(value: Json): string {
  return todo(KATA, 'encodeJson', 'Level 2');
}

/**
 * Returns a manifest with the annotation `LAST_APPLIED`: the text of the manifest itself, and a newline. This text always
 * has `metadata.annotations`, even if it is `{}`, and never the annotation `LAST_APPLIED`.
 *
 * @see Upstream: kubernetes/kubectl@v0.36.3 pkg/util/apply.go GetModifiedConfiguration
 */
export function withLastApplied(manifest: Manifest): Manifest {
  return todo(KATA, 'withLastApplied', 'Level 2');
}

/**
 * Returns the configuration in the annotation of a live object; undefined without the annotation. An empty annotation is
 * an empty configuration.
 *
 * @throws Error if the annotation is not the JSON of an object
 * @see Upstream: kubernetes/kubectl@v0.36.3 pkg/util/apply.go GetOriginalConfiguration
 */
export function lastAppliedOf(live: KubeObject): JsonObject | undefined {
  return todo(KATA, 'lastAppliedOf', 'Level 2');
}

// Level 3 · Three versions

/**
 * Returns the patch of an object from its three versions. `original` was applied last, `modified` is applied now,
 * `current` is on the server. A missing version is like `{}`. If no field needs a change, the patch is `{}`.
 *
 * | field | in the patch |
 * |---|---|
 * | in `original`, not in `modified` | `null`, whatever `current` is |
 * | in neither of them | no |
 * | in `modified`: an object | its own patch by {@link patchPart}, unless that is empty |
 * | in `modified`: `{}`, and `current` has no object there | its own patch, even if it is `{}` |
 * | in `modified`: an object with the `patchStrategy` `replace` | the object, always |
 * | in `modified`: a list that `mergesLists(field)` | the fields of {@link patchList} |
 * | in `modified`: any other value | the value, unless `current` is equal (`equalJson`) |
 * | in `modified`: `null`, with a schema | `null` |
 * | in `modified`: `null`, without a schema | `null`, unless `original` has `null` there, too |
 *
 * Before you call `patchPart` for a field, leave out a version of it that is not an object. Before you call `patchList`,
 * leave out a version of it that is not a list.
 *
 * @param schema - the merge rules of its fields: `fieldOf(schema, name)`. Undefined for a custom resource, and for
 * everything inside it: then no list merges
 * @see Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/jsonmergepatch/patch.go CreateThreeWayJSONMergePatch,
 * pkg/util/strategicpatch/patch.go CreateThreeWayMergePatch
 */
export function patchObject(versions: Versions<JsonObject>, schema: MergeSchema | undefined): JsonObject {
  return todo(KATA, 'patchObject', 'Level 3');
}

/**
 * Returns the patch of an object inside another object, or of an item of a list. Given.
 *
 * @param field - the merge rules of the field; undefined in a custom resource
 */
export function patchPart(versions: Versions<JsonObject>, field: MergeField | undefined): JsonObject {
  const patch = patchObject(versions, field && (field.schema ?? {}));
  const retained = retainsKeys(field) ? optionalSteps.retainedKeys(versions, patch) : [];
  return retained.length > 0 ? { ...patch, $retainKeys: retained } : patch;
}

/** Returns the fields of a patch that change a merging list. Given. */
export function patchList(name: string, versions: Versions<JsonList>, field: MergeField): JsonObject {
  const { patchMergeKey } = field;
  const { list, deletions } =
    patchMergeKey === undefined
      ? patchScalars(versions)
      : { list: patchItems(versions, { ...field, patchMergeKey }), deletions: [] };
  const order = optionalSteps.elementOrder(versions, { list, deletions }, patchMergeKey);
  return {
    ...(list.length > 0 || !versions.current ? { [name]: list } : {}),
    ...(deletions.length > 0 ? { [`$deleteFromPrimitiveList/${name}`]: deletions } : {}),
    ...(order.length > 0 ? { [`$setElementOrder/${name}`]: order } : {}),
  };
}

// Level 4 · Lists of objects

/**
 * Returns the patch of a list of objects. The merge key identifies an item: the `name` of a container.
 *
 * - For each item of `modified`, in its order: its {@link patchPart} with the merge key. Leave out an item that `current`
 *   has, if its patch is empty.
 * - Then, for each item of `original` that `modified` lacks: `{ $patch: 'delete', [mergeKey]: … }`.
 *
 * `Unmatched` finds the partner of an item in another list, and then the items without a partner, in the order of these
 * deletions.
 *
 * @see Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/strategicpatch/patch.go diffListsOfMaps
 */
export function patchItems(
  versions: Versions<JsonList>,
  field: MergeField & { readonly patchMergeKey: string },
): JsonList {
  return todo(KATA, 'patchItems', 'Level 4');
}

// Level 5 · Lists of scalars

/**
 * Returns the patch of a list of scalars, such as `finalizers`: `list` has the items of `modified` that `current` lacks, in
 * the order of `modified`. `deletions` has the items of `original` that `modified` lacks, each once.
 *
 * @see Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/strategicpatch/patch.go diffListsOfScalars
 */
export function patchScalars(versions: Versions<JsonList>): ListPatch {
  return todo(KATA, 'patchScalars', 'Level 5');
}

// Level 6 · The plan

/** The next request for one object, and the warnings about the object. */
export type Plan = { readonly warnings: readonly string[] } & (
  | { readonly action: 'create'; readonly object: Manifest }
  | { readonly action: 'patch'; readonly patch: ThreeWayPatch }
  | { readonly action: 'nothing' }
);

/**
 * Plans the next request for an object.
 *
 * - Without a live object: create the manifest, with its annotation, {@link withoutNulls}.
 * - With an empty patch: nothing.
 * - Otherwise the patch. It is strategic if the mapping has a `mergeSchema`, and includes the new annotation.
 *
 * A live object without an annotation has no `original`. It gets the warning `warnings.noLastApplied(resource, name)`.
 *
 * @see Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/apply/apply.go applyOneObject, patcher.go Patcher.patchSimple
 */
export function planApply(target: Target, live: KubeObject | undefined): Plan {
  return todo(KATA, 'planApply', 'Level 6');
}

/**
 * Returns a value without the fields that are `null`, at any depth. Items of lists stay, even if they are `null`.
 *
 * @see Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/apply/apply.go pruneNullsFromMap
 */
export function withoutNulls<T extends Json>(value: T): T {
  return todo(KATA, 'withoutNulls', 'Level 6');
}

// Level 7 · One object, against a server

/** How often a patch is repeated after a conflict. Given. */
export const MAX_RETRIES = 5;

/** The pause before a retry, and between two reads of an object that is being deleted. Given. */
export const PAUSE_MS = 1_000;

/** The part of {@link Applied} that the requests decide. */
export type Result = Pick<Applied, 'outcome' | 'object'>;

/**
 * Applies one object. Reads it, passes the warnings of the plan to `step.warn`, and creates or patches it. If the object
 * existed before, and has a `deletionTimestamp` afterwards, it also warns with `warnings.deleting(name)`.
 *
 * `step.requests` has the requests about this object.
 *
 * @returns the target's resource and key, the outcome, and the object of the last answer
 * @throws Error `failures.reading(target, error)` if it cannot read; `failures.creating(target, error)`, also if another
 * client has created the object meanwhile; the errors of {@link patchWithRetries}
 * @see Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/apply/apply.go applyOneObject
 */
export async function applyOne(step: Step): Promise<Applied> {
  return todo(KATA, 'applyOne', 'Level 7');
}

/**
 * Patches a live object until no conflict comes. After a conflict, it reads the object again, and makes a new plan. It
 * does so up to `MAX_RETRIES` times: the first time at once, and then after a pause of `PAUSE_MS` before the read. Other
 * errors are not retried. If a plan needs no request, the object is `unchanged`.
 *
 * If the last error is a conflict or `Invalid`, and `options.force` is set, it calls {@link replace} with the object that
 * was read last. It never does so in a dry run.
 *
 * @param live - as it was read before
 * @throws Error `failures.patching(target, encodeJson(patch), error)`; `failures.applying(target, '', error)` if it cannot
 * read again
 * @see Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/apply/patcher.go Patcher.Patch
 */
export async function patchWithRetries(step: Step, live: KubeObject): Promise<Result> {
  return todo(KATA, 'patchWithRetries', 'Level 7');
}

/**
 * Deletes an object, waits until it is gone, and creates it from the manifest, with the annotation and without nulls.
 * While it waits, it reads the object every `PAUSE_MS`, the first time at once. Without `options.timeoutMs` (or with 0),
 * it waits without an end. If the create fails, it creates `live` again.
 *
 * (kubectl v1.36 does not wait at all without a timeout, and loses the object.)
 *
 * @throws Error `failures.applying(target, text, error)` with the text of the new object (`encodeJson`), for each error:
 * of a request; `failures.deadline()` after the timeout; `failures.notRestored(error, second)` if `live` could not be
 * created again
 * @see Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/apply/patcher.go Patcher.deleteAndCreate
 */
export async function replace(step: Step, live: KubeObject): Promise<KubeObject> {
  return todo(KATA, 'replace', 'Level 7');
}

// Level 8 · All objects

/** The optional steps: add a function of a ★ level here, or no other function calls it. */
export const optionalSteps: OptionalSteps = { ...noOptionalSteps };

/**
 * Applies the objects of all documents, one after the other. An error never stops the objects after it.
 *
 * - First find all targets: `targetOf(context, { source, value }, options, placeIn)`. The errors of documents come first in
 *   the report, and those of the requests after them. `applyErrorOf(source, error)` makes an entry of an error.
 * - Then {@link applyOne} for each target: `stepOf(context, target, options, warn)`. With `options.serverSide`,
 *   `optionalSteps.applyOnServer` instead.
 * - Then, with `options.prune` and without any error, `optionalSteps.prune`. Add each pruned object to `applied`. An error
 *   there has the source `''`.
 *
 * Without any object and any error, the error is `failures.noObjects()`, with the source `''`.
 *
 * @see Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/apply/apply.go ApplyOptions.Run
 */
export const apply: Apply = async (context, documents, options) => {
  return todo(KATA, 'apply', 'Level 8');
};

// Level 9 ★ · Order and retained keys. When these are written, put both into `optionalSteps`.

/**
 * Returns the `$setElementOrder` of a merging list: all items of `modified`, of objects only the merge key. Empty if the
 * patch needs none. It is needed in these cases:
 *
 * | `current` | needed |
 * |---|---|
 * | has items | the patch changes, adds or deletes an item, or `current` has other items or another order |
 * | missing or empty | the patch deletes: it has more than the items of `modified` |
 *
 * @param patch - the patch of the list
 * @param mergeKey - undefined for scalars
 * @see Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/strategicpatch/patch.go diffLists
 */
export function elementOrder(
  versions: Versions<JsonList>,
  patch: ListPatch,
  mergeKey: string | undefined,
): JsonList {
  return todo(KATA, 'elementOrder', 'Level 9');
}

/**
 * Returns the `$retainKeys` of an object: the names in `modified` without nulls, sorted. Empty if the patch needs none. It
 * is needed in these cases:
 *
 * | `current` | needed |
 * |---|---|
 * | an object | the patch is not empty, or `current` has a field (not `null`) that `modified` lacks |
 * | missing | the patch deletes: it differs from `modified` |
 *
 * @see Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/strategicpatch/patch.go diffMaps
 */
export function retainedKeys(versions: Versions<JsonObject>, patch: JsonObject): readonly string[] {
  return todo(KATA, 'retainedKeys', 'Level 9');
}

// Level 10 ★ · Server-side apply. When it is written, put `applyOnServer` into `optionalSteps`.

/**
 * Applies one object on the server: `client.patch` of type `apply`, with the manifest as it is. The manager is `kubectl`,
 * `force` is `options.forceConflicts` (false by default), `fieldValidation` is `Strict`. A dry run sets `dryRun`. The
 * outcome is always `serverside-applied`.
 *
 * Then it moves the fields that a client-side apply wrote to this manager. Otherwise the server never removes them:
 *
 * 1. If the answer has the annotation `LAST_APPLIED`, and no `Apply` owns it (`ownersOfLastApplied`), the manager
 *    `kubectl-last-applied` applies it: an object of apiVersion, kind, name, namespace and this annotation.
 * 2. All `Update` managers that own the annotation lose their fields to `kubectl`: {@link migratedFrom} for each one. A JSON
 *    patch replaces `/metadata/managedFields`, and `/metadata/resourceVersion` with its old value. After a conflict it
 *    reads again; at most 5 tries.
 * 3. After a migration it applies the manifest again.
 *
 * The errors of these steps are warnings, and end the migration: `warnings.annotationNotKept`, `ownersNotMigrated`,
 * `notAppliedAgain`. In the end it warns with `warnings.deleting`, like {@link applyOne}.
 *
 * @throws Error `failures.onServer(error)` if the first request fails
 * @see Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/apply/apply.go applyOneObject, migrateToSSAIfNecessary
 */
export async function applyOnServer(step: Step): Promise<Applied> {
  return todo(KATA, 'applyOnServer', 'Level 10');
}

/**
 * Returns the owners of fields without the `Update` entries of a manager. Their fields go to the `Apply` entry of `kubectl`.
 * Without such an entry, the first `Update` entry becomes it. Only an entry of the same `apiVersion` gives its fields
 * (`unionOfFields`). Entries of a subresource do not count. Without an `Update` entry, it returns `entries` itself.
 *
 * @see Upstream: kubernetes/client-go@v0.36.3 util/csaupgrade/upgrade.go upgradedManagedFields
 */
export function migratedFrom(
  entries: readonly ManagedFields[],
  manager: string | undefined,
): readonly ManagedFields[] {
  return todo(KATA, 'migratedFrom', 'Level 10');
}

// Level 11 ★ · Prune. When it is written, put `prune` into `optionalSteps`.

/**
 * Deletes the objects that were applied before, and are not in `applied`: those with the annotation `LAST_APPLIED` and
 * another uid. It lists the objects with the labels of `options.prune.selector`. It does so for each of `PRUNED_KINDS` that
 * the cluster has: for namespaced kinds in the namespaces of `applied`, and in `options.namespace.name` if that is required;
 * then for the other kinds. `propagationPolicy` is `Background`.
 *
 * A dry run deletes nothing, but reports the same. With `dryRun: 'server'`, `client.delete` has a `dryRun`.
 *
 * @param report - gets each object with the outcome `pruned`, as soon as it is deleted
 * @throws Error `failures.pruning(resource, error)` at the first error
 * @see Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/apply/prune.go pruner.pruneAll
 */
export async function prune(
  context: ApplyContext,
  applied: readonly Applied[],
  options: ApplyOptions,
  report: (pruned: Applied) => void,
): Promise<void> {
  todo(KATA, 'prune', 'Level 11');
}
