import type { Law } from '../../testing/holds.ts';
import { lawAbout, type Violation } from '../../testing/holds.ts';
import type { ContainerIncarnation, LastingPod, Sighting, VolumeHistory } from './history.ts';
import type { VolumeKind } from './scenario/index.ts';
import { claims } from './scenario/pod-volumes.ts';

const PODS = '/var/lib/kubelet/pods';
const DEVICES = '/var/lib/kubelet/plugins/kubernetes.io/csi';

/**
 * Liveness: when the node is quiescent, exactly the desired mounts exist, each once. Deleted pods have left no volume
 * directory, and unused volumes are neither prepared nor attached.
 */
export const exact: Law<VolumeHistory> = ({ end }) => {
  // The number of desired mounts minus the number of existing mounts, per target.
  const missing = new Map<string, number>();
  const count = (target: string, by: number): void =>
    void missing.set(target, (missing.get(target) ?? 0) + by);
  for (const lasting of end.pods) for (const target of targetsOf(lasting)) count(target, 1);
  const prepared = end.mounts.filter(({ target }) => target.startsWith(DEVICES));
  for (const mount of end.mounts) if (!prepared.includes(mount)) count(withoutIndex(mount.target), -1);
  const needed = end.pods.some(({ volumes }) => volumes.includes('claim')) ? 1 : 0;
  const wrong = [...missing].filter(([, times]) => times !== 0);
  const messages = [
    ...end.devices
      .filter((path) => !isInUse(path, end.pods))
      .map((path) => `${path} is still attached, but no pod uses it`),
    ...wrong.map(([target, times]) =>
      times > 0 ? `${target} is not mounted` : `${target} is mounted ${-times} times too often`,
    ),
    ...(prepared.length === needed ? [] : [`${prepared.length} volumes are staged, but ${needed} are used`]),
    ...end.directories
      .filter((path) => !isOfUse(path, end.pods))
      .map((path) => `${path} still exists, but no pod uses it`),
  ];
  return messages.map((message) => ({ atMs: end.atMs, message }));
};

/** Liveness: when the node is quiescent, each desired pod runs, and each pod that was deleted has left the API. */
export const ready: Law<VolumeHistory> = ({ end, journal }) =>
  end.pods.flatMap(({ pod, isRunning }): Violation[] => {
    const { name } = pod.metadata;
    const isThere = journal.some(
      ({ type, object }) => type === 'ADDED' && object.metadata.uid === pod.metadata.uid,
    );
    return isThere && !isRunning
      ? [{ atMs: end.atMs, message: `the pod ${name} neither runs nor is deleted`, object: name }]
      : [];
  });

/**
 * Safety: a container starts with all its volumes, complete, and only with claims that are bound; and all files of a
 * config map always belong to one version.
 */
export const whole: Law<VolumeHistory> = (history) => [...early(history), ...incomplete(history)];

/** Finds containers that started although their claim had not been bound since before their pod existed. */
function early({ containers, unbound }: VolumeHistory): readonly Violation[] {
  return containers.flatMap(({ pod, volumes, createdMs, startedMs }): Violation[] => {
    const time = unbound.find(({ fromMs, toMs }) => fromMs <= createdMs && startedMs < toMs);
    if (!time || !volumes.includes('claim')) return [];
    const message = `${pod} started with the volume claim, although its claim has not been bound since ${time.fromMs} ms, and the pod was created at ${createdMs} ms`;
    return [{ atMs: startedMs, message, object: pod }];
  });
}

function incomplete({ sightings }: VolumeHistory): readonly Violation[] {
  return sightings.flatMap(({ atMs, container, kind, files }): Violation[] => {
    const { pod } = container;
    const failed = (what: string): Violation[] => [
      { atMs, message: `in ${pod}, ${kind} ${what}: ${JSON.stringify(files)}`, object: pod },
    ];
    switch (kind) {
      case 'secret':
        return files.a === 'secret' ? [] : failed('lacks its key');
      case 'part':
        return files.a === undefined ? failed('is missing') : [];
      case 'projected':
      case 'config':
        if (files.a === undefined || files.a !== files.b) return failed('mixes versions');
        return kind === 'projected' && files.name !== pod ? failed('lacks the name of the pod') : [];
      default:
        return [];
    }
  });
}

const config: ReadonlySet<VolumeKind> = new Set(['config', 'projected', 'part']);

