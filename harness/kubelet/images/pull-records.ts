import type * as cri from '../../contracts/node/cri/index.ts';
import type { Credential } from './docker-config.ts';

/** Decides whether a pod may use an image that is there, by what is known of its pulls. `image` is the name as the pod has it. */
export interface PullRecords {
  /**
   * Must the pod pull the image, though it is there?
   *
   * @param credentials asked for only if they matter
   * @throws ImageError when they cannot be read
   */
  mustAttemptPull(
    image: string,
    present: cri.Image,
    credentials: () => readonly Credential[],
  ): Promise<boolean>;
  /** A pull is about to begin. @throws ImageError when that cannot be written down */
  intend(image: string): Promise<void>;
  /** It succeeded, with this credential, or anonymously. Never rejects. @param id of the image: `cri.Image.id` */
  pulled(image: string, id: string, credential: Credential | undefined): Promise<void>;
  /**
   * It failed. Never rejects.
   *
   * @param how `givenUp`: the pod went while it was being pulled, and the runtime may have gone on with it. For a pull that had not
   * begun, either is right
   */
  failed(image: string, how: { readonly givenUp: boolean }): Promise<void>;
  /** Forgets images that are not there, and were not pulled since. Never rejects. @param present ids. @param sinceMs when the collection began */
  prune(present: readonly string[], sinceMs: number): Promise<void>;
}

/** Records of a kubelet that verifies no credentials: each pod may use an image that is there. */
export const trusting: PullRecords = {
  mustAttemptPull: async () => false,
  intend: async () => {},
  pulled: async () => {},
  failed: async () => {},
  prune: async () => {},
};
