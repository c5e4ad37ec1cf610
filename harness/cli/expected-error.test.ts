import { expect, it } from 'vitest';
import { whyExpected } from './expected-error.ts';

it.each([
  [
    'sync of default/web failed: ConsistencyError: read version: 124 is not as new as written version: 133',
    'its cache does not show its own last write yet',
  ],
  [
    'StatusError: Operation cannot be fulfilled on deployments.apps "web": the object has been modified; please try again',
    'another write came first, so it must read the new version',
  ],
  ['ConnectionError: connect ECONNREFUSED', 'the connection broke'],
  ['TypeError: x is undefined', undefined],
])('The line "%s" is explained as: %s', (line, why) => {
  expect(whyExpected(line)).toBe(why);
});
