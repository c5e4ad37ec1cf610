import type { ObjectKey } from '../../api/objects.ts';
import type { JsonList, JsonObject } from '../../apiserver/patch/json-value.ts';
import type { Applied, ApplyContext, ApplyOptions, Mapping } from '../../contracts/apply/index.ts';
import type { Manifest } from './manifest-type.ts';
import type { Versions } from './merging.ts';
import { failures } from './words.ts';

/** One object to apply. */
export interface Target {
  /** The file, as in messages. */
  readonly source: string;
  readonly manifest: Manifest;
  readonly mapping: Mapping;
  readonly key: ObjectKey;
}

/** The environment of one object's apply. */
export interface Write extends Pick<ApplyContext, 'client' | 'clock'> {
  /** Reports a warning, without the word `Warning:`. */
  readonly warn: (warning: string) => void;
}

/** The functions of the optional levels. */
export interface OptionalSteps {
  readonly elementOrder: (
    versions: Versions<JsonList>,
    patch: { readonly list: JsonList; readonly deletions: JsonList },
    mergeKey: string | undefined,
  ) => JsonList;
  readonly retainedKeys: (versions: Versions<JsonObject>, patch: JsonObject) => readonly string[];
  readonly applyOnServer: (write: Write, target: Target, options: ApplyOptions) => Promise<Applied>;
  readonly prune: (
    context: ApplyContext,
    applied: readonly Applied[],
    options: ApplyOptions,
  ) => AsyncIterable<Applied>;
}

/** The optional parts of an apply without optional levels. */
export const noOptionalSteps: OptionalSteps = {
  elementOrder: () => [],
  retainedKeys: () => [],
  applyOnServer: async () => {
    throw failures.notWritten('--server-side');
  },
  // biome-ignore lint/correctness/useYield: it only fails.
  async *prune() {
    throw failures.notWritten('--prune');
  },
};
