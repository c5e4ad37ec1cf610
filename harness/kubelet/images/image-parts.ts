import type * as core from '#api/core/v1';
import type { EventRecorder } from '../../contracts/event-recorder.ts';
import type * as cri from '../../contracts/node/cri/index.ts';
import type { ImageConfiguration, ImageManagerOptions } from '../../contracts/node/image-manager.ts';
import type { Clock } from '../../sim/index.ts';
import type { Credential, DockerConfigEntry } from './docker-config.ts';
import type { PullLimiter } from './pull-limiter.ts';
import type { PullRecordStore } from './pull-record-store.ts';
import type { PullRecords } from './pull-records.ts';
import type { Puller } from './puller.ts';

/** What an image is called: where it is, and which of those that are there. */
export interface ImageName {
  /** With its registry: `docker.io/library/nginx`. */
  readonly repository: string;
  readonly tag?: string;
  readonly digest?: string;
}

/** When an image is pulled. */
export type PullPolicy = 'Always' | 'IfNotPresent' | 'Never';

/** An entry of a docker config, and the secret that it stands in. */
export interface KeyringEntry extends DockerConfigEntry {
  readonly secret?: core.Secret;
}

/** What to pull, and as whom. */
export interface PullRequest {
  readonly image: string;
  readonly credentials: readonly Credential[];
  /** For the runtime. */
  readonly sandboxConfig: cri.PodSandboxConfig;
  /** For the runtime. Aborted: nothing more is pulled. */
  readonly signal?: AbortSignal | undefined;
}

/** What was pulled, and the credential that did it; without one it was pulled anonymously. */
export interface PulledImage {
  readonly imageRef: string;
  readonly credential?: Credential;
}

/** How long each pod waits after a pull that failed. */
export interface PullWaits {
  /** What {@link failed} was told last, while the wait after it is not over. */
  blocked(key: string): { readonly why: string } | undefined;
  failed(key: string, why: string): void;
  forgetOld(): void;
}

/** What brings the image of a container works with. */
export interface ImageEnsurerOptions {
  readonly clock: Clock;
  readonly recorder: EventRecorder;
  readonly images: cri.ImageService;
  /** The node's own credentials. */
  readonly node: readonly DockerConfigEntry[];
  readonly backOff: PullWaits;
  /** All pulls go through it. */
  readonly puller: Puller;
  /** Each pull asks it first, when its turn has come. */
  readonly limiter: PullLimiter;
  readonly records: PullRecords;
}

/** What is known of an image that is there. */
export interface ImageRecord {
  readonly image: cri.Image;
  /** When it was seen for the first time by this process. */
  readonly firstDetectedMs: number;
  /** When a container was last seen to use it; 0: never. */
  readonly lastUsedMs: number;
}

/** What a garbage collector of images works with. */
export interface ImageCollectorOptions extends Pick<ImageManagerOptions, 'images' | 'runtime' | 'node'> {
  readonly clock: Clock;
  readonly recorder: EventRecorder;
  readonly configuration: ImageConfiguration;
  readonly records: PullRecords;
}

/** What keeps the records of pulls works with. */
export interface PullManagerOptions {
  readonly clock: Clock;
  /** What it writes down outlives it. */
  readonly store: PullRecordStore;
  readonly configuration: ImageConfiguration;
}
