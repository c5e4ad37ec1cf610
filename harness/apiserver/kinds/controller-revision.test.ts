import { describe, expect, test } from 'vitest';
import { controllerRevision } from './controller-revision.ts';
import { refused, refusedUpdate } from './declared.fixture.ts';

describe('ControllerRevision', () => {
  test.each([
    [{ revision: -1 }, 'revision: Invalid value: -1: must be greater than or equal to 0'],
    [{ data: undefined }, 'data: Required value: data is mandatory'],
    [{ data: [1] }, 'data: Required value: data must be a valid JSON object'],
  ])('rejects %j', (changes, why) => {
    expect(refused(controllerRevision, changes)).toEqual([why]);
  });

  test('keeps its data, but can get another revision number', () => {
    expect(refusedUpdate(controllerRevision, { revision: 9 })).toEqual([]);
    expect(refusedUpdate(controllerRevision, { data: { a: 1 } })).toEqual([
      'data: Invalid value: {"a":1}: field is immutable',
    ]);
  });
});
