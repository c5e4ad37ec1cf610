import type { Components } from '#harness';
import { apply } from './11-apply/apply.ts';
import { newKeyValueStore } from './12-store/store.ts';
import { clusterRoleAggregationController, newAccess } from './13-access/access.ts';
import { newAdmission } from './14-admission/admission.ts';
import { createInformer } from './21-informer/informer.ts';
import { newWorkQueue, runWorkers } from './22-workqueue/workqueue.ts';
import { replicaSetController } from './23-replicaset/replicaset.ts';
import { deploymentController } from './24-deployment/deployment.ts';
import { garbageCollector } from './25-garbage-collector/garbage-collector.ts';
import { daemonSetController } from './26-daemon-set/daemon-set.ts';
import { statefulSetController } from './27-stateful-set/stateful-set.ts';
import { filtering } from './31-filter/filter.ts';
import { scoring } from './32-score/score.ts';
import { scheduler } from './33-bind/bind.ts';
import { disruptionController } from './35-disruption/disruption.ts';
import { kubelet } from './41-kubelet/kubelet.ts';
import { newProbeManager } from './42-probes/probes.ts';
import { newImageManager } from './43-images/images.ts';
import { newVolumeManager } from './44-volumes/volume-manager.ts';
import {
  localPathProvisioner,
  newVolumeBinding,
  persistentVolumeBinder,
  persistentVolumeClaimProtectionController,
  persistentVolumeProtectionController,
} from './45-persistent-volumes/persistent-volumes.ts';
import { hostLocal } from './51-ipam/ipam.ts';
import { bridge, routeController } from './52-pod-network/pod-network.ts';
import { endpointSliceController, endpointsController } from './53-endpoints/endpoints.ts';
import { serviceProxy } from './54-service-proxy/service-proxy.ts';
import { newKubernetesDns } from './55-dns/kubernetes-dns.ts';
import { nodeIpamController } from './56-node-ipam/node-ipam.ts';
import { endpointSliceMirroringController } from './57-endpoint-slice-mirroring/mirroring.ts';
import {
  nodeLifecycleController,
  podGarbageCollector,
  taintEvictionController,
} from './61-node-lifecycle/node-lifecycle.ts';
import { namespaceController } from './62-namespace/namespace.ts';
import {
  rootCAPublisher,
  serviceAccountsController,
  serviceAccountTokenController,
} from './64-service-account/service-account.ts';
import { jobController } from './65-job/job.ts';
import { cronJobController } from './66-cron-job/cron-job.ts';
import { ttlAfterFinishedController } from './67-ttl-after-finished/ttl-after-finished.ts';

/** The reference cluster: the components of the solutions. `npm run kata -- index` writes this file. */
export const components: Components = {
  apply,
  keyValueStore: newKeyValueStore,
  access: newAccess,
  clusterRoleAggregationController,
  admission: newAdmission,
  informer: createInformer,
  workQueue: newWorkQueue,
  workers: runWorkers,
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
  probeManager: newProbeManager,
  imageManager: newImageManager,
  volumeManager: newVolumeManager,
  persistentVolumeBinder,
  localPathProvisioner,
  persistentVolumeClaimProtectionController,
  persistentVolumeProtectionController,
  volumeBinding: newVolumeBinding,
  ipam: hostLocal,
  podNetwork: bridge,
  routeController,
  endpointSliceController,
  endpointsController,
  serviceProxy,
  dns: newKubernetesDns,
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
