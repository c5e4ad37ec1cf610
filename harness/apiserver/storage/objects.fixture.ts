import fc from 'fast-check';
import type { ConfigMap, KubeObject, ObjectKey } from '../../api/objects.ts';
import { configMaps, pods, type Resource } from '../../api/resource.ts';
import type { Storage } from './storage.ts';

/** Returns an object in the form in which the verbs pass it to the storage. */
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

/** A write to a storage, as a value. */
interface Write {
  readonly write: 'put' | 'delete';
  readonly resource: Resource;
  readonly namespace: string;
  readonly name: string;
  readonly data: string;
}

/** Generates writes to two resources, two namespaces and three names: so few that they collide. */
export const writes: fc.Arbitrary<Write> = fc.record({
  write: fc.constantFrom('put', 'put', 'delete'),
  resource: fc.constantFrom<Resource>(configMaps, configMaps, pods),
  namespace: fc.constantFrom('default', 'other'),
  name: fc.constantFrom('a', 'b', 'c'),
  data: fc.constantFrom('red', 'blue'),
});

/** Carries out a write if it is possible. Returns whether it did. */
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
