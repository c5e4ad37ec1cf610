import { bind } from './33-bind.ts';
import { kubelet } from './41-kubelet.ts';
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
import type { KataInCluster } from './kata.ts';

/** The laws of every kata, for a whole cluster, in the order of the katas. */
export const katasInCluster: readonly KataInCluster[] = [
  bind,
  kubelet,
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
];
