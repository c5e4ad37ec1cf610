/**
 * The reference apply: the documents of manifests, the three-way patch, and the requests for one object.
 *
 * Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/apply; kubernetes/apimachinery@v0.36.3 pkg/util/strategicpatch
 */
import {
  type Applied,
  type Apply,
  type ApplyContext,
  type ApplyError,
  type ApplyOptions,
  applyErrorOf,
  failures,
  type Json,
  type ManifestDocument,
  stepOf,
  type Target,
  targetOf,
} from '#given/11-apply';
import { applyOne } from './apply-one.ts';
import { objectsOf, placeIn } from './manifests.ts';
import { optionalSteps } from './optional-steps.ts';

export { applyOne, MAX_RETRIES, PAUSE_MS, patchWithRetries, type Result, replace } from './apply-one.ts';
export { encodeJson, lastAppliedOf, withLastApplied } from './last-applied.ts';
export { objectsOf, placeIn } from './manifests.ts';
export { optionalSteps } from './optional-steps.ts';
export { elementOrder, retainedKeys } from './order.ts';
export { type Plan, planApply, withoutNulls } from './plan.ts';
export { prune } from './prune.ts';
export { applyOnServer, migratedFrom } from './server-side.ts';
export { patchItems, patchList, patchObject, patchPart, patchScalars } from './three-way.ts';

export const apply: Apply = async (context, documents, options) => {
  const applied: Applied[] = [];
  const warnings: string[] = [];
  const { targets, errors } = await readTargets(context, documents, options);
  for (const target of targets) {
    const step = stepOf(context, target, options, (warning) => warnings.push(warning));
    try {
      applied.push(await (options.serverSide ? optionalSteps.applyOnServer : applyOne)(step));
    } catch (error) {
      errors.push(applyErrorOf(target.source, error));
    }
  }
  if (targets.length === 0 && errors.length === 0) errors.push(applyErrorOf('', failures.noObjects()));
  // An object that failed is missing from `applied`, so a prune would delete it.
  if (options.prune && errors.length === 0) {
    try {
      await optionalSteps.prune(context, [...applied], options, (pruned) => applied.push(pruned));
    } catch (error) {
      errors.push(applyErrorOf('', error));
    }
  }
  return { applied, warnings, errors };
};

/**
 * Differs: upstream reads no further in a file after a document that is not YAML, or has no kind or apiVersion. It applies the
 * objects before it.
 */
async function readTargets(
  context: ApplyContext,
  documents: readonly ManifestDocument[],
  options: ApplyOptions,
): Promise<{ readonly targets: readonly Target[]; readonly errors: ApplyError[] }> {
  const targets: Target[] = [];
  const errors: ApplyError[] = [];
  for (const document of documents) {
    const { source } = document;
    if ('error' in document) errors.push({ source, message: document.error });
    const values = 'error' in document ? [] : objectsOf(document.value as Json);
    for (const value of values) {
      try {
        targets.push(await targetOf(context, { source, value }, options, placeIn));
      } catch (error) {
        errors.push(applyErrorOf(source, error));
      }
    }
  }
  return { targets, errors };
}
