import type * as core from '#api/core/v1';
import type { Pod } from '../../../api/objects.ts';
import type { HttpRequest } from '../../../contracts/node/host.ts';
import type { ProbeManager, ProbeManagerOptions } from '../../../contracts/node/probe-manager.ts';
import type { RequestRecorder } from '../../../testing/rig/recorder.ts';
import type { Event, HistoryEntry, Known } from '../../42-probes/history.ts';
import { sayRequest } from '../../42-probes/simulation/pods.ts';
import type { Observer } from './kata.ts';

/** The container of a pod that has a probe. Its only probe is one of readiness, over HTTP. */
export const CONTAINER = 'main';
export const TYPE = 'readiness';

/** The inputs and outputs of the probe managers of a node. Entries name a pod by its uid. */
export interface ObservedProbes {
  readonly entries: HistoryEntry[];
  /** The probed pods, by uid. */
  readonly pods: Map<string, Pod>;
}

/** The inputs and outputs of all probe managers, by the name of their node. */
export type ProbesByNode = ReadonlyMap<string, ObservedProbes>;

/** Creates a recorder around the probe managers of all kubelets. */
export function probesObserver(recorders: ReadonlyMap<string, RequestRecorder>): Observer {
  const observed = new Map<string, ObservedProbes>();
  /** The kubelet that creates its probe manager now: the manager itself does not know its node. */
  let current: { readonly node: string; readonly requests: RequestRecorder } | undefined;
  return {
    observed,
    wrap: ({ kubelet, probeManager, ...others }) =>
      kubelet && probeManager
        ? {
            ...others,
            kubelet: (context) => {
              const { name, node } = context;
              const requests = recorders.get(name);
              return kubelet({
                ...context,
                newProbeManager: (options) => {
                  current = requests && { node, requests };
                  return context.newProbeManager(options);
                },
              });
            },
            probeManager: (options) => {
              if (!current) return probeManager(options);
              const { node, requests } = current;
              const records = observed.get(node) ?? { entries: [], pods: new Map() };
              observed.set(node, records);
              const recording = new RecordedProbes(records, requests);
              return recording.manager(probeManager(recording.options(options)));
            },
          }
        : { ...others, ...(kubelet && { kubelet }), ...(probeManager && { probeManager }) },
  };
}

/** The probe of a pod; undefined for a pod without one. */
export function probeOf({ spec }: Pod): core.Probe | undefined {
  return spec.containers.find(({ name }) => name === CONTAINER)?.readinessProbe;
}

/** Records one probe manager. */
class RecordedProbes {
  readonly #records: ObservedProbes;
  readonly #requests: RequestRecorder;
  readonly #live = new Map<string, Pod>();
  readonly #statuses = new Map<string, Pod['status']>();
  /** The containers of each pod, in the order of their first status. */
  readonly #containers = new Map<string, Set<string>>();
  #manager: ProbeManager | undefined;

  constructor(records: ObservedProbes, requests: RequestRecorder) {
    this.#records = records;
    this.#requests = requests;
    this.#note({ kind: 'boot' });
  }

  options(options: ProbeManagerOptions): ProbeManagerOptions {
    const { network, recorder, onUpdate } = options;
    return {
      ...options,
      network: {
        connect: (request) => network.connect(request),
        healthCheck: (request) => network.healthCheck(request),
        request: (request) => {
          const answered = this.#called(request);
          const answer = network.request(request);
          answer.then(
            ({ status }) => answered(status < 400, `HTTP probe failed with statuscode: ${status}`),
            (error: Error) => answered(false, `Get "${urlOf(request)}": ${error.message}`),
          );
          return answer;
        },
      },
      recorder: {
        event: (object, type, reason, message) => {
          const { uid = '', fieldPath = '' } = object as core.ObjectReference;
          this.#note({ kind: 'event', pod: uid, container: fieldPath, type, reason, message });
          recorder.event(object, type, reason, message);
        },
      },
      onUpdate: (update) => {
        const { podUID, containerID, type, result } = update;
        this.#note({ kind: 'update', pod: podUID, containerID, type, result });
        onUpdate(update);
      },
    };
  }

