import {
  isList,
  isObject,
  type Json,
  type JsonObject,
  type Manifest,
  type Target,
  type ThreeWayPatch,
  warnings,
} from '#given/11-apply';
import type { KubeObject } from '#harness';
import { lastAppliedOf, withLastApplied } from './last-applied.ts';
import { patchObject } from './three-way.ts';

/** The next request for one object, and the warnings about the object. */
export type Plan = { readonly warnings: readonly string[] } & (
  | { readonly action: 'create'; readonly object: Manifest }
  | { readonly action: 'patch'; readonly patch: ThreeWayPatch }
  | { readonly action: 'nothing' }
);

export function planApply({ manifest, mapping }: Target, live: KubeObject | undefined): Plan {
  const modified = withLastApplied(manifest);
  if (!live) return { action: 'create', object: withoutNulls(modified), warnings: [] };
  const original = lastAppliedOf(live);
  const said = original ? [] : [warnings.noLastApplied(mapping.resource, live.metadata.name)];
  const current = live as unknown as JsonObject;
  const body = patchObject({ original, modified, current }, mapping.mergeSchema);
  // The objects themselves always differ: the server adds defaults.
  if (Object.keys(body).length === 0) return { action: 'nothing', warnings: said };
  const type = mapping.mergeSchema ? 'strategic' : 'merge';
  return { action: 'patch', patch: { type, body }, warnings: said };
}

export function withoutNulls<T extends Json>(value: T): T {
  if (isList(value)) return value.map(withoutNulls) as unknown as T;
  if (!isObject(value)) return value;
  const fields = Object.entries(value as JsonObject).filter(([, field]) => field !== null);
  return Object.fromEntries(fields.map(([name, field]) => [name, withoutNulls(field)])) as unknown as T;
}
