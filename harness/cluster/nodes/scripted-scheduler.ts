import { type KubeObject, keyOf, keyToString, type Node, type Pod } from '../../api/objects.ts';
import { hasEnded } from '../../api/predicates.ts';
import { nodes, pods } from '../../api/resource.ts';
import type { Component } from '../../contracts/component.ts';
import { steadily } from './steadily.ts';

/** Number of concurrent bindings. */
const WORKERS = 16;

/** Delay of a retry after a failure, in ms. */
const RETRY_MS = 100;

/**
 * Binds every pod without a node to the next node, by node name. It does not check whether the node fits, except for the
 * pods of a DaemonSet: it binds them to the node that their affinity names.
 *
 * Differs: upstream filters and scores nodes, and emits events. Like upstream, this scheduler ignores gated pods and
 * pods of other schedulers.
 */
export const scriptedScheduler: Component = async ({ client, informers, newWorkQueue, runWorkers, log }) => {
  const queue = newWorkQueue<string>({ rateLimiter: steadily(RETRY_MS) });
  const podInformer = informers.forResource(pods, { waiting: (pod) => (isWaiting(pod) ? [''] : []) });
  const nodeInformer = informers.forResource(nodes);
  let places: readonly string[] = [];
  let turn = 0;

  const consider = (pod: Pod): void => {
    if (isWaiting(pod)) queue.add(keyToString(keyOf(pod)));
  };
  podInformer.addEventHandler({ onAdd: consider, onUpdate: (_, pod) => consider(pod) });
  const recount = (): void => {
    const before = new Set(places);
    places = nodeInformer.indexer.list().filter(takesPods).map(nameOf).sort();
    if (places.some((name) => !before.has(name)))
      for (const pod of podInformer.indexer.byIndex('waiting', '')) consider(pod);
  };
  nodeInformer.addEventHandler({ onAdd: recount, onUpdate: recount, onDelete: recount });

  informers.start();
  await informers.waitForCacheSync();
  const sync = async (key: string): Promise<void> => {
    const pod = podInformer.indexer.getByKey(key);
    // Without nodes, pods wait: a new node enqueues all of them.
    if (!pod || !isWaiting(pod) || places.length === 0) return;
    const named = namedNode(pod);
    if (named !== undefined && !nodeInformer.indexer.getByKey(named)) return;
    const node = named ?? (places[turn++ % places.length] as string);
    await client.bind(keyOf(pod), node, { uid: pod.metadata.uid });
  };
  await runWorkers({ queue, sync, workers: WORKERS, onError: (error) => log(String(error)) });
};

function isWaiting(pod: Pod): boolean {
  const { metadata, spec } = pod;
  const { nodeName, schedulerName = DEFAULT, schedulingGates = [] } = spec;
  return (
    !nodeName &&
    !metadata.deletionTimestamp &&
    !hasEnded(pod) &&
    schedulerName === DEFAULT &&
    schedulingGates.length === 0
  );
}

/** Returns the node that the required affinity of a pod names, as that of a DaemonSet's pod. */
function namedNode({ spec }: Pod): string | undefined {
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const fields = required?.nodeSelectorTerms?.flatMap(({ matchFields = [] }) => matchFields) ?? [];
  return fields.find(({ key, operator }) => key === 'metadata.name' && operator === 'In')?.values?.[0];
}

const DEFAULT = 'default-scheduler';

function takesPods({ metadata, spec }: Node): boolean {
  return !metadata.deletionTimestamp && !spec.unschedulable;
}

const nameOf = ({ metadata }: KubeObject): string => metadata.name;
