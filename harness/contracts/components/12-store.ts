import type { NewKeyValueStore } from '../store/index.ts';
import type { Part } from './part.ts';

/** Stores keys and their history on a disk; the etcd of a cluster. */
export const keyValueStore: Part<NewKeyValueStore> = {
  kata: '12-store',
  subject: 'newKeyValueStore',
};
