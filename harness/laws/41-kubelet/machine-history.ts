import type { MachineEvent } from '../../node/history.ts';

/** One container that there was on the machine: one attempt at what a container of a pod's spec says. */
export interface ContainerHistory {
  readonly id: string;
  readonly uid: string;
  /** As the pod's spec calls it. */
  readonly name: string;
  readonly sandboxId: string;
  readonly attempt: number;
  /** As specs call it. */
  readonly image: string;
  /** In virtual ms; `Infinity` for what never happened. */
  readonly createdMs: number;
  readonly startedMs: number;
  readonly exitedMs: number;
  readonly removedMs: number;
  /** Absent while it has not exited, and where its exit code was not seen. */
  readonly exitCode?: number;
}

/** One sandbox that there was on the machine. */
export interface SandboxHistory {
  readonly id: string;
  readonly uid: string;
  readonly podName: string;
  readonly attempt: number;
  /** When there was anything of it for the first time. */
  readonly madeMs: number;
  /** In virtual ms; `Infinity` for what never happened: the runtime may have died while it made it. */
  readonly readyMs: number;
  readonly stoppedMs: number;
  readonly removedMs: number;
  /** Its address, from when on it had it, and until when. */
  readonly address?: { readonly ip: string; readonly fromMs: number; readonly toMs: number };
}

/** A directory of a pod that something was mounted on. */
export interface MountHistory {
  readonly uid: string;
  readonly path: string;
  readonly fromMs: number;
  readonly toMs: number;
}

const NEVER = Number.POSITIVE_INFINITY;

/**
 * All that there was on a machine, read off what really happened there: which containers ran when, in which sandboxes, under
 * which addresses. A law asks it what was so at a moment.
 */
export class MachineHistory {
  readonly events: readonly MachineEvent[];
  /** In the order in which they were made. */
  readonly containers: readonly ContainerHistory[];
  readonly sandboxes: readonly SandboxHistory[];
  readonly mounts: readonly MountHistory[];
  readonly #byPod = new Map<string, ContainerHistory[]>();

  /** @param nameOf the name under which specs know an image that the runtime knows by another one */
  constructor(events: readonly MachineEvent[], nameOf: (image: string) => string) {
    this.events = events;
    const containers = new Map<string, Mutable<ContainerHistory>>();
    const sandboxes = new Map<string, Mutable<SandboxHistory>>();
    const mounts: Mutable<MountHistory>[] = [];
    for (const event of events) {
      noteContainer(containers, event.image === undefined ? event : { ...event, image: nameOf(event.image) });
      noteSandbox(sandboxes, event);
      noteMount(mounts, event);
    }
    this.containers = [...containers.values()];
    this.sandboxes = [...sandboxes.values()];
    this.mounts = mounts;
    for (const container of this.containers) {
      const known = this.#byPod.get(container.uid) ?? [];
      this.#byPod.set(container.uid, known);
      known.push(container);
    }
  }

  /** The uids of all pods that ever had anything on the machine. */
  get uids(): ReadonlySet<string> {
    return new Set([...this.sandboxes, ...this.containers, ...this.mounts].map(({ uid }) => uid));
  }

  /** A pod's containers, in the order in which they were made. */
  of(uid: string): readonly ContainerHistory[] {
    return this.#byPod.get(uid) ?? [];
  }

  /** All attempts at one container of a pod, in the order in which they were made. */
  attempts(uid: string, name: string): readonly ContainerHistory[] {
    return this.of(uid).filter((each) => each.name === name);
  }

  /** The containers of a pod that run at a moment. */
  running(uid: string, atMs: number): readonly ContainerHistory[] {
    return this.of(uid).filter((each) => runsAt(each, atMs));
  }

  /** The newest attempt at a container that was made by then, and is still there. */
  newest(uid: string, name: string, atMs: number): ContainerHistory | undefined {
    return this.attempts(uid, name).findLast((each) => each.createdMs <= atMs && each.removedMs > atMs);
  }

  /** A pod's sandboxes that are there at a moment, in the order in which they were made. */
  sandboxesOf(uid: string, atMs = NEVER): readonly SandboxHistory[] {
    return this.sandboxes.filter((each) => each.uid === uid && each.readyMs <= atMs && each.removedMs > atMs);
  }

  /** The newest sandbox of a pod, if it is ready. */
  readySandbox(uid: string, atMs: number): SandboxHistory | undefined {
    const newest = this.sandboxesOf(uid, atMs).at(-1);
    return newest && newest.stoppedMs > atMs ? newest : undefined;
  }