/** Safety: a new pod reads no version of a config map that was replaced or deleted before the pod existed. */
export const fresh: Law<VolumeHistory> = lawAbout(
  {
    name: 'a new pod that reads a changed config map',
    isMet: ({ containers, versions }) =>
      containers.some(
        ({ isFirst, volumes, createdMs }) =>
          isFirst &&
          volumes.some((kind) => config.has(kind)) &&
          versions.some(({ toMs }) => toMs < createdMs),
      ),
  },
  ({ sightings, versions }) =>
    firstSightings(sightings).flatMap(({ atMs, container, kind, files }): Violation[] => {
      if (!container.isFirst || !config.has(kind)) return [];
      const version = versions.find(({ text }) => text === files.a);
      if (!version || version.toMs >= container.createdMs) return [];
      const message = `in ${container.pod}, ${kind} contains ${files.a}, which was replaced before the pod existed`;
      return [{ atMs, message, object: container.pod }];
    }),
);

/**
 * Liveness: when the node is quiescent, config maps in every pod equal those in the API; a subPath counts in
 * containers that start then.
 */
export const current: Law<VolumeHistory> = ({ sightings, versions, end }) =>
  lastSightings(sightings).flatMap(({ container, kind, files }): Violation[] => {
    if (!config.has(kind)) return [];
    const text = versions.at(-1)?.text;
    if (container.endedMs < Number.POSITIVE_INFINITY || files.a === text) return [];
    const message = `in ${container.pod}, ${kind} still contains ${files.a} instead of ${text}`;
    return [{ atMs: end.atMs, message, object: container.pod }];
  });

/** Safety: a `subPath` mount of a container never changes. */
export const still: Law<VolumeHistory> = lawAbout(
  {
    name: 'a config map that changed under a subPath',
    isMet: ({ containers, versions }) =>
      containers.some(
        ({ volumes, startedMs, endedMs }) =>
          volumes.includes('part') && versions.some(({ fromMs }) => startedMs < fromMs && fromMs < endedMs),
      ),
  },
  ({ sightings }) => {
    const first = new Map<ContainerIncarnation, string | undefined>();
    return sightings.flatMap(({ atMs, container, kind, files }): Violation[] => {
      if (kind !== 'part') return [];
      if (!first.has(container)) first.set(container, files.a);
      if (first.get(container) === files.a) return [];
      return [
        { atMs, message: `in ${container.pod}, part has changed to ${files.a}`, object: container.pod },
      ];
    });
  },
);

/**
 * Safety: data that a pod has written stays: in an emptyDir as long as the pod exists, in memory until the next boot,
 * and permanently on the node and on storage.
 */
export const keeps: Law<VolumeHistory> = ({ sightings, bootsMs, written, kept, end }) => {
  const lost = written.filter((each) => !kept.includes(each));
  const gone = firstSightings(sightings).flatMap(({ atMs, container, kind, files }): Violation[] => {
    if (container.isFirst || !['disk', 'memory', 'inline'].includes(kind)) return [];
    const hasBooted = bootsMs.some((bootMs) => bootMs >= container.createdMs && bootMs <= atMs);
    if (files.mine === container.uid || (kind === 'memory' && hasBooted)) return [];
    const message = `in ${container.pod}, ${kind} has lost the data of the pod`;
    return [{ atMs, message, object: container.pod }];
  });
  return [...gone, ...lost.map((each) => ({ atMs: end.atMs, message: `written data is lost: ${each}` }))];
};

