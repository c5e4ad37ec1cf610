/** `#given/11-apply`: the parts of the harness that only this kata uses. */

// The types of JSON, and safe access to the fields of objects whose keys a user chooses.
export { getOwn } from '../../api/own.ts';
export {
  equalJson,
  isList,
  isObject,
  type Json,
  type JsonList,
  type JsonObject,
} from '../../apiserver/patch/json-value.ts';
// The port of an apply.
export type {
  Applied,
  Apply,
  ApplyContext,
  ApplyError,
  ApplyOptions,
  ManifestDocument,
  Mapping,
  MergeField,
  MergeSchema,
} from '../../contracts/apply/index.ts';
// The resources of a cluster in a test.
export { mappingsOf } from './discovery.ts';
// Level 6: the result of a patch, for a dry run that sends nothing.
export { patchedLocally } from './local-patch.ts';
// Level 1: the object of a document. Level 2: the order of keys.
export { byBytes, manifestOf } from './manifest.ts';
export type { Manifest } from './manifest-type.ts';
// Levels 3 to 5: the merge rules of a field, and the items of lists.
export { fieldOf, mergesLists, retainsKeys, Unmatched, type Versions } from './merging.ts';
// Level 9 and later: the optional parts, and the state that they share.
export { noOptionalSteps, type OptionalSteps, type Target, type Write } from './optional-steps.ts';
// Level 10: the owners of fields. Level 11: the kinds that a prune looks at.
export { type ManagedFields, ownersOfLastApplied, unionOfFields } from './owners.ts';
export { PRUNED_KINDS } from './pruned-kinds.ts';
// The words of kubectl.
export { applyErrorOf, failures, LAST_APPLIED, warnings } from './words.ts';
