/** The laws of volumes, and the node that they look at. */
export {
  NODE,
  PLAIN_DRIVER,
  PROCESS,
  STAGING_DRIVER,
  VolumeNode,
  type VolumeNodeOptions,
} from './node.ts';
