/**
 * The reference store: a key-value store like etcd, and the objects of an apiserver in it.
 *
 * Upstream: etcd-io/etcd@v3.6.0 server/storage/mvcc; kubernetes/apiserver@v0.36.3 pkg/storage
 */
export { newKeyValueStore } from './key-value-store.ts';
