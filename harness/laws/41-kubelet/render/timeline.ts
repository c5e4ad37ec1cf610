import { drawTimeline } from '../../../drawing/timeline.ts';
import type { TraceEntry } from '../../../sim/index.ts';

/** Routine reads of a kubelet: the timeline shows only failed ones. */
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

/** File operations, which the timeline never shows. */
const files: ReadonlySet<string> = new Set([
  'readFile',
  'readdir',
  'lstat',
  'readlink',
  'writeFile',
  'rename',
  'removeAll',
]);

/** Renders only changes, failures and watch events: all calls of a kubelet would fill screens. */
export function drawChanges(entries: readonly TraceEntry[]): readonly string[] {
  const own = new Set(
    entries.flatMap(({ actor, verb, revision }) => (isKubelet(actor) && verb === 'patch' ? [revision] : [])),
  );
  return drawTimeline(
    entries.filter(({ actor, verb, object = '', outcome = 'ok', revision }) => {
      if (files.has(verb) || verb === 'BOOKMARK' || /^(events|leases|nodes)\//.test(object)) return false;
      // The watch event of the kubelet's own write.
      if (isKubelet(actor) && verb === 'MODIFIED' && own.has(revision)) return false;
      return !(routine.has(verb) && outcome.startsWith('ok'));
    }),
  );
}

function isKubelet(actor: string): boolean {
  return actor.startsWith('kubelet');
}
