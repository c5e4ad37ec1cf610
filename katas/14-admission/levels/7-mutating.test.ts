import { describe, expect, test } from 'vitest';
import { type Hook, Reinvocation } from '#given/14-admission';
import type { KubeObject } from '#harness';
import { mutateByWebhooks, newChain } from '#kata/14-admission/admission';
import {
  answering,
  attributes,
  hook,
  labelling,
  pod,
  type Scripts,
  START_MS,
  scripted,
  TestApiserver,
} from './context.fixture.ts';

/** Calls the webhooks in one run, and returns the outcome and the names of the called webhooks. */
async function mutate(
  hooks: readonly Hook[],
  scripts: Scripts,
  { request = attributes({ object: pod() }), reinvocation = new Reinvocation() } = {},
) {
  const webhooks = scripted((name) => scripts[name] ?? answering({ allowed: true }));
  const server = new TestApiserver({ webhooks });
  const outcome = await server.outcome(() => mutateByWebhooks(hooks, request, reinvocation, server.context));
  return { ...outcome, called: webhooks.called, sent: webhooks.sent, reinvocation, request };
}

const named = (name: string, rest: Partial<Hook> = {}): Hook =>
  hook({ name, uid: `config/${name}/0`, ...rest });
const labelsOf = (object: KubeObject | undefined) => object?.metadata.labels;

