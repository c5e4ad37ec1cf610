import { describe, expect, test } from 'vitest';
import type { Hook } from '#given/14-admission';
import { validateByWebhooks } from '#kata/14-admission/admission';
import {
  answering,
  attributes,
  hook,
  pod,
  type Scripts,
  START_MS,
  scripted,
  TestApiserver,
} from './context.fixture.ts';

async function validate(hooks: readonly Hook[], scripts: Scripts, request = attributes({ object: pod() })) {
  const webhooks = scripted((name) => scripts[name] ?? answering({ allowed: true }));
  const server = new TestApiserver({ webhooks });
  const outcome = await server.outcome(() => validateByWebhooks(hooks, request, server.context));
  return { ...outcome, called: webhooks.called, request };
}

const named = (name: string, rest: Partial<Hook> = {}): Hook =>
  hook({ name, uid: `config/${name}/0`, ...rest });
const denied = (message: string) => answering({ allowed: false, status: { message } });

describe('Level 8 · Validating webhooks', () => {
  test('A request that all webhooks allow goes on', async () => {
    const { error, called } = await validate([named('a'), named('b')], {});
    expect([error, called]).toEqual([undefined, ['a', 'b']]);
  });

  test('A webhook that does not match is not called', async () => {
    const other = named('b', { objectSelector: { matchLabels: { app: 'web' } } });
    expect((await validate([named('a'), other], {})).called).toEqual(['a']);
  });

  test('All matching webhooks are called, also after a refusal', async () => {
    const { error, called } = await validate([named('a'), named('b')], { a: denied('no') });
    expect([error?.message, called]).toEqual(['admission webhook "a" denied the request: no', ['a', 'b']]);
  });

  test('Webhooks are called at the same time', async () => {
    const hooks = ['a', 'b', 'c'].map((name) => named(name, { failurePolicy: 'Ignore', timeoutSeconds: 5 }));
    const hangs = { hangs: true };
    expect((await validate(hooks, { a: hangs, b: hangs, c: hangs })).afterMs).toBe(5_000);
  });

  test('The request waits for every webhook', async () => {
    const slow = { ...answering({ allowed: false, status: { message: 'slow' } }), afterMs: 3_000 };
    const { error, afterMs } = await validate([named('a'), named('b')], { a: slow });
    expect([error?.message, afterMs]).toEqual(['admission webhook "a" denied the request: slow', 3_000]);
  });

  test('The request waits for a slow webhook also after a refusal', async () => {
    const slow = { ...answering({ allowed: true }), afterMs: 3_000 };
    const { error, afterMs } = await validate([named('c'), named('d')], { c: denied('no'), d: slow });
    expect([error?.message, afterMs]).toEqual(['admission webhook "c" denied the request: no', 3_000]);
  });

  test('No webhook is called for a request whose namespace is missing', async () => {
    const selecting = named('b', { namespaceSelector: { matchLabels: { env: 'prod' } } });
    const { error, called } = await validate([named('a'), selecting], {});
    expect([error?.code, called]).toEqual([404, []]);
  });

  test('A failed call refuses the request, unless the webhook may fail', async () => {
    const fails = { fails: 'no route to host' };
    expect((await validate([named('a')], { a: fails })).error?.code).toBe(500);
    const { error, request } = await validate(
      [named('other', { rules: [] }), named('b'), named('a', { failurePolicy: 'Ignore' })],
      { a: fails },
    );
    expect([error, request.annotations]).toEqual([
      undefined,
      { 'failed-open.validating.webhook.admission.k8s.io/round_0_index_1': 'a' },
    ]);
  });

  test('A validating webhook may not patch', async () => {
    const patching = answering({ allowed: true, patch: btoa('[]'), patchType: 'JSONPatch' });
    expect((await validate([named('a')], { a: patching })).error?.message).toMatch(
      /validating webhook may not return response.patch/,
    );
  });

  test('A request without any time left calls no webhook', async () => {
    const request = attributes({ object: pod(), deadlineMs: START_MS });
    const { error, called } = await validate([named('a')], {}, request);
    expect([error?.code, called]).toEqual([504, []]);
    expect((await validate([], {}, request)).error).toBeUndefined();
  });
});
