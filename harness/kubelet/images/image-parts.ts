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

/** A parsed image name: the repository, and its tag or digest. */
export interface ImageName {
  /** The repository with its registry: `docker.io/library/nginx`. */
  readonly repository: string;
  readonly tag?: string;
  readonly digest?: string;
}

/** The condition for pulling an image. */
export type PullPolicy = 'Always' | 'IfNotPresent' | 'Never';

/** An entry of a docker config, and the secret that contains it. */
export interface KeyringEntry extends DockerConfigEntry {
  readonly secret?: core.Secret;
}

/** An image to pull, and the credentials to try. */
export interface PullRequest {
  readonly image: string;
  readonly credentials: readonly Credential[];
  /** Passed to the runtime. */
  readonly sandboxConfig: cri.PodSandboxConfig;
  /** Passed to the runtime. After an abort, no further pull starts. */
  readonly signal?: AbortSignal | undefined;
}

/** A pulled image and the credential used; undefined after an anonymous pull. */
export interface PulledImage {
  readonly imageRef: string;
  readonly credential?: Credential;
}

/** The back-off of failed pulls, per pod and image. */
export interface PullWaits {
  /** Returns the error of the last failed pull while its back-off lasts. */
  blocked(key: string): { readonly why: string } | undefined;
  failed(key: string, why: string): void;
  forgetOld(): void;
}

/** Dependencies of the image ensurer. */
export interface ImageEnsurerOptions {
  readonly clock: Clock;
  readonly recorder: EventRecorder;
  readonly images: cri.ImageService;
  /** The node's own credentials. */
  readonly node: readonly DockerConfigEntry[];
  readonly backOff: PullWaits;
  /** Runs all pulls. */
  readonly puller: Puller;
  /** Limits the rate of pulls. Each pull takes a token when its turn has come. */
  readonly limiter: PullLimiter;
  readonly records: PullRecords;
}

/** The usage of an existing image. */
export interface ImageRecord {
  readonly image: cri.Image;
  /** The time when this process first saw the image. */
  readonly firstDetectedMs: number;
  /** The time when a container was last seen to use the image; 0 for never. */
  readonly lastUsedMs: number;
}

/** Dependencies of an image garbage collector. */
export interface ImageCollectorOptions extends Pick<ImageManagerOptions, 'images' | 'runtime' | 'node'> {
  readonly clock: Clock;
  readonly recorder: EventRecorder;
  readonly configuration: ImageConfiguration;
  readonly records: PullRecords;
}

/** Dependencies of a pull manager. */
export interface PullManagerOptions {
  readonly clock: Clock;
  /** Stores the records on disk, so that they survive a restart. */
  readonly store: PullRecordStore;
  readonly configuration: ImageConfiguration;
}