  /** What of a pod is still on the machine at a moment, in words; none: it has left no trace. */
  remains(uid: string, atMs: number): readonly string[] {
    return [
      ...this.of(uid)
        .filter(({ createdMs, removedMs }) => createdMs <= atMs && removedMs > atMs)
        .map(({ name, id }) => `container ${name} (${id})`),
      ...this.sandboxes
        .filter((each) => each.uid === uid && each.madeMs <= atMs && each.removedMs > atMs)
        .map(({ id }) => `sandbox ${id}`),
      ...this.held(uid, atMs),
    ];
  }

  /** What of a pod takes from others at a moment: its addresses and its mounts, in words. */
  held(uid: string, atMs: number): readonly string[] {
    return [
      ...this.sandboxes.flatMap(({ uid: owner, address }) =>
        owner === uid && address && address.fromMs <= atMs && address.toMs > atMs
          ? [`address ${address.ip}`]
          : [],
      ),
      ...this.mountsOf(uid, atMs),
    ];
  }

  /** What is mounted for a pod at a moment, in words. */
  mountsOf(uid: string, atMs: number): readonly string[] {
    return this.mounts
      .filter(({ uid: owner, fromMs, toMs }) => owner === uid && fromMs <= atMs && toMs > atMs)
      .map(({ path }) => `mount ${path}`);
  }

  /** Is this a sandbox that is ready at a moment? */
  isReady(id: string, atMs: number): boolean {
    return this.sandboxes.some((each) => each.id === id && each.readyMs <= atMs && each.stoppedMs > atMs);
  }
}

/** Does it run at this moment? */
export function runsAt({ startedMs, exitedMs }: ContainerHistory, atMs: number): boolean {
  return startedMs <= atMs && exitedMs > atMs;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

function noteContainer(
  known: Map<string, Mutable<ContainerHistory>>,
  {
    event,
    atMs,
    pod,
    sandboxId = '',
    container = '',
    containerId,
    attempt = 0,
    image = '',
    exitCode,
  }: MachineEvent,
): void {
  if (containerId === undefined) return;
  if (event === 'container-created') {
    const uid = pod?.uid ?? '';
    const never = { startedMs: NEVER, exitedMs: NEVER, removedMs: NEVER };
    const made = { id: containerId, uid, name: container, sandboxId, attempt, image, createdMs: atMs };
    known.set(containerId, { ...made, ...never });
    return;
  }
  const it = known.get(containerId);
  if (!it) return;
  if (event === 'container-started') it.startedMs = atMs;
  if (event === 'container-removed') it.removedMs = atMs;
  if (event !== 'container-exited') return;
  it.exitedMs = atMs;
  if (exitCode !== undefined) it.exitCode = exitCode;
}

function noteSandbox(
  known: Map<string, Mutable<SandboxHistory>>,
  { event, atMs, pod, sandboxId, containerId, attempt = 0, ip }: MachineEvent,
): void {
  if (sandboxId === undefined || containerId !== undefined) return;
  let it = known.get(sandboxId);
  if (!it) {
    it = {
      id: sandboxId,
      uid: pod?.uid ?? '',
      podName: pod?.name ?? '',
      attempt,
      madeMs: atMs,
      readyMs: NEVER,
      stoppedMs: NEVER,
      removedMs: NEVER,
    };
    known.set(sandboxId, it);
  }
  if (event === 'sandbox-ready') {
    it.readyMs = atMs;
    it.attempt = attempt;
  }
  if (event === 'sandbox-stopped') it.stoppedMs = Math.min(it.stoppedMs, atMs);
  if (event === 'sandbox-removed') it.removedMs = atMs;
  if (event === 'address-allocated' && ip !== undefined) it.address = { ip, fromMs: atMs, toMs: NEVER };
  if (event === 'address-released' && it.address) it.address = { ...it.address, toMs: atMs };
}

function noteMount(known: Mutable<MountHistory>[], { event, atMs, path = '' }: MachineEvent): void {
  if (event === 'mounted') known.push({ uid: podOfPath(path), path, fromMs: atMs, toMs: NEVER });
  if (event !== 'unmounted') return;
  const last = known.findLast((each) => each.path === path && each.toMs === NEVER);
  if (last) last.toMs = atMs;
}

/** `/var/lib/kubelet/pods/<uid>/volumes/…`; empty for what is no pod's. */
function podOfPath(path: string): string {
  return /\/pods\/([^/]+)\//.exec(path)?.[1] ?? '';
}