/** Safety: nothing is unmounted, and no file disappears, while a container of the pod runs. */
export const undisturbed: Law<VolumeHistory> = ({ machine, containers, sightings }) => {
  const unmounted = machine.flatMap(({ event, path = '', atMs }): Violation[] => {
    const [, uid] = event === 'unmounted' ? (/\/pods\/([^/]+)\/volumes\//.exec(path) ?? []) : [];
    const running = containers.find(
      (each) => each.uid === uid && each.startedMs < atMs && atMs < each.endedMs,
    );
    if (!running) return [];
    return [{ atMs, message: `${path} was unmounted while ${running.pod} runs`, object: running.pod }];
  });
  const had = new Set<string>();
  const vanished = sightings.flatMap(({ atMs, container, kind, files }): Violation[] => {
    const what = `${containers.indexOf(container)} ${kind}`;
    if (files.mine !== undefined) had.add(what);
    if (files.mine !== undefined || !had.has(what)) return [];
    const message = `in ${container.pod}, the contents of ${kind} disappeared`;
    return [{ atMs, message, object: container.pod }];
  });
  return [...unmounted, ...vanished];
};

/** Safety: the kubelet reports all volumes in use, even while it does not know them yet. */
export const inUse: Law<VolumeHistory> = lawAbout(
  { name: 'a volume in use', isMet: ({ reports }) => reports.some(({ used }) => used.length > 0) },
  ({ reports }) =>
    reports.flatMap(({ atMs, reported, used }): Violation[] => {
      const missing = reported === undefined ? [] : used.filter((volume) => !reported.includes(volume));
      return missing.map((volume) => ({
        atMs,
        message: `${volume} is in use, but the kubelet does not report it`,
      }));
    }),
);

/** Safety: a pod that has left the API has left nothing mounted. */
export const released: Law<VolumeHistory> = lawAbout(
  { name: 'a pod that was released', isMet: ({ releases }) => releases.length > 0 },
  ({ releases }) =>
    releases.flatMap(({ atMs, pod, left }) =>
      left.map((path) => ({
        atMs,
        message: `${pod} was released, but ${path} is still mounted`,
        object: pod,
      })),
    ),
);

/**
 * Safety: calls of a storage driver do not overlap. It prepares a volume for a node once, before it mounts the volume
 * for a pod, and undoes that after the last pod.
 */
export const inTurn: Law<VolumeHistory> = ({ trace }) => {
  let isStaged = false;
  return trace.flatMap(({ atMs, verb, object, outcome = '' }): Violation[] => {
    if (verb === 'start') isStaged = false;
    if (verb === 'nodeUnstageVolume') isStaged = false;
    const twice = verb === 'nodeStageVolume' && isStaged;
    if (verb === 'nodeStageVolume' && outcome === 'ok') isStaged = true;
    if (twice) return [{ atMs, message: `${object} was staged again without need` }];
    if (outcome !== 'FailedPrecondition') return [];
    return [{ atMs, message: `${verb} ${object} was called out of turn` }];
  });
};

/** Removes the number of a container's subPath mount. */
function withoutIndex(target: string): string {
  return target.replace(/(\/volume-subpaths\/.*)\/\d+$/, '$1');
}

/**
 * Returns the mount targets of a pod's volumes, in the layout that every kubelet uses. Volumes on disk are not
 * mounted.
 */
function targetsOf({ pod, volumes }: LastingPod): readonly string[] {
  const dir = `${PODS}/${pod.metadata.uid}`;
  return volumes.flatMap((kind) => {
    switch (kind) {
      case 'memory':
        return [`${dir}/volumes/kubernetes.io~empty-dir/memory`];
      case 'secret':
      case 'projected':
        return [`${dir}/volumes/kubernetes.io~${kind}/${kind}`];
      case 'claim':
      case 'share':
        return [`${dir}/volumes/kubernetes.io~csi/pv-${kind}/mount`];
      case 'inline':
        return [`${dir}/volumes/kubernetes.io~csi/inline/mount`];
      case 'part':
      case 'piece':
      case 'folder':
        return [`${dir}/volume-subpaths/${kind}/main`];
      default:
        return [];
    }
  });
}

/** Is the device in use? Its name is that of the volume, or of the pod for an inline volume. */
function isInUse(path: string, pods: readonly LastingPod[]): boolean {
  const kinds = Object.entries(claims).flatMap(([kind, { volumeHandle }]) =>
    path.endsWith(`/${volumeHandle}`) ? [kind] : [],
  );
  return pods.some(({ pod, volumes }) =>
    kinds.length > 0 ? volumes.some((each) => kinds.includes(each)) : path.includes(pod.metadata.uid),
  );
}

function isOfUse(path: string, pods: readonly LastingPod[]): boolean {
  if (!path.startsWith(DEVICES))
    return pods.some(({ pod }) => path.startsWith(`${PODS}/${pod.metadata.uid}/`));
  const [kind] =
    Object.entries(claims).find(([, { driver }]) => path.startsWith(`${DEVICES}/${driver}/`)) ?? [];
  return pods.some(({ volumes }) => volumes.some((each) => each === kind));
}

/** Returns the first sighting of each container in each volume. */
function firstSightings(sightings: readonly Sighting[]): readonly Sighting[] {
  return sightings.filter(
    (one, i) =>
      sightings.findIndex((each) => each.container === one.container && each.kind === one.kind) === i,
  );
}

function lastSightings(sightings: readonly Sighting[]): readonly Sighting[] {
  return firstSightings(sightings.toReversed());
}
