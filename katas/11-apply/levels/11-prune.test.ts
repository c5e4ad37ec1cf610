import { describe, expect, test } from 'vitest';
import { configMaps, namespaces } from '#harness';
import { optionalSteps, prune } from '#kata/11-apply/apply';
import { config, outcomes, withCluster } from './cluster.fixture.ts';

const labels = { part: 'web' };
const options = { prune: { selector: labels } };
const mine = (name: string, metadata: object = {}) => config(name, { x: '1' }, { labels, ...metadata });

describe('Level 11 ★ · Prune', () => {
  test('is part of an apply', () => {
    expect(optionalSteps, 'optionalSteps').toMatchObject({ prune });
  });

  test('deletes an object that was applied before, and is in no document now', () =>
    withCluster(async (run, admin) => {
      await run([mine('a'), mine('b')]);
      expect(outcomes(await run([mine('a')], options)), 'the outcomes').toEqual(['a unchanged', 'b pruned']);
      const { items } = await admin.list(configMaps, { namespace: 'default', labelSelector: 'part=web' });
      expect(
        items.map(({ metadata }) => metadata.name),
        'the ConfigMaps that are left',
      ).toEqual(['a']);
    }));

  test('leaves objects alone that no apply has created, and objects with other labels', () =>
    withCluster(async (run, admin) => {
      await run([config('other', {}, { labels: { part: 'db' } })]);
      await admin.create(configMaps, { metadata: { namespace: 'default', name: 'created', labels } });
      expect(outcomes(await run([mine('a')], options)), 'the outcomes').toEqual(['a created']);
    }));

  test('looks into each namespace of the documents, and into no other', () =>
    withCluster(async (run, admin) => {
      for (const name of ['n', 'm']) await admin.create(namespaces, { metadata: { name }, spec: {} });
      await run([
        mine('a'),
        mine('b', { namespace: 'n' }),
        mine('c', { namespace: 'n' }),
        mine('d', { namespace: 'm' }),
      ]);
      const report = await run([mine('a'), mine('b', { namespace: 'n' })], options);
      expect(outcomes(report), 'the outcomes: the documents have nothing in the namespace m').toEqual([
        'a unchanged',
        'b unchanged',
        'c pruned',
      ]);
    }));

  test('deletes nothing after an error', () =>
    withCluster(async (run) => {
      await run([mine('a'), mine('b')]);
      expect(outcomes(await run([mine('a'), mine('NOT A NAME')], options)), 'the outcomes').toEqual([
        'a unchanged',
      ]);
    }));

  test.each(['client', 'server'] as const)(
    'deletes nothing in a dry run of the %s, but reports it',
    (dryRun) =>
      withCluster(async (run, admin) => {
        await run([mine('a'), mine('b')]);
        expect(outcomes(await run([mine('a')], { ...options, dryRun })), 'the outcomes').toEqual([
          'a unchanged',
          'b pruned',
        ]);
        await admin.get(configMaps, { namespace: 'default', name: 'b' });
      }),
  );
});
