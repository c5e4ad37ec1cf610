/**
 * Your cluster. Every component is the reference's until you put your own in its place: once kata 21 is green,
 * replace `informer: reference.informer` by `informer: createInformer` and import that from
 * './21-informer/informer.ts'. From then on the whole cluster looks at the world through your informer. Likewise, once
 * kata 22 is green, `workQueue: newWorkQueue` and `workers: runWorkers` from './22-workqueue/workqueue.ts', and so on: a
 * controller's name here is the one that its kata exports.
 */
import type { Components } from '#harness';
import { components as reference } from '../solutions/components.ts';

export const components: Components = {
  informer: reference.informer,
  workQueue: reference.workQueue,
  workers: reference.workers,
  replicaSetController: reference.replicaSetController,
  deploymentController: reference.deploymentController,
  garbageCollector: reference.garbageCollector,
  filtering: reference.filtering,
  scoring: reference.scoring,
  scheduler: reference.scheduler,
  kubelet: reference.kubelet,
  ...(reference.probeManager && { probeManager: reference.probeManager }),
  ...(reference.imageManager && { imageManager: reference.imageManager }),
  ...(reference.volumeManager && { volumeManager: reference.volumeManager }),
  ...(reference.dns && { dns: reference.dns }),
  ...(reference.ipam && { ipam: reference.ipam }),
  ...(reference.podNetwork && { podNetwork: reference.podNetwork }),
  ...(reference.routeController && { routeController: reference.routeController }),
  ...(reference.endpointSliceController && { endpointSliceController: reference.endpointSliceController }),
  ...(reference.endpointsController && { endpointsController: reference.endpointsController }),
  ...(reference.nodeIpamController && { nodeIpamController: reference.nodeIpamController }),
};
