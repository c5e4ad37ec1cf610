import { apply } from './11-apply.ts';
import { keyValueStore } from './12-store.ts';
import { access, clusterRoleAggregationController } from './13-access.ts';
import { admission } from './14-admission.ts';
import { informer } from './21-informer.ts';
import { workers, workQueue } from './22-workqueue.ts';
import { replicaSetController } from './23-replicaset.ts';
import { deploymentController } from './24-deployment.ts';
import { garbageCollector } from './25-garbage-collector.ts';
import { daemonSetController } from './26-daemon-set.ts';
import { statefulSetController } from './27-stateful-set.ts';
import { filtering } from './31-filter.ts';
import { scoring } from './32-score.ts';
import { scheduler } from './33-bind.ts';
import { disruptionController } from './35-disruption.ts';
import { kubelet } from './41-kubelet.ts';
import { probeManager } from './42-probes.ts';
import { imageManager } from './43-images.ts';
import { volumeManager } from './44-volumes.ts';
import {
  localPathProvisioner,
  persistentVolumeBinder,
  persistentVolumeClaimProtectionController,
  persistentVolumeProtectionController,
  volumeBinding,
} from './45-persistent-volumes.ts';
import { ipam } from './51-ipam.ts';
import { podNetwork, routeController } from './52-pod-network.ts';
import { endpointSliceController, endpointsController } from './53-endpoints.ts';
import { serviceProxy } from './54-service-proxy.ts';
import { dns } from './55-dns.ts';
import { nodeIpamController } from './56-node-ipam.ts';
import { endpointSliceMirroringController } from './57-endpoint-slice-mirroring.ts';
import {
  nodeLifecycleController,
  podGarbageCollector,
  taintEvictionController,
} from './61-node-lifecycle.ts';
import { namespaceController } from './62-namespace.ts';
import {
  rootCAPublisher,
  serviceAccountsController,
  serviceAccountTokenController,
} from './64-service-account.ts';
import { jobController } from './65-job.ts';
import { cronJobController } from './66-cron-job.ts';
import { ttlAfterFinishedController } from './67-ttl-after-finished.ts';

/** Every part of a cluster, in the order of the katas. `npm run kata -- index` writes this file. */
export const parts = {
  apply,
  keyValueStore,
  access,
  clusterRoleAggregationController,
  admission,
  informer,
  workQueue,
  workers,
  replicaSetController,
  deploymentController,
  garbageCollector,
  daemonSetController,
  statefulSetController,
  filtering,
  scoring,
  scheduler,
  disruptionController,
  kubelet,
  probeManager,
  imageManager,
  volumeManager,
  persistentVolumeBinder,
  localPathProvisioner,
  persistentVolumeClaimProtectionController,
  persistentVolumeProtectionController,
  volumeBinding,
  ipam,
  podNetwork,
  routeController,
  endpointSliceController,
  endpointsController,
  serviceProxy,
  dns,
  nodeIpamController,
  endpointSliceMirroringController,
  nodeLifecycleController,
  taintEvictionController,
  podGarbageCollector,
  namespaceController,
  serviceAccountsController,
  rootCAPublisher,
  serviceAccountTokenController,
  jobController,
  cronJobController,
  ttlAfterFinishedController,
};
