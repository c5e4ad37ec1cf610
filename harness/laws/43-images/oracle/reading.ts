import type * as cri from '../../../contracts/node/cri/index.ts';
import { formatImageName, parseImageName } from '../../../node/images/image-name.ts';
import type { AskingPod, HistoryEntry, ImagesHistory } from '../history.ts';

/** A call of the manager, and its answer. `began` and `ended` are indexes in the history. */
export interface CallRead {
  readonly incarnation: number;
  readonly verb: string;
  readonly args: readonly unknown[];
  readonly began: number;
  readonly beganMs: number;
  /** Absent: no answer. */
  ended?: number;
  endedMs?: number;
  result?: unknown;
  /** The error instead of a result. */
  error?: string;
}

/** One request of a pod for its image. */
export interface AskRead {
  readonly incarnation: number;
  readonly pod: AskingPod;
  readonly began: number;
  readonly beganMs: number;
  /** Absent: no answer before the end, or before the crash of the kubelet. */
  ended?: number;
  endedMs?: number;
  imageRef?: string;
  refusal?: { readonly reason: string; readonly message: string };
  /** The deletion of the pod, if it came during the request. */
  givenUpMs?: number;
  /** The same, as an index in the history. */
  givenUp?: number;
  readonly events: { readonly at: number; readonly atMs: number; readonly text: string }[];
  readonly pulls: CallRead[];
}

/** One garbage collection. */
export interface RunRead {
  readonly incarnation: number;
  readonly call: 'garbageCollect' | 'deleteUnusedImages';
  readonly began: number;
  readonly beganMs: number;
  ended?: number;
  endedMs?: number;
  error?: string | undefined;
  /** The events about the node during the collection. */
  readonly events: string[];
}

/** The presence of an image on the machine, from one index in the history to another. */
export interface Stay {
  readonly image: cri.Image;
  readonly from: number;
  readonly fromMs: number;
  to: number;
}

/** The presence of a container. */
export interface ContainerStay {
  readonly container: cri.Container;
  readonly from: number;
  to: number;
}

/** A history, parsed for the laws. */
export interface Reading {
  readonly history: ImagesHistory;
  readonly asks: readonly AskRead[];
  readonly calls: readonly CallRead[];
  readonly runs: readonly RunRead[];
  readonly stays: readonly Stay[];
  readonly containers: readonly ContainerStay[];
  /** The start and the crash of each kubelet, by its number. */
  readonly incarnations: ReadonlyMap<number, { readonly fromMs: number; toMs: number }>;
  readonly endMs: number;
}

const readings = new WeakMap<ImagesHistory, Reading>();

/** Parses a history, once for all laws. */
export function readingOf(history: ImagesHistory): Reading {
  const known = readings.get(history);
  if (known) return known;
  const reader = new Reader(history);
  for (const [at, entry] of history.entries.entries()) reader.take(at, entry);
  readings.set(history, reader);
  return reader;
}

class Reader implements Reading {
  readonly history: ImagesHistory;
  readonly asks: AskRead[] = [];
  readonly calls: CallRead[] = [];
  readonly runs: RunRead[] = [];
  readonly stays: Stay[] = [];
  readonly containers: ContainerStay[] = [];
  readonly incarnations = new Map<number, { readonly fromMs: number; toMs: number }>();
  endMs = 0;
  readonly #asks = new Map<number, AskRead>();
  /** The last request of each pod, by incarnation of the kubelet. */
  readonly #current = new Map<string, AskRead>();
  readonly #calls = new Map<number, CallRead>();
  readonly #runs = new Map<number, RunRead>();

  constructor(history: ImagesHistory) {
    this.history = history;
  }

