/** An event that actually happened on a machine, even if the answer to the call was lost. Laws check these events. */
export interface MachineEvent {
  /** Virtual ms since the start of the simulation. */
  readonly atMs: number;
  readonly event: MachineEventName;
  readonly pod?: PodName;
  readonly sandboxId?: string;
  /** Its name in the pod's spec. */
  readonly container?: string;
  readonly containerId?: string;
  /** The attempt of the container; for an event without a container, that of the sandbox. */
  readonly attempt?: number;
  /** Absent after a power failure, because nothing recorded the exit. */
  readonly exitCode?: number;
  readonly image?: string;
  readonly ip?: string;
  readonly path?: string;
}

/** The kinds of {@link MachineEvent}. */
type MachineEventName =
  | 'powered-on'
  | 'powered-off'
  | 'runtime-started'
  | 'runtime-stopped'
  /** The sandbox is complete and ready. */
  | 'sandbox-ready'
  /** The sandbox's first process has ended. */
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

/** The pod of a sandbox. */
export interface PodName {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** Records the events of a machine with their times. */
export class MachineHistory {
  readonly #events: MachineEvent[] = [];
  readonly #nowMs: () => number;

  /** @param nowMs - returns virtual ms since the start of the simulation */
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
