import { describe, expect, test } from 'vitest';
import { Simulation } from '../../sim/index.ts';
import { CallFailure, type Hook, reviewIn, sendInTime } from './webhook-calls.ts';

describe('The answer of a webhook', () => {
  test.each([
    ['<html>', 'string'],
    [[], 'array'],
    [7, 'number'],
    [true, 'bool'],
  ])('%o is no review, in the words of Go', (answer, type) => {
    expect(() => reviewIn(answer)).toThrow(
      new CallFailure(
        `failed to call webhook: couldn't get version/kind; json parse error: json: cannot unmarshal ${type} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
      ),
    );
  });

  test('null is a review without fields', () => {
    expect(reviewIn(null)).toEqual({});
    expect(reviewIn({ kind: null, response: null })).toEqual({});
  });

  test('with a field of another type is refused', () => {
    expect(() => reviewIn({ response: { allowed: 'yes' } })).toThrow('response.allowed is not a boolean');
    expect(() => reviewIn({ response: { warnings: {} } })).toThrow('response.warnings is not a list');
  });
});

test('A review without time left is not sent', async () => {
  const { clock } = new Simulation();
  const sent: unknown[] = [];
  const webhooks = { send: async (...call: readonly unknown[]) => void sent.push(call) };
  const hook = { clientConfig: { url: 'https://hooks.example.com' } } as Hook;
  const review = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' } as const;
  const call = (timeoutMs: number) => sendInTime(hook, review, timeoutMs, { clock, webhooks });
  await expect(call(0)).rejects.toEqual(new CallFailure('failed to call webhook: context deadline exceeded'));
  expect(sent).toEqual([]);
  await call(1);
  expect(sent).toHaveLength(1);
});
