import type { Law } from '../../testing/holds.ts';
import { lawAbout, type Violation } from '../../testing/holds.ts';
import type { ContainerIncarnation, LastingPod, Sighting, VolumeHistory } from './history.ts';
import { claims } from './pod-volumes.ts';
import type { VolumeKind } from './scenario.ts';

const PODS = '/var/lib/kubelet/pods';
const DEVICES = '/var/lib/kubelet/plugins/kubernetes.io/csi';

/**
 * Liveness: when all is quiet, what is mounted is what is to be mounted, each once; and of pods that are gone there is no directory
 * of a volume, and of volumes that no pod uses nothing that a driver prepared or attached.
 */
export const exact: Law<VolumeHistory> = ({ end }) => {
  // How often each is to be mounted, less how often it is.
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
      .map((path) => `${path} is still attached, and no pod uses it`),
    ...wrong.map(([target, times]) =>
      times > 0 ? `${target} is not mounted` : `${target} is mounted ${-times} times too often`,
    ),
    ...(prepared.length === needed
      ? []
      : [`${prepared.length} volumes are prepared, and ${needed} are used`]),
    ...end.directories
      .filter((path) => !isOfUse(path, end.pods))
      .map((path) => `${path} is left, and no pod has it`),
  ];
  return messages.map((message) => ({ atMs: end.atMs, message }));
};

/** Liveness: when all is quiet, each pod that is to run runs, and each that was to end has left the API. */
export const ready: Law<VolumeHistory> = ({ end, journal }) =>
  end.pods.flatMap(({ pod, isRunning }): Violation[] => {
    const { name } = pod.metadata;
    const isThere = journal.some(
      ({ type, object }) => type === 'ADDED' && object.metadata.uid === pod.metadata.uid,
    );
    return isThere && !isRunning
      ? [{ atMs: end.atMs, message: `the pod ${name} neither runs nor is gone`, object: name }]
      : [];
  });

/** Safety: a container begins with all its volumes, whole; and of a config map all files are always of one version. */
export const whole: Law<VolumeHistory> = ({ sightings }) =>
  sightings.flatMap(({ atMs, container, kind, files }): Violation[] => {
    const { pod } = container;
    const said = (what: string): Violation[] => [
      { atMs, message: `in ${pod}, ${kind} ${what}: ${JSON.stringify(files)}`, object: pod },
    ];
    switch (kind) {
      case 'secret':
        return files.a === 'secret' ? [] : said('lacks its key');
      case 'part':
        return files.a === undefined ? said('is not there') : [];
      case 'projected':
      case 'config':
        if (files.a === undefined || files.a !== files.b) return said('is no whole version');
        return kind === 'projected' && files.name !== pod ? said('lacks the name of the pod') : [];
      default:
        return [];
    }
  });

const config: ReadonlySet<VolumeKind> = new Set(['config', 'projected', 'part']);

/** Safety: a new pod reads no version of a config map that had been replaced, or deleted, before the pod was there. */
export const fresh: Law<VolumeHistory> = lawAbout(
  {
    name: 'a new pod that reads a config map which has changed',
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
      const message = `in ${container.pod}, ${kind} says ${files.a}, which was over before the pod came`;
      return [{ atMs, message, object: container.pod }];
    }),
);

/** Liveness: when all is quiet, config maps say in every pod what they say in the API; in part to containers that begin then. */
export const current: Law<VolumeHistory> = ({ sightings, versions, end }) =>
  lastSightings(sightings).flatMap(({ container, kind, files }): Violation[] => {
    if (!config.has(kind)) return [];
    const text = versions.at(-1)?.text;
    if (container.endedMs < Number.POSITIVE_INFINITY || files.a === text) return [];
    const message = `in ${container.pod}, ${kind} still says ${files.a} and not ${text}`;
    return [{ atMs: end.atMs, message, object: container.pod }];
  });

