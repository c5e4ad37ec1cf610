import type * as cri from '../../contracts/node/cri/index.ts';
import type { ImagesScenario, PodPlan } from './scenario/index.ts';

/** One entry of the history, in the order of the run. */
export type HistoryEntry = { readonly atMs: number } & Happening;

/** An entry without its time. `incarnation` counts the starts of the kubelet. */
export type Happening =
  | { readonly kind: 'starts' | 'dies'; readonly incarnation: number }
  /** A pod requests its image. */
  | { readonly kind: 'asks'; readonly incarnation: number; readonly ask: number; readonly pod: AskingPod }
  | { readonly kind: 'gives up'; readonly ask: number }
  | { readonly kind: 'answer'; readonly ask: number; readonly imageRef: string }
  | { readonly kind: 'refusal'; readonly ask: number; readonly reason: string; readonly message: string }
  | {
      readonly kind: 'event';
      readonly incarnation: number;
      /** Its `fieldPath`, or else its kind and name. */
      readonly about: string;
      readonly text: string;
    }
  | {
      readonly kind: 'calls';
      readonly incarnation: number;
      readonly call: number;
      readonly verb: string;
      readonly args: readonly unknown[];
    }
  | {
      readonly kind: 'gets';
      readonly call: number;
      readonly verb: string;
      readonly args: readonly unknown[];
      readonly result: unknown;
    }
  | { readonly kind: 'gets error'; readonly call: number; readonly text: string }
  /** A change of the images on the machine. */
  | { readonly kind: 'there' | 'gone'; readonly image: cri.Image }
  | { readonly kind: 'container' | 'no container'; readonly container: cri.Container }
  | {
      readonly kind: 'collects';
      readonly incarnation: number;
      readonly run: number;
      readonly call: 'garbageCollect' | 'deleteUnusedImages';
    }
  | { readonly kind: 'collected'; readonly run: number; readonly error?: string }
  | { readonly kind: 'end' };

/** A pod that requests the image of a container, which is its `image` here. */
export interface AskingPod extends PodPlan {
  readonly uid: string;
  /** The name of the container. @defaultValue main */
  readonly container?: string;
  /** Whether one of its secrets cannot be read at the time of the request. @defaultValue false */
  readonly isUnreadable?: boolean;
}

/** The record of one run. */
export interface ImagesHistory {
  readonly entries: readonly HistoryEntry[];
  readonly scenario: ImagesScenario;
  readonly hash: string;
  timeline(): readonly string[];
}
