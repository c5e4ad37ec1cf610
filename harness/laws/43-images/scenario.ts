import type { ImageConfiguration } from '../../contracts/node/image-manager.ts';
import type { ImageProfileName } from '../../node/images/index.ts';

/** A pull secret, or the node's own credentials: what a docker config says. */
export interface Login {
  /** As it is written there: `https://registry.example.com/v1/`. */
  readonly registry: string;
  readonly user: 'team' | 'acme' | 'stranger';
  /** Whether it is the password that the account has at the start. */
  readonly good: boolean;
}

/** A secret of type `kubernetes.io/dockerconfigjson`. */
export interface SecretPlan {
  readonly namespace: string;
  readonly name: string;
  readonly logins: readonly Login[];
  /** What was made under the same name after it was deleted has another uid. @defaultValue 1 */
  readonly uid?: number;
  /** Until then its content is not what its type says. @defaultValue it can always be read */
  readonly brokenUntilMs?: number;
}

/** A pod, and what becomes of it. It asks for the image of each container, one after the other, until it has all, or is deleted. */
export interface PodPlan {
  readonly name: string;
  readonly namespace: string;
  readonly image: string;
  /** The image of its second container. @defaultValue it has one container */
  readonly second?: string;
  /** Absent: as the API fills it in. */
  readonly policy?: 'Always' | 'IfNotPresent' | 'Never';
  readonly secrets: readonly SecretPlan[];
  readonly fromMs: number;
  /** How long after a refusal it asks again. */
  readonly retryMs: number;
  /** How long its container runs; then it is there, exited, until the pod is deleted. */
  readonly runsMs: number;
  /** Its container is started again so long after each exit, and its image asked for again. @defaultValue never */
  readonly restartAfterMs?: number;
  /** When it is deleted: what it waits for is given up. */
  readonly untilMs?: number;
}

/** What happens to a registry. */
export type RegistryStep = { readonly atMs: number; readonly host: string } & (
  | { readonly happens: 'unavailable' | 'available' | 'unreachable' | 'reachable' }
  | { readonly happens: 'thinks'; readonly latencyMs: number }
  /** Each account has another password: what was good is no more. */
  | { readonly happens: 'new passwords' }
);

/** What the kubelet does besides. */
export interface CollectStep {
  readonly atMs: number;
  readonly call: 'garbageCollect' | 'deleteUnusedImages';
}

/** What goes wrong between the kubelet and its machine. */
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
      /** Whether it was carried out all the same. */
      readonly performed: boolean;
      readonly says: string;
    }
  /** The kubelet dies at its next call but `skip`, before or after that has its effect, and starts again. */
  | {
      readonly fault: 'dies';
      readonly atMs: number;
      readonly skip: number;
      readonly performed: boolean;
      readonly restartAfterMs: number;
    };

/** What an image manager is put through, as a value that fast-check makes and shrinks. */
export interface ImagesScenario {
  readonly seed: number;
  /** Which goes first among what happens at the same instant. */
  readonly schedule: readonly number[];
  readonly profile: ImageProfileName;
  readonly configuration: ImageConfiguration;
  /** The node's own credentials. */
  readonly node: readonly Login[];
  /** The images that are there from the start, and that no kubelet has pulled. */
  readonly preloaded: readonly string[];
  readonly diskBytes: number;
  /** How much of the disk something else takes, from when on. */
  readonly otherFiles: readonly { readonly atMs: number; readonly bytes: number }[];
  readonly registry: readonly RegistryStep[];
  readonly pods: readonly PodPlan[];
  readonly collect: readonly CollectStep[];
  readonly faults: readonly FaultPlan[];
  readonly endMs: number;
}
