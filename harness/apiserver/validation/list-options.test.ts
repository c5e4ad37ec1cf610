import { describe, expect, test } from 'vitest';
import { validateListOptions, validateWatchOptions } from './list-options.ts';

const told = (causes: ReturnType<typeof validateListOptions>): readonly string[] =>
  causes.map(({ field, message }) => `${field}: ${message}`);

const REQUIRES =
  'resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan';

describe('validateListOptions', () => {
  test.each([
    {},
    { resourceVersion: '5' },
    { resourceVersion: '1', resourceVersionMatch: 'Exact' },
    { resourceVersion: '0', resourceVersionMatch: 'NotOlderThan' },
    { resourceVersion: '0', continue: 'token' },
  ])('accepts %j', (options) => {
    expect(validateListOptions(options)).toEqual([]);
  });

  test.each([
    [
      { resourceVersionMatch: 'Exact' },
      ['resourceVersionMatch is forbidden unless resourceVersion is provided'],
    ],
    [
      { resourceVersion: '0', resourceVersionMatch: 'Exact' },
      ['resourceVersionMatch "exact" is forbidden for resourceVersion "0"'],
    ],
    [
      { resourceVersion: '1', resourceVersionMatch: 'NotOlderThan', continue: 'token' },
      ['resourceVersionMatch is forbidden when continue is provided'],
    ],
  ])('rejects %j', (options, why) => {
    expect(told(validateListOptions(options))).toEqual(
      why.map((each) => `resourceVersionMatch: Forbidden: ${each}`),
    );
  });

  test('rejects an unknown match', () => {
    expect(told(validateListOptions({ resourceVersion: '0', resourceVersionMatch: 'foo' }))).toEqual([
      'resourceVersionMatch: Unsupported value: "foo": supported values: "Exact", "NotOlderThan", ""',
    ]);
  });

  test.each([true, false])('rejects sendInitialEvents: %s, which is for watches', (sendInitialEvents) => {
    expect(told(validateListOptions({ sendInitialEvents }))).toEqual([
      'sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list',
    ]);
  });
});

describe('validateWatchOptions', () => {
  test.each([
    {},
    { resourceVersion: '0' },
    { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' },
    { sendInitialEvents: false, resourceVersionMatch: 'NotOlderThan', resourceVersion: '5' },
    { continue: 'token' },
  ])('accepts %j', (options) => {
    expect(validateWatchOptions(options)).toEqual([]);
  });

  test.each([
    [{ sendInitialEvents: true }, [REQUIRES]],
    [{ sendInitialEvents: false, resourceVersionMatch: '' }, [REQUIRES]],
    [
      { sendInitialEvents: true, resourceVersionMatch: 'Exact' },
      [REQUIRES, 'resourceVersionMatch: Unsupported value: "Exact": supported values: "NotOlderThan"'],
    ],
    [
      { resourceVersionMatch: 'NotOlderThan' },
      [
        'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
      ],
    ],
    [
      { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan', continue: '123' },
      ['resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided'],
    ],
  ])('rejects %j', (options, why) => {
    expect(told(validateWatchOptions(options))).toEqual(why);
  });
});
