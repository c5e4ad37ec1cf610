import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../../../../api/objects.ts';
import type { StorePreconditions } from '../../../../contracts/store/index.ts';
import {
  keyOf,
  type ObjectAnswer,
  type ObjectCall,
  type ObjectEntry,
  type ObjectHistory,
} from '../history.ts';
import type { ChangePlan, ObjectScenario } from '../scenario/index.ts';
import { readingOf } from './reading.ts';

const place = { namespace: 'a', name: 'x' };

const configMap = (app: string, resourceVersion?: string): KubeObject =>
  ({
    metadata: { ...place, uid: '1', labels: { app }, ...(resourceVersion && { resourceVersion }) },
    data: { n: '0' },
  }) as unknown as KubeObject;

const asked = (call: number): ObjectEntry => ({ atMs: 0, kind: 'asked', call });
const stored = (call: number, revision: number, app?: string): ObjectEntry => ({
  atMs: 0,
  kind: 'stored',
  call,
  revision,
  writes: app ? [{ revision, key: keyOf(place), value: JSON.stringify(configMap(app)) }] : [],
});
const called = (op: number, call: ObjectCall): ObjectEntry => ({
  atMs: 0,
  kind: 'call',
  op,
  by: `client ${op}`,
  server: 0,
  call,
});
const update = (op: number, change: ChangePlan, preconditions?: StorePreconditions): ObjectEntry =>
  called(op, { call: 'update', place, change, ...(preconditions && { preconditions }) });
const got = (op: number, app: string, resourceVersion: string): ObjectEntry => {
  const answer: ObjectAnswer = { kind: 'object', object: configMap(app, resourceVersion) };
  return { atMs: 0, kind: 'answer', op, answer };
};

/** The object is created at revision 2, with app b. */
const created: readonly ObjectEntry[] = [
  called(0, { call: 'create', object: configMap('b') }),
  asked(0),
  stored(0, 2, 'b'),
  got(0, 'b', '2'),
];

function objections(...entries: readonly ObjectEntry[]): Record<string, readonly string[]> {
  const history: ObjectHistory = {
    entries: [...created, ...entries],
    scenario: { isWarm: true } as ObjectScenario,
    hash: '',
    timeline: () => [],
  };
  const { violations } = readingOf(history);
  return Object.fromEntries([...violations].map(([law, some]) => [law, some.map(({ message }) => message)]));
}

describe('A write', () => {
  test('may belong to a later answer than an update that changed nothing after it', () => {
    expect(
      objections(
        update(1, 'nothing'),
        update(2, 'app: a'),
        asked(1),
        got(1, 'a', '3'),
        stored(1, 3, 'a'),
        got(2, 'a', '3'),
      ),
    ).toEqual({});
  });

  test('belongs to the update whose precondition refuses the written state', () => {
    expect(
      objections(
        update(1, 'app: a'),
        update(2, 'app: a', { resourceVersion: '2' }),
        asked(1),
        got(1, 'a', '3'),
        stored(1, 3, 'a'),
        got(2, 'a', '3'),
      ),
    ).toEqual({});
  });
});

describe('An update that changes nothing', () => {
  test('fulfils its preconditions', () => {
    expect(objections(update(1, 'app: b', { uid: '1' }), asked(1), stored(1, 2), got(1, 'b', '2'))).toEqual(
      {},
    );
    expect(
      objections(update(1, 'app: b', { uid: 'another' }), asked(1), stored(1, 2), got(1, 'b', '2')),
    ).toEqual({
      guarded: [expect.stringContaining('its uid is another, and that counts although nothing has changed')],
    });
  });
});
