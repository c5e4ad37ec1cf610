import type { Pod } from '../../api/objects.ts';
import type { MountPoint } from '../../contracts/node/index.ts';
import type { MachineEvent } from '../../node/history.ts';
import type { TraceEntry } from '../../sim/index.ts';
import type { ClusterRun } from '../../testing/rig/play.ts';
import type { VolumeKind } from './scenario.ts';

/** One run of a container. */
export interface ContainerIncarnation {
  readonly uid: string;
  readonly pod: string;
  readonly volumes: readonly VolumeKind[];
  /** Is it the first of its pod? */
  readonly isFirst: boolean;
  /** When the pod came. */
  readonly createdMs: number;
  readonly startedMs: number;
  endedMs: number;
}

/** What a container saw in a volume, until it saw something else. */
export interface Sighting {
  readonly atMs: number;
  readonly container: ContainerIncarnation;
  readonly kind: VolumeKind;
  /** What its files said; undefined for one that was not there. */
  readonly files: Readonly<Record<string, string | undefined>>;
}

/** What the kubelet could say of the volumes that its node uses, and which it really used. */
export interface Report {
  readonly atMs: number;
  readonly reported: readonly string[] | undefined;
  readonly used: readonly string[];
}

/** The kubelet was told that nothing of a pod is mounted any more, and what there was. */
export interface Release {
  readonly atMs: number;
  readonly pod: string;
  readonly left: readonly string[];
}

/** What the config map said, and when. */
export interface Version {
  readonly text: string;
  readonly fromMs: number;
  toMs: number;
}

/** A pod that is there in the end. */
export interface LastingPod {
  readonly pod: Pod;
  readonly volumes: readonly VolumeKind[];
  readonly isRunning: boolean;
}

/** One life of a node's volumes, through crashes and reboots, until all is quiet. */
export interface VolumeHistory extends ClusterRun {
  readonly healedMs: number;
  readonly machine: readonly MachineEvent[];
  readonly containers: readonly ContainerIncarnation[];
  readonly sightings: readonly Sighting[];
  readonly reports: readonly Report[];
  readonly releases: readonly Release[];
  readonly versions: readonly Version[];
  /** When the machine booted. */
  readonly bootsMs: readonly number[];
  /** What pods wrote where it has to outlive them, and what of it was there in the end. */
  readonly written: readonly string[];
  readonly kept: readonly string[];
  readonly trace: readonly TraceEntry[];
  readonly end: {
    readonly atMs: number;
    readonly pods: readonly LastingPod[];
    readonly mounts: readonly MountPoint[];
    /** The devices that drivers have attached, by their paths. */
    readonly devices: readonly string[];
    /** Directories of volumes and of what drivers have prepared. */
    readonly directories: readonly string[];
  };
}
