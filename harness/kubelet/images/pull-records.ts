import type * as cri from '../../contracts/node/cri/index.ts';
import type { Credential } from './docker-config.ts';

/** Decides whether a pod may use an existing image, based on earlier pulls. `image` is the name as in the pod. */
export interface PullRecords {
  /**
   * Returns whether the pod must pull the image although it exists.
   *
   * @param credentials called only if they matter
   * @throws ImageError when the records cannot be read
   */
  mustAttemptPull(
    image: string,
    present: cri.Image,
    credentials: () => readonly Credential[],
  ): Promise<boolean>;
  /** Records the intent of a pull before it starts. @throws ImageError when the intent cannot be recorded */
  intend(image: string): Promise<void>;
  /**
   * Records a successful pull with this credential, or an anonymous one. Never rejects.
   *
   * @param id the image's ID: `cri.Image.id`
   */
  pulled(image: string, id: string, credential: Credential | undefined): Promise<void>;
  /**
   * Records a failed pull. Never rejects.
   *
   * @param how `givenUp`: the pod was deleted during the pull, and the runtime may have continued it. If the pull had
   * not begun, both values are correct
   */
  failed(image: string, how: { readonly givenUp: boolean }): Promise<void>;
  /**
   * Deletes the records of images that do not exist and were not pulled since. Never rejects.
   *
   * @param present IDs of the existing images
   * @param sinceMs start of the collection
   */
  prune(present: readonly string[], sinceMs: number): Promise<void>;
}

/** The records of a kubelet that verifies no credentials: every pod may use an existing image. */
export const trusting: PullRecords = {
  mustAttemptPull: async () => false,
  intend: async () => {},
  pulled: async () => {},
  failed: async () => {},
  prune: async () => {},
};
