import { access } from './13-access.ts';
import { informer } from './21-informer.ts';
import { workqueue } from './22-workqueue.ts';
import { replicaSetInCluster } from './23-replicaset.ts';
import { deploymentInCluster } from './24-deployment.ts';
import { garbageCollectorInCluster } from './25-garbage-collector.ts';
import { daemonSetInCluster } from './26-daemon-set.ts';
import { statefulSetInCluster } from './27-stateful-set.ts';
import { filter } from './31-filter.ts';
import { score } from './32-score.ts';
import { bind } from './33-bind.ts';
import { disruptionInCluster } from './35-disruption.ts';
import { kubelet } from './41-kubelet.ts';
import { probes } from './42-probes.ts';
import { images } from './43-images.ts';
import { nodeVolumes } from './44-volumes.ts';
import { volumes } from './45-persistent-volumes.ts';
import { ipam } from './51-ipam.ts';
import { podNetwork } from './52-pod-network.ts';
import { endpointControllers } from './53-endpoints.ts';
import { serviceProxies } from './54-service-proxy.ts';
import { dns } from './55-dns.ts';
import { nodeIpam } from './56-node-ipam.ts';
import { mirroring } from './57-endpoint-slice-mirroring.ts';
import { nodeLifecycle } from './61-node-lifecycle.ts';
import { namespaceDeletion } from './62-namespace.ts';
import { serviceAccountControllers } from './64-service-account.ts';
import { jobInCluster } from './65-job.ts';
import { cronJobInCluster } from './66-cron-job.ts';
import { ttlInCluster } from './67-ttl-after-finished.ts';
import type { KataInCluster } from './kata.ts';

/** The laws of every kata, for a whole cluster, in the order of the katas. */
export const katasInCluster: readonly KataInCluster[] = [
  access,
  informer,
  workqueue,
  replicaSetInCluster,
  deploymentInCluster,
  garbageCollectorInCluster,
  daemonSetInCluster,
  statefulSetInCluster,
  filter,
  score,
  bind,
  disruptionInCluster,
  kubelet,
  probes,
  images,
  nodeVolumes,
  volumes,
  ipam,
  podNetwork,
  endpointControllers,
  serviceProxies,
  dns,
  nodeIpam,
  mirroring,
  nodeLifecycle,
  namespaceDeletion,
  serviceAccountControllers,
  jobInCluster,
  cronJobInCluster,
  ttlInCluster,
];