/** Safety: what a container mounts as a part of a volume, by `subPath`, stays what it was. */
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
 * Safety: what a pod has written stays: in an emptyDir as long as the pod, in memory until the next boot, on the node and on storage
 * for ever.
 */
export const keeps: Law<VolumeHistory> = ({ sightings, bootsMs, written, kept, end }) => {
  const lost = written.filter((each) => !kept.includes(each));
  const gone = firstSightings(sightings).flatMap(({ atMs, container, kind, files }): Violation[] => {
    if (container.isFirst || !['disk', 'memory', 'inline'].includes(kind)) return [];
    const hasBooted = bootsMs.some((bootMs) => bootMs >= container.createdMs && bootMs <= atMs);
    if (files.mine === container.uid || (kind === 'memory' && hasBooted)) return [];
    const message = `in ${container.pod}, ${kind} has lost what the pod wrote`;
    return [{ atMs, message, object: container.pod }];
  });
  return [...gone, ...lost.map((each) => ({ atMs: end.atMs, message: `what was written is lost: ${each}` }))];
};

/** Safety: nothing is unmounted, and nothing vanishes, while a container of the pod runs. */
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
    const message = `in ${container.pod}, what was in ${kind} is gone`;
    return [{ atMs, message, object: container.pod }];
  });
  return [...unmounted, ...vanished];
};

/** Safety: the volumes that the kubelet says are in use are all that are, also while it does not know yet. */
export const inUse: Law<VolumeHistory> = lawAbout(
  { name: 'a volume in use', isMet: ({ reports }) => reports.some(({ used }) => used.length > 0) },
  ({ reports }) =>
    reports.flatMap(({ atMs, reported, used }): Violation[] => {
      const missing = reported === undefined ? [] : used.filter((volume) => !reported.includes(volume));
      return missing.map((volume) => ({ atMs, message: `${volume} is in use, and is not said to be` }));
    }),
);

/** Safety: a pod that has left the API has left nothing mounted. */
export const released: Law<VolumeHistory> = lawAbout(
  { name: 'a pod that was let go', isMet: ({ releases }) => releases.length > 0 },
  ({ releases }) =>
    releases.flatMap(({ atMs, pod, left }) =>
      left.map((path) => ({ atMs, message: `${pod} was let go, and ${path} is mounted`, object: pod })),
    ),
);

/**
 * Safety: a storage driver is asked for one thing after the other. It prepares a volume for a node once, before it shows the volume
 * to a pod; and it undoes that when the last pod has gone.
 */
export const inTurn: Law<VolumeHistory> = ({ trace }) => {
  let isStaged = false;
  return trace.flatMap(({ atMs, verb, object, outcome = '' }): Violation[] => {
    if (verb === 'start') isStaged = false;
    if (verb === 'nodeUnstageVolume') isStaged = false;
    const twice = verb === 'nodeStageVolume' && isStaged;
    if (verb === 'nodeStageVolume' && outcome === 'ok') isStaged = true;
    if (twice) return [{ atMs, message: `${object} was prepared again, without need` }];
    if (outcome !== 'FailedPrecondition') return [];
    return [{ atMs, message: `${verb} ${object} was asked for out of turn` }];
  });
};

/** The mounts of a container's subPaths are numbered. */
function withoutIndex(target: string): string {
  return target.replace(/(\/volume-subpaths\/.*)\/\d+$/, '$1');
}

/** Where a pod's volumes are mounted, in the layout that every kubelet has. Those on disk are mounted nowhere. */
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
        return [`${dir}/volume-subpaths/${kind}/main`];
      default:
        return [];
    }
  });
}

/** A driver's device is called by the volume, and that of an inline volume by its pod. */
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

/** What each container saw first in each volume. */
function firstSightings(sightings: readonly Sighting[]): readonly Sighting[] {
  return sightings.filter(
    (one, i) =>
      sightings.findIndex((each) => each.container === one.container && each.kind === one.kind) === i,
  );
}

function lastSightings(sightings: readonly Sighting[]): readonly Sighting[] {
  return firstSightings(sightings.toReversed());
}
