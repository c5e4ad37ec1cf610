import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deployments, type Resource } from '../api/resource.ts';
import { StatusError } from '../api/status.ts';
import { manifests } from './decode.manifests.ts';
import { type DecodeOptions, decode } from './decode.ts';

const ignore: DecodeOptions = { fieldValidation: 'Ignore' };
const strict: DecodeOptions = { fieldValidation: 'Strict' };

const trusting = (trusted: WeakSet<object>): DecodeOptions => ({
  ...strict,
  isTrusted: (it) => trusted.has(it),
});

describe('Trust', () => {
  test('accepts objects that the server created', () => {
    const spec = Object.freeze({ replicas: 'never looked at' });
    const value = { metadata: { name: 'a' }, spec };
    expect(decode(deployments as Resource, value, trusting(new WeakSet([spec]))).object).toHaveProperty(
      'spec',
      spec,
    );
    expect(() => decode(deployments, { spec: { ...spec } }, trusting(new WeakSet([spec])))).toThrow(
      'replicas',
    );
  });

  test('does not extend to an object of the wrong kind', () => {
    const pod = { kind: 'Pod', apiVersion: 'v1', metadata: { name: 'a' } };
    expect(() => decode(deployments, pod, trusting(new WeakSet([pod])))).toThrow('handled as a Deployment');
  });

  test('does not extend from a part to the whole', () => {
    const spec = Object.freeze({ replicas: 3, selector: {}, template: {} });
    expect(() => decode(deployments, spec, trusting(new WeakSet([spec])))).toThrow(
      'unknown field "replicas"',
    );
  });

  test('checks only the changed parts', () => {
    const trusted = new WeakSet<object>();
    const [, , manifest] = manifests[0] ?? [];
    const { object } = decode(deployments, manifest, strict);
    for (const part of partsOf(object)) trusted.add(part);
    let asked = 0;
    const options: DecodeOptions = { ...strict, isTrusted: (it) => ++asked > 0 && trusted.has(it) };
    const changed = decode(deployments, { ...object, status: { observedGeneration: 2 } }, options);
    expect(changed.object.spec).toBe(object.spec);
    // The root, metadata, spec and status.
    expect(asked).toBe(4);
  });
});

describe('Laws', () => {
  /** Manifests with some values replaced, removed or added: some are invalid, others have unknown fields. */
  const mangled = fc
    .record({
      manifest: fc.constantFrom(...manifests),
      where: fc.array(fc.nat(), { minLength: 1, maxLength: 8 }),
      value: fc.oneof(fc.constant(null), fc.jsonValue({ maxDepth: 2 })),
    })
    .map(({ manifest: [, resource, manifest], where, value }) => ({
      resource,
      value: replaced(manifest, where, value),
    }));

  test('a second decoding changes nothing, and returns the same object if it is trusted', () => {
    let decoded = 0;
    fc.assert(
      fc.property(mangled, ({ resource, value }) => {
        const first = decodedOrRefused(resource, value);
        if (first === undefined) return;
        decoded++;
        expect(decode(resource, first, strict)).toEqual({ object: first, warnings: [] });
        const trusted = new WeakSet<object>([first]);
        expect(decode(resource, first, trusting(trusted)).object).toBe(first);
      }),
    );
    const { numRuns = 100 } = fc.readConfigureGlobal();
    expect(decoded).toBeGreaterThan(numRuns / 5);
  });

  test('the input does not change, and the result shares nothing with it', () => {
    fc.assert(
      fc.property(mangled, ({ resource, value }) => {
        const before = JSON.stringify(value);
        const parts = new Set(partsOf(value));
        for (const part of parts) Object.freeze(part);
        const object = decodedOrRefused(resource, value);
        expect(JSON.stringify(value)).toBe(before);
        expect(partsOf(object).filter((part) => parts.has(part))).toEqual([]);
      }),
    );
  });
});

function decodedOrRefused(resource: Resource, value: unknown): object | undefined {
  try {
    return decode(resource, value, ignore).object;
  } catch (error) {
    if (error instanceof StatusError && error.code === 400) return undefined;
    throw error;
  }
}

/** Returns every object and list in a value, including the value itself. */
function partsOf(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value, ...Object.values(value).flatMap(partsOf)];
}

/** Returns a copy of a value in which the part at this path is replaced. */
function replaced(value: unknown, [turn, ...rest]: readonly number[], by: unknown): unknown {
  if (turn === undefined || typeof value !== 'object' || value === null) return structuredClone(by);
  if (Array.isArray(value)) {
    return value.map((item, index) =>
      index === turn % value.length ? replaced(item, rest, by) : structuredClone(item),
    );
  }
  const keys = Object.keys(value);
  const chosen = keys[turn % keys.length];
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      key === chosen ? replaced(item, rest, by) : structuredClone(item),
    ]),
  );
}