describe('Level 7 · Mutating webhooks', () => {
  test('Without a patch the object stays the same', async () => {
    const object = pod();
    const { value, reinvocation } = await mutate([named('a')], {}, { request: attributes({ object }) });
    expect(value).toBe(object);
    expect(reinvocation.needed).toBe(false);
  });

  test('Webhooks are called one after the other, each with the result of the one before', async () => {
    const { value, sent } = await mutate([named('a'), named('b')], {
      a: labelling('a', '1'),
      b: labelling('b', '2'),
    });
    expect(labelsOf(value)).toEqual({ a: '1', b: '2' });
    expect(sent.map(({ review }) => labelsOf(review.request?.object as KubeObject))).toEqual([
      {},
      { a: '1' },
    ]);
  });

  test('After each patch the object gets its defaults', async () => {
    const webhooks = scripted((name) => (name === 'a' ? labelling('a', '1') : answering({ allowed: true })));
    const server = new TestApiserver({ webhooks });
    const context = {
      ...server.context,
      setDefaults: <T>(_: unknown, object: T): T => ({ ...object, spec: { restartPolicy: 'Always' } }) as T,
    };
    await server.outcome(() =>
      mutateByWebhooks([named('a'), named('b')], attributes({ object: pod() }), new Reinvocation(), context),
    );
    const [, second] = webhooks.sent;
    expect(second?.review.request?.object).toMatchObject({ spec: { restartPolicy: 'Always' } });
  });

  test('A refusal ends the run', async () => {
    const { error, called } = await mutate([named('a'), named('b')], { a: answering({ allowed: false }) });
    expect([error?.code, called]).toEqual([400, ['a']]);
  });

  test('A failed call ends the run if the webhook must not fail', async () => {
    const { error, called } = await mutate([named('a'), named('b')], { a: { fails: 'no route to host' } });
    expect(called).toEqual(['a']);
    expect(error).toMatchObject({
      code: 500,
      message:
        'Internal error occurred: failed calling webhook "a": failed to call webhook: no route to host',
    });
  });

  test('A failed call of a webhook that may fail is recorded for the audit log', async () => {
    const other = named('other', { rules: [] });
    const hooks = [other, named('a', { failurePolicy: 'Ignore' }), named('b')];
    const { called, request } = await mutate(hooks, { a: { fails: 'no route to host' } });
    expect(called).toEqual(['a', 'b']);
    expect(request.annotations).toEqual({
      'failed-open.mutation.webhook.admission.k8s.io/round_0_index_1': 'a',
    });
  });

  test('A patch counts also if its value means the same as before', async () => {
    const cpu = (amount: string) => ({ containers: [{ resources: { requests: { cpu: amount } } }] });
    const operation = { op: 'replace', path: '/spec', value: cpu('1000m') };
    const patch = btoa(JSON.stringify([operation]));
    const { value, reinvocation } = await mutate(
      [named('a')],
      { a: answering({ allowed: true, patch, patchType: 'JSONPatch' }) },
      { request: attributes({ object: pod(cpu('1')) }) },
    );
    expect(value).toMatchObject({ spec: cpu('1000m') });
    expect(reinvocation.needed).toBe(false);
  });

  test('A patch that does not fit is a 500, also if the webhook may fail', async () => {
    const patch = answering({
      allowed: true,
      patch: btoa('[{"op":"add","path":"/x/y","value":1}]'),
      patchType: 'JSONPatch',
    });
    const { error } = await mutate([named('a', { failurePolicy: 'Ignore' })], { a: patch });
    expect(error?.code).toBe(500);
  });

  test('A patch that cannot be read is a failed call', async () => {
    const patch = answering({ allowed: true, patch: btoa('nonsense'), patchType: 'JSONPatch' });
    expect((await mutate([named('a', { failurePolicy: 'Ignore' })], { a: patch })).error).toBeUndefined();
    expect((await mutate([named('a')], { a: patch })).error?.message).toMatch(/received undecodable patch/);
  });

  test('A delete has no object to patch', async () => {
    const request = attributes({ operation: 'DELETE', oldObject: pod(), name: 'p' });
    const { error } = await mutate([named('a')], { a: labelling('a', '1') }, { request });
    expect(error?.message).toBe(
      'Internal error occurred: admission webhook "a" attempted to modify the object, which is not supported for this operation',
    );
  });

  test('Webhooks that hang do not hold a request beyond its deadline', async () => {
    const hooks = ['a', 'b', 'c'].map((name) => named(name, { failurePolicy: 'Ignore', timeoutSeconds: 10 }));
    const hangs = { hangs: true };
    const request = attributes({ object: pod(), deadlineMs: START_MS + 15_000 });
    const { error, afterMs, called } = await mutate(hooks, { a: hangs, b: hangs, c: hangs }, { request });
    expect([error?.code, error?.message, afterMs, called]).toEqual([
      504,
      'Timeout: request did not complete within requested timeout',
      15_000,
      ['a', 'b'],
    ]);
  });

  describe('Reinvocation', () => {
    /** Runs the webhooks behind a plugin that sets the label `plugin` in each run. */
    async function chain(
      hooks: readonly Hook[],
      scripts: Scripts,
      plugin?: (runs: number) => string | undefined,
    ) {
      const webhooks = scripted((name) => scripts[name] ?? answering({ allowed: true }));
      const server = new TestApiserver({ webhooks });
      let runs = 0;
      const admission = newChain([
        {
          name: 'plugin',
          operations: ['CREATE'],
          async admit({ object }) {
            const value = plugin?.(++runs);
            if (!object || value === undefined) return object;
            const labels = { ...object.metadata.labels, plugin: value };
            return { ...object, metadata: { ...object.metadata, labels } };
          },
        },
        {
          name: 'webhooks',
          operations: ['CREATE'],
          admit: (request, reinvocation) => mutateByWebhooks(hooks, request, reinvocation, server.context),
        },
      ]);
      const request = attributes({ object: pod() });
      const outcome = await server.outcome(() => admission.admit(request));
      return { ...outcome, called: webhooks.called, annotations: request.annotations };
    }

    const ifNeeded = { reinvocationPolicy: 'IfNeeded' };

    test('A webhook is called again if a later one has changed the object', async () => {
      const hooks = [named('a', ifNeeded), named('b')];
      expect((await chain(hooks, { b: labelling('b', '1') })).called).toEqual(['a', 'b', 'a']);
    });

    test('A webhook is not called again for its own change', async () => {
      const hooks = [named('a'), named('b', ifNeeded)];
      expect((await chain(hooks, { b: labelling('b', '1') })).called).toEqual(['a', 'b']);
    });

    test('A failed call that was ignored counts as a call, and is recorded with its run', async () => {
      const hooks = [named('a', { ...ifNeeded, failurePolicy: 'Ignore' }), named('b')];
      const scripts = { a: { fails: 'no route to host' }, b: labelling('b', '1') };
      const { called, annotations } = await chain(hooks, scripts);
      expect(called).toEqual(['a', 'b', 'a']);
      expect(annotations).toEqual({
        'failed-open.mutation.webhook.admission.k8s.io/round_0_index_0': 'a',
        'failed-open.mutation.webhook.admission.k8s.io/round_1_index_0': 'a',
      });
    });

    test('Only webhooks with the policy IfNeeded are called again', async () => {
      const hooks = [named('a'), named('b', { reinvocationPolicy: 'Never' }), named('c')];
      expect((await chain(hooks, { c: labelling('c', '1') })).called).toEqual(['a', 'b', 'c']);
    });

    test('A patch without an effect does not count as a change', async () => {
      const hooks = [named('a', ifNeeded), named('b'), named('c')];
      const scripts = { b: labelling('b', '1'), c: labelling('b', '1') };
      expect((await chain(hooks.slice(0, 1), {})).called).toEqual(['a']);
      expect((await chain([named('b'), named('a', ifNeeded), named('c')], scripts)).called).toEqual([
        'b',
        'a',
        'c',
      ]);
    });

    test('A webhook that did not match in the first run is not called in the second', async () => {
      const late = named('a', { ...ifNeeded, objectSelector: { matchLabels: { b: '1' } } });
      expect((await chain([late, named('b')], { b: labelling('b', '1') })).called).toEqual(['b']);
    });

    test('If a plugin changes the object in the second run, all webhooks with IfNeeded are called again', async () => {
      const hooks = [named('a'), named('b', ifNeeded)];
      const plugin = (runs: number) => `${runs}`;
      expect((await chain(hooks, { a: labelling('a', '1') }, plugin)).called).toEqual(['a', 'b', 'b']);
    });

    test('The chain stops after its second run, although that run changes the object', async () => {
      const hooks = [named('a', ifNeeded), named('b', ifNeeded)];
      let count = 0;
      const scripts = {
        get a() {
          return labelling('count', `${++count}`);
        },
        get b() {
          return labelling('count', `${++count}`);
        },
      };
      expect((await chain(hooks, scripts)).called).toEqual(['a', 'b', 'a', 'b']);
    });
  });
});