  manager(manager: ProbeManager): ProbeManager {
    this.#manager = manager;
    return {
      result: (type, containerID) => manager.result(type, containerID),
      addPod: (pod) => {
        const { uid } = pod.metadata;
        if (probeOf(pod) && !this.#live.has(uid)) {
          this.#live.set(uid, pod);
          this.#records.pods.set(uid, pod);
          this.#note({ kind: 'add', pod: uid });
        }
        manager.addPod(pod);
      },
      stopLivenessAndStartup: (pod) => {
        this.#note({ kind: 'stop', pod: pod.metadata.uid });
        manager.stopLivenessAndStartup(pod);
        this.#left([pod.metadata.uid]);
      },
      removePod: (pod) => {
        const { uid } = pod.metadata;
        this.#remove([uid], 'removePod');
        manager.removePod(pod);
        this.#left([uid]);
      },
      cleanupPods: (desired) => {
        const removed = [...this.#live.keys()].filter((uid) => !desired.has(uid));
        this.#remove(removed, 'cleanupPods');
        manager.cleanupPods(desired);
        this.#left(removed);
      },
      updatePodStatus: (object, given) => {
        const { uid } = object.metadata;
        const ids = this.#containers.get(uid) ?? new Set();
        this.#containers.set(uid, ids);
        const id = statusIn(given)?.containerID;
        if (id) ids.add(id);
        const known = this.#known(uid);
        const answered = manager.updatePodStatus(object, given);
        this.#statuses.set(uid, answered);
        this.#note({ kind: 'status', pod: uid, object, given, answered, status: answered, known });
        return answered;
      },
    };
  }

  #remove(uids: readonly string[], how: 'removePod' | 'cleanupPods'): void {
    for (const pod of uids) {
      this.#live.delete(pod);
      this.#note({ kind: 'remove', pod, how });
    }
  }

  #left(uids: readonly string[]): void {
    for (const pod of uids) this.#note({ kind: 'left', pod, known: this.#known(pod) });
  }

  #known(uid: string): readonly Known[] {
    return [...(this.#containers.get(uid) ?? [])].flatMap((containerID) => {
      const result = this.#manager?.result(TYPE, containerID);
      return result ? [{ containerID, type: TYPE, result }] : [];
    });
  }

  /** Records a request. @returns a function that records its answer */
  #called(request: HttpRequest): (isSuccess: boolean, why: string) => void {
    const asked = sayRequest({ url: urlOf(request), headers: request.headers });
    const pod = this.#podAt(request.host);
    if (!pod) {
      this.#note({ kind: 'stray', asked });
      return () => {};
    }
    const { uid } = pod.metadata;
    const { httpGet, timeoutSeconds = 1 } = probeOf(pod) ?? {};
    const status = this.#statuses.get(uid);
    const url = `http://${status?.podIP}:${httpGet?.port}${httpGet?.path ?? '/'}`;
    const headers = { accept: '*/*', 'user-agent': 'kube-probe/1.36' };
    const key = { pod: uid, container: CONTAINER, type: TYPE } as const;
    const call = this.#records.entries.length;
    this.#note({
      kind: 'call',
      call,
      key,
      containerID: statusIn(status)?.containerID ?? '',
      wire: {
        asked,
        owed: sayRequest({ url, headers }),
        timeoutMs: request.timeoutMs,
        owedTimeoutMs: timeoutSeconds * 1_000,
      },
      isFurther: false,
    });
    return (isSuccess, why) =>
      this.#note({
        kind: 'answer',
        call,
        key,
        means: isSuccess ? 'Success' : 'Failure',
        reason: isSuccess ? undefined : 'Unhealthy',
        says: isSuccess ? undefined : `Readiness probe failed: ${why}`,
      });
  }

  /** Returns the probed pod with this address. */
  #podAt(host: string): Pod | undefined {
    return [...this.#live.values()].findLast(
      ({ metadata }) => this.#statuses.get(metadata.uid)?.podIP === host,
    );
  }

  #note(event: Event): void {
    this.#records.entries.push({ atMs: this.#requests.nowMs, ...event });
  }
}

/** Returns the status of the probed container. */
function statusIn(status: Pod['status'] | undefined): core.ContainerStatus | undefined {
  return status?.containerStatuses?.find(({ name }) => name === CONTAINER);
}

function urlOf({ scheme, host, port, path }: HttpRequest): string {
  return `${scheme}://${host}:${port}${path}`;
}
