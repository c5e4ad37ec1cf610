import fc from 'fast-check';
import type { ConfigMap, KubeObject, ObjectKey } from '../../api/objects.ts';
import { configMaps, pods, type Resource } from '../../api/resource.ts';
import type { Storage } from './storage.ts';

/** An object as the verbs hand it to the storage. */
export function object(name: string, data = '', namespace = 'default'): ConfigMap {
  const metadata = {
    name,
    namespace,
    uid: name,
    resourceVersion: '',
    creationTimestamp: '',
    labels: { app: data },
  };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { data } };
}

/** Writes to a storage, as values, and what becomes of a storage by them. */
export interface Write {
  readonly write: 'put' | 'delete';
  readonly resource: Resource;
  readonly namespace: string;
  readonly name: string;
  readonly data: string;
}

/** Two resources, two namespaces, three names: so few that they meet. */
export const writes: fc.Arbitrary<Write> = fc.record({
  write: fc.constantFrom('put', 'put', 'delete'),
  resource: fc.constantFrom<Resource>(configMaps, configMaps, pods),
  namespace: fc.constantFrom('default', 'other'),
  name: fc.constantFrom('a', 'b', 'c'),
  data: fc.constantFrom('red', 'blue'),
});

/** Carries a write out, unless it makes no sense. Did it? */
export function apply(storage: Storage, { write, resource, namespace, name, data }: Write): boolean {
  const key: ObjectKey = { namespace, name };
  const current = storage.get(resource, key);
  if (write === 'delete') {
    if (!current) return false;
    storage.delete(resource, key, current.metadata.resourceVersion);
  } else if (current) {
    const { uid } = current.metadata;
    const next = object(name, data, namespace);
    const changed = { ...next, metadata: { ...next.metadata, uid } };
    storage.update<KubeObject>(resource, changed, current.metadata.resourceVersion);
  } else {
    storage.create<KubeObject>(resource, object(name, data, namespace));
  }
  return true;
}
