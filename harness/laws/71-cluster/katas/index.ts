import { filter } from './31-filter.ts';
import { score } from './32-score.ts';
import { bind } from './33-bind.ts';
import { kubelet } from './41-kubelet.ts';
import { probes } from './42-probes.ts';
import { images } from './43-images.ts';
import { nodeVolumes } from './44-volumes.ts';
import { volumes } from './45-persistent-volumes.ts';
import type { KataInCluster } from './kata.ts';

/** The laws of every kata, for a whole cluster, in the order of the katas. */
export const katasInCluster: readonly KataInCluster[] = [
  filter,
  score,
  bind,
  kubelet,
  probes,
  images,
  nodeVolumes,
  volumes,
];
