import type { KubeObject } from '../../api/objects.ts';
import { applyPatch } from '../../apiserver/patch/index.ts';
import type { Mapping } from '../../contracts/apply/index.ts';
import type { Patch } from '../../contracts/client.ts';

/** Returns a live object with a patch, as a server would compute it, without defaults. For `--dry-run=client`. */
export function patchedLocally(live: KubeObject, patch: Patch, { mergeSchema }: Mapping): KubeObject {
  if (patch.type === 'apply') throw new Error('Only the server can apply a configuration.');
  return applyPatch(live, patch, mergeSchema) as KubeObject;
}
