import { describe, expect, test } from 'vitest';
import type { ConfigMap } from '../../api/objects.ts';
import { configMaps } from '../../api/resource.ts';
import { OBJECT_BYTES_MAX } from './space.ts';
import { Storage } from './storage.ts';

const configMap = (name: string, bytes: number): ConfigMap =>
  ({ metadata: { name, namespace: 'default' }, data: { text: 'x'.repeat(bytes) } }) as never;
const key = (name: string) => ({ name, namespace: 'default' });

const FULL = 'etcdserver: mvcc: database space exceeded';

describe('A storage with limits', () => {
  test('rejects an object that is too large', () => {
    const storage = new Storage({ objectBytesMax: OBJECT_BYTES_MAX, totalBytesMax: 10 * OBJECT_BYTES_MAX });
    const { metadata } = storage.create(configMaps, configMap('a', 1_570_000));
    const large = configMap('a', 1_573_000);
    expect(() => storage.update(configMaps, large, metadata.resourceVersion)).toThrow(
      'etcdserver: request is too large',
    );
    expect(storage.revision).toBe(1);
  });

  test('rejects writes when it is full, until objects are deleted and their history is compacted', () => {
    const storage = new Storage({ objectBytesMax: 10_000, totalBytesMax: 25_000 });
    const [a] = ['a', 'b'].map((name) => storage.create(configMaps, configMap(name, 9_000)));
    const write = () => storage.create(configMaps, configMap('c', 9_000));
    expect(write).toThrow(FULL);
    storage.delete(configMaps, key('a'), a?.metadata.resourceVersion ?? '');
    expect(write).toThrow(FULL);
    storage.compact(storage.revision);
    expect(write().metadata.name).toBe('c');
  });

  test('counts the earlier versions of an object until they are compacted', () => {
    const storage = new Storage({ objectBytesMax: 10_000, totalBytesMax: 25_000 });
    const write = () => {
      const { metadata } =
        storage.get(configMaps, key('a')) ?? storage.create(configMaps, configMap('a', 9_000));
      return storage.update(configMaps, configMap('a', 9_000), metadata.resourceVersion);
    };
    write();
    expect(write).toThrow(FULL);
    storage.compact(storage.revision);
    expect(write).not.toThrow();
  });

  test('has no limits by default', () => {
    expect(() => new Storage().create(configMaps, configMap('a', 2_000_000))).not.toThrow();
  });
});
