/** What really happened on a machine, also if the answer to the call was lost. Laws read it. */
export interface MachineEvent {
  /** Virtual ms since the simulation began. */
  readonly atMs: number;
  readonly event: MachineEventName;
  readonly pod?: PodName;
  readonly sandboxId?: string;
  /** Its name in the pod's spec. */
  readonly container?: string;
  readonly containerId?: string;
  /** Of the container, or of the sandbox where there is no container. */
  readonly attempt?: number;
  /** Absent where there was nothing left to see it: the machine lost its power. */
  readonly exitCode?: number;
  readonly image?: string;
  readonly ip?: string;
  readonly path?: string;
}

/** The kinds of {@link MachineEvent}. */
export type MachineEventName =
  | 'powered-on'
  | 'powered-off'
  | 'runtime-started'
  | 'runtime-stopped'
  /** All that makes a sandbox ready is done. */
  | 'sandbox-ready'
  /** Its first process has ended. */
  | 'sandbox-stopped'
  | 'sandbox-removed'
  | 'container-created'
  | 'container-started'
  | 'container-exited'
  | 'container-removed'
  | 'image-pulled'
  | 'image-removed'
  | 'address-allocated'
  | 'address-released'
  | 'mounted'
  | 'unmounted';

/** The pod that a sandbox was made for. */
export interface PodName {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** Notes what happens on a machine, each with its time. */
export class MachineHistory {
  readonly #events: MachineEvent[] = [];
  readonly #nowMs: () => number;

  /** @param nowMs virtual ms since the simulation began */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  get events(): readonly MachineEvent[] {
    return this.#events;
  }

  record(event: Omit<MachineEvent, 'atMs'>): void {
    this.#events.push({ atMs: this.#nowMs(), ...event });
  }
}
