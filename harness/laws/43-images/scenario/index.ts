import type { ImageConfiguration } from '../../../contracts/node/image-manager.ts';
import type { ImageProfileName } from '../../../node/images/index.ts';

/** An entry of a docker config, of a pull secret or of the node's own credentials. */
export interface Login {
  /** The key of the entry: `https://registry.example.com/v1/`. */
  readonly registry: string;
  readonly user: 'team' | 'acme' | 'stranger';
  /** Whether it has the initial password of the account. */
  readonly good: boolean;
}

/** A secret of type `kubernetes.io/dockerconfigjson`. */
export interface SecretPlan {
  readonly namespace: string;
  readonly name: string;
  readonly logins: readonly Login[];
  /** Distinguishes the objects that were created one after the other under this name. @defaultValue 1 */
  readonly uid?: number;
  /** Its content cannot be read before this time. @defaultValue it can always be read */
  readonly brokenUntilMs?: number;
}

/** A pod. It requests the images of its containers, one after the other, until it has all, or is deleted. */
export interface PodPlan {
  readonly name: string;
  readonly namespace: string;
  readonly image: string;
  /** The image of its second container. @defaultValue it has one container */
  readonly second?: string;
  /** Absent: the default of the API. */
  readonly policy?: 'Always' | 'IfNotPresent' | 'Never';
  readonly secrets: readonly SecretPlan[];
  readonly fromMs: number;
  /** The time to the next request after a refusal. */
  readonly retryMs: number;
  /** The run time of its container, which then stays as an exited container until the pod is deleted. */
  readonly runsMs: number;
  /** The time from an exit to the restart, with a new request for the image. @defaultValue it never restarts */
  readonly restartAfterMs?: number;
  /** The time of its deletion, which aborts its request. */
  readonly untilMs?: number;
}

/** A change of a registry. */
export type RegistryStep = { readonly atMs: number; readonly host: string } & (
  | { readonly happens: 'unavailable' | 'available' | 'unreachable' | 'reachable' }
  | { readonly happens: 'thinks'; readonly latencyMs: number }
  /** Each account gets a new password, and the old one becomes invalid. */
  | { readonly happens: 'new passwords' }
);

/** A garbage collection that the kubelet starts. */
export interface CollectStep {
  readonly atMs: number;
  readonly call: 'garbageCollect' | 'deleteUnusedImages';
}

/** A fault between the kubelet and its machine. */
export type FaultPlan =
  | {
      readonly fault: 'fails';
      readonly atMs: number;
      readonly verb:
        | 'imageStatus'
        | 'pullImage'
        | 'listImages'
        | 'removeImage'
        | 'writeFile'
        | 'rename'
        | 'readFile';
      /** Whether the call takes effect before it fails. */
      readonly performed: boolean;
      readonly says: string;
    }
  /**
   * Crashes the kubelet at its call number `skip + 1` from `atMs` on, before or after the effect of the call, and restarts it.
   */
  | {
      readonly fault: 'dies';
      readonly atMs: number;
      readonly skip: number;
      readonly performed: boolean;
      readonly restartAfterMs: number;
    };

/** A scenario of an image manager, as a value that fast-check generates and shrinks. */
export interface ImagesScenario {
  readonly seed: number;
  /** The order of events at the same instant. */
  readonly schedule: readonly number[];
  readonly profile: ImageProfileName;
  readonly configuration: ImageConfiguration;
  /** The node's own credentials. */
  readonly node: readonly Login[];
  /** The images that are present from the start, without a pull by a kubelet. */
  readonly preloaded: readonly string[];
  readonly diskBytes: number;
  /** Other files that fill the disk from a time on. */
  readonly otherFiles: readonly { readonly atMs: number; readonly bytes: number }[];
  readonly registry: readonly RegistryStep[];
  readonly pods: readonly PodPlan[];
  readonly collect: readonly CollectStep[];
  readonly faults: readonly FaultPlan[];
  readonly endMs: number;
}
