import type { Components } from '../../contracts/component.ts';
import type { Fault } from '../../faults/index.ts';

/** A run as data: the same recipe gives the same run, to the byte. It is what the address of a page shares. */
export interface Recipe {
  /** Seed of all randomness. */
  readonly seed: number;
  /** Number of nodes. */
  readonly nodes: number;
  /** The actions of the user, oldest first. */
  readonly actions: readonly TimedAction[];
}

/** An action and its time. */
export type TimedAction = Action & {
  /**
   * Virtual ms since the cluster stood. The action follows everything that was due at this instant, and actions of one
   * instant follow each other in their order.
   */
  readonly atMs: number;
};

/** Something that a user does to a run. */
export type Action =
  /** Types a command that writes, or waits for time to pass. A command that only reads at once is not an action. */
  | {
      readonly do: 'kubectl';
      /** `scale deployment web --replicas=5` */
      readonly line: string;
      /** The manifest for `-f -`. */
      readonly manifest?: string;
    }
  /** Types a line into the interactive program of an earlier command. */
  | {
      readonly do: 'type';
      /** The position of that command's action among the actions of the recipe. */
      readonly into: number;
      /** One line; undefined for the end of the input (Ctrl-D). */
      readonly line?: string;
    }
  /** Interrupts an earlier command (Ctrl-C). */
  | { readonly do: 'interrupt'; readonly command: number }
  /** Injects a fault. */
  | { readonly do: 'fault'; readonly fault: Fault }
  /** Ends every lasting fault. */
  | { readonly do: 'heal' }
  /** Kills a process at once. It restarts with empty memory. */
  | { readonly do: 'kill'; readonly process: string; readonly restartAfterMs: number }
  /** Turns the machine of a node on again; the processes of the node start with it. */
  | { readonly do: 'power-on'; readonly node: string }
  /** Writes a file that fills the disk of a node up to this share, or removes it: 0. */
  | { readonly do: 'fill-disk'; readonly node: string; readonly percent: number }
  /** Sends one HTTP request to a Service, from a pod, a machine or the host `laptop` outside. */
  | { readonly do: 'request'; readonly from: string; readonly url: string }
  /** Replaces a part of the cluster, and restarts the processes that use it. */
  | {
      readonly do: 'use';
      readonly part: keyof Components;
      /** The reference, or the learner's file as it was when it was saved for the nth time in this page. */
      readonly version: 'reference' | number;
    };

/** The recipe of a page that nobody has touched. */
export const newRecipe: Recipe = { seed: 1, nodes: 3, actions: [] };
