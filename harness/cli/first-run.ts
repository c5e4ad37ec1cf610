import { type KubeObject, keyOf, keyToString } from '../api/objects.ts';
import { pods, type Resource } from '../api/resource.ts';
import { StatusError } from '../api/status.ts';
import type { Component, Components } from '../contracts/component.ts';
import { DeletedFinalStateUnknown } from '../contracts/informer.ts';
import type { TraceEntry } from '../sim/index.ts';
import { createCluster } from '../testing/cluster.ts';
import { type Applied, apply } from './apply.ts';
import type { ManifestObject } from './manifest.ts';

/** What happened when a manifest was applied to a cluster that holds nothing but an informer. */
export interface FirstRun {
  /** Those that were applied, in order: all of them, unless the server refused one. */
  readonly applied: readonly AppliedAt[];
  /** The one at which it ended, and what the server said. */
  readonly refused?: Pick<AppliedAt, 'of' | 'entry'> & { readonly error: StatusError };
  /** Oldest first. The actors are `kubectl` and `informer`. */
  readonly entries: readonly TraceEntry[];
  /** How many pods the cluster has at the end. */
  readonly pods: number;
}

/** What became of one object of the manifest. */
export interface AppliedAt {
  readonly of: ManifestObject;
  readonly result: Applied;
  /** kubectl's last request for it, one of the run's entries. */
  readonly entry: TraceEntry | undefined;
}

/**
 * Starts a cluster and an informer of the resources that the manifest is about, and applies the manifest object
 * by object until the server refuses one.
 *
 * @throws Error when the informer does not hear of what was applied: the components are broken
 */
export async function firstRun(
  manifest: readonly ManifestObject[],
  components: Partial<Components>,
): Promise<FirstRun> {
  await using cluster = await createCluster({ components });
  const heard = new Set<string>();
  const watched = [...new Set(manifest.map(({ resource }) => resource))];
  const informer = cluster.run('informer', watcher(watched, heard));
  const hears = async (what: string): Promise<void> => {
    if (await cluster.runUntil(() => heard.has(what), PATIENCE_MS)) return;
    throw new Error(`The informer did not hear of ${what}.`, { cause: informer.failure });
  };
  await hears('synced');

  const kubectl = cluster.connect('kubectl');
  const applied: AppliedAt[] = [];
  let refused: FirstRun['refused'];
  const lastRequest = (): TraceEntry | undefined =>
    cluster.trace.entries.findLast(({ actor }) => actor === 'kubectl');
  for (const of of manifest) {
    try {
      const result = await cluster.settle(apply(kubectl, of));
      applied.push({ of, result, entry: lastRequest() });
      if (result.outcome !== 'unchanged') await hears(incarnation(result.stored));
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      refused = { of, error, entry: lastRequest() };
      break;
    }
  }
  const entries = [...cluster.trace.entries];
  const { items } = await cluster.admin.list(pods);
  return { applied, entries, pods: items.length, ...(refused ? { refused } : {}) };
}

/** Virtual time, of which there is plenty: an informer that works needs milliseconds. */
const PATIENCE_MS = 60_000;

/** Watches, and tells `heard` of everything that it was told: `synced`, and each state of an object. */
function watcher(resources: readonly Resource[], heard: Set<string>): Component {
  return async ({ informers, log, signal }) => {
    for (const resource of resources) {
      const told = (handler: string, object: KubeObject): void => {
        heard.add(incarnation(object));
        log(`${handler}(${resource.plural}/${keyToString(keyOf(object))})`);
      };
      informers.forResource(resource).addEventHandler({
        onAdd: (object) => told('onAdd', object),
        onUpdate: (_, object) => told('onUpdate', object),
        onDelete: (gone) => told('onDelete', gone instanceof DeletedFinalStateUnknown ? gone.object : gone),
      });
    }
    informers.start();
    await informers.waitForCacheSync();
    heard.add('synced');
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  };
}

/** One state of one object. */
function incarnation({ kind, metadata }: KubeObject): string {
  return `${kind} ${metadata.uid} at ${metadata.resourceVersion}`;
}
