import { describe, expect, test } from 'vitest';
import { nearestTag } from './nearest-tag.ts';

const nginx = ['1.29.1', '1.29', '1', 'latest', '1.28.0', '1.28', '1.14.2', 'alpine', '1.29-alpine'];

describe('The nearest tag', () => {
  test.each([
    ['1.28.4', '1.28.0'],
    ['1.7.9', '1.14.2'],
    ['1.27', '1.28.0'],
    ['1.31', '1.29'],
    ['1.28-alpine3.20-slim', '1.29-alpine'],
    ['stable-alpine', '1.29-alpine'],
    ['mainline', '1.29.1'],
    [`sha256:${'0'.repeat(64)}`, '1.29.1'],
  ])('to %s is %s', (missing, nearest) => expect(nearestTag(nginx, missing)).toBe(nearest));

  test.each(['typo', 'broken', 'no-such-tag', '1.29-typo', '1.161', '1.99', '2', 'sha-1'])(
    'does not exist for %s, so that a misspelt tag stays missing',
    (missing) => expect(nearestTag(nginx, missing)).toBeUndefined(),
  );

  test('keeps a leading v apart from the number', () => {
    expect(nearestTag(['v1.14.2'], '1.9.4')).toBe('v1.14.2');
    expect(nearestTag(['v1.14.2'], 'v1.11.1')).toBe('v1.14.2');
  });

  test('does not exist in an unknown repository', () => expect(nearestTag([], 'latest')).toBeUndefined());
});
