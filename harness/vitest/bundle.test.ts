import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import * as harness from '../index.ts';
import * as testing from '../testing/index.ts';
import { root } from '../workbook/sources.ts';
import { bundleHarness } from './bundle.ts';

const bundle = await bundleHarness(root);
const load = <T>(file: string): Promise<T> => import(/* @vite-ignore */ pathToFileURL(file).href);

test('The bundle has the exports of the entry points', async () => {
  expect(Object.keys(await load<object>(bundle.harness)).sort()).toEqual(Object.keys(harness).sort());
  expect(Object.keys(await load<object>(bundle.testing)).sort()).toEqual(Object.keys(testing).sort());
  const given = await import('../given/24-deployment/index.ts');
  expect(Object.keys(await load<object>(bundle.given['24-deployment'] ?? '')).sort()).toEqual(
    Object.keys(given).sort(),
  );
});

test('Both entry points share the same modules', async () => {
  const { todo, NotImplemented } = await load<typeof harness>(bundle.harness);
  const { createCluster } = await load<typeof testing>(bundle.testing);
  await using cluster = await createCluster();
  const process = cluster.run('stub', async () => todo('01-counter', 'count', 'Level 1'));
  await cluster.runFor(1);
  expect(process.failure).toBeInstanceOf(NotImplemented);
  // A conflict that the apiserver throws is recognized by code from the other entry point.
  const { isNotFound, pods } = await load<typeof harness>(bundle.harness);
  const missing = await cluster.admin
    .get(pods, { namespace: 'default', name: 'absent' })
    .catch((error) => error);
  expect(isNotFound(missing)).toBe(true);
});

test('A module in the bundle still finds the files next to its source', async () => {
  const { vectors } = await load<typeof testing>(bundle.testing);
  expect(vectors('informer', 'index', 6)).toHaveLength(6);
});

test('The bundle is built once', async () => expect(await bundleHarness(root)).toEqual(bundle));
