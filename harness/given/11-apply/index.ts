/** `#given/11-apply`: the parts of the harness that only this kata uses. */

// The types of JSON, and safe access to fields whose names a user chooses.
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
// The resources of a cluster, without discovery.
export { mappingsOf } from './discovery.ts';
// Level 2: the order of keys.
export { byBytes } from './manifest.ts';
// Level 1: an object of a document.
export type { Manifest } from './manifest-type.ts';
// Levels 3 to 5: the merge rules of a field, and the items of lists.
export { fieldOf, mergesLists, retainsKeys, Unmatched, type Versions } from './merging.ts';
// Level 9 and later: the optional functions.
export { type ListPatch, noOptionalSteps, type OptionalSteps } from './optional-steps.ts';
// Level 10: the owners of fields.
export { type ManagedFields, ownersOfLastApplied, unionOfFields } from './owners.ts';
// Level 11: the kinds that a prune looks at.
export { PRUNED_KINDS } from './pruned-kinds.ts';
// Level 6: an object to apply. Level 7: its requests. Level 8: the object of a document.
export { type Requests, type Step, stepOf, type Target, type ThreeWayPatch, targetOf } from './step.ts';
// The words of kubectl.
export { applyErrorOf, failures, LAST_APPLIED, rethrowAs, warnings } from './words.ts';
