import { describe, expect, test } from 'vitest';
import { mappingsOf } from '#given/11-apply';
import { configMaps, deployments, type KubeObject } from '#harness';
import { createCluster } from '#harness/testing';
import { apply } from '#kata/11-apply/apply';
import { config, deployment, outcomes, withCluster } from './cluster.fixture.ts';

describe('Level 8 · All objects', () => {
  test('applies the objects of all documents, in their order', () =>
    withCluster(async (run) => {
      const list = { apiVersion: 'v1', kind: 'List', items: [config('b'), config('c')] };
      const report = await run([config('a'), list]);
      expect(outcomes(report), 'the outcomes of a document, and of a list').toEqual([
        'a created',
        'b created',
        'c created',
      ]);
      expect(report.errors, 'the errors').toEqual([]);
    }));

  test('applies the same documents again without a change', () =>
    withCluster(async (run, admin) => {
      await run([config('a', { x: '1' }), deployment({ replicas: 2 })]);
      const before = await admin.get(deployments, { namespace: 'default', name: 'web' });
      expect(
        outcomes(await run([config('a', { x: '1' }), deployment({ replicas: 2 })])),
        'the second time',
      ).toEqual(['a unchanged', 'web unchanged']);
      const after = await admin.get(deployments, { namespace: 'default', name: 'web' });
      expect(after.metadata.resourceVersion, 'the version of the Deployment').toBe(
        before.metadata.resourceVersion,
      );
    }));

  test('removes what the manifest has lost, and keeps what others have added', () =>
    withCluster(async (run, admin) => {
      const key = { namespace: 'default', name: 'a' };
      await run([config('a', { x: '1', y: '1' })]);
      await admin.patch(configMaps, key, { type: 'merge', body: { data: { other: '1' } } });
      await run([config('a', { x: '2' })]);
      expect((await admin.get(configMaps, key)).data, 'data: y was applied, other was not').toEqual({
        x: '2',
        other: '1',
      });
    }));

  test('goes on after the error of a document, and after the error of an object', () =>
    withCluster(async (run) => {
      const report = await run([
        { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' } },
        config('NOT A NAME'),
        config('a'),
      ]);
      expect(outcomes(report), 'the outcomes').toEqual(['a created']);
      expect(
        report.errors.map(({ source }) => source),
        'the files of the errors',
      ).toEqual(['1.yaml', '2.yaml']);
      expect(report.errors[0]?.message, 'the first error').toBe(
        'resource mapping not found for name: "w" namespace: "" from "1.yaml": no matches for kind "Widget" in version "example.com/v1"\nensure CRDs are installed first',
      );
      expect(report.errors[1]?.message, 'the second error').toMatch(/^error when creating "2.yaml": /);
    }));

  test('reports the errors of documents first', () =>
    withCluster(async (run) => {
      const report = await run([
        config('NOT A NAME'),
        { kind: 'Widget', apiVersion: 'v9', metadata: { name: 'w' } },
      ]);
      expect(
        report.errors.map(({ source }) => source),
        'the files of the errors',
      ).toEqual(['2.yaml', '1.yaml']);
    }));

  test('reports a document that could not be parsed', async () => {
    await using cluster = await createCluster();
    const context = { client: cluster.admin, clock: cluster.clock, mappingOf: mappingsOf() };
    const documents = [
      { source: 'bad.yaml', error: 'error parsing bad.yaml' },
      { source: 'good.yaml', value: config('a') },
    ];
    const options = { namespace: { name: 'default', required: false } };
    const report = await apply(context, documents, options);
    expect(report.errors, 'the errors').toEqual([{ source: 'bad.yaml', message: 'error parsing bad.yaml' }]);
    expect(outcomes(report), 'the outcomes').toEqual(['a created']);
  });

  test('puts objects into the namespace, and refuses another one', () =>
    withCluster(async (run) => {
      const namespace = { name: 'default', required: true };
      const other = config('b', {}, { namespace: 'other' });
      const report = await run([config('a'), other], { namespace });
      expect(
        report.applied.map(({ key }) => key),
        'the keys',
      ).toEqual([{ namespace: 'default', name: 'a' }]);
      expect(
        report.errors.map(({ message }) => message),
        'the errors',
      ).toEqual([
        `the namespace from the provided object "other" does not match the namespace "default". You must pass '--namespace=other' to perform this operation.`,
      ]);
    }));

  test('applies an object of the cluster without a namespace', () =>
    withCluster(async (run) => {
      const namespace = { name: 'default', required: true };
      const report = await run([{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n' } }], {
        namespace,
      });
      expect(
        report.applied.map(({ key }) => key),
        'the key of a Namespace',
      ).toEqual([{ name: 'n' }]);
    }));

  test('fails without any object', () =>
    withCluster(async (run) => {
      expect((await run([null])).errors, 'the errors of an empty document').toEqual([
        { source: '', message: 'no objects passed to apply' },
      ]);
    }));

  test('gives each warning to its report', () =>
    withCluster(async (run, admin) => {
      await admin.create(configMaps, { metadata: { namespace: 'default', name: 'a' } });
      const report = await run([config('a'), config('b')]);
      expect(report.warnings, 'the warnings, if a was created without an apply').toHaveLength(1);
      expect(outcomes(report), 'the outcomes').toEqual(['a configured', 'b created']);
    }));

  test('replaces by force an object that cannot be patched', () =>
    withCluster(async (run, admin) => {
      const before = (await run([deployment({})])).applied[0]?.object as KubeObject;
      const labels = { app: 'other' };
      const template = { metadata: { labels }, spec: { containers: [{ name: 'nginx', image: 'nginx:1' }] } };
      const other = deployment({ selector: { matchLabels: labels }, template });
      expect((await run([other])).errors, 'the errors without force: a selector never changes').toHaveLength(
        1,
      );
      expect(outcomes(await run([other], { force: true })), 'the outcome with force').toEqual([
        'web configured',
      ]);
      const after = await admin.get(deployments, { namespace: 'default', name: 'web' });
      expect(after.metadata.uid, 'the uid: it is another object').not.toBe(before.metadata.uid);
    }));
});
