import type * as cri from '../../contracts/node/cri/index.ts';
import type { ImagesScenario, PodPlan } from './scenario.ts';

/** What happened, in its order. */
export type HistoryEntry = { readonly atMs: number } & Happening;

/** One thing that happened. `life` counts the kubelet's starts. */
export type Happening =
  | { readonly kind: 'starts' | 'dies'; readonly incarnation: number }
  /** A pod asks for its image. */
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
  | { readonly kind: 'hears'; readonly call: number; readonly result: unknown }
  | { readonly kind: 'hears error'; readonly call: number; readonly text: string }
  /** What is really on the machine. */
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

/** A pod that asks for the image of a container, which is its `image` here. */
export interface AskingPod extends PodPlan {
  readonly uid: string;
  /** The container that asks. @defaultValue main */
  readonly container?: string;
  /** One of its secrets cannot be read when it asks. @defaultValue false */
  readonly isUnreadable?: boolean;
}

/** What a life leaves behind. */
export interface ImagesHistory {
  readonly entries: readonly HistoryEntry[];
  readonly scenario: ImagesScenario;
  readonly hash: string;
  timeline(): readonly string[];
}
