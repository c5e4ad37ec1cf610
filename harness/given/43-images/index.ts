/** `#given/43-images`: the parts of the harness that only this kata uses. */
export { assembleImageManager } from '../../kubelet/images/assemble-image-manager.ts';
export {
  type Credential,
  credentialHash,
  type DockerConfigEntry,
  dockerConfigOf,
  parseDockerConfig,
} from '../../kubelet/images/docker-config.ts';
export { errorText } from '../../kubelet/images/error-text.ts';
export { freeDiskSpaceFailed, usagePercent } from '../../kubelet/images/free-disk-space.ts';
export { imageMessages } from '../../kubelet/images/image-messages.ts';
export type {
  ImageCollectorOptions,
  ImageEnsurerOptions,
  ImageName,
  ImageRecord,
  KeyringEntry,
  PulledImage,
  PullManagerOptions,
  PullPolicy,
  PullRequest,
  PullWaits,
} from '../../kubelet/images/image-parts.ts';
export { pullError } from '../../kubelet/images/pull-error.ts';
export { PullLimiter } from '../../kubelet/images/pull-limiter.ts';
export {
  type ImagePullCredentials,
  type ImagePulledRecord,
  type ImagePullSecret,
  PullRecordStore,
} from '../../kubelet/images/pull-record-store.ts';
export { type PullRecords, trusting } from '../../kubelet/images/pull-records.ts';
export { orAborted, type Puller } from '../../kubelet/images/puller.ts';
