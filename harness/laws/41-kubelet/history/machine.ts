import type { MachineEvent } from '../../../node/history.ts';

/** A container of the machine: one attempt of a container of a pod's spec. */
export interface ContainerHistory {
  readonly id: string;
  readonly uid: string;
  /** Its name in the pod's spec. */
  readonly name: string;
  readonly sandboxId: string;
  readonly attempt: number;
  /** Its name in the spec. */
  readonly image: string;
  /** In virtual ms; `Infinity` if it never happened. */
  readonly createdMs: number;
  readonly startedMs: number;
  readonly exitedMs: number;
  readonly removedMs: number;
  /** Absent before the exit, and if the exit code is unknown. */
  readonly exitCode?: number;
}

/** A sandbox of the machine. */
export interface SandboxHistory {
  readonly id: string;
  readonly uid: string;
  readonly podName: string;
  readonly attempt: number;
  /** Time of its first event. */
  readonly madeMs: number;
  /** In virtual ms; `Infinity` if it never happened: the runtime may have crashed during the creation. */
  readonly readyMs: number;
  readonly stoppedMs: number;
  readonly removedMs: number;
  /** Its address, with the time window of the allocation. */
  readonly address?: { readonly ip: string; readonly fromMs: number; readonly toMs: number };
}

/** A mount point in a pod's directory. */
export interface MountHistory {
  readonly uid: string;
  readonly path: string;
  readonly fromMs: number;
  readonly toMs: number;
}

const NEVER = Number.POSITIVE_INFINITY;

/**
 * The history of a machine, built from its events: containers, sandboxes, addresses and mounts. Laws query its state at any
 * moment.
 */
export class MachineHistory {
  readonly events: readonly MachineEvent[];
  /** In the order of creation. */
  readonly containers: readonly ContainerHistory[];
  readonly sandboxes: readonly SandboxHistory[];
  readonly mounts: readonly MountHistory[];
  readonly #byPod = new Map<string, ContainerHistory[]>();

  /** @param nameOf returns the name in specs for an image name of the runtime */
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

  /** Uids of all pods that ever had a container, a sandbox or a mount on the machine. */
  get uids(): ReadonlySet<string> {
    return new Set([...this.sandboxes, ...this.containers, ...this.mounts].map(({ uid }) => uid));
  }

  /** Returns the containers of a pod, in the order of creation. */
  of(uid: string): readonly ContainerHistory[] {
    return this.#byPod.get(uid) ?? [];
  }

  /** Returns all attempts of one container of a pod, in the order of creation. */
  attempts(uid: string, name: string): readonly ContainerHistory[] {
    return this.of(uid).filter((each) => each.name === name);
  }

  /** Returns the containers of a pod that run at a moment. */
  running(uid: string, atMs: number): readonly ContainerHistory[] {
    return this.of(uid).filter((each) => runsAt(each, atMs));
  }

  /** Returns the newest attempt of a container that exists at a moment. */
  newest(uid: string, name: string, atMs: number): ContainerHistory | undefined {
    return this.attempts(uid, name).findLast((each) => each.createdMs <= atMs && each.removedMs > atMs);
  }

  /** Returns the sandboxes of a pod that exist at a moment, in the order of creation. */
  sandboxesOf(uid: string, atMs = NEVER): readonly SandboxHistory[] {
    return this.sandboxes.filter((each) => each.uid === uid && each.readyMs <= atMs && each.removedMs > atMs);
  }

  /** Returns the newest sandbox of a pod if it is ready. */
  readySandbox(uid: string, atMs: number): SandboxHistory | undefined {
    const newest = this.sandboxesOf(uid, atMs).at(-1);
    return newest && newest.stoppedMs > atMs ? newest : undefined;
  }

  /** Describes the remains of a pod on the machine at a moment; empty if there are none. */
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

  /** Describes the addresses and mounts that a pod holds at a moment. */
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

  /** Describes the mounts of a pod at a moment. */
  mountsOf(uid: string, atMs: number): readonly string[] {
    return this.mounts
      .filter(({ uid: owner, fromMs, toMs }) => owner === uid && fromMs <= atMs && toMs > atMs)
      .map(({ path }) => `mount ${path}`);
  }

  /** Whether a sandbox is ready at a moment. */
  isReady(id: string, atMs: number): boolean {
    return this.sandboxes.some((each) => each.id === id && each.readyMs <= atMs && each.stoppedMs > atMs);
  }
}

/** Whether a container runs at a moment. */
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
  // Mounts do not survive the kernel.
  if (event === 'powered-off') for (const each of known) each.toMs = Math.min(each.toMs, atMs);
  if (event !== 'unmounted') return;
  const last = known.findLast((each) => each.path === path && each.toMs === NEVER);
  if (last) last.toMs = atMs;
}

/** Returns the uid in `/var/lib/kubelet/pods/<uid>/volumes/…`; empty for other paths. */
function podOfPath(path: string): string {
  return /\/pods\/([^/]+)\//.exec(path)?.[1] ?? '';
}
