/** What a kubelet remembers of pulls, so that presence alone gives no pod a private image. */
import type { cri } from '#harness';
import type { Credential } from './keyring.ts';

/** Decides whether a pod may use an image that is there, by what is known of its pulls. */
export interface PullRecords {
  /** Must the pod pull the image, though it is there? Its credentials are asked for only if they matter. */
  mustAttemptPull(
    image: string,
    present: cri.Image,
    credentials: () => readonly Credential[],
  ): Promise<boolean>;
  /** A pull is about to begin. @throws ImageError when that cannot be written down */
  intend(image: string): Promise<void>;
  /** It succeeded, with this credential, or as nobody in particular. Never rejects. */
  pulled(image: string, id: string, credential: Credential | undefined): Promise<void>;
  /** It failed. Never rejects. */
  failed(image: string): Promise<void>;
  /** Forgets images that are not there, and were not pulled since. Never rejects. */
  prune(present: readonly string[], sinceMs: number): Promise<void>;
}

/** Whoever asks may use what is there. Written already. */
export const trusting: PullRecords = {
  mustAttemptPull: async () => false,
  intend: async () => {},
  pulled: async () => {},
  failed: async () => {},
  prune: async () => {},
};
