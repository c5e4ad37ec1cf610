import type { Pod } from '../../api/objects.ts';
import type { MountPoint } from '../../contracts/node/index.ts';
import type { MachineEvent } from '../../node/history.ts';
import type { TraceEntry } from '../../sim/index.ts';
import type { ClusterRun } from '../../testing/rig/play.ts';
import type { VolumeKind } from './scenario/index.ts';

/** One run of a container. */
export interface ContainerIncarnation {
  readonly uid: string;
  readonly pod: string;
  readonly volumes: readonly VolumeKind[];
  /** Is it the first container of its pod? */
  readonly isFirst: boolean;
  /** When the pod was created. */
  readonly createdMs: number;
  readonly startedMs: number;
  endedMs: number;
}

/** The files that a container saw in a volume, until they changed. */
export interface Sighting {
  readonly atMs: number;
  readonly container: ContainerIncarnation;
  readonly kind: VolumeKind;
  /** The contents of its files; undefined for an absent file. */
  readonly files: Readonly<Record<string, string | undefined>>;
}

/** The volumes that the kubelet could report as in use on its node, and the volumes that were in use. */
export interface Report {
  readonly atMs: number;
  readonly reported: readonly string[] | undefined;
  readonly used: readonly string[];
}

/** The notification to the kubelet that nothing of a pod is mounted any more, and the remaining mounts. */
export interface Release {
  readonly atMs: number;
  readonly pod: string;
  readonly left: readonly string[];
}

/** A version of the config map, and its time. */
export interface Version {
  readonly text: string;
  readonly fromMs: number;
  toMs: number;
}

/** A time in which the claim `claim` was not bound to its volume. */
export interface Unbound {
  readonly fromMs: number;
  toMs: number;
}

/** A pod that exists at the end. */
export interface LastingPod {
  readonly pod: Pod;
  readonly volumes: readonly VolumeKind[];
  readonly isRunning: boolean;
}

/** One run of a node's volumes, with crashes and reboots, until it is quiescent. */
export interface VolumeHistory extends ClusterRun {
  readonly healedMs: number;
  readonly machine: readonly MachineEvent[];
  readonly containers: readonly ContainerIncarnation[];
  readonly sightings: readonly Sighting[];
  readonly reports: readonly Report[];
  readonly releases: readonly Release[];
  readonly versions: readonly Version[];
  readonly unbound: readonly Unbound[];
  /** When the machine booted. */
  readonly bootsMs: readonly number[];
  /** Data that pods wrote to lasting storage, and the part of it that existed at the end. */
  readonly written: readonly string[];
  readonly kept: readonly string[];
  readonly trace: readonly TraceEntry[];
  readonly end: {
    readonly atMs: number;
    readonly pods: readonly LastingPod[];
    readonly mounts: readonly MountPoint[];
    /** The paths of the devices that drivers have attached. */
    readonly devices: readonly string[];
    /** Directories of volumes, and of a driver's preparations. */
    readonly directories: readonly string[];
  };
}
