import type * as cri from '../../../contracts/node/cri/index.ts';
import {
  ImageError,
  type ImageManager,
  type NewImageManager,
} from '../../../contracts/node/image-manager.ts';
import { formatImageName, parseImageName } from '../../../node/images/image-name.ts';
import type { Law } from '../../../testing/holds.ts';
import type { RequestRecorder } from '../../../testing/rig/recorder.ts';
import { incarnationsIn } from '../../41-kubelet/simulation/index.ts';
import type { AskingPod, Happening, HistoryEntry, ImagesHistory } from '../../43-images/history.ts';
import * as imageLaws from '../../43-images/laws/index.ts';
import { recorded } from '../../43-images/laws/recorded.ts';
import type { FaultPlan } from '../../43-images/scenario/index.ts';
import { type ClusterHistory, isClockWrong } from '../history.ts';
import type { KataInCluster, Observer } from './kata.ts';

const KATA = '43-images';

/** The calls of each node's image managers, and their answers, by the name of the node. */
type ObservedImages = Map<string, HistoryEntry[]>;

/** Creates a recorder around the image managers of all kubelets. */
function imagesObserver(recorders: ReadonlyMap<string, RequestRecorder>): Observer {
  const observed: ObservedImages = new Map();
  return {
    observed,
    wrap: ({ imageManager, ...others }) =>
      imageManager
        ? {
            ...others,
            imageManager: (options) => {
              const requests = recorders.get(`kubelet-${options.node}`);
              if (!requests) throw new Error(`Failed to observe the images of ${options.node}.`);
              const entries = observed.get(options.node) ?? [];
              observed.set(options.node, entries);
              return recordedManager(imageManager, options, { requests, entries });
            },
          }
        : others,
  };
}

interface Records {
  readonly requests: RequestRecorder;
  readonly entries: HistoryEntry[];
}

/** Creates an image manager whose calls in both directions are recorded. */
function recordedManager(
  newImageManager: NewImageManager,
  options: Parameters<NewImageManager>[0],
  { requests, entries }: Records,
): ImageManager {
  const { incarnation } = requests;
  const note = (happening: Happening): void => {
    entries.push({ atMs: requests.nowMs, ...happening });
  };
  // The position in the history is a number that no other call has.
  const number = (): number => entries.length;
  const port = <P extends object>(remote: P): P => recorded(remote, { incarnation, number, note });
  note({ kind: 'starts', incarnation });
  const manager = newImageManager({
    ...options,
    images: port(options.images),
    runtime: port(options.runtime),
    files: port(options.files),
    recorder: {
      event: (object, type, reason, message) => {
        const {
          uid = '',
          kind = '',
          name = '',
          fieldPath,
        } = object as {
          readonly [key: string]: string | undefined;
        };
        const about = fieldPath ? `${uid} ${fieldPath}` : `${kind} ${name}`;
        note({ kind: 'event', incarnation, about, text: `${type} ${reason} ${message}` });
        options.recorder.event(object, type, reason, message);
      },
    },
  });
  const collect = async (call: 'garbageCollect' | 'deleteUnusedImages'): Promise<void> => {
    const run = number();
    note({ kind: 'collects', incarnation, run, call });
    try {
      await manager[call]();
      note({ kind: 'collected', run });
    } catch (error) {
      note({ kind: 'collected', run, error: (error as Error).message });
      throw error;
    }
  };
  return {
    garbageCollect: () => collect('garbageCollect'),
    deleteUnusedImages: () => collect('deleteUnusedImages'),
    ensureImageExists: async (request) => {
      const ask = number();
      note({ kind: 'asks', incarnation, ask, pod: askingPod(request) });
      let isOver = false;
      request.signal?.addEventListener('abort', () => {
        if (!isOver) note({ kind: 'gives up', ask });
      });
      try {
        const imageRef = await manager.ensureImageExists(request);
        note({ kind: 'answer', ask, imageRef });
        return imageRef;
      } catch (error) {
        const reason = error instanceof ImageError ? error.reason : 'no ImageError';
        note({ kind: 'refusal', ask, reason, message: (error as Error).message });
        throw error;
      } finally {
        isOver = true;
      }
    },
  };
}

function askingPod({
  pod: { metadata },
  container,
}: Parameters<ImageManager['ensureImageExists']>[0]): AskingPod {
  const { name, image = '', imagePullPolicy: policy } = container;
  return {
    uid: metadata.uid,
    name: metadata.name,
    namespace: metadata.namespace ?? '',
    container: name,
    image,
    ...(policy && { policy: policy as NonNullable<AskingPod['policy']> }),
    secrets: [],
    fromMs: 0,
    retryMs: 0,
    runsMs: 0,
  };
}

const prepared = new WeakMap<ClusterHistory, readonly ImagesHistory[]>();

