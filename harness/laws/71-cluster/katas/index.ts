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
  jobInCluster,
  cronJobInCluster,
  ttlInCluster,
];
