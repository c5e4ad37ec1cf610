import { describe, expect, test } from 'vitest';
import { type JsonObject, LAST_APPLIED, type Manifest } from '#given/11-apply';
import { named, ruleFor, vectors } from '#harness/testing';
import { type Plan, planApply, withoutNulls } from '#kata/11-apply/apply';
import { configMap, customTarget, liveOf, targetOf } from './objects.fixture.ts';

const TEXT =
  '{"apiVersion":"v1","data":{"a":"1"},"kind":"ConfigMap","metadata":{"annotations":{},"name":"web","namespace":"default"}}\n';

const bodyOf = (plan: Plan): JsonObject | undefined =>
  plan.action === 'patch' ? plan.patch.body : undefined;

describe('Level 6 · The plan', () => {
  test('creates an object that the server lacks, with the annotation', async () => {
    const plan = planApply(await targetOf(configMap({ a: '1' })), undefined);
    expect(plan, 'without a live object').toEqual({
      action: 'create',
      object: configMap({ a: '1' }, { annotations: { [LAST_APPLIED]: TEXT } }),
      warnings: [],
    });
  });

  test('creates without nulls, but keeps them in the annotation', async () => {
    const plan = planApply(await targetOf(configMap({ a: '1', b: null })), undefined);
    const object = (plan.action === 'create' ? plan.object : undefined) as Manifest;
    expect(object.data, 'data of the object to create, from {a: "1", b: null}').toEqual({ a: '1' });
    expect(
      (object.metadata.annotations as JsonObject)[LAST_APPLIED],
      'the annotation: it has the manifest as it was written',
    ).toContain('"data":{"a":"1","b":null}');
  });

  test.each(
    named(
      vectors<{ manifest: Manifest }, { created: JsonObject }>(
        'apply-flow',
        'lastApplied',
        1,
        ({ expect: wanted }) => 'created' in (wanted as object),
      ),
    ),
  )('creates as upstream: %s', (_, { input, expect: wanted }) => {
    expect(withoutNulls(input.manifest), ruleFor('the object to create', input)).toMatchObject(
      wanted.created,
    );
  });

  test.each([
    ['at any depth', { a: { b: null, c: 1 } }, { a: { c: 1 } }],
    ['in objects inside lists', { a: [{ b: null }] }, { a: [{}] }],
    ['but not as items of lists', { a: [null, 1] }, { a: [null, 1] }],
  ])('leaves out nulls %s', (_, value, wanted) => {
    expect(withoutNulls(value), `withoutNulls of ${JSON.stringify(value)}`).toEqual(wanted);
  });

  test('does nothing if the server has everything', async () => {
    const live = liveOf(configMap({ a: '1' }), TEXT);
    expect(planApply(await targetOf(configMap({ a: '1' })), live), 'the same manifest again').toEqual({
      action: 'nothing',
      warnings: [],
    });
  });

  test('does nothing about fields that the server or another client added', async () => {
    const live = liveOf(configMap({ a: '1', x: '2' }), TEXT, { labels: { x: 'y' }, finalizers: ['f'] });
    expect(planApply(await targetOf(configMap({ a: '1' })), live).action, 'the same manifest again').toBe(
      'nothing',
    );
  });

  test('patches what has changed, and the annotation', async () => {
    const live = liveOf(configMap({ a: '1' }), TEXT);
    const plan = planApply(await targetOf(configMap({ b: '2' })), live);
    expect(plan.action === 'patch' && plan.patch, 'data was {a: "1"}, and is {b: "2"}').toEqual({
      type: 'strategic',
      body: {
        data: { a: null, b: '2' },
        metadata: { annotations: { [LAST_APPLIED]: TEXT.replace('"a":"1"', '"b":"2"') } },
      },
    });
  });

  test('corrects a field that another client has changed, without a new annotation', async () => {
    const live = liveOf(configMap({ a: '9' }), TEXT);
    expect(bodyOf(planApply(await targetOf(configMap({ a: '1' })), live)), 'the body of the patch').toEqual({
      data: { a: '1' },
    });
  });

  test('patches a custom resource by a JSON merge patch', async () => {
    const target = await customTarget({ list: [{ name: 'b' }] });
    const before = await customTarget({ list: [{ name: 'a' }], old: 1 });
    const live = liveOf(before.manifest, JSON.stringify(before.manifest));
    const plan = planApply(target, live);
    expect(plan.action === 'patch' && plan.patch.type, 'the type of the patch: the kind has no schema').toBe(
      'merge',
    );
    expect(bodyOf(plan)?.spec, 'the spec in the patch: a list is one value, and old is gone').toEqual({
      list: [{ name: 'b' }],
      old: null,
    });
  });

  test('warns about an object without the annotation, and deletes nothing', async () => {
    const live = liveOf(configMap({ a: '1', x: '1' }), undefined);
    const plan = planApply(await targetOf(configMap({ a: '1' })), live);
    expect(plan.warnings, 'the warnings').toEqual([
      'resource configmaps/web is missing the kubectl.kubernetes.io/last-applied-configuration annotation which is required by kubectl apply. kubectl apply should only be used on resources created declaratively by either kubectl create --save-config or kubectl apply. The missing annotation will be patched automatically.',
    ]);
    expect(bodyOf(plan), 'the patch: nothing says that x was ever applied').toEqual({
      metadata: { annotations: { [LAST_APPLIED]: TEXT } },
    });
  });

  test('does not warn about an empty annotation', async () => {
    const live = liveOf(configMap({ a: '1' }), '');
    expect(planApply(await targetOf(configMap({ a: '1' })), live).warnings, 'the warnings').toEqual([]);
  });
});
