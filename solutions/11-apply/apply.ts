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
  manifestOf,
  type Target,
  type Write,
} from '#given/11-apply';
import { applyOne } from './apply-one.ts';
import { objectsOf, placeIn } from './manifests.ts';
import { optionalSteps } from './optional-steps.ts';

export { applyOne, MAX_RETRIES, PAUSE_MS, patchWithRetries, replace } from './apply-one.ts';
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
  const said: string[] = [];
  const { targets, errors } = await targetsOf(context, documents, options);
  const write: Write = { ...context, warn: (warning) => said.push(warning) };
  const applyTarget = options.serverSide ? optionalSteps.applyOnServer : applyOne;
  for (const target of targets) {
    try {
      applied.push(await applyTarget(write, target, options));
    } catch (error) {
      errors.push(applyErrorOf(target.source, error));
    }
  }
  if (targets.length === 0 && errors.length === 0) errors.push(applyErrorOf('', failures.noObjects()));
  // An object that failed is missing from `applied`, so a prune would delete it.
  if (options.prune && errors.length === 0) {
    try {
      for await (const pruned of optionalSteps.prune(context, [...applied], options)) applied.push(pruned);
    } catch (error) {
      errors.push(applyErrorOf('', error));
    }
  }
  return { applied, warnings: said, errors };
};

export async function targetsOf(
  context: ApplyContext,
  documents: readonly ManifestDocument[],
  options: ApplyOptions,
): Promise<{ readonly targets: readonly Target[]; readonly errors: ApplyError[] }> {
  const targets: Target[] = [];
  const errors: ApplyError[] = [];
  for (const document of documents) {
    const { source } = document;
    if ('error' in document) errors.push({ source, message: document.error });
    else {
      for (const value of objectsOf(document.value as Json)) {
        try {
          targets.push(await targetOf(context, value, source, options));
        } catch (error) {
          errors.push(applyErrorOf(source, error));
        }
      }
    }
  }
  return { targets, errors };
}

async function targetOf(
  context: ApplyContext,
  value: Json,
  source: string,
  { namespace }: ApplyOptions,
): Promise<Target> {
  const object = manifestOf(value, source);
  const mapping = await context.mappingOf(object.apiVersion, object.kind);
  if (!mapping) throw failures.noMatch(source, object);
  const manifest = placeIn(object, mapping.resource, namespace);
  const { name } = manifest.metadata;
  const key = mapping.resource.namespaced
    ? { namespace: String(manifest.metadata.namespace), name }
    : { name };
  return { source, manifest, mapping, key };
}
