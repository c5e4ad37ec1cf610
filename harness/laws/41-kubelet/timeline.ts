import { drawTimeline } from '../../drawing/timeline.ts';
import type { TraceEntry } from '../../sim/index.ts';

/** What a kubelet looks up again and again, and does on the way. If it went well, there is nothing in it for a reader. */
const routine: ReadonlySet<string> = new Set([
  'get',
  'list',
  'listPodSandbox',
  'listContainers',
  'listContainerStats',
  'listImages',
  'podSandboxStatus',
  'containerStatus',
  'imageStatus',
  'imageFsInfo',
  'status',
  'version',
  'info',
  'usage',
  'mkdirAll',
  'mounts',
]);

/** Of these, it is no news either that there was nothing. */
const files: ReadonlySet<string> = new Set([
  'readFile',
  'readdir',
  'lstat',
  'readlink',
  'writeFile',
  'rename',
  'removeAll',
]);

/** Draws what changed, what failed and what was told: the rest of what a kubelet does would fill screens. */
export function drawChanges(entries: readonly TraceEntry[]): readonly string[] {
  const own = new Set(
    entries.flatMap(({ actor, verb, revision }) => (isKubelet(actor) && verb === 'patch' ? [revision] : [])),
  );
  return drawTimeline(
    entries.filter(({ actor, verb, object = '', outcome = 'ok', revision }) => {
      if (files.has(verb) || verb === 'BOOKMARK' || /^(events|leases|nodes)\//.test(object)) return false;
      // It is told of what it has written itself.
      if (isKubelet(actor) && verb === 'MODIFIED' && own.has(revision)) return false;
      return !(routine.has(verb) && outcome.startsWith('ok'));
    }),
  );
}

function isKubelet(actor: string): boolean {
  return actor.startsWith('kubelet');
}
