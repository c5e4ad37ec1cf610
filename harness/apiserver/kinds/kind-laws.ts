import fc from 'fast-check';
import { deepEqual, deepFreeze } from '../../api/freeze.ts';
import type { KubeObject } from '../../api/objects.ts';
import type { Cause } from '../../api/status.ts';
import { decode } from '../decode.ts';
import type { Kind } from '../kind.ts';

/**
 * Checks the laws that hold for every kind on an object as a client may send it.
 *
 * - Frugal: a function without a change to make returns its argument itself, so setting defaults is idempotent.
 * - Canonical: a stored object decodes to itself.
 * - Sharing: unchanged subtrees are shared with the argument.
 * - Pure: no function changes its argument (it is deeply frozen, and an attempt throws).
 * - Total: validation accepts any defaulted object as input, and treats an object and its own update the same.
 * - Immutable: no update can change the uid.
 * - Truthful: `Scale` reads back the value it wrote, and writes nothing else.
 *
 * @returns the violated laws; empty when all hold
 */
export function kindViolations<T extends KubeObject>(kind: Kind<T>, sent: T): string[] {
  const violations: string[] = [];
  const expect = (holds: boolean, law: string) => {
    if (!holds) violations.push(law);
  };
  const decoded = (it: T): T => decode(kind.resource, it, { fieldValidation: 'Strict' }).object;
  const whole = deepFreeze(decoded(sent));
  const object = deepFreeze(kind.setDefaults(whole));
  expect(kind.setDefaults(object) === object, 'Frugal: setDefaults');
  expect(sharesUnchanged(object, whole), 'Sharing: setDefaults');

  const created = deepFreeze(kind.prepareForCreate(object));
  expect(deepEqual(decoded(created), created), 'Canonical: what is stored is what Go prints');
  expect(kind.setDefaults(created) === created, 'Frugal: setDefaults after prepareForCreate');
  expect(kind.prepareForCreate(created) === created, 'Frugal: prepareForCreate');
  expect(kind.prepareForUpdate(created, created) === created, 'Frugal: prepareForUpdate');
  const next = kind.prepareForStatusUpdate?.(created, created) ?? created;
  expect(next === created, 'Frugal: prepareForStatusUpdate');
  expect(kind.sameDesiredState?.(created, created) ?? true, 'Frugal: sameDesiredState');

  const unfit = kind.validate(created).map(({ message }) => message);
  const unfitUpdate = kind.validateUpdate(created, created).map(({ message }) => message);
  // Some rules apply only to new objects.
  expect(
    unfitUpdate.every((message) => unfit.includes(message)),
    'Total: validateUpdate',
  );
  expect((kind.validateStatusUpdate?.(created, created) ?? []).length === 0, 'Total: validateStatusUpdate');
  expect(
    deepEqual(Object.keys(kind.selectableFields(created)).sort(), [...kind.selectableFieldNames].sort()),
    'Total: selectableFields',
  );

  const other = deepFreeze({ ...created, metadata: { ...created.metadata, uid: 'another' } });
  const refusesOther = (causes: readonly Cause[] | undefined): boolean =>
    causes?.some(({ field }) => field === 'metadata.uid') ?? true;
  expect(refusesOther(kind.validateUpdate(other, created)), 'Immutable: validateUpdate');
  expect(refusesOther(kind.validateStatusUpdate?.(other, created)), 'Immutable: validateStatusUpdate');
  for (const [part, strategy] of Object.entries(kind.parts ?? {})) {
    expect(refusesOther(strategy.validateUpdate(other, created)), `Immutable: validateUpdate of ${part}`);
  }

  const { scale } = kind;
  if (scale) {
    const before = scale.replicas(created) ?? 0;
    const scaled = scale.withReplicas(created, before + 1);
    expect(scale.replicas(scaled) === before + 1, 'Truthful: withReplicas');
    expect(
      deepEqual(scale.withReplicas(scaled, before), created),
      'Truthful: withReplicas changes nothing else',
    );
    expect(scale.withReplicas(created, before) === created, 'Frugal: withReplicas');
    expect(scale.selector(created) === scale.selector(scaled), 'Truthful: selector');
  }
  return violations;
}

/**
 * Generates objects that a client may send: `whole` without some of its fields, at any depth. Type and metadata stay.
 */
export function parts<T extends KubeObject>(whole: T): fc.Arbitrary<T> {
  return fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 64, maxLength: 64 }).map((choices) => {
    let next = 0;
    const isKept = () => choices[next++ % choices.length] !== 0;
    const { apiVersion, kind, metadata, ...rest } = whole;
    return { apiVersion, kind, metadata, ...(prune(rest, isKept) as object) } as T;
  });
}

/** Returns a client's object as the apiserver completes it: decoded, with defaults. */
export function received<T extends KubeObject>(kind: Kind<T>, sent: T): T {
  return kind.setDefaults(decode(kind.resource, sent, { fieldValidation: 'Strict' }).object);
}

/** Formats causes as a client reads them: `path: message`. */
export function said(causes: readonly Cause[]): string[] {
  return causes.map(({ field, message }) => `${field}: ${message}`);
}

function prune(value: unknown, isKept: () => boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => prune(item, isKept));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, child]) => (isKept() ? [[key, prune(child, isKept)]] : [])),
  );
}

function sharesUnchanged(result: unknown, original: unknown): boolean {
  if (result === original) return true;
  if (!isObject(result) || !isObject(original)) return true;
  if (deepEqual(result, original)) return false;
  return Object.keys(result).every((key) => sharesUnchanged(result[key], original[key]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
