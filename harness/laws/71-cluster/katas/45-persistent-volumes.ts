import { nodes, persistentVolumeClaims, persistentVolumes, pods } from '../../../api/resource.ts';
import type { Law } from '../../../testing/holds.ts';
import { Observations } from '../../../testing/rig/observations.ts';
import type { VolumesHistory } from '../../45-persistent-volumes/history.ts';
import * as volumeLaws from '../../45-persistent-volumes/laws.ts';
import { BINDER } from '../../45-persistent-volumes/operations.ts';
import { obligations } from '../../45-persistent-volumes/oracle.ts';
import { type ClusterHistory, entriesOf } from '../history.ts';
import type { KataInCluster } from './kata.ts';

/** Time after the cluster is as asked until the controllers have nothing left to do. */
const QUIET_AFTER_MS = 20_000;

const prepared = new WeakMap<ClusterHistory, VolumesHistory>();

function historyOf(cluster: ClusterHistory): VolumesHistory {
  const known = prepared.get(cluster) ?? prepare(cluster);
  prepared.set(cluster, known);
  return known;
}

function prepare(cluster: ClusterHistory): VolumesHistory {
  const { trace, scenario, restedMs, endMs, left } = cluster;
  const resources = ['persistentvolumes', 'persistentvolumeclaims'] as const;
  const { latencyMs } = scenario;
  const observed = new Observations({ process: BINDER, resources, latencyMs }).read(trace);
  const pending = obligations({
    volumes: left(persistentVolumes),
    claims: left(persistentVolumeClaims),
    pods: left(pods),
    nodes: left(nodes),
  });
  const isDone = restedMs !== undefined && pending.length === 0;
  return {
    ...cluster,
    volumes: entriesOf(cluster, persistentVolumes),
    claims: entriesOf(cluster, persistentVolumeClaims),
    pods: entriesOf(cluster, pods),
    observedOf: (atMs) => observed.atThought(atMs).persistentvolumes,
    restedMs: isDone ? restedMs + QUIET_AFTER_MS : undefined,
    pending: restedMs === undefined ? [] : pending,
    endMs,
  };
}

const inCluster =
  (law: Law<VolumesHistory>): Law<ClusterHistory> =>
  (history) =>
    law(historyOf(history));

/** The laws of volumes and claims in a whole cluster. */
export const volumes: KataInCluster = {
  kata: '45-persistent-volumes',
  laws: Object.fromEntries(Object.entries(volumeLaws).map(([name, law]) => [name, inCluster(law)])),
  leftOut: {},
};
