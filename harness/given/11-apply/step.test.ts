import { describe, expect, test } from 'vitest';
import { createCluster } from '../../cluster/cluster.ts';
import type { ApplyContext, ApplyOptions } from '../../contracts/apply/index.ts';
import { mappingsOf } from './discovery.ts';
import type { Manifest } from './manifest-type.ts';
import { stepOf, targetOf } from './step.ts';

const options: ApplyOptions = { namespace: { name: 'default', required: false } };
const placeIn = (manifest: Manifest): Manifest => ({
  ...manifest,
  metadata: { ...manifest.metadata, namespace: 'default' },
});
const configMap = (metadata: object): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata,
  data: { a: '1' },
});

async function withTarget(
  value: object,
  act: (context: ApplyContext, target: Promise<Awaited<ReturnType<typeof targetOf>>>) => Promise<void>,
): Promise<void> {
  await using cluster = await createCluster();
  const context = { client: cluster.admin, clock: cluster.clock, mappingOf: mappingsOf() };
  await act(context, targetOf(context, { source: 'a.yaml', value: value as never }, options, placeIn));
}

describe('targetOf', () => {
  test('finds the resource, the key and the merge rules of an object', () =>
    withTarget(configMap({ name: 'a' }), async (_, finding) => {
      const { source, key, mapping } = await finding;
      expect({ source, key, plural: mapping.resource.plural }).toEqual({
        source: 'a.yaml',
        key: { namespace: 'default', name: 'a' },
        plural: 'configmaps',
      });
      expect(mapping.mergeSchema).toBeDefined();
    }));

  test.each([
    [
      { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w', namespace: 'n' } },
      'resource mapping not found for name: "w" namespace: "n" from "a.yaml": no matches for kind "Widget" in version "example.com/v1"\nensure CRDs are installed first',
    ],
    [configMap({ generateName: 'a-' }), 'from a-: cannot use generate name with apply'],
    [
      configMap({}),
      'error when retrieving current configuration of:\nResource: "/v1, Resource=configmaps", GroupVersionKind: "/v1, Kind=ConfigMap"\nName: "", Namespace: "default"\nfrom server for: "a.yaml": resource name may not be empty',
    ],
  ])('rejects %j', (value, message) =>
    withTarget(value, async (_, finding) => {
      await expect(finding).rejects.toThrow(message);
    }),
  );
});

describe('The requests of a step', () => {
  test.each([
    [undefined, true],
    ['client', false],
    ['server', false],
  ] as const)('write unless it is a dry run: %s', (dryRun, writes) =>
    withTarget(configMap({ name: 'a' }), async (context, finding) => {
      const target = await finding;
      const all = { ...options, ...(dryRun && { dryRun }) };
      const { requests } = stepOf(context, target, all, () => {});
      expect(await requests.find()).toBeUndefined();
      expect((await requests.create(target.manifest)).metadata.name).toBe('a');
      expect((await requests.find()) !== undefined).toBe(writes);
      if (!writes) await stepOf(context, target, options, () => {}).requests.create(target.manifest);
      const live = await requests.get();
      const patched = await requests.patch(live, { type: 'strategic', body: { data: { a: '2' } } });
      expect(patched).toMatchObject({ data: { a: '2' } });
      expect(await requests.get()).toMatchObject({ data: { a: writes ? '2' : '1' } });
      await requests.delete();
      expect((await requests.find()) === undefined).toBe(writes);
    }),
  );
});
