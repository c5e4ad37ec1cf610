import type { Law } from '../../../testing/holds.ts';
import type { KubeletHistory } from '../../41-kubelet/history/index.ts';
import type { VolumeHistory } from '../../44-volumes/history.ts';
import * as volumeLaws from '../../44-volumes/laws.ts';
import type { ClusterHistory } from '../history.ts';
import { kubeletsOf } from './41-kubelet.ts';
import type { KataInCluster } from './kata.ts';

/** Returns the history of the volumes of a node, without the contents of their files. */
function historyOf(cluster: ClusterHistory, kubelet: KubeletHistory): VolumeHistory {
  const { machine, pods, writes } = kubelet;
  const { endMs, healedMs, trace, restedMs } = cluster;
  const leftMounts = pods.all.flatMap(({ id, end }) =>
    end && restedMs !== undefined ? machine.mounts.filter(({ uid, toMs }) => uid === id && toMs > endMs) : [],
  );
  return {
    ...cluster,
    healedMs,
    machine: machine.events,
    containers: machine.containers.map(({ uid, attempt, startedMs, exitedMs }) => ({
      uid,
      pod: pods.of(uid)?.last.metadata.name ?? uid,
      volumes: [],
      isFirst: attempt === 0,
      createdMs: pods.of(uid)?.versions[0]?.atMs ?? 0,
      startedMs,
      endedMs: exitedMs,
    })),
    sightings: [],
    reports: [],
    releases: writes.flatMap(({ type, atMs, object: { metadata } }) =>
      type === 'DELETED' ? [{ atMs, pod: metadata.name, left: machine.mountsOf(metadata.uid, atMs) }] : [],
    ),
    versions: [],
    unbound: [],
    bootsMs: [],
    written: [],
    kept: [],
    trace,
    end: {
      atMs: endMs,
      pods: [],
      mounts: leftMounts.map(({ path }) => ({ type: 'bind', source: '', target: path })),
      devices: [],
      directories: [],
    },
  };
}

const prepared = new WeakMap<KubeletHistory, VolumeHistory>();

const onEachNode =
  (law: Law<VolumeHistory>): Law<ClusterHistory> =>
  (cluster) =>
    kubeletsOf(cluster).flatMap(({ kubelet }) => {
      const history = prepared.get(kubelet) ?? historyOf(cluster, kubelet);
      prepared.set(kubelet, history);
      return law(history);
    });

const NO_CONTENTS = 'no container of a whole cluster reads its files, and no user changes a config map';
const NO_DRIVER = 'no pod of a whole cluster uses a storage driver';

/** The laws of the volumes of nodes in a whole cluster. */
export const nodeVolumes: KataInCluster = {
  kata: '44-volumes',
  laws: {
    /** Only the mounts that deleted pods have left: the desired mounts of other pods are those of the kata. */
    exact: onEachNode(volumeLaws.exact),
    undisturbed: onEachNode(volumeLaws.undisturbed),
    released: onEachNode(volumeLaws.released),
  },
  leftOut: {
    ready: 'the law `heals` judges whether each pod runs',
    whole: NO_CONTENTS,
    fresh: NO_CONTENTS,
    current: NO_CONTENTS,
    still: NO_CONTENTS,
    keeps: NO_CONTENTS,
    inUse: NO_DRIVER,
    inTurn: NO_DRIVER,
  },
};
