/** `#given/43-images`: the parts of the harness that only this kata uses. */
// The whole manager, from the parts of all levels.
export { assembleImageManager } from '../../kubelet/images/assemble-image-manager.ts';
// From Level 3 on: docker configs of secrets and of the node; `credentialHash` from Level 9 on.
export {
  type Credential,
  credentialHash,
  type DockerConfigEntry,
  dockerConfigOf,
  parseDockerConfig,
} from '../../kubelet/images/docker-config.ts';
// From Level 4 on: the text of an error.
export { errorText } from '../../kubelet/images/error-text.ts';
// Level 8: the usage of the disk.
export { freeDiskSpaceFailed, usagePercent } from '../../kubelet/images/free-disk-space.ts';
// From Level 6 on: messages of events and refusals.
export { imageMessages } from '../../kubelet/images/image-messages.ts';
// From Level 1 on: the types of the parts.
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
// Level 6: the refusal after a failed pull, and the rate limit.
export { pullError } from '../../kubelet/images/pull-error.ts';
export { PullLimiter } from '../../kubelet/images/pull-limiter.ts';
// Level 9: the records of pulls, and their files.
export {
  type ImagePullCredentials,
  type ImagePulledRecord,
  type ImagePullSecret,
  PullRecordStore,
} from '../../kubelet/images/pull-record-store.ts';
export { type PullRecords, trusting } from '../../kubelet/images/pull-records.ts';
// From Level 7 on: a puller, and a promise that an abort ends.
export { orAborted, type Puller } from '../../kubelet/images/puller.ts';
