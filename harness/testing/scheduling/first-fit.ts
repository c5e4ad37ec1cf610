import { keyOf, type Node, type Pod } from '../../api/objects.ts';
import { namespaces, nodes, pods } from '../../api/resource.ts';
import type { Component } from '../../contracts/component.ts';
import { CycleState, type Filtering, NodeInfo, Snapshot } from '../../contracts/framework/index.ts';
import { hasEnded } from './oracle/world.ts';

/** Everything is looked at again, whatever has happened. */
const ROUND = 'round';

/**
 * A scheduler that thinks no further than filters do: of the nodes that can do it takes the first. One that finds none is told
 * so by an event, and tried again as soon as anything has happened.
 *
 * Differs: upstream scores, waits longer from failure to failure, and knows which events could help.
 */
export function firstFit({ plugins, findNodesThatFit, fitErrorMessage }: Filtering): Component {
  return async ({ client, informers, recorder, newWorkQueue, runWorkers, log }) => {
    const podInformer = informers.forResource(pods);
    const nodeInformer = informers.forResource(nodes);
    const namespaceInformer = informers.forResource(namespaces);
    const queue = newWorkQueue<string>();
    /** Where pods were bound to, as long as nothing is heard of it; by uid. */
    const assumed = new Map<string, string>();
    for (const informer of [podInformer, nodeInformer, namespaceInformer]) {
      const again = (): void => queue.add(ROUND);
      informer.addEventHandler({ onAdd: again, onUpdate: again, onDelete: again });
    }

    const placeOf = ({ metadata, spec }: Pod): string | undefined =>
      spec.nodeName ?? assumed.get(metadata.uid);
    const snapshot = (): Snapshot => {
      const placed = podInformer.indexer.list().filter((pod) => !hasEnded(pod));
      const all = nodeInformer.indexer.list().toSorted(byName);
      return new Snapshot(
        all.map((node) =>
          NodeInfo.of(
            node,
            placed.filter((pod) => placeOf(pod) === node.metadata.name),
          ),
        ),
        {
          namespaces: new Map(
            namespaceInformer.indexer.list().map(({ metadata: { name, labels = {} } }) => [name, labels]),
          ),
        },
      );
    };

    informers.start();
    await informers.waitForCacheSync();
    const sync = async (): Promise<void> => {
      for (const pod of podInformer.indexer.list().toSorted(byName)) {
        if (placeOf(pod) || pod.metadata.deletionTimestamp || hasEnded(pod)) continue;
        const now = snapshot();
        const { feasible, diagnosis } = findNodesThatFit({
          plugins,
          state: new CycleState(),
          pod,
          snapshot: now,
        });
        const [first] = feasible;
        if (first) {
          await client.bind(keyOf(pod), first.name, { uid: pod.metadata.uid });
          assumed.set(pod.metadata.uid, first.name);
        } else {
          const message = fitErrorMessage(now.nodeInfos.length, diagnosis);
          recorder.event(pod, 'Warning', 'FailedScheduling', message);
        }
      }
    };
    await runWorkers({ queue, sync, workers: 1, onError: (error) => log(String(error)) });
  };
}

function byName(a: Node | Pod, b: Node | Pod): number {
  return a.metadata.name < b.metadata.name ? -1 : 1;
}