  take(at: number, entry: HistoryEntry): void {
    const { atMs } = entry;
    this.endMs = atMs;
    switch (entry.kind) {
      case 'starts':
        this.incarnations.set(entry.incarnation, { fromMs: atMs, toMs: Number.POSITIVE_INFINITY });
        return;
      case 'dies': {
        const incarnation = this.incarnations.get(entry.incarnation);
        if (incarnation) incarnation.toMs = atMs;
        return;
      }
      case 'asks': {
        const ask = {
          incarnation: entry.incarnation,
          pod: entry.pod,
          began: at,
          beganMs: atMs,
          events: [],
          pulls: [],
        };
        this.asks.push(ask);
        this.#current.set(`${entry.incarnation} ${entry.pod.uid}`, ask);
        this.#asks.set(entry.ask, ask);
        return;
      }
      case 'gives up': {
        const ask = this.#asks.get(entry.ask);
        if (ask && ask.ended === undefined) Object.assign(ask, { givenUpMs: atMs, givenUp: at });
        return;
      }
      case 'answer':
      case 'refusal': {
        const ask = this.#asks.get(entry.ask);
        if (!ask) return;
        Object.assign(ask, { ended: at, endedMs: atMs });
        if (entry.kind === 'answer') ask.imageRef = entry.imageRef;
        else ask.refusal = { reason: entry.reason, message: entry.message };
        return;
      }
      case 'event':
        if (entry.about.startsWith('Node ')) {
          this.runs
            .findLast(({ incarnation, ended }) => incarnation === entry.incarnation && ended === undefined)
            ?.events.push(entry.text);
          return;
        }
        this.#asking(entry.incarnation, entry.about.replace(/ spec\.containers\{\w+\}$/, ''))?.events.push({
          at,
          atMs,
          text: entry.text,
        });
        return;
      case 'collects': {
        const run: RunRead = {
          incarnation: entry.incarnation,
          call: entry.call,
          began: at,
          beganMs: atMs,
          events: [],
        };
        this.runs.push(run);
        this.#runs.set(entry.run, run);
        return;
      }
      case 'collected':
        Object.assign(this.#runs.get(entry.run) ?? {}, { ended: at, endedMs: atMs, error: entry.error });
        return;
      default:
        this.#takeCall(at, entry);
    }
  }

  #takeCall(at: number, entry: HistoryEntry): void {
    const { atMs } = entry;
    switch (entry.kind) {
      case 'calls': {
        const { incarnation, verb, args } = entry;
        const call: CallRead = { incarnation, verb, args, began: at, beganMs: atMs };
        this.calls.push(call);
        this.#calls.set(entry.call, call);
        const config = args[2] as cri.PodSandboxConfig | undefined;
        if (verb === 'pullImage' && config) this.#asking(incarnation, config.metadata.uid)?.pulls.push(call);
        return;
      }
      case 'gets':
      case 'gets error':
        Object.assign(
          this.#calls.get(entry.call) ?? {},
          { ended: at, endedMs: atMs },
          entry.kind === 'gets' ? { result: entry.result } : { error: entry.text },
        );
        return;
      case 'there':
        this.stays.push({
          image: entry.image,
          from: at,
          // An image that is pulled again while present keeps its age.
          fromMs: this.#leaves(entry.image.id, at)?.fromMs ?? atMs,
          to: Number.POSITIVE_INFINITY,
        });
        return;
      case 'gone':
        this.#leaves(entry.image.id, at);
        return;
      case 'container':
        this.containers.push({ container: entry.container, from: at, to: Number.POSITIVE_INFINITY });
        return;
      case 'no container': {
        const stay = this.containers.findLast(({ container }) => container.id === entry.container.id);
        if (stay) stay.to = at;
      }
    }
  }

  /** Returns the unfinished request of a pod, which has at most one at a time. */
  #asking(incarnation: number, uid: string): AskRead | undefined {
    const ask = this.#current.get(`${incarnation} ${uid}`);
    return ask?.ended === undefined ? ask : undefined;
  }

  #leaves(id: string, at: number): Stay | undefined {
    const stay = this.stays.findLast(({ image, to }) => image.id === id && to > at);
    if (stay) stay.to = at;
    return stay;
  }
}

/** Returns the full name, like the library of the runtimes; undefined for an invalid name. */
export function fullName(name: string): string | undefined {
  try {
    return formatImageName(parseImageName(name));
  } catch {
    return undefined;
  }
}

/** Returns the repository of an image: `docker.io/library/web`. */
export function repositoryOf(name: string): string {
  const { domain, repository } = parseImageName(name);
  return `${domain}/${repository}`;
}

/** Returns the policy of a pod, or its default. */
export function policyOf({ image, policy }: AskingPod): 'Always' | 'IfNotPresent' | 'Never' {
  return (
    policy ??
    (/:latest(@|$)/.test(image) || !/[:@]/.test(image.split('/').at(-1) ?? '') ? 'Always' : 'IfNotPresent')
  );
}

/** Returns the stays of an image with this name that overlap a part of the history. */
export function staysOf({ stays }: Reading, name: string, from: number, to: number): readonly Stay[] {
  const wanted = fullName(name);
  return stays.filter(
    (stay) =>
      stay.from <= to &&
      stay.to >= from &&
      [...stay.image.repoTags, ...stay.image.repoDigests].some((one) => fullName(one) === wanted),
  );
}

/** Whether an image with this name was present all the time. */
export function isThereThroughout(reading: Reading, name: string, from: number, to: number): boolean {
  // A pull of a present image starts a new stay without a gap.
  let at = from;
  for (const stay of staysOf(reading, name, from, to)) if (stay.from <= at) at = Math.max(at, stay.to);
  return at >= to && staysOf(reading, name, from, from).length > 0;
}