/** Returns the histories of the images of all nodes whose clock was right: a back-off follows it. */
function historiesOf(cluster: ClusterHistory): readonly ImagesHistory[] {
  const known =
    prepared.get(cluster) ??
    [...(cluster.observed.get(KATA) as ObservedImages)]
      .filter(([node]) => !isClockWrong(cluster, node))
      .map(([node, entries]) => historyOf(cluster, node, entries));
  prepared.set(cluster, known);
  return known;
}

function historyOf(cluster: ClusterHistory, node: string, observed: readonly HistoryEntry[]): ImagesHistory {
  const { hash, timeline, trace, endMs, scenario } = cluster;
  const { seed, schedule } = scenario;
  const deaths = incarnationsIn(trace, `kubelet-${node}`).flatMap(({ diedMs }, i): readonly HistoryEntry[] =>
    diedMs < endMs ? [{ kind: 'dies', incarnation: i + 1, atMs: diedMs }] : [],
  );
  const entries = [...changesOn(cluster, node, observed), ...deaths, ...observed].sort(
    (a, b) => a.atMs - b.atMs,
  );
  return {
    hash,
    timeline,
    entries: [...entries, { kind: 'end', atMs: endMs }],
    scenario: {
      seed,
      schedule,
      profile: 'containerd',
      configuration: {},
      node: [],
      preloaded: [],
      diskBytes: Number.POSITIVE_INFINITY,
      otherFiles: [],
      registry: [],
      pods: [],
      collect: [],
      faults: faultsOn(cluster, node),
      endMs,
    },
  };
}

/** Returns the changes of the images on a machine. The manager's reads describe each image. */
function changesOn(
  { machines }: ClusterHistory,
  node: string,
  observed: readonly HistoryEntry[],
): readonly HistoryEntry[] {
  const images = new Map<string, cri.Image>();
  for (const entry of observed) {
    if (entry.kind !== 'gets' || (entry.verb !== 'imageStatus' && entry.verb !== 'listImages')) continue;
    for (const image of [entry.result].flat() as readonly (cri.Image | undefined)[])
      for (const name of image ? [image.id, ...image.repoTags, ...image.repoDigests] : [])
        images.set(name, image as cri.Image);
  }
  return (machines.get(node) ?? []).flatMap(({ event, image: name = '', atMs }): readonly HistoryEntry[] => {
    if (event !== 'image-pulled' && event !== 'image-removed') return [];
    const image = images.get(name) ?? images.get(formatImageName(parseImageName(name)));
    if (!image) return [];
    return [{ kind: event === 'image-pulled' ? 'there' : 'gone', image, atMs }];
  });
}

/** Returns a plan for each call of the kubelet that failed. */
function faultsOn({ struck }: ClusterHistory, node: string): readonly FaultPlan[] {
  return struck.flatMap(({ fault, atMs }): readonly FaultPlan[] =>
    fault.fault === 'fail-call' && fault.process === `kubelet-${node}`
      ? [{ fault: 'fails', atMs, verb: 'readFile', performed: fault.performed, says: '' }]
      : [],
  );
}

const onEachNode =
  (law: Law<ImagesHistory>): Law<ClusterHistory> =>
  (cluster) =>
    historiesOf(cluster).flatMap((history) => law(history));
/** A call that fails late delays a request. */
const withoutFailingCalls =
  (law: Law<ImagesHistory>): Law<ClusterHistory> =>
  (cluster) =>
    historiesOf(cluster).flatMap((history) => (history.scenario.faults.length > 0 ? [] : law(history)));

const NEVER_FULL = 'no disk of a whole cluster is full, so that no image is removed';
const ONE_PULL = 'the kubelets of a whole cluster pull one image at a time';

/** The laws of the image managers in a whole cluster. */
export const images: KataInCluster = {
  kata: KATA,
  observer: imagesObserver,
  laws: {
    followsPolicy: onEachNode(imageLaws.followsPolicy),
    rightReason: onEachNode(imageLaws.rightReason),
    emitsEvents: onEachNode(imageLaws.emitsEvents),
    triesEach: onEachNode(imageLaws.triesEach),
    backsOff: onEachNode(imageLaws.backsOff),
    oneAtATime: onEachNode(imageLaws.oneAtATime),
    independent: withoutFailingCalls(imageLaws.independent),
    neverStalls: withoutFailingCalls(imageLaws.neverStalls),
    rateLimit: onEachNode(imageLaws.rateLimit),
    noExcess: onEachNode(imageLaws.noExcess),
    freesEnough: withoutFailingCalls(imageLaws.freesEnough),
    quiet: onEachNode(imageLaws.quiet),
    trusts: onEachNode(imageLaws.trusts),
  },
  leftOut: {
    keepsUsed: NEVER_FULL,
    keepsNew: NEVER_FULL,
    longestUnusedFirst: NEVER_FULL,
    verifies: 'no image of a whole cluster is private',
    withinLimit: ONE_PULL,
    usesLimit: ONE_PULL,
  },
};
