import type { JsonList, JsonObject } from '../../apiserver/patch/json-value.ts';
import type { Applied, ApplyContext, ApplyOptions } from '../../contracts/apply/index.ts';
import type { Versions } from './merging.ts';
import type { Step } from './step.ts';
import { failures } from './words.ts';

/** The part of a patch that changes a merging list. */
export interface ListPatch {
  /** The new and the changed items; for a list of objects, also the items with `$patch: delete`. */
  readonly list: JsonList;
  /** The deleted scalars. */
  readonly deletions: JsonList;
}

/** The functions of the optional levels. */
export interface OptionalSteps {
  readonly elementOrder: (
    versions: Versions<JsonList>,
    patch: ListPatch,
    mergeKey: string | undefined,
  ) => JsonList;
  readonly retainedKeys: (versions: Versions<JsonObject>, patch: JsonObject) => readonly string[];
  readonly applyOnServer: (step: Step) => Promise<Applied>;
  readonly prune: (
    context: ApplyContext,
    applied: readonly Applied[],
    options: ApplyOptions,
    report: (pruned: Applied) => void,
  ) => Promise<void>;
}

/** The steps of an apply without optional levels. */
export const noOptionalSteps: OptionalSteps = {
  elementOrder: () => [],
  retainedKeys: () => [],
  applyOnServer: async () => {
    throw failures.notWritten('--server-side');
  },
  prune: async () => {
    throw failures.notWritten('--prune');
  },
};
