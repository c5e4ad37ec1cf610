import { describe, expect, test } from 'vitest';
import { refused, refusedUpdate, sampleOf } from './declared.fixture.ts';
import { runtimeClass } from './runtime-class.ts';

describe('RuntimeClass', () => {
  test('makes amounts canonical', () => {
    expect(sampleOf(runtimeClass).overhead?.podFixed).toEqual({ memory: '64Mi', cpu: '250m' });
  });

  test.each([
    [{ handler: '' }, 'handler: Required value'],
    [{ handler: 'a.b' }, 'handler: Invalid value: "a.b": must not contain dots'],
    [
      { 'overhead.podFixed': { cpu: '-1' } },
      'overhead.limits[cpu]: Invalid value: "-1": must be greater than or equal to 0',
    ],
    [
      { 'scheduling.tolerations.1': { key: 'a', operator: 'Exists', effect: '' } },
      'scheduling.tolerations[1]: Duplicate value: {"Key":"a","Operator":"Exists","Value":"","Effect":"","TolerationSeconds":null}',
    ],
  ])('rejects %j', (changes, why) => {
    expect(refused(runtimeClass, changes)).toEqual([why]);
  });

  test('never changes its handler', () => {
    expect(refusedUpdate(runtimeClass, { handler: 'kata' })).toEqual([
      'handler: Invalid value: "kata": field is immutable',
    ]);
  });
});
