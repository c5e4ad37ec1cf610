import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../api/objects.ts';
import { changesBetween } from './changes.ts';

const object = (fields: object): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', uid: '1' },
    ...fields,
  }) as unknown as KubeObject;

describe('The changes of a write', () => {
  it('are its fields, by their paths', () => {
    const [before, after] = [object({ spec: { replicas: 3 } }), object({ spec: { replicas: 5 } })];
    expect(changesBetween(before, after)).toEqual([{ path: 'spec.replicas', from: '3', to: '5' }]);
  });

  it('name the items of a list by name or type, wherever they stand', () => {
    const ready = (status: string) => [
      { type: 'Ready', status },
      { type: 'Initialized', status: 'True' },
    ];
    const [before, after] = [
      object({ status: { conditions: ready('False') } }),
      object({ status: { conditions: ready('True').reverse() } }),
    ];
    expect(changesBetween(before, after)).toEqual([
      { path: 'status.conditions[Ready].status', from: '"False"', to: '"True"' },
    ]);
  });

  it('name the endpoints of a slice by their pods', () => {
    const slice = (ready: boolean) =>
      object({
        endpoints: [{ addresses: ['10.0.0.1'], conditions: { ready }, targetRef: { name: 'web-1' } }],
      });
    expect(changesBetween(slice(false), slice(true))).toEqual([
      { path: 'endpoints[web-1].conditions.ready', from: 'false', to: 'true' },
    ]);
  });

  it('compare the items of a list by position if they have neither name nor type', () => {
    const [before, after] = [
      object({ spec: { args: ['a', 'b'] } }),
      object({ spec: { args: ['a', 'c', 'd'] } }),
    ];
    expect(changesBetween(before, after)).toEqual([
      { path: 'spec.args[1]', from: '"b"', to: '"c"' },
      { path: 'spec.args[2]', to: '"d"' },
    ]);
  });

  it('have no value before for a new field, and none after for a removed one', () => {
    const [before, after] = [object({ spec: { a: 1 } }), object({ spec: { b: 2 } })];
    expect(changesBetween(before, after)).toEqual([
      { path: 'spec.a', from: '1' },
      { path: 'spec.b', to: '2' },
    ]);
  });

  it('write keys with dots in brackets', () => {
    const [before, after] = [
      object({}),
      object({ metadata: { name: 'web', uid: '1', labels: { 'app.kubernetes.io/name': 'web' } } }),
    ];
    expect(changesBetween(before, after)).toEqual([
      { path: 'metadata.labels', to: '{"app.kubernetes.io/name":"web"}' },
    ]);
    const other = object({ metadata: { name: 'web', uid: '1', labels: { 'app.kubernetes.io/name': 'db' } } });
    expect(changesBetween(after, other)).toEqual([
      { path: 'metadata.labels[app.kubernetes.io/name]', from: '"web"', to: '"db"' },
    ]);
  });

  it('leave out the version, and the owners of fields', () => {
    const version = (resourceVersion: string) =>
      object({
        metadata: { name: 'web', uid: '1', resourceVersion, managedFields: [{ time: resourceVersion }] },
      });
    expect(changesBetween(version('1'), version('2'))).toEqual([]);
  });

  it('list the fields of a new object', () => {
    expect(changesBetween(undefined, object({ spec: { replicas: 3 } })).map(({ path }) => path)).toEqual([
      'metadata.name',
      'metadata.uid',
      'spec.replicas',
    ]);
  });

  it('shorten long values', () => {
    const [change] = changesBetween(object({ spec: { a: '' } }), object({ spec: { a: 'x'.repeat(1_000) } }));
    expect(change?.to).toHaveLength(160);
  });
});
